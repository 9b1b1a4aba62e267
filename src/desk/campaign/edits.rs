//! What the GM changes by hand in dispatches that wait.

use std::collections::BTreeSet;

use super::{Campaign, CampaignError};
use crate::game::Game;
use musterd_dice::told::TellingKind;
use musterd_dice::{Digest, LineEdit, Seat, SecretChain};
use musterd_engine::Awaiting;
use musterd_engine::briefing::{Becomes, Briefing, ByHand};
use musterd_engine::journal::Change;

/// A report of this kind to a seat, as the rules give it. The last one says so where the rules would go on: the game was ended otherwise.
pub fn brief_of(game: &dyn Game, seat: &Seat, kind: TellingKind) -> Briefing {
    let mut report = game.brief(seat);
    if kind == TellingKind::Final && !matches!(game.awaiting(), Awaiting::Over { .. }) {
        report.end();
    }
    report
}

impl Campaign {
    /// A report to a seat on the adjudication that ran last, with the lines that the GM changed by hand, and how many these are. Once the game is
    /// over, it is the last one.
    pub fn brief(&self, seat: &Seat) -> (Briefing, ByHand) {
        let kind = if self.is_over() { TellingKind::Final } else { TellingKind::Dispatch };
        self.as_edited(seat, brief_of(self.game(), seat, kind))
    }

    fn as_edited(&self, seat: &Seat, mut report: Briefing) -> (Briefing, ByHand) {
        let by_hand = report.change_lines(self.edits_of(seat));
        (report, by_hand)
    }

    /// The report to a seat as observers read it ([`Game::shown`]), with what the GM changed by hand in the seat's own, also where a line has other
    /// words there.
    pub fn shown(&self, seat: &Seat, hidden: &BTreeSet<String>) -> (Briefing, ByHand) {
        let mut shown = self.game.shown(seat, hidden);
        let edits: Vec<LineEdit> = self.edits_of(seat).cloned().collect();
        if edits.is_empty() {
            return (shown, ByHand::default());
        }
        let by_hand = shown.change_lines(&self.game.brief(seat).edits_for(&shown, &edits));
        (shown, by_hand)
    }

    /// The lines of a seat's report that can be changed, as the program writes them, each with what becomes of it by the GM's hand.
    pub fn lines_by_hand(&self, seat: &Seat) -> Vec<(String, Becomes)> {
        let report = self.game.brief(seat);
        let lines = report.lines_by_hand(self.edits_of(seat)).into_iter();
        lines.map(|(line, becomes)| (line.to_owned(), becomes)).collect()
    }

    fn edits_of(&self, seat: &Seat) -> impl Iterator<Item = &LineEdit> {
        self.last.iter().flat_map(|last| &last.edits).filter(move |edit| edit.seat == *seat)
    }

    /// The GM's change of a line of a dispatch that waits, for the journal: with its commitment for the log.
    ///
    /// # Errors
    /// The secret chain is used up.
    pub fn editing(&self, secrets: &SecretChain, edit: LineEdit) -> Result<(Change, Digest), CampaignError> {
        let secret = secrets.secret(edit.t).ok_or(CampaignError::NoSecret(edit.t))?;
        let commit = edit.commit(&secret, &self.charter.game, self.edits);
        Ok((Change::Edited { edit }, commit))
    }
}
