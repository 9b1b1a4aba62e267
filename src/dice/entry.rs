//! The entries of a game's public log, and their canonical text.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::beacon::BeaconPolicy;
use super::hash::Digest;
use super::ids::{GameId, Seat};
use super::label::Label;
use super::words::{Text, Word};

/// One entry of the log. Every entry has one canonical body, and [`LogEntry::read`] gives the entry back.
///
/// Adjudications (`t`) count from 1 and never repeat; instants are Unix seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawEntry", into = "RawEntry")]
pub enum LogEntry {
    /// First of all, once: what the game is.
    Game {
        /// The game.
        game: GameId,
        /// `s_0`.
        anchor: Digest,
        /// Every seat.
        seats: BTreeSet<Seat>,
        /// The seats that the host or its computer plays.
        house: BTreeSet<Seat>,
        /// Which public beacon enters the seeds, if any.
        beacon: Option<BeaconPolicy>,
        /// SHA-256 of the founding bytes: rules, scenario, the program's rules version.
        rules: Digest,
    },
    /// Orders for `t` are taken from now on.
    Open {
        /// The adjudication.
        t: u32,
        /// When it closes, if a time is set.
        deadline: Option<u64>,
        /// What players call it: `1805-summer-french`.
        name: Word,
    },
    /// A house seat's orders, fixed directly after the opening.
    Seal {
        /// The adjudication.
        t: u32,
        /// The house seat.
        seat: Seat,
        /// The leaf of its orders.
        leaf: Digest,
    },
    /// A mail for the game.
    Recv {
        /// The adjudication then open.
        t: u32,
        /// Whose mail it is, where that is known.
        seat: Option<Seat>,
        /// Accepted: the leaf of its orders. Refused: SHA-256 of its decoded text.
        digest: Digest,
        /// What became of it.
        verdict: LoggedVerdict,
        /// Why, in one word.
        reason: Option<Word>,
    },
    /// The deadline of `t` has changed.
    Deadline {
        /// The adjudication.
        t: u32,
        /// When it closes now.
        at: u64,
    },
    /// No orders for `t` are taken any more: once each.
    Close {
        /// The adjudication.
        t: u32,
        /// The root over every seat's leaf.
        root: Digest,
    },
    /// The dice have fallen: once each, after the close.
    Rolls {
        /// The adjudication.
        t: u32,
        /// The Merkle root over its rolls.
        rolls: Digest,
        /// The commitment to its result.
        result: Digest,
    },
    /// `t` adjudicated again with the same seed, after a mistake was corrected.
    Rerun {
        /// The adjudication.
        t: u32,
        /// Which rerun, from 1.
        k: u32,
        /// The Merkle root over its rolls.
        rolls: Digest,
        /// The commitment to its result.
        result: Digest,
    },
    /// The adjudications `back` to `t` are void.
    Rollback {
        /// The last void adjudication.
        t: u32,
        /// The first void adjudication.
        back: u32,
    },
    /// `t` is there to roll one label again, by everybody's consent.
    Reroll {
        /// The adjudication.
        t: u32,
        /// The label rolled again.
        label: Label,
    },
    /// The game master stepped in.
    Gm {
        /// The adjudication then open.
        t: u32,
        /// What was done and why.
        text: Text,
    },
    /// Anything else worth fixing in time.
    Note {
        /// What.
        text: Text,
    },
}

/// The first field of a log entry: which kind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogKind {
    /// What the game is.
    Game,
    /// An opening.
    Open,
    /// A house seat's sealed orders.
    Seal,
    /// A mail.
    Recv,
    /// A changed deadline.
    Deadline,
    /// A close.
    Close,
    /// An adjudication's commitments.
    Rolls,
    /// A repeated adjudication's commitments.
    Rerun,
    /// Adjudications made void.
    Rollback,
    /// An event rolled again.
    Reroll,
    /// An intervention.
    Gm,
    /// Anything else.
    Note,
}

