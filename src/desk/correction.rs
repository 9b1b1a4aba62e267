//! Corrections by the GM: amendments of the position, adjudications that run again, adjudications made void. The whole history stays in the journal;
//! the fold skips what was taken back.

use super::campaign::{Campaign, CampaignError};
use super::desk::Desk;
pub use super::taken_back::{Correction, TakenBack, counting_events};
use musterd_dice::{Digest, SecretChain, amend_commit};
use musterd_engine::journal::{Amendment, Cause, Entry};
use musterd_engine::orders::Remark;
use musterd_engine::{Awaiting, digest_of};

/// Why a turn doesn't run again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoRerun {
    /// No turn has run, or the founding was the last one: no orders were adjudicated.
    #[error("no turn has run that could run again")]
    Nothing,
    /// The turn has been changed by a reroll.
    #[error(
        "a roll of turn {0} was thrown again, and its result is that of the new throw: it can't run again. AMEND changes the position, \
         ROLLBACK {0} takes the turn back"
    )]
    Rerolled(u32),
    /// The next turn is closed: nothing that its dice depend on can change any more.
    #[error(
        "turn {0} is closed, and its dice wait for the public beacon: nothing may change until they have fallen"
    )]
    Closed(u32),
    /// The amendment can't be made.
    #[error("{}", .0.text)]
    Remark(Remark),
    /// Orders are being taken for another wait than the one that would follow.
    #[error(
        "with that the game would wait for something else (`{would}`), and orders are already being taken for `{open}`: roll \
         the turn back instead"
    )]
    OtherWait {
        /// The open wait.
        open: String,
        /// The wait that would follow.
        would: String,
    },
}

impl Campaign {
    /// A change of the position by the GM, for the journal; or why the rules can't make it.
    ///
    /// # Errors
    /// The secret chain is used up.
    pub fn amending(
        &self,
        secrets: &SecretChain,
        text: &str,
        reason: &str,
    ) -> Result<Result<Cause, Remark>, CampaignError> {
        let amendment = self.amendment(secrets, self.next_t(), text, reason)?;
        Ok(amendment.map(Cause::Amended))
    }

    fn amendment(
        &self,
        secrets: &SecretChain,
        t: u32,
        text: &str,
        reason: &str,
    ) -> Result<Result<Amendment, Remark>, CampaignError> {
        let events = match self.game().amending(text) {
            Ok(events) => events,
            Err(remark) => return Ok(Err(remark)),
        };
        let secret = secrets.secret(t).ok_or(CampaignError::NoSecret(t))?;
        let digest: Digest = digest_of(&events);
        let commit = amend_commit(&secret, &self.charter().game, t, self.amendments, text, &digest);
        Ok(Ok(Amendment { t, text: text.to_owned(), events, commit, reason: reason.to_owned() }))
    }

    /// Runs the last adjudication again, with the same orders and the same seed, from a position amended before it; or says why not. `entries` is the
    /// whole journal.
    ///
    /// # Errors
    /// The journal is damaged, the secret chain is used up, or the ruleset misused the dice.
    pub fn rerunning(
        &self,
        desk: &Desk,
        entries: &[Entry],
        secrets: &SecretChain,
        text: &str,
        reason: &str,
    ) -> Result<Result<Cause, NoRerun>, CampaignError> {
        if let Some(awaited) = self.awaited() {
            return Ok(Err(NoRerun::Closed(awaited.t)));
        }
        let Some(last) = self.last().map(|last| last.t).filter(|t| *t > 1) else {
            return Ok(Err(NoRerun::Nothing));
        };
        let is_first = |entry: &Entry| matches!(entry.cause, Cause::Adjudicated { t, .. } if t == last);
        let Some(upto) = entries.iter().position(is_first) else {
            let of = entries.iter().rev().find_map(|entry| match &entry.cause {
                Cause::Rerolled(reroll) if reroll.t == last => Some(reroll.of),
                _ => None,
            });
            return Ok(Err(of.map_or(NoRerun::Nothing, NoRerun::Rerolled)));
        };
        let mut past = Self::fold(desk, &entries[..upto])?;
        past.amendments = self.amendments;
        let amendment = match past.amendment(secrets, last, text, reason)? {
            Ok(amendment) => amendment,
            Err(remark) => return Ok(Err(NoRerun::Remark(remark))),
        };
        past.apply(&Entry { at: 0, cause: Cause::Amended(amendment.clone()) })?;
        let ran = past.adjudication(secrets)?;
        past.apply(&Entry { at: 0, cause: ran.clone() })?;
        let Cause::Adjudicated { t, events, rolls, rolls_root, result_commit } = ran else {
            return Ok(Err(NoRerun::Nothing));
        };
        if let Some(window) = self.window() {
            let would = match past.game().awaiting() {
                Awaiting::Founding => "founding".to_owned(),
                Awaiting::Orders { name, .. } => name.to_string(),
                Awaiting::Over { .. } => "the end of the game".to_owned(),
            };
            if would != window.name.as_str() {
                return Ok(Err(NoRerun::OtherWait { open: window.name.to_string(), would }));
            }
        } else if self.results().is_some() {
            let (open, would) = ("the end of the game".to_owned(), past.wait_title());
            if past.game().awaiting() != self.game().awaiting() {
                return Ok(Err(NoRerun::OtherWait { open, would }));
            }
        }
        let reruns = entries.iter().filter(|e| matches!(e.cause, Cause::Rerun { t, .. } if t == last));
        let k = u32::try_from(reruns.count()).unwrap_or(u32::MAX).saturating_add(1);
        Ok(Ok(Cause::Rerun { t, k, amendment, events, rolls, rolls_root, result_commit }))
    }

    /// Makes the adjudications from `back` on void, for the journal. `None` if `back` never ran, is already void, or is the founding, whose
    /// confirmations can't be given again; or while a closed turn waits for its dice.
    pub fn rolling_back(&self, back: u32, reason: &str) -> Option<Cause> {
        let ran = self.ran().contains_key(&back) && back > 1 && self.awaited().is_none();
        let t = self.window().map_or(self.next_t() - 1, |window| window.t);
        ran.then(|| Cause::RolledBack { t, back, reason: reason.to_owned() })
    }
}
