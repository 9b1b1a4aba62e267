//! Turns whose dice wait for a public beacon (dice.md, "Levels"): they are closed, and don't run before its round has come.

use std::collections::{BTreeMap, BTreeSet};

use super::Campaign;
use musterd_dice::{Beacon, Block, Digest, Seat, Word};
use musterd_engine::journal::Cause;

/// A closed turn whose dice wait for a public beacon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaited {
    /// The adjudication.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// When it was closed, unix seconds.
    pub closed: i64,
    /// Which beacon.
    pub beacon: Word,
    /// The round that counts: the close names it, and nobody can choose another.
    pub round: u64,
    /// When that round is published, unix seconds.
    pub due: i64,
}

impl Campaign {
    /// The turn that is closed and whose dice wait for the public beacon, if one does. Nothing of it can change any more.
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

    /// What the beacon gave, for the journal; none where it is not what the dice wait for.
    #[must_use]
    pub fn shining(&self, beacon: Beacon) -> Option<Cause> {
        let awaited = self.awaited()?;
        let is_due = beacon.name == awaited.beacon && beacon.round == awaited.round;
        is_due.then_some(Cause::Beacon { t: awaited.t, beacon })
    }

    /// Folds what the beacon gave; none where nothing waited for that.
    pub(super) fn shone(&mut self, t: u32, beacon: &Beacon) -> Option<()> {
        self.awaited().filter(|awaited| awaited.t == t && awaited.round == beacon.round)?;
        self.closed.as_mut()?.beacon = Some(beacon.clone());
        Some(())
    }
}

/// A turn that is closed, until its dice have fallen.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub(crate) t: u32,
    pub(crate) name: Word,
    /// When, unix seconds.
    pub(crate) at: i64,
    /// The last deadline before, unix seconds.
    pub(crate) deadline: Option<i64>,
    /// What the public beacon gave since.
    pub(crate) beacon: Option<Beacon>,
    pub(crate) leaves: BTreeMap<Seat, Digest>,
    pub(crate) blocks: BTreeMap<Seat, Block>,
    pub(crate) sealed: BTreeSet<Seat>,
    /// The seats whose orders are the computer's, and were not sealed.
    pub(crate) stood_in: BTreeSet<Seat>,
    pub(crate) missing: BTreeMap<Seat, bool>,
}

impl Closed {
    /// What the beacon gave, as it enters the seed: nothing where the game uses none.
    pub(super) fn beacon_bytes(&self) -> Vec<u8> {
        self.beacon.as_ref().map(|beacon| beacon.to_string().into_bytes()).unwrap_or_default()
    }
}