impl LogKind {
    /// Every kind, in the order of the protocol's table.
    pub const ALL: [Self; 12] = [
        Self::Game,
        Self::Open,
        Self::Seal,
        Self::Recv,
        Self::Deadline,
        Self::Close,
        Self::Rolls,
        Self::Rerun,
        Self::Rollback,
        Self::Reroll,
        Self::Gm,
        Self::Note,
    ];

    /// The kind as it is hashed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Open => "open",
            Self::Seal => "seal",
            Self::Recv => "recv",
            Self::Deadline => "deadline",
            Self::Close => "close",
            Self::Rolls => "rolls",
            Self::Rerun => "rerun",
            Self::Rollback => "rollback",
            Self::Reroll => "reroll",
            Self::Gm => "gm",
            Self::Note => "note",
        }
    }
}

impl fmt::Display for LogKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What became of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoggedVerdict {
    /// It is its seat's order set now.
    Accepted,
    /// It changed nothing.
    Refused,
}

/// A body that its kind can't have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{body}` is not the body of a log entry `{kind}`: its {field} is missing or wrong")]
pub struct BadEntry {
    kind: LogKind,
    field: &'static str,
    body: String,
}

/// An entry as it stands in files: kind and body.
#[derive(Serialize, Deserialize)]
struct RawEntry {
    kind: LogKind,
    body: String,
}

impl From<LogEntry> for RawEntry {
    fn from(entry: LogEntry) -> Self {
        Self { kind: entry.kind(), body: entry.body() }
    }
}

impl TryFrom<RawEntry> for LogEntry {
    type Error = BadEntry;
    fn try_from(raw: RawEntry) -> Result<Self, BadEntry> {
        Self::read(raw.kind, &raw.body)
    }
}

impl LogEntry {
    /// Which kind of entry this is.
    #[must_use]
    pub const fn kind(&self) -> LogKind {
        match self {
            Self::Game { .. } => LogKind::Game,
            Self::Open { .. } => LogKind::Open,
            Self::Seal { .. } => LogKind::Seal,
            Self::Recv { .. } => LogKind::Recv,
            Self::Deadline { .. } => LogKind::Deadline,
            Self::Close { .. } => LogKind::Close,
            Self::Rolls { .. } => LogKind::Rolls,
            Self::Rerun { .. } => LogKind::Rerun,
            Self::Rollback { .. } => LogKind::Rollback,
            Self::Reroll { .. } => LogKind::Reroll,
            Self::Gm { .. } => LogKind::Gm,
            Self::Note { .. } => LogKind::Note,
        }
    }

    /// The fields as they are hashed, separated by one space.
    #[must_use]
    pub fn body(&self) -> String {
        match self {
            Self::Game { game, anchor, seats, house, beacon, rules } => {
                let (seats, house) = (list(seats), list(house));
                format!("{game} {anchor} {seats} {house} {} {rules}", or_none(beacon.as_ref()))
            }
            Self::Open { t, deadline, name } => format!("{t} {} {name}", or_none(deadline.as_ref())),
            Self::Seal { t, seat, leaf } => format!("{t} {seat} {leaf}"),
            Self::Recv { t, seat, digest, verdict, reason } => {
                let verdict = match verdict {
                    LoggedVerdict::Accepted => "accepted",
                    LoggedVerdict::Refused => "refused",
                };
                format!("{t} {} {digest} {verdict} {}", or_none(seat.as_ref()), or_none(reason.as_ref()))
            }
            Self::Deadline { t, at } => format!("{t} {at}"),
            Self::Close { t, root } => format!("{t} {root}"),
            Self::Rolls { t, rolls, result } => format!("{t} {rolls} {result}"),
            Self::Rerun { t, k, rolls, result } => format!("{t} {k} {rolls} {result}"),
            Self::Rollback { t, back } => format!("{t} {back}"),
            Self::Reroll { t, label } => format!("{t} {label}"),
            Self::Gm { t, text } => format!("{t} {text}"),
            Self::Note { text } => text.to_string(),
        }
    }

