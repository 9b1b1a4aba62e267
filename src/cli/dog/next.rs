use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::{Args, ValueHint};

use super::played::Played;
use super::record::of_file;
use crate::cli::global::{Ended, Global};
use crate::cli::outfile::{Force, OutFile};
use crate::cli::output;
use crate::cli::shelf::desk;
use musterd_daemon::HostError;
use musterd_desk::DeskError;
use musterd_dice::{GameId, Seat};
use musterd_dog::Dog;
use musterd_dog::battle;
use musterd_dog::next::{Carried, Wishes, next};
use musterd_engine::Ruleset as _;
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_engine::files::RuleFiles;
use musterd_report::text;

/// Write the next battle of a campaign: survivors, loot, maintenance, leadership
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd dog next alpha --out games/dog/scenarios/second.yaml\n  musterd dog next alpha --out third.yaml --on daerquwa --money king=200\n\nWho is left stands in the file as units without a place: their leaders mail where they stand. What split off is with its unit again, prisoners are lost, shots are whole. What was not spent on hire, loot and money besides pay the maintenance; what is left hires more."
)]
pub(in crate::cli) struct Next {
    /// The game of the battle that is over
    game: GameId,
    /// The file to write; `-` prints it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: OutFile,
    #[command(flatten)]
    force: Force,
    /// The battle, or its file, whose field they meet on [default: the same field]
    #[arg(long, value_name = "BATTLE")]
    on: Option<String>,
    /// The next battle's title
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Money that a leader has besides; may be repeated
    #[arg(long, value_name = "SEAT=MONEY", value_parser = money)]
    money: Vec<(Seat, u32)>,
    /// An army that fights no more; may be repeated
    #[arg(long, value_name = "SEAT")]
    without: Vec<Seat>,
}

fn money(text: &str) -> Result<(Seat, u32), String> {
    let bad = || format!("`{text}` is no leader's money: write king=200");
    let (seat, money) = text.split_once('=').ok_or_else(bad)?;
    Ok((seat.trim().parse().map_err(|_| bad())?, money.trim().parse().map_err(|_| bad())?))
}

impl Next {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let writing = match self.out.is_output() {
            true => None,
            // The new file is a battle of the host's own.
            false => Some(self.out.begin_among(global, self.force, &["games"])?),
        };
        let played = match Played::find(global, &self.game)? {
            Ok(played) => played,
            Err(ended) => return Ok(ended),
        };
        let on = self.on.as_deref().map(|on| field(global, on)).transpose()?;
        let stem = self.out.path().file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        let id = if stem.is_empty() || self.out.is_output() { format!("after-{}", self.game) } else { stem };
        let wishes = Wishes {
            id,
            title: self.title.clone(),
            money: self.money.iter().cloned().collect::<BTreeMap<_, _>>(),
            without: self.without.iter().cloned().collect::<BTreeSet<_>>(),
        };
        let (file, carried) =
            next(&played.rules, &played.views, &played.unspent, on.as_ref().map(Dog::battle), &wishes)
                .map_err(HostError::usage)?;
        let files = [("ruleset.yaml", played.numbers), (battle::FILE, file.clone())];
        let files = RuleFiles(files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect());
        // A battle that can't be played is not written; the errors say what is missing.
        Dog::from_files(&files, &[]).map_err(|errors| HostError::Desk(DeskError::from(errors)))?;
        let Some(writing) = writing else {
            output::text(&file);
            return Ok(Ended::Done);
        };
        writing.whole(file.as_bytes())?;
        if global.json {
            output::json(&serde_json::json!({ "file": self.out.path(), "id": wishes.id }));
        } else {
            let sections = carried.iter().map(section).collect();
            let page = text::sections(&Briefing { sections, ..Briefing::default() });
            output::text(&format!("{page}\nWritten: {}\n", self.out.path().display()));
        }
        Ok(Ended::Done)
    }
}

/// The battle whose field is used.
fn field(global: &Global, on: &str) -> Result<Dog, HostError> {
    if Path::new(on).is_file() {
        return of_file(global, Path::new(on));
    }
    let named = on.strip_prefix("dog/").unwrap_or(on);
    let founding = desk(&global.dir()).0.founding(&format!("dog/{named}"))?;
    Ok(Dog::from_files(&founding.files, &[]).map_err(DeskError::from)?)
}

fn section(carried: &Carried) -> Section {
    let fact = |label: &str, text: String| Fact { label: label.to_owned(), text };
    let all = |names: &[String]| if names.is_empty() { "nobody".to_owned() } else { names.join("; ") };
    let mut facts = vec![fact("Survivors", all(&carried.survivors))];
    if !carried.prisoners.is_empty() {
        facts.push(fact("Lost as prisoners", all(&carried.prisoners)));
    }
    facts.push(fact("Leadership", carried.leadership.clone()));
    let Carried { loot, money, unspent, maintenance, .. } = carried;
    let rest = match (carried.left(), carried.owed()) {
        (0, 0) => "nothing is left".to_owned(),
        (0, owed) => format!("{owed} are owed"),
        (left, _) => format!("{left} to hire with"),
    };
    facts.push(fact(
        "Money",
        format!("{unspent} not spent + loot {loot} + {money} besides - maintenance {maintenance}: {rest}"),
    ));
    Section { title: carried.army.clone(), parts: vec![Part::Facts { facts }] }
}
