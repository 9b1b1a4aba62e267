//! The journal of a game: causes and resulting events, in order. Everything else is a fold over it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Skill;
use super::files::RuleFiles;
use crate::dice::{self, Block, Digest, GameId, LogEntry, Roll, Seat, Text, Word};

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// When the host took note of it: unix seconds.
    pub at: i64,
    /// What happened.
    pub cause: Cause,
}

/// Something that happened to a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// The game was set up. Always first, once.
    Founded {
        /// What the game is and who plays.
        charter: Box<Charter>,
        /// s_0 of the secret chain.
        anchor: Digest,
    },
    /// A window for orders opened.
    Opened {
        /// The adjudication that these orders are for, from 1.
        t: u32,
        /// Its name in the log: `1805-summer-french`.
        name: Word,
        /// Unix seconds; none while the game waits without a deadline.
        deadline: Option<i64>,
        /// The orders of computer players, fixed before anybody else's arrive.
        sealed: Vec<Sealed>,
    },
    /// A mail for the game arrived.
    Received(Received),
    /// The deadline was moved, or all were ready.
    Rescheduled {
        /// The open adjudication.
        t: u32,
        /// The new deadline, unix seconds.
        deadline: i64,
        /// Why: `ready`, `gm`, `source-unreachable`.
        reason: String,
    },
    /// The window closed.
    Closed {
        /// The adjudication that now runs.
        t: u32,
        /// Every slot's leaf, sorted by slot.
        leaves: BTreeMap<Seat, Digest>,
        /// What the dice are bound to.
        root: Digest,
    },
    /// The adjudication ran.
    Adjudicated {
        /// Which.
        t: u32,
        /// Resulting events in canonical form.
        events: Vec<Value>,
        /// The dice, sorted by label.
        rolls: Vec<Roll>,
        /// Merkle root over the rolls.
        rolls_root: Digest,
        /// Commitment to the events.
        result_commit: Digest,
    },
    /// A player's letter was passed on.
    Pressed(Letter),
    /// The GM stepped in.
    Intervened {
        /// The open adjudication.
        t: u32,
        /// What was done and why, one line.
        text: String,
    },
    /// Something else worth fixing in time, one line.
    Noted {
        /// What.
        text: String,
    },
    /// The game ended.
    Ended {
        /// How, a line a side.
        results: Vec<String>,
    },
}

/// What a game is founded on, and who plays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Charter {
    /// The game's name.
    pub game: GameId,
    /// Which ruleset.
    pub ruleset: String,
    /// Which version of its verbs.
    pub rules_version: u32,
    /// The scenario's name on the command line.
    pub scenario: String,
    /// The rules, maps and scenario, whole.
    pub files: RuleFiles,
    /// Who sits where. Every seat of the game.
    pub players: BTreeMap<Seat, Player>,
    /// Addresses of the GM.
    pub gm: Vec<String>,
    /// How deadlines are made.
    pub deadlines: DeadlinePolicy,
    /// Length N of the secret chain.
    pub chain_length: u32,
    /// Which letters are passed on. Charters from before there were any say nothing.
    #[serde(default, skip_serializing_if = "PressPolicy::is_usual")]
    pub press: PressPolicy,
}

/// Who plays a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// A person, by mail.
    Mail {
        /// Registered addresses, the first of which is written to.
        addresses: Vec<String>,
    },
    /// The computer.
    Computer {
        /// How well it plays.
        skill: Skill,
    },
}

/// How a window's deadline is found. Every value is in the words of `musterd new --deadline`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeadlinePolicy {
    /// No deadline: a turn runs when all are ready, or when the GM says so.
    None,
    /// So many minutes after the window opened.
    After {
        /// Minutes.
        minutes: u32,
    },
    /// The first such weekday and time at least `at_least_hours` after the window opened.
    Weekly {
        /// Days of the week, ISO numbers (Monday 1).
        days: Vec<i8>,
        /// Hour of the day, 0 to 23, local.
        hour: i8,
        /// Minute of the hour.
        minute: i8,
        /// IANA name of the time zone.
        zone: String,
        /// The window's least length, hours.
        at_least_hours: u32,
    },
}

/// Which letters between players the host passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PressPolicy {
    /// None.
    None,
    /// Those to seats of the writer's own side.
    #[default]
    Side,
    /// Any.
    All,
}

