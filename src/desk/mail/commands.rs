//! Commands to the host: the lines that stand first in a mail and are meant for the host rather than for the rules, `STATUS`,
//! `ABSENT UNTIL 2026-12-10`. What a player may ask and what the GM may, the daemon decides; here it is only read.

use super::given::{CommandFault, Given, MOST, is_frame};
use super::latin::in_latin;
use super::reading::tell_voices;
use super::token::Token;
use super::verbs::{Command, OpenCommand, read_words};
use musterd_letter::{Line, Voice, strip_quote_marks};
use musterd_text::lines;

/// The longest line that can be a command, in bytes.
const LONGEST: usize = 300;
/// What is left at least of the rule under the head of our mails, where a program has broken it.
const SHORTEST_RULE: usize = 40;

/// Takes the commands out of what a sender wrote, and gives back the text without them. They stand first: reading ends at the
/// first line that is none, so that a letter which begins `Help me` further down asks for nothing.
#[must_use]
pub fn take_commands(text: &str) -> (Vec<Given>, String) {
    let mut given = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let mut lines = lines::ended(text);
    for line in lines.by_ref() {
        let bare = strip_quote_marks(line).trim();
        if is_frame(bare) {
            rest.push_str(line);
            continue;
        }
        let Some(command) = read(bare).filter(|_| !line.starts_with('>')) else {
            rest.push_str(line);
            break;
        };
        let is_too_many = given.len() >= MOST;
        given.push(if is_too_many {
            Given { command: Err(CommandFault::TooMany), ..command }
        } else {
            command
        });
        rest.push('\n');
    }
    rest.extend(lines);
    (given, rest)
}

/// Takes the codes out of the rest of what a sender wrote: a line `CONFIRM` with a code counts wherever it stands, since nobody writes one by
/// chance. One that is merely quoted doesn't: a vacation notice quotes it too.
pub(super) fn take_codes(text: &str) -> (Vec<Given>, String) {
    let is_likely = |line: &str| line.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("confirm"));
    if !lines::lines(text).any(|line| is_likely(line.trim_start_matches(|c: char| !c.is_alphanumeric()))) {
        return (Vec::new(), text.to_owned());
    }
    let mut given = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let mut is_ours = false;
    for (line, Line { voice, text }) in lines::ended(text).zip(tell_voices(text)) {
        // Some programs quote without marks, below words that we don't know.
        is_ours |= is_rule(text);
        match code_in(text).filter(|_| voice == Voice::Written && !is_ours && given.len() < MOST) {
            Some(code) => {
                given.push(Given { line: text.trim().to_owned(), ..code });
                rest.push('\n');
            }
            None => rest.push_str(line),
        }
    }
    (given, rest)
}

/// Whether a line may be the rule under the head of our mails, broken or not.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= SHORTEST_RULE && line.bytes().all(|byte| byte == b'=')
}

/// The `CONFIRM` with a code that a line is, whatever marks stand round the line.
fn code_in(line: &str) -> Option<Given> {
    let given = read(line.trim_matches(|c: char| !c.is_alphanumeric()))?;
    let Ok(Command::Open(OpenCommand::Confirm(code))) = &given.command else { return None };
    let secret = code.split_once('.').map_or(code.as_str(), |(_, secret)| secret);
    secret.parse::<Token>().is_ok().then_some(given)
}

/// What asks something of the host where it isn't read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// A command below other words: its line.
    Below(String),
    /// A code that is quoted, and not written.
    Quoted,
}

/// The command that a text without commands holds in a place where it isn't read.
#[must_use]
pub fn misplaced_command(text: &str) -> Option<Misplaced> {
    let told = tell_voices(text);
    let mut written = told.iter().filter(|line| line.voice == Voice::Written).map(|line| line.text.trim());
    let below = written.find(|line| read(line).is_some_and(|given| given.command.is_ok()));
    let is_quoted = || told.iter().any(|line| code_in(line.text).is_some());
    below.map(|line| Misplaced::Below(line.to_owned())).or_else(|| is_quoted().then_some(Misplaced::Quoted))
}

/// The command to the host that a line is, with a slip in it or not.
#[must_use]
pub fn command_in(line: &str) -> Option<Given> {
    read(line.trim())
}

/// The command that a line is, if its first words are one's.
fn read(line: &str) -> Option<Given> {
    if line.len() > LONGEST {
        return None;
    }
    let bare = line.trim_end_matches(['.', '!']);
    let latin = in_latin(bare);
    // An address is never taken for another one that looks the same.
    let pairs = bare.split_whitespace().zip(latin.split_whitespace());
    let words: Vec<&str> = pairs.map(|(word, latin)| if word.contains('@') { word } else { latin }).collect();
    let (first, rest) = words.split_first()?;
    let (verb, command) = read_words(first, rest)?;
    Given::of(line, first, verb, command)
}

#[cfg(test)]
mod tests;
