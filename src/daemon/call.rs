//! What can be asked of the host, and what it answers: both as they go over the control socket.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::gm::GmAnswer;
use super::snapshot::Snapshot;
use super::vitals::Vitals;
use crate::dice::{GameId, Seat};
use crate::engine::journal::Entry;
use crate::engine::terms::{PressPolicy, Terms};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Request {
    /// Found a game.
    New(NewGame),
    /// Where games stand: one, or all.
    Status {
        /// Which.
        game: Option<GameId>,
    },
    /// What a receipt would say.
    Check {
        /// Which game.
        game: GameId,
        /// Whose orders.
        seat: Seat,
        /// The orders.
        text: String,
    },
    /// A seat's report.
    Report {
        /// Which game.
        game: GameId,
        /// Whose.
        seat: Seat,
        /// After which adjudication: its number or its name; the last one if none.
        turn: Option<String>,
    },
    /// The history of a game as a seat knows it.
    History {
        /// Which game.
        game: GameId,
        /// Whose knowledge.
        seat: Seat,
    },
    /// Run a turn now.
    Resolve {
        /// Which game.
        game: GameId,
        /// The open adjudication, by number or name: a stale command must do no harm.
        turn: String,
    },
    /// The journal.
    Journal {
        /// Which game.
        game: GameId,
    },
    /// Commands of the GM's, as in a mail.
    Gm {
        /// Which game.
        game: GameId,
        /// The commands.
        text: String,
        /// Whether all of them are confirmed.
        yes: bool,
    },
    /// How the daemon is.
    Vitals,
    /// What a backup made now has to hold.
    Snapshot,
}

/// What a new game needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGame {
    /// `lga/austrian-1805`, or the name alone.
    pub scenario: String,
    /// Its name.
    pub id: GameId,
    /// Who sits where: addresses, or `computer`, `computer:planner`.
    pub seats: BTreeMap<Seat, String>,
    /// The GM's addresses; the host's own if none.
    pub gm: Vec<String>,
    /// The deadline policy, as `--deadline` takes it.
    pub deadline: Option<String>,
    /// Begin at once, without waiting for the players: level L0.
    pub start_now: bool,
    /// Which letters between players are passed on.
    #[serde(default)]
    pub press: PressPolicy,
    /// What else is laid down about time and players.
    #[serde(default)]
    pub terms: Terms,
}

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "lowercase")]
pub enum Reply {
    /// The game is founded.
    New {
        /// What to tell the GM, a line each.
        lines: Vec<String>,
    },
    /// Where games stand.
    Status {
        /// A game each.
        games: Vec<GameStatus>,
    },
    /// What the receipt would say.
    Check {
        /// Its text.
        text: String,
        /// Lines that would not be carried out.
        errors: usize,
    },
    /// A report.
    Report {
        /// Its subject.
        subject: String,
        /// Its text.
        text: String,
    },
    /// The turn has run.
    Resolved {
        /// The adjudication that ran.
        t: u32,
        /// What is open now, in words.
        next: String,
    },
    /// What came of the GM's commands.
    Gm {
        /// Of each.
        answers: Vec<GmAnswer>,
        /// The line from which on nothing was read.
        unread: Option<String>,
    },
    /// The journal, an entry each.
    Journal {
        /// The entries.
        entries: Vec<Entry>,
    },
    /// How the daemon is.
    Vitals(Box<Vitals>),
    /// What a backup made now has to hold.
    Snapshot(Snapshot),
}

/// Where a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameStatus {
    /// Its name.
    pub game: GameId,
    /// Its scenario's title.
    pub title: String,
    /// The open adjudication, if any.
    pub t: Option<u32>,
    /// Its name in the log.
    pub name: Option<String>,
    /// What it waits for, in words.
    pub waits_for: String,
    /// Its deadline on the host's clock, in words.
    pub deadline: Option<String>,
    /// The deadline policy in words.
    pub policy: String,
    /// How it ended, once it has.
    pub results: Vec<String>,
    /// Its seats.
    pub seats: Vec<SeatStatus>,
}

/// Where a seat stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatStatus {
    /// Which.
    pub seat: Seat,
    /// Who plays it.
    pub player: String,
    /// Its orders for the open turn: `none`, `received`, `ready`.
    pub orders: String,
    /// Whether the open turn waits for its orders.
    pub owes: bool,
    /// Mails to it: taken by the relay.
    pub sent: usize,
    /// Mails to it: waiting.
    pub waiting: usize,
    /// Mails to it: come back.
    pub bounced: usize,
    /// Mails to it: come back, refused or dropped.
    pub failed: usize,
    /// Mails from it: with orders that counted.
    pub accepted: u32,
    /// Mails from it: changed nothing.
    pub refused: u32,
}
