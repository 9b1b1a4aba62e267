//! An audit file: what a host publishes, and how it is read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::replay::Replay;
use crate::entry::{LogEntry, LogKind};
use crate::hash::Digest;
use crate::label::Roll;
use crate::orders::Block;
use crate::told::Opening;

/// How many signatures of a public beacon are checked over a whole file, some seconds' work: more than any campaign has turns.
pub(super) const MOST_SIGNATURES: u32 = 2_000;
/// The most links of a secret chain that are followed over a whole file, some seconds' work: a chain of the usual length has 10,000.
pub const MOST_LINKS: u32 = 1_000_000;

/// A game's audit file, as its host writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFile {
    /// [`PROTOCOL`](super::PROTOCOL).
    pub protocol: Cow<'static, str>,
    /// Heads that somebody was shown: index and hash.
    pub witness: Vec<(u64, Digest)>,
    /// The whole log.
    pub log: Vec<LogLine>,
    /// Every closed adjudication.
    pub turns: Vec<Turn>,
    /// What an adjudication anew needs besides (`verify --replay`); nothing that the dice depend on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
}

/// An entry of the log with its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// Its kind: `open`.
    pub kind: String,
    /// Its fields.
    pub body: String,
    /// 64 hex digits.
    pub hash: String,
}

impl AuditFile {
    /// The file as it is written.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "an audit file is plain data: no map with other keys than strings"
    )]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data")
    }
}

impl LogLine {
    /// The line of an entry with this hash.
    #[must_use]
    pub fn of(entry: &LogEntry, hash: Digest) -> Self {
        Self { kind: entry.kind().to_string(), body: entry.body(), hash: hash.to_string() }
    }

    /// The entry that it is; none where it is none.
    #[must_use]
    pub fn entry(&self) -> Option<LogEntry> {
        LogEntry::read(kind(&self.kind)?, &self.body).ok()
    }
}

/// A closed adjudication. Of an unrevealed one only `t` is there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Turn {
    /// Which.
    pub t: u32,
    /// s_t, 64 hex digits; none while it is not revealed.
    pub secret: Option<String>,
    /// Every slot's block; none where it sent none.
    #[serde(default)]
    pub orders: BTreeMap<String, Option<String>>,
    /// What the beacon gave, `name/round/hash`, where the game uses one.
    #[serde(default)]
    pub beacon: Option<String>,
    /// The bytes that the beacon published, in hex: of their SHA-256 is the hash in `beacon`. Files of before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beacon_value: Option<String>,
    /// Every roll.
    #[serde(default)]
    pub rolls: Vec<Thrown>,
    /// SHA-256 of the events in canonical form, 64 hex digits.
    #[serde(default)]
    pub result: String,
    /// What it came to when it ran again.
    #[serde(default, deserialize_with = "super::shape::objects")]
    pub reruns: Vec<Again>,
    /// What seats were told of it, in the order of the log.
    #[serde(default, deserialize_with = "super::shape::objects", skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Opening>,
}

/// An adjudication run again.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Again {
    /// Every roll.
    pub rolls: Vec<Thrown>,
    /// SHA-256 of the events in canonical form, 64 hex digits.
    pub result: String,
}

/// A roll as the file has it: label, number of dice, their sides, what came up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thrown(pub String, pub u64, pub u64, pub Vec<u64>);

impl From<&Roll> for Thrown {
    fn from(roll: &Roll) -> Self {
        let faces: Vec<u64> = roll.faces.iter().copied().map(u64::from).collect();
        Self(roll.label.to_string(), faces.len() as u64, roll.sides.into(), faces)
    }
}

/// A block as the file has it; it need not be canonical to be hashed, but a host has no other.
pub(super) fn block(text: &str) -> Option<Block> {
    Block::try_from(text.to_owned()).ok()
}

/// The kind that a line says it is.
pub(super) fn kind(text: &str) -> Option<LogKind> {
    LogKind::ALL.into_iter().find(|kind| kind.as_str() == text)
}
