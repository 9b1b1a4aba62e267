//! An adjudication that is closed and has not run: the beacon that it waits for, and its inputs.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::{Beacon, BeaconPolicy, Block, Digest, Seat, Word};

/// A closed turn whose dice wait for a public beacon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Awaited {
    /// The adjudication.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// When it was closed, unix seconds.
    pub closed: i64,
    /// The beacon.
    pub policy: BeaconPolicy,
    /// The round that counts. The close determines it, so nobody can choose another.
    pub round: u64,
    /// When that round is published, unix seconds.
    pub due: i64,
}

/// A turn that is closed and whose dice have not been thrown.
#[derive(Debug, Clone)]
pub(crate) struct ClosedTurn {
    pub(crate) t: u32,
    pub(crate) name: Word,
    /// When it was closed, unix seconds.
    pub(crate) at: i64,
    /// The last deadline before that, unix seconds.
    pub(crate) deadline: Option<i64>,
    /// The value of the public beacon, once it has come.
    pub(crate) beacon: Option<Beacon>,
    pub(crate) leaves: BTreeMap<Seat, Digest>,
    pub(crate) blocks: BTreeMap<Seat, Block>,
    pub(crate) sealed: BTreeSet<Seat>,
    /// The seats whose orders came from the computer and were not sealed.
    pub(crate) stood_in: BTreeSet<Seat>,
    pub(crate) missing: BTreeMap<Seat, bool>,
}

impl ClosedTurn {
    /// The beacon's value as it enters the seed; empty if the game uses no beacon.
    pub(super) fn beacon_bytes(&self) -> Vec<u8> {
        self.beacon.as_ref().map(|beacon| beacon.to_string().into_bytes()).unwrap_or_default()
    }
}
