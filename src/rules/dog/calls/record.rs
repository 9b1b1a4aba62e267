//! Unit record cards.

use std::path::Path;

use super::played::Played;
use crate::battle::hire::HireList;
use crate::battle::{self, Army};
use crate::data::Dog;
use crate::numbers::{self, Numbers};
use crate::record;
use musterd_dice::GameId;
use musterd_engine::Ruleset as _;
use musterd_engine::calls::{Answer, Arg, Call, CallError, Given, Installation, Kind, any};
use musterd_engine::files::RuleFiles;
use musterd_kit::lists::joined;
use musterd_report::cards::{self, Deck};

/// Unit record cards.
pub(super) const RECORD: Call = Call {
    name: "record",
    about: "Print unit record cards: of a battle, of a hire list, or of a game as it stands",
    examples: &[
        "musterd dog record daerquwa --army emperor",
        "musterd dog record daerquwa --html > cards.html",
        "musterd dog record hire/company-300",
        "musterd dog record --game alpha",
    ],
    notes: &[
        "The page has eight cards to a sheet of A4, six of long ones; print it from any browser. An army with money gets blank cards for what it hires. \
         Hidden units are on it: it is the umpire's page, or, with --army, one leader's.",
    ],
    args: &[&[
        Arg::option(
            "of",
            "BATTLE|LIST|GAME",
            Kind::Text(any),
            "A battle or a hire list, as `musterd scenarios` lists it, or its file; or a game",
        )
        .loose(1, 1),
        Arg::flag("game", "It is a game, though a battle has the same name"),
        Arg::option(
            "army",
            "ARMY",
            Kind::Text(any),
            "This army only, by its leader's seat, its letter or its name",
        ),
        Arg::flag("html", "As a page to print"),
    ]],
    run: print,
};

fn print(given: &Given, at: &mut dyn Installation) -> Result<Answer, CallError> {
    let (of, army) = (given.text("of").unwrap_or_default(), given.text("army"));
    let (title, decks) = match given.has("game") {
        true => now(of, army, at)?,
        false => match hire_list(of, at)? {
            Some((numbers, list)) => {
                if let Some(army) = army {
                    return Err(format!("--army {army}: a hire list is one army, nobody's yet").into());
                }
                (list.title.clone(), vec![record::hired(&numbers, &list)])
            }
            None => match battle(of, at) {
                Ok(rules) => at_start(&rules, army)?,
                // A name that no battle has may be a game's.
                Err(CallError::Installation(_)) => now(of, army, at)?,
                Err(error) => return Err(error),
            },
        },
    };
    let text = if given.has("html") { cards::html(&title, &decks) } else { cards::text(&decks) };
    Ok(Answer::page(text))
}

/// The cards of a battle before its first round.
fn at_start(rules: &Dog, army: Option<&str>) -> Result<(String, Vec<Deck>), CallError> {
    let decks = armies(rules, army)?.iter().map(|army| record::at_start(rules, army)).collect();
    Ok((rules.battle().title.clone(), decks))
}

/// The cards of a game as it stands.
fn now(of: &str, army: Option<&str>, at: &mut dyn Installation) -> Result<(String, Vec<Deck>), CallError> {
    let game: Result<GameId, _> = of.parse();
    let game = game.map_err(|_| format!("there is neither a battle nor a game `{of}`"))?;
    let played = Played::find(at, &game)?;
    let known = armies(&played.rules, army)?;
    let deck = |army: &&Army| Some(record::now(&played.rules, army, played.views.get(&army.seat)?));
    Ok((played.rules.battle().title.clone(), known.iter().filter_map(deck).collect()))
}

/// The hire list with this name, or the one in this file of a folder `hire`; with the numbers that apply to it. `None` if there is none.
fn hire_list(of: &str, at: &mut dyn Installation) -> Result<Option<(Numbers, HireList)>, CallError> {
    let path = Path::new(of);
    let text = at.read(of)?;
    let folder = path.parent().and_then(Path::file_name);
    let named = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some(stem) if text.is_some() && folder.is_some_and(|name| name == "hire") => stem,
        _ => match of.strip_prefix("dog/").unwrap_or(of).strip_prefix("hire/") {
            Some(named) => named,
            None => return Ok(None),
        },
    };
    let mut files = at.files()?;
    files.0.extend(text.map(|text| (format!("hire/{named}.yaml"), text)));
    let numbers = Numbers::load(&files)?;
    let (mut lists, mut unfit) = HireList::load(&files, &numbers);
    if let Some(errors) = unfit.remove(named) {
        return Err(errors.into());
    }
    let list = lists.remove(named).ok_or_else(|| {
        format!("there is no hire list `{named}`; there are {}", joined(lists.keys(), ", "))
    })?;
    Ok(Some((numbers, list)))
}

/// The battle of this name or file.
pub(super) fn battle(of: &str, at: &mut dyn Installation) -> Result<Dog, CallError> {
    let Some(text) = at.read(of)? else {
        return Ok(Dog::from_files(&at.scenario(of.strip_prefix("dog/").unwrap_or(of))?, &[])?);
    };
    let numbers = at.files()?.0.remove(numbers::FILE).unwrap_or_default();
    let rules = Dog::from_files(
        &RuleFiles::of(&[(numbers::FILE, numbers.as_str()), (battle::FILE, text.as_str())]),
        &[],
    );
    Ok(rules.map_err(|mut errors| {
        errors.0.iter_mut().for_each(|error| of.clone_into(&mut error.file));
        errors
    })?)
}

fn armies<'a>(rules: &'a Dog, wanted: Option<&str>) -> Result<Vec<&'a Army>, CallError> {
    let all = rules.battle().armies();
    let Some(wanted) = wanted else { return Ok(all.iter().collect()) };
    let found = all.iter().find(|army| {
        army.seat.as_str().eq_ignore_ascii_case(wanted)
            || army.name.eq_ignore_ascii_case(wanted)
            || wanted.eq_ignore_ascii_case(&army.letter.to_string())
    });
    let known = || joined(all.iter().map(|army| &army.seat), ", ");
    let unknown = || format!("--army {wanted}: there is no such army; there are {}", known());
    Ok(vec![found.ok_or_else(unknown)?])
}
