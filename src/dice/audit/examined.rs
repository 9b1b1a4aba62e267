//! What an examination comes to.

use std::collections::BTreeSet;
use std::fmt;

use jiff::Timestamp;
use serde::Serialize;

use super::finding::Finding;
use crate::beacon::Beacon;
use crate::ids::{GameId, Seat};
use crate::level::Level;
use crate::signature::HostKey;

/// What examining a file came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// Whose file it is; none where even that can't be told.
    pub game: Option<GameId>,
    /// The key by which the host's mails are signed (`HostKey::verify`), where the log names one.
    pub host_key: Option<HostKey>,
    /// The number of log entries.
    pub entries: usize,
    /// The heads that were brought along and compared with the log. Those in the file are compared too, and witness nothing: whoever
    /// forges the log writes them.
    pub witnesses: usize,
    /// What is wrong, in the order of the file; of what is wrong very often, the first, and how many more there are.
    pub findings: Vec<Finding>,
    /// Every adjudication that was opened.
    pub turns: Vec<Examined>,
}

/// What examining one adjudication came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Examined {
    /// Which.
    pub t: u32,
    /// What players call it.
    pub name: String,
    /// Whether it closed.
    pub closed: bool,
    /// Whether a rollback made it void.
    pub void: bool,
    /// How far its dice can be trusted; none while they are not revealed.
    pub level: Option<Level>,
    /// Whose salts counted.
    pub salted: BTreeSet<Seat>,
    /// Of level L3, what the public beacon is said to have published, and whether that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<PublicValue>,
    /// How many rolls it made.
    pub rolls: usize,
    /// How many dice.
    pub dice: usize,
    /// How often a seat was told of it in a way that the log binds.
    pub told: usize,
}

/// What a public beacon is said to have published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublicValue {
    /// The beacon and its round, and the SHA-256 of what it published then.
    pub beacon: Beacon,
    /// When, in unix seconds.
    pub at: u64,
    /// Whether it did.
    pub proof: BeaconProof,
}

/// How far a file proves that a public beacon published what it is said to have published. What isn't proved has to be asked of the beacon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeaconProof {
    /// The file has the value, and the beacon's key has signed it.
    Signed,
    /// The file has the value, and no key is known by which it could be checked.
    NoKey,
    /// The file has the value, and its signature was not checked: this build can't, or there are too many.
    NotChecked,
    /// The file has the value's hash alone.
    NoValue,
}

impl fmt::Display for PublicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { beacon: Beacon { name, round, value }, at, .. } = self;
        let time = i64::try_from(*at).ok().and_then(|at| Timestamp::from_second(at).ok());
        let time = time.map_or_else(|| format!("second {at} of unix time"), |time| time.to_string());
        write!(f, "{name}, round {round}, of {time}: the SHA-256 of what it published is {value}")
    }
}

impl Examination {
    /// What is wrong, without what can merely not be told yet ([`Fault::is_open`](super::Fault::is_open)).
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.fault.is_open())
    }
}