impl PressPolicy {
    /// Whether it is what a charter means that says nothing.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A player's letter to other players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The open adjudication.
    pub t: u32,
    /// Whose it is.
    pub from: Seat,
    /// Whom it went to.
    pub to: BTreeSet<Seat>,
    /// Name of the raw mail in the spool.
    pub mail: String,
    /// When the mail server took it, unix seconds.
    pub arrived: i64,
    /// What it says: lines ended by LF.
    pub text: String,
    /// The commitment to it, which alone goes into the log.
    pub commit: Digest,
}

/// Orders fixed at the opening of a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Whose.
    pub seat: Seat,
    /// The leaf that the log shows.
    pub leaf: Digest,
    /// The orders.
    pub block: Block,
}

/// A mail for a game and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The open adjudication.
    pub t: u32,
    /// Whose seat it was for, where that could be told.
    pub seat: Option<Seat>,
    /// Name of the raw mail in the spool.
    pub mail: String,
    /// When the mail server took it, unix seconds.
    pub arrived: i64,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It is now the seat's orders for `t`.
    Accepted {
        /// The orders.
        block: Block,
        /// The leaf, also in the receipt.
        leaf: Digest,
    },
    /// It changed nothing.
    Refused {
        /// A word for the log: `late`, `wrong-secret`, `no-orders`.
        reason: Word,
        /// SHA-256 of the decoded text.
        text: Digest,
    },
}

impl Cause {
    /// The lines of the public dice log (dice.md, "The log") that this cause writes, in order.
    #[must_use]
    pub fn log_entries(&self) -> Vec<LogEntry> {
        match self {
            Self::Founded { charter, anchor } => vec![LogEntry::Game {
                game: charter.game.clone(),
                anchor: *anchor,
                seats: charter.players.keys().cloned().collect(),
                house: charter.house().cloned().collect(),
                beacon: None,
                rules: charter.files.digest(&charter.ruleset, charter.rules_version),
            }],
            Self::Opened { t, name, deadline, sealed } => {
                let open = LogEntry::Open { t: *t, deadline: deadline.map(instant), name: name.clone() };
                let seal = |s: &Sealed| LogEntry::Seal { t: *t, seat: s.seat.clone(), leaf: s.leaf };
                std::iter::once(open).chain(sealed.iter().map(seal)).collect()
            }
            Self::Received(mail) => {
                let (digest, verdict, reason) = match &mail.verdict {
                    Verdict::Accepted { leaf, .. } => (*leaf, dice::Verdict::Accepted, None),
                    Verdict::Refused { reason, text } => {
                        (*text, dice::Verdict::Refused, Some(reason.clone()))
                    }
                };
                vec![LogEntry::Recv { t: mail.t, seat: mail.seat.clone(), digest, verdict, reason }]
            }
            Self::Rescheduled { t, deadline, .. } => {
                vec![LogEntry::Deadline { t: *t, at: instant(*deadline) }]
            }
            Self::Closed { t, root, .. } => vec![LogEntry::Close { t: *t, root: *root }],
            Self::Adjudicated { t, rolls_root, result_commit, .. } => {
                vec![LogEntry::Rolls { t: *t, rolls: *rolls_root, result: *result_commit }]
            }
            Self::Pressed(letter) => {
                vec![LogEntry::Note { text: Text::new(&format!("press {}", letter.commit)) }]
            }
            Self::Intervened { t, text } => vec![LogEntry::Gm { t: *t, text: Text::new(text) }],
            Self::Noted { text } => vec![LogEntry::Note { text: Text::new(text) }],
            Self::Ended { results } => {
                vec![LogEntry::Note { text: Text::new(&format!("ended: {}", results.join("; "))) }]
            }
        }
    }
}

/// An instant as the log writes it; none of ours lies before 1970.
fn instant(seconds: i64) -> u64 {
    u64::try_from(seconds).unwrap_or_default()
}

impl Charter {
    /// The seats played by the host's computer, sorted.
    pub fn house(&self) -> impl Iterator<Item = &Seat> {
        self.players.iter().filter(|(_, p)| matches!(p, Player::Computer { .. })).map(|(seat, _)| seat)
    }
}
