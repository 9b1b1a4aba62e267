//! Commands to the host: the lines that stand first in a mail and are meant for the host rather than for the rules, `STATUS`,
//! `ABSENT UNTIL 2026-12-10`. What a player may ask and what the GM may, the daemon decides; here it is only read.

use std::str::FromStr;

use jiff::civil::{Date, DateTime, Time};

use super::latin::in_latin;
use super::reading::tell_voices;
use super::route::read_key_line;
use super::token::Token;
use musterd_dice::{GameId, Label, Seat};
use musterd_letter::{Line, Voice, strip_quote_marks};
use musterd_text::lines;

/// How many commands one mail may bring.
const MOST: usize = 20;
/// The longest line that can be a command, in bytes.
const LONGEST: usize = 300;
/// What is left at least of the rule under the head of our mails, where a program has broken it.
const SHORTEST_RULE: usize = 40;

/// Something that the host is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Where the game stands.
    Status,
    /// The games of this host.
    List,
    /// How to write to the host; about one topic, if any.
    Help(Option<String>),
    /// A report once more: of the adjudication named, or the last one.
    Report(Option<String>),
    /// The history of the game as the seat knows it.
    History,
    /// How the dice have treated the seat.
    Luck,
    /// What the seat's orders would do.
    Preview,
    /// Take back the orders for the open turn.
    WithdrawOrders,
    /// The player is away until this day, that day included, from this one or now.
    Absent {
        /// The first day.
        from: Option<Date>,
        /// The last day.
        until: Date,
    },
    /// The player is back.
    Back,
    /// More time for the open turn.
    Extend(Span),
    /// Times in this zone from now on.
    Zone(String),
    /// One more address, from which orders are taken too.
    AddAddress(String),
    /// No longer this address.
    DropAddress(String),
    /// Another secret.
    NewSecret,
    /// A roll may be thrown again: its label, and words of the player's own for the dice.
    Consent(Label, String),
    /// Somebody else may have the seat.
    Resign,
    /// `DECLINE`: an invitation is not accepted.
    Decline,
    /// A seat of a game, for somebody who has none there; any seat if none is named.
    Join {
        /// Which game.
        game: GameId,
        /// Which seat.
        seat: Option<Seat>,
    },
    /// The list of those who would take a seat; of this game, this seat.
    Standby {
        /// Which game.
        game: GameId,
        /// Which seat.
        seat: Option<Seat>,
    },
    /// Watching a game.
    Observe(GameId),
    /// Being told of every close and commitment of a game, as a witness of its log.
    Witness(GameId),
    /// No longer watching it, nor waiting for a seat of it.
    Leave(GameId),
    /// What an earlier mail of the host asked to confirm.
    Confirm(String),
}

impl Command {
    /// Whether nothing changes by it.
    #[must_use]
    pub fn only_asks(&self) -> bool {
        match self {
            Self::Status
            | Self::List
            | Self::Help(_)
            | Self::Report(_)
            | Self::History
            | Self::Luck
            | Self::Preview => true,
            Self::WithdrawOrders
            | Self::Absent { .. }
            | Self::Back
            | Self::Extend(_)
            | Self::Zone(_)
            | Self::AddAddress(_)
            | Self::DropAddress(_)
            | Self::NewSecret
            | Self::Consent(..)
            | Self::Resign
            | Self::Decline
            | Self::Join { .. }
            | Self::Standby { .. }
            | Self::Observe(_)
            | Self::Witness(_)
            | Self::Leave(_)
            | Self::Confirm(_) => false,
        }
    }
}

/// How much more time is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// So many minutes more than the present deadline.
    Minutes(u32),
    /// Until this time on the seat's clock.
    Until(DateTime),
}

/// A line of a mail that is for the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// As written.
    pub line: String,
    /// What is asked, or what is wrong with it.
    pub command: Result<Command, CommandFault>,
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

