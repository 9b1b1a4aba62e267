//! Why a mail changed nothing: a reason in words for its sender and for the log.

use std::borrow::Cow;

use serde::Serialize;

use super::receipt::{NotRead, not_read, not_read_in_words};

/// Why a mail changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Reason {
    /// There is no game of that name.
    UnknownGame {
        /// The name as written.
        asked: String,
    },
    /// The game can't go on: a file of its own on the host has to be mended first. The mail is kept, and counts then.
    Waits {
        /// The game.
        asked: String,
    },
    /// The game has no such seat.
    UnknownSeat {
        /// The name as written.
        asked: String,
    },
    /// The seat's secret was missing or wrong, or the sender is not registered. The refusal goes to the seat's registered address.
    NotProved {
        /// The sender that the mail stated.
        from: String,
        /// Whether the mail showed the right secret, so that its writer has the secret.
        has_secret: bool,
    },
    /// The window had closed.
    Late {
        /// The window.
        window: String,
        /// When it closed, in the reader's zone.
        closed: String,
    },
    /// The window had closed, and the turn's dice wait for the public beacon.
    Closed {
        /// The window.
        window: String,
        /// When it closed, in the reader's zone.
        closed: String,
        /// When the beacon's round is published, in the reader's zone.
        dice: String,
    },
    /// The orders name an adjudication that is not the open one.
    OtherTurn {
        /// The adjudication that they name.
        meant: u32,
        /// The open adjudication.
        open: u32,
    },
    /// The turn has run, and its dispatches wait for the GM's approval.
    BetweenTurns,
    /// The mail is addressed to several seats, and a key line in it says that its orders belong to another one.
    OtherSeat {
        /// The game of that other seat.
        game: String,
        /// That other seat.
        seat: String,
    },
    /// The computer's orders for this turn were sealed before the seat had another player.
    Sealed,
    /// The game is over.
    GameOver,
    /// The mail was over the size limit.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// No text could be extracted from it.
    Unreadable {
        /// Why, and what to do: one or two sentences for the sender.
        why: String,
    },
    /// The mail has no order block, and no line that looks like an order.
    NoOrders,
    /// The mail has no orders and came before the game began: it neither accepts nor declines the seat.
    NoAnswer {
        /// Whether an earlier mail has confirmed the seat.
        confirmed: bool,
    },
    /// The mail only confirms the seat, and the game has begun.
    Joined,
    /// The mail has no orders, and a command to the host below other words, where commands aren't read.
    CommandBelow {
        /// The line of the command.
        line: String,
    },
    /// The mail has no orders, and its first line is perhaps meant as a command that can't be read.
    PerhapsCommand {
        /// The line, with what can't be read underlined.
        underlined: String,
        /// What is wrong, and what is written instead.
        told: String,
    },
    /// Lines without marks were taken for orders, and none of them can be read.
    Unread {
        /// Each line with its errors, as a receipt shows them.
        problems: String,
        /// Whether a `READY` stood beside them.
        ready: bool,
    },
    /// The mail has only a `READY`, which was left out because a line beside it may be an order.
    ReadyHeld {
        /// These lines, quoted; the first of them if there are many.
        lines: String,
    },
    /// The mail has only a `READY`, which was left out because the mail asks for time, for days away or to give up the seat.
    ReadyAsks {
        /// These lines, quoted; the first of them if there are many.
        lines: String,
    },
    /// The mail has no orders, but parts that may hold orders were not read.
    NotRead {
        /// The parts in a few words.
        #[serde(skip)]
        short: Box<str>,
        /// The parts, each with its lines.
        parts: String,
        /// Lines of the text that may also be orders, quoted; the first of them if there are many.
        lines: Box<str>,
        /// Mistyped orders, each with its errors.
        problems: Box<str>,
    },
    /// A code that has to be confirmed stands only in the quotation.
    CodeQuoted,
    /// No order is left, because its lines are struck out.
    StruckOut {
        /// These lines, quoted; the first of them if there are many.
        lines: String,
    },
}

