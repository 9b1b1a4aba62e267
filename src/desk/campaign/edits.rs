//! What the GM changes by hand in dispatches that wait.

use super::{Campaign, CampaignError};
use musterd_dice::{Digest, LineEdit, Seat, SecretChain};
use musterd_engine::briefing::{Briefing, ByHand};
use musterd_engine::journal::Change;

impl Campaign {
    /// A report to a seat on the adjudication that ran last, with the lines that the GM changed by hand, and how many these are.
    #[must_use]
    pub fn brief(&self, seat: &Seat) -> (Briefing, ByHand) {
        self.as_edited(seat, self.game.brief(seat))
    }

    /// The same of this report, which is one to that seat.
    #[must_use]
    pub fn as_edited(&self, seat: &Seat, mut report: Briefing) -> (Briefing, ByHand) {
        let edits = self.last.iter().flat_map(|last| &last.edits).filter(|edit| edit.seat == *seat);
        let by_hand = report.change_lines(edits);
        (report, by_hand)
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
