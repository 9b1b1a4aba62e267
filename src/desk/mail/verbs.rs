//! The table of commands: those of players and of everybody, by mail, and the GM's, by mail and on the command line. An entry tells how a
//! command is read, who may give it and what `HELP` says of it; what it does, the daemon binds.

mod act;
mod gm;
mod players;
#[cfg(test)]
mod tests;
mod verb;
mod words;

pub use act::{Command, GmAct, OpenCommand, SeatCommand, Span};
pub use verb::{CONFIRM, Code, Reads, Verb};
pub use words::minutes;

/// Every command: those of players and of everybody, then the GM's.
pub fn verbs() -> impl Iterator<Item = &'static Verb> {
    players::VERBS.iter().chain(gm::VERBS)
}

/// The GM's commands.
pub fn gm_verbs() -> impl Iterator<Item = &'static Verb> {
    gm::VERBS.iter()
}

/// The entry of a line that begins with this word, and what a player or anybody else asks by it; no command where the rest doesn't fit.
pub(super) fn read_words(first: &str, rest: &[&str]) -> Option<(&'static Verb, Option<Command>)> {
    let verb = players::VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
    let command = match verb.reads {
        Reads::Seat(read) => read(rest).map(Command::Seat),
        Reads::Anybody(read) => read(rest).map(Command::Open),
        Reads::Gm(_) | Reads::GmWords(..) => None,
    };
    Some((verb, command))
}

/// The entry of a line of the GM's, and what stands behind its first word.
pub(super) fn gm_verb(line: &str) -> Option<(&'static Verb, &str)> {
    let end = line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len());
    let (first, rest) = line.split_at(end);
    let verb = gm::VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
    Some((verb, rest))
}