/// The most lines of a mail that a refusal names.
const MOST_NAMED: usize = 5;

impl Reason {
    /// The reason that these lines were struck out and no order is left.
    pub fn struck_out(lines: &[String]) -> Self {
        Self::StruckOut { lines: named(lines) }
    }

    /// The reason that a `READY` was left out because of these lines.
    pub fn ready_held(lines: &[String]) -> Self {
        Self::ReadyHeld { lines: named(lines) }
    }

    /// The reason that a `READY` was left out because of these commands.
    pub fn ready_asks(lines: &[String]) -> Self {
        Self::ReadyAsks { lines: named(lines) }
    }

    /// The reason that these parts were not read. `doubtful`: lines that may also be orders; `problems`: the errors of mistyped orders.
    pub fn not_read(parts: &[NotRead], doubtful: &[String], problems: String) -> Self {
        let (short, parts) = (not_read_in_words(parts), not_read(parts));
        Self::NotRead { short: short.into(), parts, lines: named(doubtful).into(), problems: problems.into() }
    }

    /// The word for it in the log.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::UnknownGame { .. } => "unknown-game",
            Self::Waits { .. } => "waits",
            Self::UnknownSeat { .. } => "unknown-seat",
            Self::NotProved { .. } => "wrong-secret",
            Self::Late { .. } | Self::Closed { .. } => "late",
            Self::OtherTurn { .. } => "other-turn",
            Self::BetweenTurns => "between-turns",
            Self::OtherSeat { .. } => "other-seat",
            Self::Sealed => "not-as-sealed",
            Self::GameOver => "game-over",
            Self::TooLarge { .. } => "too-large",
            Self::Unreadable { .. } => "unreadable",
            Self::NoOrders
            | Self::NoAnswer { .. }
            | Self::Joined
            | Self::PerhapsCommand { .. }
            | Self::CommandBelow { .. }
            | Self::CodeQuoted
            | Self::StruckOut { .. } => "no-orders",
            Self::Unread { .. } | Self::ReadyHeld { .. } | Self::ReadyAsks { .. } | Self::NotRead { .. } => {
                "unread"
            }
        }
    }

    /// A few words for the subject.
    pub fn in_words(&self) -> Cow<'_, str> {
        if let Self::NotRead { short, .. } = self {
            return Cow::Borrowed(short);
        }
        Cow::Borrowed(match self {
            Self::UnknownGame { .. } => "no such game",
            Self::Waits { .. } => "it waits: the game stands still",
            Self::UnknownSeat { .. } => "no such seat",
            Self::NotProved { .. } => "not shown to be yours",
            Self::Late { .. } | Self::Closed { .. } => "too late",
            Self::OtherTurn { .. } => "for another turn",
            Self::BetweenTurns => "the turn has run",
            Self::OtherSeat { .. } => "for another seat",
            Self::Sealed => "not for this turn",
            Self::GameOver => "the game is over",
            Self::TooLarge { .. } => "too large",
            Self::Unreadable { .. } => "unreadable",
            Self::NoAnswer { .. } => "neither JOIN nor DECLINE in it",
            Self::Joined => "the seat is yours already",
            Self::CommandBelow { .. } => "a command stands first in a mail",
            Self::CodeQuoted => "a code is written, not quoted",
            Self::ReadyHeld { .. } | Self::ReadyAsks { .. } => "READY left out",
            Self::Unread { ready: true, .. } => "no orders in it, READY left out",
            Self::NoOrders
            | Self::PerhapsCommand { .. }
            | Self::Unread { .. }
            | Self::StruckOut { .. }
            | Self::NotRead { .. } => "no orders in it",
        })
    }
}

/// Lines of a mail, quoted; the first of them if there are many.
fn named(lines: &[String]) -> String {
    let quoted = |line: &String| format!("\"{}\"", line.trim_matches('~').trim());
    let named: Vec<String> = lines.iter().take(MOST_NAMED).map(quoted).collect();
    match lines.len().saturating_sub(MOST_NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
