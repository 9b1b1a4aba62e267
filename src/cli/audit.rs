use std::collections::BTreeMap;
use std::path::Path;

use clap::{Args, ValueHint};
use serde::Serialize;

use super::global::{Ended, Global};
use super::outfile::{Force, OutFile};
use super::output;
use crate::rulesets;
use musterd_audit::{ExaminedFile, replay, statistics_of, turn_by_turn};
use musterd_daemon::{HostError, Reply, Request};
use musterd_dice::audit::{AuditFile, examine};
use musterd_dice::statistics::Statistics;
use musterd_dice::{Assurance, GameId, Witness};
use musterd_engine::briefing::{Briefing, Fact, Part, Section};
use musterd_report::{statistics, text};
use musterd_text::nouns::counted;

/// Show how far a game's dice can be trusted, turn by turn; write its audit file
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  musterd audit alpha\n  musterd audit alpha --out alpha.json\n  musterd verify alpha.json ~/Mail\n\n\
                  The audit file holds what is revealed: every secret, every set of orders, every die. Until then it holds the log.\n\n\
                  Exit status 1 where something is wrong with the dice. That not all is revealed yet is none of this command's: `musterd verify` ends with 5 for it."
)]
pub(super) struct Audit {
    /// The game's name
    game: GameId,
    /// Write the audit file, for `musterd verify` and for anybody's own program; `-` prints it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<OutFile>,
    #[command(flatten)]
    force: Force,
}

/// The output of `audit` for programs.
#[derive(Serialize)]
struct Told<'a> {
    /// The log's last entry, which the next mail will show.
    head: Option<(u64, String)>,
    /// How far each adjudication's dice can be trusted, and whose salts counted, revealed or not.
    assurances: &'a BTreeMap<u32, Assurance>,
    /// The statistics of the revealed dice, with each side's luck in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<&'a Statistics>,
    #[serde(flatten)]
    examined: &'a ExaminedFile,
}

impl Audit {
    pub(super) fn run(&self, global: &Global) -> Result<Ended, HostError> {
        let file = self.out.as_ref().filter(|out| !out.is_output());
        let writing = file.map(|out| out.begin(global, self.force)).transpose()?;
        let Reply::Audit { file, assurances } = global.ask(Request::Audit { game: self.game.clone() })?
        else {
            return Ok(Ended::Done);
        };
        let assurances = assurances.into_iter().collect();
        let json = serde_json::to_string(&file).map_err(|error| HostError::usage(error.to_string()))?;
        if self.out.as_ref().is_some_and(OutFile::is_output) {
            output::text(&json);
            return Ok(Ended::Done);
        }
        if let Some(writing) = writing {
            writing.whole(json.as_bytes())?;
        }
        let examination =
            examine(&json, &[], |_, _| {}).map_err(|error| HostError::usage(error.to_string()))?;
        let path =
            self.out.as_ref().map_or(Path::new(self.game.as_str()), OutFile::path).display().to_string();
        // The luck of each roll is found by playing the game again.
        let replayed = replay(&rulesets::desk(), &file, |_, _| {});
        let statistics = statistics_of(&file.turns, &examination, Some(&replayed));
        let examined = ExaminedFile { path, examination, replayed: None, replayed_from: None };
        let head = head(&self.game, &file);
        if global.json {
            let head = head.map(|witness| (witness.index, witness.head.to_string()));
            let statistics = statistics.as_ref();
            output::json(&Told { head, assurances: &assurances, statistics, examined: &examined });
        } else {
            let turns = turn_by_turn(&examined.examination, &assurances, usize::MAX);
            let mut sections = vec![self.facts(head.as_ref(), &file, &examined), turns];
            sections.extend(statistics.iter().flat_map(statistics::sections));
            output::text(text::sections(&Briefing { sections, ..Briefing::default() }).trim_end());
        }
        Ok(if examined.examination.faults().next().is_none() { Ended::Done } else { Ended::Finding(1) })
    }

    fn facts(&self, head: Option<&Witness>, file: &AuditFile, examined: &ExaminedFile) -> Section {
        let examination = &examined.examination;
        let mut facts = Vec::new();
        if let Some(witness) = head {
            facts.push(Fact::of(
                "Log",
                format!(
                    "{}, the last one {}",
                    counted(examination.entries as u64, "entry", "entries"),
                    witness.head
                ),
            ));
        }
        let closed = examination.turns.iter().filter(|turn| turn.closed).count();
        let revealed = file.turns.iter().filter(|turn| turn.secret.is_some()).count();
        let public = match (revealed, closed) {
            (_, 0) => "nothing yet: no turn has run".to_owned(),
            (0, 1) => "nothing yet: the secret of the first adjudication is kept".to_owned(),
            (0, _) => format!("nothing yet: the secrets of {closed} adjudications are kept"),
            (revealed, closed) if revealed == closed => {
                "everything: every secret, every set of orders and every die".to_owned()
            }
            (revealed, closed) => format!("{revealed} of {closed} adjudications"),
        };
        facts.push(Fact::of("Revealed", public));
        let wrong = examination.faults().count();
        let found = match wrong {
            0 if revealed == 0 => "nothing wrong with the log".to_owned(),
            0 => "nothing wrong: every revealed die was thrown again and fell the same".to_owned(),
            n => format!("{n} wrong: `musterd verify` tells what"),
        };
        facts.push(Fact::of("Found", found));
        if let Some(out) = &self.out {
            facts.push(Fact::of("Written to", out.path().display().to_string()));
        }
        Section::of(format!("The dice of {}", self.game), vec![Part::Facts { facts }])
    }
}

/// The last entry of a file's log.
fn head(game: &GameId, file: &AuditFile) -> Option<Witness> {
    let index = (file.log.len() as u64).checked_sub(1)?;
    Some(Witness { game: game.clone(), index, head: file.log.last()?.hash.parse().ok()? })
}
