use std::ffi::OsStr;
use std::path::Path;

use clap::Args;

use super::given::numbers_text;
use super::played::Played;
use crate::cli::global::{Ended, Global};
use crate::cli::output;
use crate::cli::shelf::desk;
use crate::cli::shelf::read_data;
use musterd_daemon::HostError;
use musterd_desk::DeskError;
use musterd_dice::GameId;
use musterd_dog::Dog;
use musterd_dog::battle::hire::HireList;
use musterd_dog::battle::{self, Army};
use musterd_dog::numbers::Numbers;
use musterd_dog::record;
use musterd_engine::Ruleset as _;
use musterd_engine::files::RuleFiles;
use musterd_report::cards::{self, Deck};

/// Print unit record cards: of a battle, of a hire list, or of a game as it stands
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd dog record daerquwa --army emperor\n  musterd dog record daerquwa --html > cards.html\n  musterd dog record hire/company-300\n  musterd dog record --game alpha\n\nThe page has eight cards to a sheet of A4, six of long ones; print it from any browser. An army with money gets blank cards for what it hires. Hidden units are on it: it is the umpire's page, or, with --army, one leader's."
)]
pub(in crate::cli) struct Record {
    /// A battle or a hire list, as `musterd scenarios` lists it, or its file; or a game
    #[arg(value_name = "BATTLE|LIST|GAME")]
    of: String,
    /// It is a game, though a battle has the same name
    #[arg(long)]
    game: bool,
    /// This army only, by its leader's seat, its letter or its name
    #[arg(long, value_name = "ARMY")]
    army: Option<String>,
    /// As a page to print
    #[arg(long)]
    html: bool,
}

impl Record {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        if let Some((numbers, list)) = self.hire_list(global)? {
            if let Some(army) = &self.army {
                return Err(HostError::usage(format!(
                    "--army {army}: a hire list is one army, nobody's yet"
                )));
            }
            self.print(&list.title, &[record::hired(&numbers, &list)]);
            return Ok(Ended::Done);
        }
        let (title, decks) = match self.battle(global)? {
            Some(rules) => {
                let armies = self.armies(&rules)?;
                let decks: Vec<Deck> = armies.iter().map(|army| record::at_start(&rules, army)).collect();
                (rules.battle().title.clone(), decks)
            }
            None => {
                let game: GameId = self.of.parse().map_err(|_| {
                    HostError::usage(format!("there is neither a battle nor a game `{}`", self.of))
                })?;
                let played = match Played::find(global, &game)? {
                    Ok(played) => played,
                    Err(ended) => return Ok(ended),
                };
                let known = self.armies(&played.rules)?;
                let deck =
                    |army: &&Army| Some(record::now(&played.rules, army, played.views.get(&army.seat)?));
                (played.rules.battle().title.clone(), known.iter().filter_map(deck).collect())
            }
        };
        self.print(&title, &decks);
        Ok(Ended::Done)
    }

    fn print(&self, title: &str, decks: &[Deck]) {
        output::text(&if self.html { cards::html(title, decks) } else { cards::text(decks) });
    }

    /// The hire list with this name, or the one in this file of a folder `hire`; with the numbers that apply to it. `None` if there is none.
    fn hire_list(&self, global: &Global) -> Result<Option<(Numbers, HireList)>, HostError> {
        let path = Path::new(&self.of);
        let folder = path.parent().and_then(Path::file_name);
        let named = match path.file_stem().and_then(OsStr::to_str) {
            Some(stem) if !self.game && path.is_file() && folder.is_some_and(|name| name == "hire") => stem,
            _ => match self.of.strip_prefix("dog/").unwrap_or(&self.of).strip_prefix("hire/") {
                Some(named) => named,
                None => return Ok(None),
            },
        };
        let mut files = desk(&global.dir()).0.shared_files("dog")?;
        if path.is_file() {
            files.0.insert(format!("hire/{named}.yaml"), read_data(path)?);
        }
        let numbers = Numbers::load(&files).map_err(DeskError::from)?;
        let (mut lists, mut unfit) = HireList::load(&files, &numbers);
        if let Some(errors) = unfit.remove(named) {
            return Err(DeskError::from(errors).into());
        }
        let list = lists.remove(named).ok_or_else(|| {
            let known: Vec<&str> = lists.keys().map(String::as_str).collect();
            HostError::usage(format!("there is no hire list `{named}`; there are {}", known.join(", ")))
        })?;
        Ok(Some((numbers, list)))
    }

    /// The battle of this name or file, if there is one.
    fn battle(&self, global: &Global) -> Result<Option<Dog>, HostError> {
        if self.game {
            return Ok(None);
        }
        if Path::new(&self.of).is_file() {
            return of_file(global, Path::new(&self.of)).map(Some);
        }
        let named = self.of.strip_prefix("dog/").unwrap_or(&self.of);
        match desk(&global.dir()).0.founding(&format!("dog/{named}")) {
            Ok(founding) => Ok(Some(Dog::from_files(&founding.files, &[]).map_err(DeskError::from)?)),
            Err(_) => Ok(None),
        }
    }

    fn armies<'a>(&self, rules: &'a Dog) -> Result<Vec<&'a Army>, HostError> {
        let all = rules.battle().armies();
        let Some(wanted) = &self.army else { return Ok(all.iter().collect()) };
        let found = all.iter().find(|army| {
            army.seat.as_str().eq_ignore_ascii_case(wanted)
                || army.name.eq_ignore_ascii_case(wanted)
                || wanted.eq_ignore_ascii_case(&army.letter.to_string())
        });
        let known: Vec<&str> = all.iter().map(|army| army.seat.as_str()).collect();
        found.map(|army| vec![army]).ok_or_else(|| {
            HostError::usage(format!(
                "--army {wanted}: there is no such army; there are {}",
                known.join(", ")
            ))
        })
    }
}

/// A battle of a file of the user's own.
pub(super) fn of_file(global: &Global, path: &Path) -> Result<Dog, HostError> {
    let files = [("ruleset.yaml", numbers_text(global)?), (battle::FILE, read_data(path)?)];
    let files = RuleFiles(files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect());
    Dog::from_files(&files, &[]).map_err(|mut errors| {
        errors.0.iter_mut().for_each(|error| error.file = path.display().to_string());
        DeskError::from(errors).into()
    })
}
