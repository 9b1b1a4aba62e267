//! The audit file (dice.md, "The audit file"): a whole game's log, and of every revealed adjudication what proves its dice.
//!
//! [`AuditFile`] is what a host writes; [`examine`] is what a stranger does with it. What a file says is never believed:
//! whatever is wrong in it, by slip or by forgery, is a [`Finding`], and the rest is examined all the same.

mod bounds;
mod finding;
mod findings;
mod log;
mod logged;
mod proof;
mod replay;
mod shape;
mod turn;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jiff::Timestamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use finding::{Fault, Finding, Place};
pub use proof::{Node, Proofs, Proved, examine_proofs};
pub use replay::{Courier, Replay, Step};

use super::beacon::Beacon;
use super::entry::{LogEntry, LogKind};
use super::hash::Digest;
use super::ids::{GameId, Seat};
use super::label::Roll;
use super::level::Level;
use super::orders::Block;
use super::secret::Secret;
use super::signature::HostKey;
use super::witness::Witness;
pub use bounds::seat_note;
use findings::Findings;
use log::Log;
pub use shape::each;
use shape::{Outer, object, unreadable};

/// The protocol that these files are of.
pub const PROTOCOL: &str = "pbemdice/1";

/// The most links of a secret chain that are followed over a whole file, some seconds' work: a chain of the usual length has 10,000.
pub const MOST_LINKS: u32 = 1_000_000;

/// A game's audit file, as its host writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFile {
    /// [`PROTOCOL`].
    pub protocol: Cow<'static, str>,
    /// Heads that somebody was shown: index and hash.
    pub witness: Vec<(u64, Digest)>,
    /// The whole log.
    pub log: Vec<Line>,
    /// Every closed adjudication.
    pub turns: Vec<Turn>,
    /// What an adjudication anew needs besides (`verify --replay`); nothing that the dice depend on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
}

/// An entry of the log with its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
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

impl Line {
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
    /// Every roll.
    #[serde(default)]
    pub rolls: Vec<Thrown>,
    /// SHA-256 of the events in canonical form, 64 hex digits.
    #[serde(default)]
    pub result: String,
    /// What it came to when it ran again.
    #[serde(default, deserialize_with = "shape::objects")]
    pub reruns: Vec<Again>,
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

/// A text that is no audit file at all, so that there is nothing to examine.
#[derive(Debug, thiserror::Error)]
pub enum NotAnAuditFile {
    /// Not JSON, or without `protocol`, `witness`, `log` and `turns`.
    #[error("this is not an audit file: {0}")]
    Json(#[from] serde_json::Error),
    /// A file of another protocol.
    #[error("this is an audit file of `{0}`, and only {PROTOCOL} is known here")]
    Protocol(String),
    /// JSON of another shape.
    #[error("this is not an audit file: it is no object with the lists `witness`, `log` and `turns`")]
    Shape,
    /// An object in which a name stands twice: two readers could see two things in it.
    #[error("this is not an audit file: the name `{0}` stands twice in one object")]
    NameTwice(String),
    /// Lists and objects in each other, without end.
    #[error("this is not an audit file: it is nested deeper than {} levels", shape::DEEPEST)]
    TooDeep,
}

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
    /// Of level L3, what has to be compared by hand with what the public beacon published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<PublicValue>,
    /// How many rolls it made.
    pub rolls: usize,
    /// How many dice.
    pub dice: usize,
}

/// What a public beacon is said to have published. No file can prove it: whoever wants to know asks the beacon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublicValue {
    /// The beacon and its round, and the SHA-256 of what it published then.
    pub beacon: Beacon,
    /// When, in unix seconds.
    pub at: u64,
}

impl fmt::Display for PublicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { beacon: Beacon { name, round, value }, at } = self;
        let time = i64::try_from(*at).ok().and_then(|at| Timestamp::from_second(at).ok());
        let time = time.map_or_else(|| format!("second {at} of unix time"), |time| time.to_string());
        write!(f, "{name}, round {round}, of {time}: the SHA-256 of what it published is {value}")
    }
}

impl Examination {
    /// What is wrong, without what can merely not be told yet ([`Fault::is_open`]).
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.fault.is_open())
    }
}

/// As much of an adjudication as is looked at while it is not revealed.
#[derive(Deserialize)]
struct Stub {
    t: u32,
    #[serde(default)]
    secret: Option<IgnoredAny>,
}