    /// The entry with this kind and body.
    ///
    /// # Errors
    /// Names the first field that is missing or wrong. Only the canonical spelling of a body is one.
    pub fn read(kind: LogKind, body: &str) -> Result<Self, BadEntry> {
        let entry = Self::read_fields(kind, body).and_then(|entry| {
            let canonical = entry.body() == body;
            if canonical { Ok(entry) } else { Err("spelling") }
        });
        entry.map_err(|field| BadEntry { kind, field, body: body.chars().take(200).collect() })
    }

    fn read_fields(kind: LogKind, body: &str) -> Result<Self, &'static str> {
        let mut fields = Fields(Some(body));
        let entry = match kind {
            LogKind::Game => Self::Game {
                game: fields.read("game")?,
                anchor: fields.read("anchor")?,
                seats: fields.set("seats")?,
                house: fields.set("house seats")?,
                beacon: fields.option("beacon policy")?,
                rules: fields.read("rules digest")?,
            },
            LogKind::Open => Self::Open {
                t: fields.read("t")?,
                deadline: fields.option("deadline")?,
                name: fields.read("name")?,
            },
            LogKind::Seal => {
                Self::Seal { t: fields.read("t")?, seat: fields.read("seat")?, leaf: fields.read("leaf")? }
            }
            LogKind::Recv => Self::Recv {
                t: fields.read("t")?,
                seat: fields.option("seat")?,
                digest: fields.read("digest")?,
                verdict: match fields.next() {
                    Some("accepted") => LoggedVerdict::Accepted,
                    Some("refused") => LoggedVerdict::Refused,
                    _ => return Err("verdict"),
                },
                reason: fields.option("reason")?,
            },
            LogKind::Deadline => Self::Deadline { t: fields.read("t")?, at: fields.read("deadline")? },
            LogKind::Close => Self::Close { t: fields.read("t")?, root: fields.read("root")? },
            LogKind::Rolls => Self::Rolls {
                t: fields.read("t")?,
                rolls: fields.read("rolls root")?,
                result: fields.read("result")?,
            },
            LogKind::Rerun => Self::Rerun {
                t: fields.read("t")?,
                k: fields.read("k")?,
                rolls: fields.read("rolls root")?,
                result: fields.read("result")?,
            },
            LogKind::Rollback => Self::Rollback { t: fields.read("t")?, back: fields.read("first void t")? },
            LogKind::Reroll => Self::Reroll { t: fields.read("t")?, label: fields.read("label")? },
            LogKind::Gm => Self::Gm { t: fields.read("t")?, text: fields.rest("text")? },
            LogKind::Note => Self::Note { text: fields.rest("text")? },
        };
        Ok(entry)
    }
}

/// What is left of a body, field by field; `None` after the last.
struct Fields<'a>(Option<&'a str>);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let all = self.0?;
        let (field, rest) = all.split_once(' ').map_or((all, None), |(field, rest)| (field, Some(rest)));
        self.0 = rest;
        Some(field)
    }

    fn read<T: FromStr>(&mut self, name: &'static str) -> Result<T, &'static str> {
        self.next().and_then(|field| field.parse().ok()).ok_or(name)
    }

    fn option<T: FromStr>(&mut self, name: &'static str) -> Result<Option<T>, &'static str> {
        match self.next().ok_or(name)? {
            NONE => Ok(None),
            field => field.parse().map(Some).map_err(|_| name),
        }
    }

    fn set<T: FromStr + Ord>(&mut self, name: &'static str) -> Result<BTreeSet<T>, &'static str> {
        match self.next().ok_or(name)? {
            NONE => Ok(BTreeSet::new()),
            field => field.split(',').map(|item| item.parse().map_err(|_| name)).collect(),
        }
    }

    fn rest(&mut self, name: &'static str) -> Result<Text, &'static str> {
        self.0.take().ok_or(name).map(Text::new)
    }
}

/// The field that stands for nothing.
const NONE: &str = "-";

fn or_none<T: ToString>(field: Option<&T>) -> String {
    field.map_or_else(|| NONE.to_owned(), ToString::to_string)
}

fn list(seats: &BTreeSet<Seat>) -> String {
    let names: Vec<&str> = seats.iter().map(Seat::as_str).collect();
    if names.is_empty() { NONE.to_owned() } else { names.join(",") }
}

#[cfg(test)]
mod tests;
