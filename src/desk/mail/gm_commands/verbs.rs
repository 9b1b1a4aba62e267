//! What the GM can want, and the first words of his commands.

use jiff::civil::{Date, DateTime};

use super::super::commands;
use musterd_dice::Seat;

/// The word at the end of a line that says it is meant.
pub const CONFIRM: &str = "CONFIRM";

/// Something that the GM wants done. A turn is the open adjudication's number or name, in small letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GmAct {
    /// Where the game stands, with everything.
    Status,
    /// What can be written.
    Help,
    /// Run the open turn now.
    Process(String),
    /// The game stands still.
    Pause(Option<String>),
    /// It goes on.
    Resume(Option<String>),
    /// Another deadline, on the game's clock.
    Deadline(String, DateTime),
    /// So many minutes more.
    Extend(String, u32),
    /// Somebody else plays a seat: an address, `computer`, `computer:cautious`, `open`.
    Replace(Seat, String),
    /// Nobody plays it, and whoever did may not come back.
    Eject(Seat),
    /// Whoever asks to watch from this address may, or whoever was ejected and has it may come back.
    Admit(String),
    /// Whoever asks to watch from this address may not, or whoever watches no longer.
    Refuse(String),
    /// One address more is the GM's.
    AddAddress(String),
    /// One of them is the GM's no more.
    DropAddress(String),
    /// A seat, or the GM, gets a new secret.
    Secret(Seat),
    /// The dispatches that wait; or what this amendment would change in everybody's.
    Draft(String, Option<String>),
    /// The dispatches that wait go out.
    Approve(String),
    /// The position is changed.
    Amend(String, String),
    /// Words for the next dispatch: to these seats, to all if none are named.
    Narrate(String, Vec<Seat>, String),
    /// Everything up to this turn becomes public.
    Reveal(String),
    /// This turn and all after it are void.
    Rollback(String),
    /// The turn that ran last runs again from a position amended so.
    Rerun(String, String),
    /// All are asked whether this roll may be thrown again.
    Reroll(String),
    /// Words to all, now.
    Broadcast(String),
    /// Other terms, in the words of `musterd new`'s options.
    Terms(String),
}

/// A command's first word, and how the rest is read.
pub(super) struct Verb {
    pub(super) word: &'static str,
    /// How it is written, in any game: SEAT, CHANGE and LABEL stand for what is different in each.
    pub(super) form: &'static str,
    /// The line that ends the words which follow it, where it brings words.
    pub(super) words: Option<&'static str>,
    pub(super) read: fn(&[&str], String) -> Option<GmAct>,
}

impl Verb {
    pub(super) fn of(line: &str) -> Option<(&'static Self, &str)> {
        let end = line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len());
        let (first, rest) = line.split_at(end);
        let verb = VERBS.iter().find(|verb| first.eq_ignore_ascii_case(verb.word))?;
        Some((verb, rest))
    }

    const fn new(word: &'static str, form: &'static str, read: fn(&[&str], String) -> Option<GmAct>) -> Self {
        Self { word, form, words: None, read }
    }
}