/// Examines an audit file, with heads that were kept elsewhere (in mails, say). `progress` is told how many of how many
/// adjudications are done.
///
/// # Errors
/// Where the text is no audit file at all. Everything else that is wrong is a [`Finding`].
pub fn examine(
    text: &str,
    kept: &[Witness],
    mut progress: impl FnMut(usize, usize),
) -> Result<Examination, NotAnAuditFile> {
    let outer = Outer::of(text)?;
    let mut findings = Findings::default();
    let (log, entries) = Log::read(outer.log, &mut findings)?;
    let witnesses = kept.iter().filter(|w| log.game() == Some(&w.game)).collect::<Vec<_>>();
    each(outer.witness, |number, raw| match serde_json::from_str::<(u64, Digest)>(raw.get()) {
        Ok((index, head)) => log.compare(index, head, &mut findings),
        Err(error) => findings.push(unreadable(&error).at(Place::Witness(number as u64))),
    })?;
    witnesses.iter().for_each(|w| log.compare(w.index, w.head, &mut findings));
    let turns = read_turns(outer.turns, &log, &mut findings)?;
    let secrets = prove_secrets(&turns, &log, &mut findings);
    let mut examined = Vec::new();
    for (done, (t, logged)) in log.turns().enumerate() {
        let mut outcome = logged.outcome(t);
        if let (Some(turn), Some(secret)) = (turns.get(&t), secrets.get(&t)) {
            turn::examine(&log, logged, (&turns, turn), secret, &mut outcome, &mut findings);
        }
        examined.push(outcome);
        progress(done + 1, log.opened());
    }
    Ok(Examination {
        game: log.game().cloned(),
        host_key: log.host_key(),
        entries,
        witnesses: witnesses.len(),
        findings: findings.in_order(),
        turns: examined,
    })
}

/// The revealed adjudications that the file shows, each once; the file has to show just those that closed.
fn read_turns(
    raw: &RawValue,
    log: &Log,
    findings: &mut Findings,
) -> Result<BTreeMap<u32, Turn>, serde_json::Error> {
    let mut shown = BTreeSet::new();
    let mut turns: BTreeMap<u32, Turn> = BTreeMap::new();
    each(raw, |_, raw| {
        let Stub { t, secret } = match object(raw) {
            Ok(stub) => stub,
            Err(fault) => return findings.push(fault.at(Place::File)),
        };
        if log.turn(t).is_none_or(|logged| logged.close.is_none()) {
            return findings.push(Fault::TurnNotClosed.at(Place::Turn(t)));
        }
        if !shown.insert(t) {
            findings.push(Fault::TurnTwice.at(Place::Turn(t)));
        }
        match secret.map(|_| object(raw)) {
            None => findings.push(Fault::Unrevealed.at(Place::Turn(t))),
            Some(Ok(turn)) => _ = turns.insert(t, turn),
            Some(Err(fault)) => findings.push(fault.at(Place::Turn(t))),
        }
    })?;
    let closed = || log.turns().filter(|(_, logged)| logged.close.is_some());
    for (t, _) in closed().filter(|(t, _)| !shown.contains(t)) {
        findings.push(Fault::TurnMissing.at(Place::Turn(t)));
    }
    if closed().next().is_none() {
        findings.push(Fault::NothingClosed.at(Place::File));
    }
    Ok(turns)
}

/// The revealed secrets, each compared with the one proved before it, down to s_0. One that is not in the chain is told, and its
/// turn is examined with it all the same.
fn prove_secrets(turns: &BTreeMap<u32, Turn>, log: &Log, findings: &mut Findings) -> BTreeMap<u32, Secret> {
    let mut secrets = BTreeMap::new();
    let Some((game, mut proved)) = log.game().zip(log.anchor()).map(|(game, anchor)| (game, (0, anchor)))
    else {
        return secrets;
    };
    let mut links = MOST_LINKS;
    for (&t, turn) in turns {
        let Some(text) = &turn.secret else { continue };
        let Ok(secret) = Secret::try_from(text.as_str()) else {
            findings.push(Fault::Malformed("the secret is not 64 hex digits".to_owned()).at(Place::Turn(t)));
            continue;
        };
        let (number, known) = proved;
        // A forger may number its turns as it likes: no chain is so long.
        let Some(left) = links.checked_sub(t - number) else {
            let why = "its secret was not compared: too many links lie between it and the last one that was";
            findings.push(Fault::Malformed(why.to_owned()).at(Place::Turn(t)));
            secrets.insert(t, secret);
            continue;
        };
        links = left;
        for noted in log.revealed(t).filter(|noted| **noted != secret.reveal()) {
            findings.push(Fault::OtherSecret { noted: noted.to_string() }.at(Place::Turn(t)));
        }
        let back =
            (number + 1..=t).rev().fold(secret.clone(), |later, i| super::secret::previous(game, i, &later));
        if back.reveal() == known {
            proved = (t, secret.reveal());
        } else {
            findings.push(Fault::SecretNotInChain { number }.at(Place::Turn(t)));
        }
        secrets.insert(t, secret);
    }
    secrets
}

/// A block as the file has it; it need not be canonical to be hashed, but a host has no other.
fn block(text: &str) -> Option<Block> {
    Block::try_from(text.to_owned()).ok()
}

/// The kind that a line says it is.
fn kind(text: &str) -> Option<LogKind> {
    LogKind::ALL.into_iter().find(|kind| kind.as_str() == text)
}
