//! Commands to the host: the first lines of a mail, if they are meant for the host rather than for the rules, such as `STATUS` or `ABSENT UNTIL
//! 2026-12-10`. They are only read here; the daemon decides who may give which command.

use super::given::{
    CommandFault, Given, MOST, MOST_OPTION_LINES, MOST_OPTIONS, has_number, is_frame, is_short,
};
use super::latin::in_latin;
use super::reading::tell_voices;
use super::token::Token;
use super::verbs::{
    Command, OpenCommand, Unreadable, Wanted, end_of_options, nearly_verb, option_in, read_words,
};
use musterd_letter::{Voice, VoicedLine, strip_quote_marks};
use musterd_text::lines;

/// The longest line that can be a command, in bytes.
const LONGEST: usize = 300;
/// The words of a command before its options: its own, and two of its meaning.
const BEFORE_OPTIONS: usize = 3;
/// A shorter line is none that a mail program broke.
const LEAST_BROKEN: usize = 60;
/// The least length that the rule under the head of our mails keeps when a program breaks it.
const SHORTEST_RULE: usize = 40;

/// Takes the commands out of a sender's text, and returns the rest. Commands stand first: reading ends at the first other line, so that a letter with
/// `Help me` further down doesn't ask for anything. A line that can't be read as a command and whose word orders may begin with too is left.
pub fn take_commands(text: &str) -> (Vec<Given>, String) {
    let TakenCommands { given, rest, .. } = take_commands_beside(text, &|_| true);
    (given, rest)
}

/// The commands of a text, and the rest.
pub(super) struct TakenCommands {
    pub(super) given: Vec<Given>,
    pub(super) rest: String,
    /// Whether reading ended at a line that is a command with a slip unless it is an order.
    pub(super) is_doubtful: bool,
}

