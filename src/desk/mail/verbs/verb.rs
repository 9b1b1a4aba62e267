//! An entry of the table of commands.

use super::act::{GmAct, OpenCommand, SeatCommand};

/// The word at the end of a GM's line that says it is meant.
pub const CONFIRM: &str = "CONFIRM";

/// A command: all that is known of it but what it does.
#[derive(Debug)]
pub struct Verb {
    /// The first word.
    pub word: &'static str,
    /// How it is written, for whoever wrote it wrongly. In a GM's command SEAT, CHANGE and LABEL stand for what is different in each game.
    pub form: &'static str,
    /// For `HELP` and the guides: examples, and what they do.
    pub help: &'static [(&'static str, &'static str)],
    /// The topics of `HELP` that tell of it.
    pub topics: &'static [&'static str],
    /// What confirms it; some of its uses may need nothing.
    pub code: Code,
    /// Whether nothing changes by it.
    pub only_asks: bool,
    /// Whether the open turn is not to run by itself although all are ready: more time is asked for, or a player is not there.
    pub waits: bool,
    /// Whether a game's orders may begin with the same word.
    pub shared: bool,
    /// Who may give it, and how the words behind the first are read.
    pub reads: Reads,
}

/// What confirms a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Nothing: it is done as it comes.
    None,
    /// A code that the host mails, sent back behind `CONFIRM`.
    Mailed,
    /// The same line once more, with [`CONFIRM`] at its end.
    Repeated,
}

/// Who may give a command, and how the words behind its first are read.
#[derive(Debug)]
pub enum Reads {
    /// The player of a seat; the mail carries the seat's secret.
    Seat(fn(&[&str]) -> Option<SeatCommand>),
    /// Anybody, with a seat or without.
    Anybody(fn(&[&str]) -> Option<OpenCommand>),
    /// The GM.
    Gm(fn(&[&str]) -> Option<GmAct>),
    /// The GM, who says something: lines down to this one belong to it.
    GmWords(&'static str, fn(&[&str], String) -> Option<GmAct>),
}

impl Verb {
    /// A command that is its word alone, that `HELP` says nothing of, and that nothing confirms.
    pub(super) const fn new(word: &'static str, reads: Reads) -> Self {
        let topics: &[&str] = match reads {
            Reads::Seat(_) => &["commands"],
            Reads::Anybody(_) => &["seats"],
            Reads::Gm(_) | Reads::GmWords(..) => &[],
        };
        let (code, help) = (Code::None, &[]);
        Self { word, form: word, help, topics, code, only_asks: false, waits: false, shared: false, reads }
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

/// An entry is the same as itself alone.
impl PartialEq for Verb {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Verb {}
