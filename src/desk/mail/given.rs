//! A line of a mail that is for the host, as it was read.

use super::route::read_key_line;
use super::verbs::{Command, Verb};

/// How many commands one mail may bring.
pub(super) const MOST: usize = 20;

/// A line that is a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given<C = Command> {
    /// As written; of several lines the first.
    pub line: String,
    /// Its entry in the table of commands.
    pub verb: &'static Verb,
    /// What is asked, or what is wrong with it.
    pub command: Result<C, CommandFault>,
}

impl<C> Given<C> {
    /// Whether it shows that the open turn is not to run although its writer is ready: more time, days away, giving up the seat, or what can't
    /// be read.
    #[must_use]
    pub const fn asks_to_wait(&self) -> bool {
        self.command.is_err() || self.verb.waits
    }
}

/// A command that can't be read. The messages are for its writer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandFault {
    /// Its first word is a command's, and the rest is not.
    #[error("write {0}")]
    Form(&'static str),
    /// Its words have no end.
    #[error("write {0} on a line of its own below the words; nothing from here on was read")]
    NoEnd(&'static str),
    /// More than one mail may bring.
    #[error("one mail brings at most {MOST} commands; this one was not read")]
    TooMany,
}

impl<C> Given<C> {
    /// A line that begins with the entry's word, `written` so. It is prose, and none, where the rest doesn't fit, but for a slip in capitals.
    pub(super) fn of(line: &str, written: &str, verb: &'static Verb, command: Option<C>) -> Option<Self> {
        // The rules, or an order block, may have the word too.
        let is_slip = written.starts_with(verb.word) && !verb.shared;
        let command = match command {
            None if !is_slip => return None,
            None => Err(CommandFault::Form(verb.form)),
            Some(command) => Ok(command),
        };
        Some(Self { line: line.to_owned(), verb, command })
    }
}

/// Whether a line stands among commands and is none: an empty one, a note, the line with a seat's key.
pub(super) fn is_frame(line: &str) -> bool {
    line.is_empty() || line.starts_with('#') || read_key_line(line).is_some()
}