/// The same where it is known whether a line that can't be read as a command is an order.
pub(super) fn take_commands_beside(text: &str, is_order: &dyn Fn(&str) -> bool) -> TakenCommands {
    let mut given = Vec::new();
    let mut is_doubtful = false;
    let mut rest = String::with_capacity(text.len());
    let mut lines = lines::ended(text);
    while let Some(line) = lines.next() {
        let bare = strip_quote_marks(line).trim();
        if is_frame(bare) {
            rest.push_str(line);
            continue;
        }
        let Some(command) = read_beside(bare, is_order).filter(|_| !line.starts_with('>')) else {
            is_doubtful = !line.starts_with('>') && read_beside(bare, &|_| false).is_some();
            rest.push_str(line);
            break;
        };
        let command = match end_of_options(command.verb.word) {
            Some(end) => with_options(bare, command, end, &mut lines),
            None => command,
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
    TakenCommands { given, rest, is_doubtful }
}

/// A text without the commands with slips on top of it whose words orders may begin with too; `None` if there are none.
pub fn without_slips(text: &str, is_order: &dyn Fn(&str) -> bool) -> Option<String> {
    let TakenCommands { given, rest, .. } = take_commands_beside(text, is_order);
    given.iter().any(Given::is_in_doubt).then_some(rest)
}

/// Whether a line that begins with a command's word and can't be read as one holds a word that is nearly one of the command's.
pub fn is_nearly_command(line: &str) -> bool {
    let fault = read_beside(line.trim(), &|_| false).and_then(|given| given.command.err());
    let slip = fault.as_ref().and_then(CommandFault::unreadable).filter(|slip| !slip.is_of_first_word());
    slip.is_some_and(|slip| slip.near(&[]).is_some())
}

/// A command with the options on the lines below it: up to the line that ends them, or without such a line those that begin with an option, and what
/// a mail program broke off the line before.
fn with_options<'a>(
    bare: &str,
    command: Given,
    end: &'static str,
    below: &mut (impl Iterator<Item = &'a str> + Clone),
) -> Given {
    let is_end = |line: &str| strip_quote_marks(line).trim().eq_ignore_ascii_case(end);
    let mut whole = bare.to_owned();
    let ends = below.clone().take(MOST_OPTION_LINES).position(is_end);
    let mut last = bare.len();
    let taken = ends.unwrap_or_else(|| {
        let mut goes_on = |line: &str| {
            let bare = strip_quote_marks(line).trim();
            let is_option = option_in(bare).is_some();
            let is_broken_off = last >= LEAST_BROKEN && !bare.is_empty() && read(bare).is_none();
            last = bare.len();
            is_option || is_broken_off
        };
        below.clone().take(MOST_OPTION_LINES).take_while(|line| goes_on(line)).count()
    });
    for line in below.by_ref().take(taken) {
        whole.push(' ');
        whole.push_str(strip_quote_marks(line).trim());
    }
    if ends.is_some() {
        below.next();
    }
    if ends.is_none() && taken == MOST_OPTION_LINES {
        return Given { command: Err(CommandFault::TooLong(end)), ..command };
    }
    let read = read(&whole).unwrap_or(command);
    // A slip on a line below is shown with the lines above it.
    let is_below = |slip: &Unreadable| slip.span.0 > bare.chars().count();
    match &read.command {
        Err(CommandFault::Form(slip)) if is_below(slip) => read,
        _ => Given { line: beginning(bare), ..read },
    }
}

/// As much of a command's line as is shown.
fn beginning(line: &str) -> String {
    let cut = (0..=LONGEST).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    if line.len() > MOST_OPTIONS { format!("{}...", &line[..cut]) } else { line.to_owned() }
}

/// A command whose options are more than are read.
fn too_long(line: &str) -> Option<Given> {
    let words: Vec<&str> = line.split_whitespace().take(BEFORE_OPTIONS).collect();
    let (first, rest) = words.split_first()?;
    let end = end_of_options(first)?;
    let (verb, command) = read_words(first, rest)?;
    let fault = Err(CommandFault::TooLong(end));
    command.is_ok().then(|| Given { line: beginning(line), verb, command: fault })
}

/// Takes the confirmation codes out of the rest of a sender's text. A line `CONFIRM` with a code counts anywhere, since nobody writes one by chance.
/// A quoted one doesn't: a vacation notice quotes it too.
pub(super) fn take_codes(text: &str) -> (Vec<Given>, String) {
    let is_likely = |line: &str| line.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("confirm"));
    if !lines::lines(text).any(|line| is_likely(line.trim_start_matches(|c: char| !c.is_alphanumeric()))) {
        return (Vec::new(), text.to_owned());
    }
    let mut given = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let mut is_ours = false;
    for (line, VoicedLine { voice, text }) in lines::ended(text).zip(tell_voices(text)) {
        // Some programs quote without marks, below an introduction that isn't recognised.
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

/// The `CONFIRM` with a code in a line, whatever marks stand around it.
fn code_in(line: &str) -> Option<Given> {
    let given = read(line.trim_matches(|c: char| !c.is_alphanumeric()))?;
    let Ok(Command::Open(OpenCommand::Confirm(code))) = &given.command else { return None };
    let secret = code.split_once('.').map_or(code.as_str(), |(_, secret)| secret);
    secret.parse::<Token>().is_ok().then_some(given)
}

/// A command in a place where commands aren't read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// A command below other words: its line.
    Below(String),
    /// A code in the quotation, not in the sender's own text.
    Quoted,
}

/// The command in a place where commands aren't read, for a text without commands.
pub fn misplaced_command(text: &str) -> Option<Misplaced> {
    let told = tell_voices(text);
    let mut written = told.iter().filter(|line| line.voice == Voice::Written).map(|line| line.text.trim());
    let below = written.find(|line| read(line).is_some_and(|given| given.command.is_ok()));
    let is_quoted = || told.iter().any(|line| code_in(line.text).is_some());
    below.map(|line| Misplaced::Below(line.to_owned())).or_else(|| is_quoted().then_some(Misplaced::Quoted))
}

/// The command in a line, with or without a slip.
pub fn command_in(line: &str) -> Option<Given> {
    read(line.trim())
}

/// The same where it is known whether a line that can't be read as a command is an order. One with a misspelt first word is none here.
pub fn command_beside(line: &str, is_order: &dyn Fn(&str) -> bool) -> Option<Given> {
    read_beside(line.trim(), is_order).filter(|given| !given.is_misspelt())
}

/// The command `LEAVE` with a game, if a subject is that and nothing else. Mail programs send such a mail for a reader who unsubscribes; what they
/// write into it is their own.
pub fn leave_in_subject(subject: &str) -> Option<Given> {
    read(subject.trim()).filter(|given| matches!(given.command, Ok(Command::Open(OpenCommand::Leave(_)))))
}

/// The command in a line, if its first words are those of a command.
fn read(line: &str) -> Option<Given> {
    read_beside(line, &|_| true)
}

/// The same where it is known whether a line that can't be read is an order.
fn read_beside(line: &str, is_order: &dyn Fn(&str) -> bool) -> Option<Given> {
    let has_options = line.split_whitespace().next().and_then(end_of_options).is_some();
    if has_options && line.len() > MOST_OPTIONS {
        return too_long(line);
    }
    if !has_options && line.len() > LONGEST {
        return None;
    }
    let bare = line.trim_end_matches(['.', '!']);
    let latin = in_latin(bare);
    // An address is never replaced by another one that looks the same.
    let pairs = bare.split_whitespace().zip(latin.split_whitespace());
    let words: Vec<&str> = pairs.map(|(word, latin)| if word.contains('@') { word } else { latin }).collect();
    let (first, rest) = words.split_first()?;
    match read_words(first, rest) {
        Some(read) => Given::of(line, first, read, is_order),
        None => misspelt(line, first, rest).filter(|_| !is_order(line)),
    }
}

/// The command in a line whose first word is nearly a command's: where all that follows fits (`TYR`, `extned 2d`), where nothing follows or what does
/// begins as it should (`ABSNT`, `ABSNT UNTIL tomorow`), or where a value is wrong too (`exted 2 days`). A sentence is none, though some commands take
/// any words: `Each unit holds its ground` is no REACH. So small letters want a number or options among the words.
fn misspelt(line: &str, first: &str, rest: &[&str]) -> Option<Given> {
    let (verb, command) = read_words(nearly_verb(first)?, rest)?;
    let options = rest.iter().position(|word| option_in(word).is_some());
    let own = &rest[..options.unwrap_or(rest.len())];
    let is_shouted = !first.contains(char::is_lowercase);
    let is_meant = match &command {
        Ok(_) => is_shouted || has_number(own) || options.is_some(),
        Err(slip) if slip.wanted == Wanted::Nothing => false,
        Err(slip) => {
            is_shouted && (own.is_empty() || slip.word > 0)
                || has_number(own) && matches!(slip.wanted, Wanted::A(_))
        }
    };
    let slip = || Unreadable::of_first_word(first, std::slice::from_ref(&verb.word), verb.form);
    (is_meant && is_short(own)).then(|| Given::slipped(line, verb, slip()))
}

/// What can't be read in a line that is perhaps meant as a command, as a letter's first line in small letters may be: `tyr`, `extend two dys`.
pub fn perhaps_command(line: &str) -> Option<Unreadable> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (first, rest) = words.split_first().filter(|(_, rest)| is_short(rest))?;
    match read_words(first, rest) {
        Some((_, Ok(_))) => None,
        Some((verb, Err(slip))) => Some(Unreadable::of(line, slip, verb.form)),
        None => {
            let (verb, command) = read_words(nearly_verb(first)?, rest)?;
            let slip = Unreadable::of_first_word(first, std::slice::from_ref(&verb.word), verb.form);
            command.is_ok().then_some(slip)
        }
    }
}

#[cfg(test)]
mod tests;
