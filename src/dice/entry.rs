//! The entries of a game's public log, and their canonical text.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::hash::Digest;
use super::ids::{GameId, Seat};
use super::label::Label;
use super::words::{BeaconPolicy, Text, Word};

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
        verdict: Verdict,
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
pub enum Verdict {
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
                    Verdict::Accepted => "accepted",
                    Verdict::Refused => "refused",
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
                    Some("accepted") => Verdict::Accepted,
                    Some("refused") => Verdict::Refused,
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn game() -> GameId {
        "test-game".parse().unwrap()
    }

    fn seats(names: &[&str]) -> BTreeSet<Seat> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    /// One entry of every kind, with its body; two where a field can be empty.
    fn samples() -> Vec<(LogEntry, String)> {
        let (d, e) = (Digest::of(b"d"), Digest::of(b"e"));
        let french = || "french".parse().unwrap();
        let word = |text: &str| text.parse().unwrap();
        let both = seats(&["french", "allied"]);
        let drand = "drand-quicknet:1692803367:3:3600";
        vec![
            (
                LogEntry::Game {
                    game: game(),
                    anchor: d,
                    seats: both.clone(),
                    house: seats(&[]),
                    beacon: None,
                    rules: e,
                },
                format!("test-game {d} allied,french - - {e}"),
            ),
            (
                LogEntry::Game {
                    game: game(),
                    anchor: d,
                    seats: both,
                    house: seats(&["allied"]),
                    beacon: Some(drand.parse().unwrap()),
                    rules: e,
                },
                format!("test-game {d} allied,french allied {drand} {e}"),
            ),
            (
                LogEntry::Open { t: 2, deadline: Some(1_700_000_000), name: word("1805-summer-french") },
                "2 1700000000 1805-summer-french".into(),
            ),
            (LogEntry::Open { t: 1, deadline: None, name: word("founding") }, "1 - founding".into()),
            (LogEntry::Seal { t: 2, seat: french(), leaf: d }, format!("2 french {d}")),
            (
                LogEntry::Recv {
                    t: 2,
                    seat: Some(french()),
                    digest: d,
                    verdict: Verdict::Accepted,
                    reason: None,
                },
                format!("2 french {d} accepted -"),
            ),
            (
                LogEntry::Recv {
                    t: 2,
                    seat: None,
                    digest: d,
                    verdict: Verdict::Refused,
                    reason: Some(word("stranger")),
                },
                format!("2 - {d} refused stranger"),
            ),
            (LogEntry::Deadline { t: 2, at: 1_700_000_000 }, "2 1700000000".into()),
            (LogEntry::Close { t: 2, root: d }, format!("2 {d}")),
            (LogEntry::Rolls { t: 2, rolls: d, result: e }, format!("2 {d} {e}")),
            (LogEntry::Rerun { t: 2, k: 1, rolls: d, result: e }, format!("2 1 {d} {e}")),
            (LogEntry::Rollback { t: 7, back: 5 }, "7 5".into()),
            (
                LogEntry::Reroll { t: 3, label: "2/combat/attack/1204/0".parse().unwrap() },
                "3 2/combat/attack/1204/0".into(),
            ),
            (LogEntry::Gm { t: 3, text: Text::new("extended\nby a day") }, "3 extended by a day".into()),
            (LogEntry::Note { text: Text::new("hello  world ") }, "hello  world ".into()),
        ]
    }

    #[test]
    fn every_kind_has_the_body_of_the_protocol_and_reads_back() {
        for (entry, body) in samples() {
            assert_eq!(entry.body(), body);
            assert_eq!(LogEntry::read(entry.kind(), &body), Ok(entry.clone()));
            let json = serde_json::to_string(&entry).unwrap();
            assert_eq!(json, format!("{{\"kind\":\"{}\",\"body\":\"{body}\"}}", entry.kind()));
            assert_eq!(serde_json::from_str::<LogEntry>(&json).unwrap(), entry);
        }
        let kinds: BTreeSet<LogKind> = samples().iter().map(|(entry, _)| entry.kind()).collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), LogKind::ALL);
    }

    #[test]
    fn a_body_with_a_field_missing_added_or_spelled_otherwise_is_refused() {
        let structured = |kind| !matches!(kind, LogKind::Gm | LogKind::Note);
        for (entry, body) in samples().into_iter().filter(|(entry, _)| structured(entry.kind())) {
            let (all_but_last, _) = body.rsplit_once(' ').unwrap();
            for bad in [
                all_but_last.to_owned(),
                format!("{body} x"),
                format!("{body} "),
                format!("+{body}"),
                format!("{body}\n"),
                body.replacen(' ', "  ", 1),
                body.to_uppercase() + " ",
                String::new(),
            ] {
                assert!(LogEntry::read(entry.kind(), &bad).is_err(), "{}: {bad:?}", entry.kind());
            }
        }
        for (kind, bad) in [
            (LogKind::Deadline, "02 1700000000"),
            (LogKind::Deadline, "2 -5"),
            (LogKind::Open, "2 - -"),
            (LogKind::Open, "2 - Summer"),
            (LogKind::Rollback, "5 x"),
            (LogKind::Gm, "extended"),
            (LogKind::Gm, "3"),
            (LogKind::Note, "two\nlines"),
        ] {
            assert!(LogEntry::read(kind, bad).is_err(), "{kind}: {bad:?}");
        }
        let (d, e) = (Digest::of(b"d"), Digest::of(b"e"));
        let unsorted = format!("test-game {d} french,allied - - {e}");
        assert!(LogEntry::read(LogKind::Game, &unsorted).is_err());
    }

    proptest! {
        #[test]
        fn no_free_text_breaks_a_line_or_is_lost(words in "\\PC{0,80}", wild in any::<String>(), t in any::<u32>()) {
            let entry = LogEntry::Gm { t, text: Text::new(&words) };
            prop_assert_eq!(entry.body(), format!("{t} {words}").replace(['\u{2028}', '\u{2029}'], " "));
            prop_assert!(!Text::new(&wild).as_str().contains(char::is_control));
            let wild = LogEntry::Note { text: Text::new(&wild) };
            prop_assert_eq!(LogEntry::read(LogKind::Note, &wild.body()), Ok(wild));
        }

        #[test]
        fn no_body_crashes_the_reader(kind in 0..LogKind::ALL.len(), body in "[0-9a-f ,:-]{0,90}|\\PC{0,40}") {
            let kind = LogKind::ALL[kind];
            if let Ok(entry) = LogEntry::read(kind, &body) {
                prop_assert_eq!((entry.kind(), entry.body()), (kind, body));
            }
        }
    }
}
