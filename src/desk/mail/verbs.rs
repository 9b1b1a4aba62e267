//! The table of commands: those of players and of anybody, by mail, and the GM's, by mail and on the command line. An entry tells how a command is
//! read, who may give it and how `HELP` describes it. The daemon implements its effect.

mod act;
mod gm;
mod players;
mod slip;
#[cfg(test)]
mod tests;
mod verb;
mod words;

pub use act::{Ahead, Command, Creation, DrawVote, GmAct, MailChoice, OpenCommand, SeatCommand, Span};
pub(super) use slip::{Slip, Wanted};
pub use slip::{Unreadable, place_of, place_of_words};
pub use verb::{CONFIRM, Code, Reads, Verb};
pub(super) use words::Read;
pub use words::{minutes, option_in};

use musterd_engine::alike::meant;

/// All commands: those of players and of anybody, then the GM's.
pub fn verbs() -> impl Iterator<Item = &'static Verb> {
    players::VERBS.iter().chain(gm::VERBS)
}

/// The GM's commands.
pub fn gm_verbs() -> impl Iterator<Item = &'static Verb> {
    gm::VERBS.iter()
}

/// The entry for a line that begins with this word, and the command of a player or of anybody else, or the word of the rest that doesn't fit.
pub(super) fn read_words(first: &str, rest: &[&str]) -> Option<(&'static Verb, Read<Command>)> {
    let verb = players::VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
    let command = match verb.reads {
        Reads::Seat(read) => read(rest).map(Command::Seat),
        Reads::Anybody(read) | Reads::AnybodyOptions(_, read) => read(rest).map(Command::Open),
        Reads::Gm(_) | Reads::GmWords(..) => Err(Slip::wrong(0, Wanted::Nothing)),
    };
    Some((verb, command))
}

/// The word of the command that a misspelt first word was meant to be.
pub(super) fn nearly_verb(first: &str) -> Option<&'static str> {
    meant(first, players::VERBS.iter().map(|verb| verb.word))
}

/// The line that ends the options of a command that begins with this word; `None` for a command of one line.
pub(super) fn end_of_options(first: &str) -> Option<&'static str> {
    let verb = players::VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
    match verb.reads {
        Reads::AnybodyOptions(end, _) => Some(end),
        _ => None,
    }
}

/// The entry for a line of the GM's, and the text after its first word.
pub(super) fn gm_verb(line: &str) -> Option<(&'static Verb, &str)> {
    let end = line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len());
    let (first, rest) = line.split_at(end);
    let verb = gm::VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
    Some((verb, rest))
}
