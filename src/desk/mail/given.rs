//! A command line of a mail, as read.

use super::route::read_key_line;
use super::verbs::{Command, Read, Unreadable, Verb, Wanted};

/// How many commands one mail may bring.
pub(super) const MOST: usize = 20;
/// The longest command with its options, in bytes, and on how many lines below it they may stand.
pub(super) const MOST_OPTIONS: usize = 8_000;
pub(super) const MOST_OPTION_LINES: usize = 100;
/// The most words behind a command's own in a line that is taken for one with a slip.
const MOST_MEANT: usize = 3;

/// A line that is a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given<C = Command> {
    /// The text as written; for several lines the first.
    pub line: String,
    /// Its entry in the table of commands.
    pub verb: &'static Verb,
    /// The command, or its fault.
    pub command: Result<C, CommandFault>,
}

impl<C> Given<C> {
    /// Whether the command shows that the open turn must not run although its writer is ready: it asks for more time or for days away, gives up the
    /// seat, or can't be read.
    pub const fn asks_to_wait(&self) -> bool {
        self.command.is_err() || self.verb.waits
    }
}

impl Given {
    /// Whether the orders in its mail don't count for the open turn. Nor do they where such a command has a slip.
    pub fn sets_orders_aside(&self) -> bool {
        match &self.command {
            Ok(Command::Seat(command)) => command.sets_orders_aside(),
            Ok(_) => false,
            Err(_) => matches!(self.verb.word, "TRY" | "AHEAD"),
        }
    }
}

/// A command that can't be read. The messages are for its writer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandFault {
    /// The first word is that of a command, but the rest doesn't fit.
    #[error("write {}", .0.form)]
    Form(Unreadable),
    /// The text that belongs to the command has no end.
    #[error(
        "no line {end} ends the words below it, so nothing from here on was read. Write {end} on a line of its own below them"
    )]
    NoEnd {
        /// The line that is missing.
        end: &'static str,
        /// The line that was perhaps written in its place.
        instead: Option<String>,
    },
    /// The options of the command are more than are read, up to the line that ends them.
    #[error(
        "its options are too long: at most {MOST_OPTIONS} bytes on {MOST_OPTION_LINES} lines are read, and a line {0} ends them. Leave out what \
         needn't be said, and send the whole mail again"
    )]
    TooLong(&'static str),
    /// The mail has too many commands.
    #[error("one mail brings at most {MOST} commands; this one was not read")]
    TooMany,
}

impl CommandFault {
    /// The word that can't be read, where it is one.
    pub const fn unreadable(&self) -> Option<&Unreadable> {
        match self {
            Self::Form(unreadable) => Some(unreadable),
            Self::NoEnd { .. } | Self::TooLong(_) | Self::TooMany => None,
        }
    }
}

impl<C> Given<C> {
    /// Reads a line that begins with the entry's word, spelt as `written`. If the rest doesn't fit, the line is prose and `None` is returned, unless
    /// it is a slip in capitals, or a short one with a number (`extend 2 dys`), and, where orders may begin with the word too, no order.
    pub(super) fn of(
        line: &str,
        written: &str,
        (verb, command): (&'static Verb, Read<C>),
        is_order: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        let slip = match command {
            Ok(command) => return Some(Self { line: line.to_owned(), verb, command: Ok(command) }),
            Err(slip) => slip,
        };
        let rest: Vec<&str> = line.split_whitespace().skip(1).collect();
        // `Report 3 is missing` is a sentence.
        let is_short = || slip.wanted != Wanted::Nothing && is_short(&rest) && has_number(&rest);
        let is_slip = written.starts_with(verb.word) || is_short();
        (is_slip && !(verb.shared && is_order(line)))
            .then(|| Self::slipped(line, verb, Unreadable::of(line, slip, verb.form)))
    }

    /// A line with a slip.
    pub(super) fn slipped(line: &str, verb: &'static Verb, slip: Unreadable) -> Self {
        Self { line: line.to_owned(), verb, command: Err(CommandFault::Form(slip)) }
    }

    /// Whether it takes the game to tell that this is no order: it can't be read, and orders may begin with its word.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.command.is_err() && (self.verb.shared || self.is_misspelt())
    }

    /// Whether its first word is misspelt.
    pub(super) fn is_misspelt(&self) -> bool {
        let slip = self.command.as_ref().err().and_then(CommandFault::unreadable);
        slip.is_some_and(Unreadable::is_of_first_word)
    }
}

/// Whether these may be the words behind a command's own: more are a sentence.
pub(super) fn is_short(rest: &[&str]) -> bool {
    rest.len() <= MOST_MEANT
}

/// Whether there is a number among these words.
pub(super) fn has_number(rest: &[&str]) -> bool {
    rest.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a line may stand among commands without being one: an empty line, a note, the line with a seat's key.
pub(super) fn is_frame(line: &str) -> bool {
    line.is_empty() || line.starts_with('#') || read_key_line(line).is_some()
}
