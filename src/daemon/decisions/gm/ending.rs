//! The GM's commands that end a game, and put it into the archive.

use super::GmOrder;
use crate::games::shelf::Mark;
use crate::response::{Responded, done, undone};
use musterd_engine::journal::{Author, Change};
use musterd_report::text;

/// The longest result, in characters, and how many there may be.
const LONGEST_RESULT: usize = 200;
const MOST_RESULTS: usize = 12;

impl GmOrder<'_, '_> {
    /// `END`: the game is over, with these results.
    pub(super) fn end(&mut self, turn: &str, results: &[String]) -> Responded {
        let is_long = results.iter().any(|result| result.chars().count() > LONGEST_RESULT);
        if is_long || results.len() > MOST_RESULTS {
            return undone(format!(
                "A result has at most {LONGEST_RESULT} characters, and a game at most {MOST_RESULTS} results."
            ));
        }
        let results = match results {
            [] => vec!["The GM has ended the game, without a result.".to_owned()],
            results => results.to_vec(),
        };
        self.end_with(turn, results, "the GM has ended the game")
    }

    /// `CANCEL`: the game is over, without a result.
    pub(super) fn cancel(&mut self, turn: &str) -> Responded {
        let result = "The GM has cancelled the game: nobody wins or loses.".to_owned();
        self.end_with(turn, vec![result], "the GM has cancelled the game")
    }

    fn end_with(&mut self, turn: &str, mut results: Vec<String>, what: &str) -> Responded {
        if self.campaign().is_over() {
            return undone("The game is over already.");
        }
        let t = self.turn_meant(turn)?;
        if !self.confirmed {
            let orders = match self.campaign().window() {
                Some(_) => format!(
                    "Turn {t} would never run, and orders that are here for it would come to nothing. "
                ),
                None => String::new(),
            };
            let told = match self.campaign().last() {
                Some(_) => "All are sent their last reports, and everything becomes public as at any end.",
                None => "All are told; there is nothing to report yet.",
            };
            let results: Vec<String> =
                results.iter().map(|result| text::sentence(result.trim_end_matches('.'))).collect();
            return self
                .ask(vec![format!("The game would end with: {}. {orders}{told}", results.join(". "))]);
        }
        results.extend((!self.because.is_empty()).then(|| format!("Because: {}.", self.because)));
        let text = self.logged(what);
        let told = if self.campaign().last().is_some() {
            "The last reports are on their way."
        } else {
            "All are told."
        };
        self.end_by(Author::Gm, results, text)?;
        done(format!("The game is over. {told} ARCHIVE puts it into the archive."))
    }

    /// `ARCHIVE`: a game that is over is opened no more unless somebody asks for it.
    pub(super) fn archive(&mut self) -> Responded {
        let campaign = self.campaign();
        if !campaign.is_over() {
            return undone("The game is not over: END or CANCEL ends it.");
        }
        if campaign.is_archived() {
            return undone("The game is in the archive already.");
        }
        if !self.confirmed {
            return self.ask(vec![format!(
                "{} would be left out of lists, and the host would open it only when somebody asks for it by its name. Its journal, its \
                 secret and its audit file stay, and it can be verified as before.",
                self.game
            )]);
        }
        let what = self.logged("archived");
        self.arrange(Author::Gm, Change::Archived, what)?;
        let mark = self.at.games.archive_mark(&self.at.game, Mark::Archived)?;
        self.step.seen.push(mark);
        done("The game is in the archive. `musterd status --archived` lists those that are.")
    }
}
