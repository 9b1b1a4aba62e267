//! An entry of the table of commands.

use super::act::{GmAct, OpenCommand, SeatCommand};
use super::words::Read;
use musterd_engine::journal::GmRole;

/// The word at the end of a GM's line that confirms it.
pub const CONFIRM: &str = "CONFIRM";

/// A command: everything about it except its effect.
#[derive(Debug)]
pub struct Verb {
    /// The first word.
    pub word: &'static str,
    /// The form, for a sender who wrote it wrongly. In a GM's command SEAT, CHANGE and LABEL stand for values that differ between games.
    pub form: &'static str,
    /// For `HELP` and the guides: examples with their effects.
    pub help: &'static [(&'static str, &'static str)],
    /// The topics of `HELP` that mention it.
    pub topics: &'static [&'static str],
    /// How it is confirmed; some of its uses may need no confirmation.
    pub code: Code,
    /// Whether it changes nothing.
    pub only_asks: bool,
    /// Whether only an owner of the game may give it; for the GM's commands.
    pub owners: bool,
    /// Whether it keeps the open turn from running by itself although all are ready: it asks for more time, says that a player is away, or
    /// gives the seat up.
    pub waits: bool,
    /// Whether a game's orders may begin with the same word: a line that can't be read as this command may be one.
    pub shared: bool,
    /// Who may give it, and how the words after the first are read.
    pub reads: Reads,
}

/// How a command is confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Without confirmation: it is carried out at once.
    None,
    /// By a code that the host mails, which is sent back after `CONFIRM`.
    Mailed,
    /// By the same line again, with [`CONFIRM`] at its end.
    Repeated,
}

/// Who may give a command, and how the words after its first are read.
#[derive(Debug)]
pub enum Reads {
    /// The player of a seat; the mail carries the seat's secret.
    Seat(fn(&[&str]) -> Read<SeatCommand>),
    /// Anybody, with a seat or without.
    Anybody(fn(&[&str]) -> Read<OpenCommand>),
    /// Anybody, with options: those behind the command, and those on the lines below it up to this one.
    AnybodyOptions(&'static str, fn(&[&str]) -> Read<OpenCommand>),
    /// The GM.
    Gm(fn(&[&str]) -> Read<GmAct>),
    /// The GM, with a text: the lines up to this one belong to the command.
    GmWords(&'static str, fn(&[&str], String) -> Read<GmAct>),
}

impl Verb {
    /// A command that consists of its word alone, is not mentioned by `HELP`, and needs no confirmation.
    pub(super) const fn new(word: &'static str, reads: Reads) -> Self {
        let topics: &[&str] = match reads {
            Reads::Seat(_) => &["commands"],
            Reads::Anybody(_) | Reads::AnybodyOptions(..) => &["seats"],
            Reads::Gm(_) | Reads::GmWords(..) => &[],
        };
        let (code, help) = (Code::None, &[]);
        Self {
            word,
            form: word,
            help,
            topics,
            code,
            only_asks: false,
            owners: false,
            waits: false,
            shared: false,
            reads,
        }
    }

    pub(super) const fn form(self, form: &'static str) -> Self {
        Self { form, ..self }
    }

    pub(super) const fn help(self, help: &'static [(&'static str, &'static str)]) -> Self {
        Self { help, ..self }
    }

    pub(super) const fn code(self, code: Code) -> Self {
        Self { code, ..self }
    }

    pub(super) const fn only_asks(self) -> Self {
        Self { only_asks: true, ..self }
    }

    pub(super) const fn owners(self) -> Self {
        Self { owners: true, ..self }
    }

    /// The least part in leading a game that gives it; for the GM's commands.
    pub const fn least(&self) -> GmRole {
        match self {
            Self { only_asks: true, .. } => GmRole::Reader,
            Self { owners: true, .. } => GmRole::Owner,
            _ => GmRole::Referee,
        }
    }

    pub(super) const fn waits(self) -> Self {
        Self { waits: true, ..self }
    }

    pub(super) const fn shared(self) -> Self {
        Self { shared: true, ..self }
    }

    pub(super) const fn topics(self, topics: &'static [&'static str]) -> Self {
        Self { topics, ..self }
    }
}

/// Compares by identity: an entry equals only itself.
impl PartialEq for Verb {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Verb {}
