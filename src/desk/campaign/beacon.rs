//! Turns whose dice wait for a public beacon (dice.md, "Levels"): they are closed, and don't run before the beacon's round is published.

use std::collections::BTreeMap;

use super::Campaign;
use super::closed::Awaited;
use musterd_dice::{Beacon, BeaconValue, Digest, Seat, ValueProof, Word};
use musterd_engine::journal::Cause;

/// A value that a beacon didn't publish.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "it isn't signed by {name} as the value of round {round}: whoever gave it is wrong or lies, so get it from another of the beacon's servers"
)]
pub struct NotTheBeacons {
    /// The beacon.
    pub name: Word,
    /// The round.
    pub round: u64,
}

impl Campaign {
    /// The turn that is closed and whose dice wait for the public beacon, if there is one. Nothing of it can change any more.
    pub fn awaited(&self) -> Option<Awaited> {
        let policy = self.charter.beacon.as_ref()?;
        let closed = self.closed.as_ref().filter(|closed| closed.beacon.is_none())?;
        let deadline = closed.deadline.and_then(|at| u64::try_from(at).ok()).unwrap_or_default();
        let round = policy.round(deadline);
        Some(Awaited {
            t: closed.t,
            name: closed.name.clone(),
            closed: closed.at,
            policy: policy.clone(),
            round,
            due: i64::try_from(policy.time_of(round)).unwrap_or(i64::MAX),
        })
    }

    /// Every slot's leaf of the turn that is closed and has not run.
    pub fn closed_leaves(&self) -> Option<&BTreeMap<Seat, Digest>> {
        self.closed.as_ref().map(|closed| &closed.leaves)
    }

    /// What the beacon published in the round that the dice wait for, as a cause for the journal; `None` if they wait for none.
    ///
    /// # Errors
    /// The beacon signs its values, and didn't sign this one as that round's.
    pub fn shining(&self, value: BeaconValue) -> Result<Option<Cause>, NotTheBeacons> {
        let Some(Awaited { t, policy, round, .. }) = self.awaited() else { return Ok(None) };
        match policy.proof_of(round, &value) {
            ValueProof::NotSigned => Err(NotTheBeacons { name: policy.name, round }),
            ValueProof::Signed | ValueProof::NoKey | ValueProof::NotBuilt => {
                Ok(Some(Cause::Beacon { t, beacon: value.of_round(&policy.name, round), value: Some(value) }))
            }
        }
    }

    /// Folds the beacon's value; `None` if no turn waits for it, or if it has another hash.
    pub(super) fn shone(&mut self, t: u32, beacon: &Beacon, value: Option<&BeaconValue>) -> Option<()> {
        self.awaited().filter(|awaited| awaited.t == t && awaited.round == beacon.round)?;
        value.is_none_or(|value| value.digest() == beacon.value).then_some(())?;
        self.closed.as_mut()?.beacon = Some(beacon.clone());
        Some(())
    }
}
