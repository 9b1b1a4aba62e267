//! Turns whose dice wait for a public beacon (dice.md, "Levels"): they are closed, and don't run before the beacon's round is published.

use std::collections::BTreeMap;

use super::Campaign;
use super::closed::Awaited;
use musterd_dice::{Beacon, Digest, Seat};
use musterd_engine::journal::Cause;

impl Campaign {
    /// The turn that is closed and whose dice wait for the public beacon, if there is one. Nothing of it can change any more.
    #[must_use]
    pub fn awaited(&self) -> Option<Awaited> {
        let policy = self.charter.beacon.as_ref()?;
        let closed = self.closed.as_ref().filter(|closed| closed.beacon.is_none())?;
        let deadline = closed.deadline.and_then(|at| u64::try_from(at).ok()).unwrap_or_default();
        let round = policy.round(deadline);
        Some(Awaited {
            t: closed.t,
            name: closed.name.clone(),
            closed: closed.at,
            beacon: policy.name.clone(),
            round,
            due: i64::try_from(policy.time_of(round)).unwrap_or(i64::MAX),
        })
    }

    /// Every slot's leaf of the turn that is closed and has not run.
    #[must_use]
    pub fn closed_leaves(&self) -> Option<&BTreeMap<Seat, Digest>> {
        self.closed.as_ref().map(|closed| &closed.leaves)
    }

    /// The beacon's value as a cause for the journal; `None` if it is not the one that the dice wait for.
    #[must_use]
    pub fn shining(&self, beacon: Beacon) -> Option<Cause> {
        let awaited = self.awaited()?;
        let is_due = beacon.name == awaited.beacon && beacon.round == awaited.round;
        is_due.then_some(Cause::Beacon { t: awaited.t, beacon })
    }

    /// Folds the beacon's value; `None` if no turn waits for it.
    pub(super) fn shone(&mut self, t: u32, beacon: &Beacon) -> Option<()> {
        self.awaited().filter(|awaited| awaited.t == t && awaited.round == beacon.round)?;
        self.closed.as_mut()?.beacon = Some(beacon.clone());
        Some(())
    }
}