/// Takes the commands out of what a sender wrote, and gives back the text without them. They stand first: reading ends at the
/// first line that is none, so that a letter which begins `Help me` further down asks for nothing.
#[must_use]
pub fn take_commands(text: &str) -> (Vec<Given>, String) {
    let mut given = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let mut lines = lines::ended(text);
    for line in lines.by_ref() {
        let bare = strip_quote_marks(line).trim();
        let is_frame = bare.is_empty() || bare.starts_with('#') || read_key_line(bare).is_some();
        if !is_frame {
            let Some(command) = read(bare).filter(|_| !line.starts_with('>')) else {
                rest.push_str(line);
                break;
            };
            let command = if given.len() < MOST { command } else { Err(CommandFault::TooMany) };
            given.push(Given { line: bare.to_owned(), command });
            rest.push('\n');
            continue;
        }
        rest.push_str(line);
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
                given.push(Given { line: text.trim().to_owned(), command: Ok(Command::Confirm(code)) });
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

/// The code that a line `CONFIRM` has, whatever marks stand round the line.
fn code_in(line: &str) -> Option<String> {
    match read(line.trim_matches(|c: char| !c.is_alphanumeric()))? {
        Ok(Command::Confirm(code)) => {
            let secret = code.split_once('.').map_or(code.as_str(), |(_, secret)| secret);
            secret.parse::<Token>().is_ok().then_some(code)
        }
        _ => None,
    }
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
    let below = written.find(|line| matches!(read(line), Some(Ok(_))));
    let is_quoted = || told.iter().any(|line| code_in(line.text).is_some());
    below.map(|line| Misplaced::Below(line.to_owned())).or_else(|| is_quoted().then_some(Misplaced::Quoted))
}

/// Whether a line is a command to the host, with a slip in it or not.
#[must_use]
pub fn is_command(line: &str) -> bool {
    read(line.trim()).is_some()
}

/// The command that a line is, if its first words are one's. A line of a letter is none: what follows must fit, but for a slip
/// in capitals.
fn read(line: &str) -> Option<Result<Command, CommandFault>> {
    if line.len() > LONGEST {
        return None;
    }
    let line = line.trim_end_matches(['.', '!']);
    let latin = in_latin(line);
    // An address is never taken for another one that looks the same.
    let pairs = line.split_whitespace().zip(latin.split_whitespace());
    let words: Vec<&str> = pairs.map(|(word, latin)| if word.contains('@') { word } else { latin }).collect();
    let (first, rest) = words.split_first()?;
    let verb = VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
    match (verb.read)(rest) {
        Some(command) => Some(Ok(command)),
        // In small letters it is prose; and the rules, or an order block, may have the word too.
        None if *first == verb.word && !verb.shared => Some(Err(CommandFault::Form(verb.form))),
        None => None,
    }
}

/// A command's first word, and how the rest is read.
struct Verb {
    word: &'static str,
    form: &'static str,
    /// Whether a game's orders may begin with the same word.
    shared: bool,
    read: fn(&[&str]) -> Option<Command>,
}

const VERBS: &[Verb] = &[
    Verb { word: "STATUS", shared: false, form: "STATUS", read: |rest| none(rest, Command::Status) },
    Verb { word: "LIST", shared: false, form: "LIST", read: |rest| none(rest, Command::List) },
    Verb { word: "HELP", shared: false, form: "HELP, or HELP and a topic", read: help },
    Verb { word: "REPORT", shared: false, form: "REPORT, or REPORT and a turn: REPORT 4", read: report },
    Verb { word: "HISTORY", shared: false, form: "HISTORY", read: |rest| none(rest, Command::History) },
    Verb { word: "LUCK", shared: false, form: "LUCK", read: |rest| none(rest, Command::Luck) },
    Verb { word: "PREVIEW", shared: false, form: "PREVIEW", read: |rest| none(rest, Command::Preview) },
    Verb { word: "WITHDRAW", shared: true, form: "WITHDRAW ORDERS", read: withdraw },
    Verb {
        word: "ABSENT",
        shared: false,
        form: "ABSENT UNTIL 2026-12-10, or ABSENT 2026-12-01 TO 2026-12-10",
        read: absent,
    },
    Verb { word: "BACK", shared: true, form: "BACK", read: |rest| none(rest, Command::Back) },
    Verb { word: "EXTEND", shared: false, form: "EXTEND 2d, or EXTEND UNTIL 2026-12-10 20:00", read: extend },
    Verb {
        word: "ZONE",
        shared: false,
        form: "ZONE Europe/Vienna",
        read: |rest| one(rest).map(Command::Zone),
    },
    Verb {
        word: "ADDRESS",
        shared: false,
        form: "ADDRESS ADD anna@example.org, or ADDRESS DROP anna@example.org",
        read: address,
    },
    Verb {
        word: "NEW",
        shared: true,
        form: "NEW SECRET",
        read: |rest| is(rest, "SECRET", Command::NewSecret),
    },
    Verb {
        word: "CONSENT",
        shared: false,
        form: "CONSENT and the roll that you were told, with words of your own or without: CONSENT LABEL grey rain",
        read: consent,
    },
    Verb { word: "RESIGN", shared: false, form: "RESIGN", read: |rest| none(rest, Command::Resign) },
    // The same before the game has begun, in the word that suits an invitation.
    Verb { word: "DECLINE", shared: false, form: "DECLINE", read: |rest| none(rest, Command::Decline) },
    Verb {
        word: "JOIN",
        shared: true,
        form: "JOIN and a game, with a seat or without: JOIN alpha french",
        read: join,
    },
    Verb {
        word: "STANDBY",
        shared: false,
        form: "STANDBY and a game, with a seat or without: STANDBY alpha",
        read: standby,
    },
    Verb {
        word: "OBSERVE",
        shared: false,
        form: "OBSERVE and a game: OBSERVE alpha",
        read: |rest| parsed(rest).map(Command::Observe),
    },
    Verb {
        word: "WITNESS",
        shared: false,
        form: "WITNESS and a game: WITNESS alpha",
        read: |rest| parsed(rest).map(Command::Witness),
    },
    Verb {
        word: "LEAVE",
        shared: false,
        form: "LEAVE and a game: LEAVE alpha",
        read: |rest| parsed(rest).map(Command::Leave),
    },
    Verb {
        word: "CONFIRM",
        shared: false,
        form: "CONFIRM and the code that you were sent",
        read: |rest| one(rest).map(Command::Confirm),
    },
];

fn none(rest: &[&str], command: Command) -> Option<Command> {
    rest.is_empty().then_some(command)
}

fn is(rest: &[&str], word: &str, command: Command) -> Option<Command> {
    matches!(rest, [only] if only.eq_ignore_ascii_case(word)).then_some(command)
}

fn one(rest: &[&str]) -> Option<String> {
    match rest {
        [only] => Some((*only).to_owned()),
        _ => None,
    }
}

fn parsed<T: FromStr>(rest: &[&str]) -> Option<T> {
    one(rest)?.to_ascii_lowercase().parse().ok()
}

fn consent(rest: &[&str]) -> Option<Command> {
    let (label, salt) = rest.split_first()?;
    Some(Command::Consent(label.to_ascii_lowercase().parse().ok()?, salt.join(" ")))
}

fn help(rest: &[&str]) -> Option<Command> {
    match rest {
        [] => Some(Command::Help(None)),
        [topic] => Some(Command::Help(Some(topic.to_ascii_lowercase()))),
        _ => None,
    }
}

fn report(rest: &[&str]) -> Option<Command> {
    match rest {
        [] => Some(Command::Report(None)),
        [turn] if turn.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') => {
            Some(Command::Report(Some(turn.to_ascii_lowercase())))
        }
        _ => None,
    }
}

fn withdraw(rest: &[&str]) -> Option<Command> {
    is(rest, "ORDERS", Command::WithdrawOrders)
}

fn absent(rest: &[&str]) -> Option<Command> {
    let is = |word: &str, other: &str| word.eq_ignore_ascii_case(other);
    match rest {
        [until, day] if is(until, "UNTIL") || is(until, "TO") => {
            Some(Command::Absent { from: None, until: day.parse().ok()? })
        }
        [from, to, until] if is(to, "TO") || is(to, "UNTIL") => {
            Some(Command::Absent { from: Some(from.parse().ok()?), until: until.parse().ok()? })
        }
        [word, from, to, until] if is(word, "FROM") && (is(to, "TO") || is(to, "UNTIL")) => {
            Some(Command::Absent { from: Some(from.parse().ok()?), until: until.parse().ok()? })
        }
        _ => None,
    }
}

fn extend(rest: &[&str]) -> Option<Command> {
    let span = match rest {
        [until, day] if until.eq_ignore_ascii_case("UNTIL") => {
            Span::Until(day.parse::<Date>().ok()?.to_datetime(Time::MIN))
        }
        [until, day, time] if until.eq_ignore_ascii_case("UNTIL") => {
            Span::Until(at(day.parse().ok()?, time)?)
        }
        [span] => Span::Minutes(minutes(span)?),
        _ => return None,
    };
    Some(Command::Extend(span))
}

/// A day with a time behind it: `2026-12-10 20:00`.
pub(super) fn at(day: Date, time: &str) -> Option<DateTime> {
    let (hour, minute) = time.split_once(':')?;
    let time = Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    Some(day.to_datetime(time))
}

/// A span of time as people write it, in minutes: `90m`, `36h`, `3d`; a year at most.
#[must_use]
pub fn minutes(text: &str) -> Option<u32> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "m" | "M" => 1,
        "h" | "H" => 60,
        "d" | "D" => 24 * 60,
        _ => return None,
    };
    let minutes = number.parse::<u32>().ok()?.checked_mul(unit)?;
    (1..=366 * 24 * 60).contains(&minutes).then_some(minutes)
}

fn address(rest: &[&str]) -> Option<Command> {
    match rest {
        [verb, address] if verb.eq_ignore_ascii_case("ADD") => {
            Some(Command::AddAddress((*address).to_lowercase()))
        }
        [verb, address] if verb.eq_ignore_ascii_case("DROP") => {
            Some(Command::DropAddress((*address).to_lowercase()))
        }
        _ => None,
    }
}

fn game_and_seat(rest: &[&str]) -> Option<(GameId, Option<Seat>)> {
    match rest {
        [game] => Some((game.to_ascii_lowercase().parse().ok()?, None)),
        [game, seat] => {
            Some((game.to_ascii_lowercase().parse().ok()?, Some(seat.to_ascii_lowercase().parse().ok()?)))
        }
        _ => None,
    }
}

fn join(rest: &[&str]) -> Option<Command> {
    let (game, seat) = game_and_seat(rest)?;
    Some(Command::Join { game, seat })
}

fn standby(rest: &[&str]) -> Option<Command> {
    let (game, seat) = game_and_seat(rest)?;
    Some(Command::Standby { game, seat })
}

#[cfg(test)]
mod tests;