const VERBS: &[Verb] = &[
    Verb::new("STATUS", "STATUS", |rest, _| rest.is_empty().then_some(GmAct::Status)),
    Verb::new("HELP", "HELP", |rest, _| (rest.len() < 2).then_some(GmAct::Help)),
    Verb::new("PROCESS", "PROCESS and the open turn: PROCESS 5", |rest, _| one(rest).map(GmAct::Process)),
    Verb::new("PAUSE", "PAUSE", |rest, _| any_turn(rest).map(GmAct::Pause)),
    Verb::new("RESUME", "RESUME", |rest, _| any_turn(rest).map(GmAct::Resume)),
    Verb::new(
        "DEADLINE",
        "DEADLINE, the open turn, a day and a time: DEADLINE 5 2026-12-10 20:00",
        |rest, _| {
            let [turn, day, time] = rest else { return None };
            Some(GmAct::Deadline(turn.to_ascii_lowercase(), instant(day, time)?))
        },
    ),
    Verb::new("EXTEND", "EXTEND, the open turn and a span: EXTEND 5 2d", |rest, _| {
        let [turn, span] = rest else { return None };
        Some(GmAct::Extend(turn.to_ascii_lowercase(), commands::minutes(span)?))
    }),
    Verb::new(
        "REPLACE",
        "REPLACE, a seat, and an address, computer, computer:cautious or open: REPLACE SEAT anna@example.org",
        |rest, _| {
            let [seat, who] = rest else { return None };
            Some(GmAct::Replace(seat.to_ascii_lowercase().parse().ok()?, who.to_lowercase()))
        },
    ),
    Verb::new("EJECT", "EJECT and a seat: EJECT SEAT", |rest, _| {
        Some(GmAct::Eject(one(rest)?.parse().ok()?))
    }),
    Verb::new(
        "ADMIT",
        "ADMIT and an address of somebody who asks to watch, or who was ejected: ADMIT anna@example.org",
        |rest, _| one(rest).map(GmAct::Admit),
    ),
    Verb::new(
        "REFUSE",
        "REFUSE and an address of somebody who asks to watch, or who watches: REFUSE anna@example.org",
        |rest, _| one(rest).map(GmAct::Refuse),
    ),
    Verb::new(
        "ADDRESS",
        "ADDRESS ADD and a further address of the GM's, or ADDRESS DROP and one of them: ADDRESS ADD gm@example.org",
        |rest, _| {
            let [what, address] = rest else { return None };
            let address = address.to_lowercase();
            match what.to_ascii_uppercase().as_str() {
                "ADD" => Some(GmAct::AddAddress(address)),
                "DROP" => Some(GmAct::DropAddress(address)),
                _ => None,
            }
        },
    ),
    Verb::new("SECRET", "SECRET and a seat, or gm: SECRET SEAT", |rest, _| {
        Some(GmAct::Secret(one(rest)?.parse().ok()?))
    }),
    Verb::new(
        "DRAFT",
        "DRAFT and the turn that ran: DRAFT 5, or DRAFT 5 WITH AMEND and what to change",
        |rest, _| {
            let (turn, rest) = rest.split_first()?;
            let turn = turn.to_ascii_lowercase();
            if rest.is_empty() {
                Some(GmAct::Draft(turn, None))
            } else {
                Some(GmAct::Draft(turn, Some(amendment(rest)?)))
            }
        },
    ),
    Verb::new("APPROVE", "APPROVE and the turn that ran: APPROVE 5", |rest, _| one(rest).map(GmAct::Approve)),
    Verb::new("AMEND", "AMEND, the open turn and what to change: AMEND 5 CHANGE", |rest, _| {
        let (turn, rest) = rest.split_first().filter(|(_, rest)| !rest.is_empty())?;
        Some(GmAct::Amend(turn.to_ascii_lowercase(), rest.join(" ")))
    }),
    Verb {
        words: Some("END NARRATE"),
        ..Verb::new(
            "NARRATE",
            "NARRATE and the turn, with TO and seats or without, the words below it, and END NARRATE below them",
            narrate,
        )
    },
    Verb::new("REVEAL", "REVEAL and the last turn that is to be revealed: REVEAL 3", |rest, _| {
        one(rest).map(GmAct::Reveal)
    }),
    Verb::new("ROLLBACK", "ROLLBACK and the first turn that is to be void: ROLLBACK 3", |rest, _| {
        one(rest).map(GmAct::Rollback)
    }),
    Verb::new(
        "RERUN",
        "RERUN, the turn that ran last, AMEND and what to change before it: RERUN 4 AMEND CHANGE",
        |rest, _| {
            let (turn, rest) = rest.split_first()?;
            Some(GmAct::Rerun(turn.to_ascii_lowercase(), amendment(rest)?))
        },
    ),
    Verb::new(
        "REROLL",
        "REROLL and the label of a roll of the turn that ran last, as the log has it: REROLL LABEL",
        |rest, _| one(rest).map(GmAct::Reroll),
    ),
    Verb {
        words: Some("END BROADCAST"),
        ..Verb::new(
            "BROADCAST",
            "BROADCAST, the words below it, and END BROADCAST below them",
            |rest, words| (rest.is_empty() && !words.is_empty()).then_some(GmAct::Broadcast(words)),
        )
    },
    Verb::new(
        "TERMS",
        "TERMS and options as `musterd new` takes them: TERMS --grace 12h --missing hold",
        |rest, _| {
            rest.first().is_some_and(|first| first.starts_with("--")).then(|| GmAct::Terms(rest.join(" ")))
        },
    ),
];

fn one(rest: &[&str]) -> Option<String> {
    match rest {
        [only] => Some(only.to_ascii_lowercase()),
        _ => None,
    }
}

fn any_turn(rest: &[&str]) -> Option<Option<String>> {
    if rest.is_empty() { Some(None) } else { one(rest).map(Some) }
}

/// `WITH AMEND …` or `AMEND …`.
fn amendment(rest: &[&str]) -> Option<String> {
    let rest = match rest {
        [with, rest @ ..] if with.eq_ignore_ascii_case("WITH") => rest,
        rest => rest,
    };
    match rest {
        [amend, what @ ..] if amend.eq_ignore_ascii_case("AMEND") && !what.is_empty() => Some(what.join(" ")),
        _ => None,
    }
}

fn narrate(rest: &[&str], words: String) -> Option<GmAct> {
    let (turn, rest) = rest.split_first().filter(|_| !words.is_empty())?;
    let to = match rest {
        [] => Vec::new(),
        [to, seats @ ..] if to.eq_ignore_ascii_case("TO") && !seats.is_empty() => {
            let seats = seats.iter().flat_map(|seats| seats.split(',')).filter(|seat| !seat.is_empty());
            seats.map(|seat| seat.to_ascii_lowercase().parse().ok()).collect::<Option<Vec<Seat>>>()?
        }
        _ => return None,
    };
    Some(GmAct::Narrate(turn.to_ascii_lowercase(), to, words))
}

/// A day and a time: `2026-12-10 20:00`.
fn instant(day: &str, time: &str) -> Option<DateTime> {
    commands::at(day.parse::<Date>().ok()?, time)
}

/// Every form of command, for the answer to `HELP`. Where an example needs a seat, it is this one.
#[must_use]
pub fn gm_forms(seat: &Seat) -> Vec<String> {
    VERBS.iter().map(|verb| verb.form.replace("SEAT", seat.as_str())).collect()
}
