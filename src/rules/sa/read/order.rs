//! The order that a line gives, from its parts; and the parts of an order, to write it.

use std::collections::BTreeSet;

use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Span, Token};
use musterd_kit::grammar::{Part, Said};
use musterd_kit::lexicon::at;

use super::forms::{GRAMMAR, LONGEST_QUEUE, Verb};
use super::line::{Line, Noun, Read, write};
use super::offer::{is_offered, never};
use crate::model::UnitId;
use crate::order::{Act, Order, Stance, Task, Trigger};

/// The order of a line.
pub(super) struct Heard {
    pub(super) order: Order,
    /// What is doubtful of how it is written.
    pub(super) doubt: Option<Remark>,
    /// Its first word.
    pub(super) verb: Span,
    /// What it is read from.
    pub(super) parts: Vec<Part<Noun>>,
}

/// Reads a line without its comment; `None` if it is empty.
pub(super) fn read(line: &Line<'_>, text: &str) -> Result<Option<Heard>, Remark> {
    let words = Cursor::new(text);
    let Some(first) = words.peek() else { return Ok(None) };
    if let Some(why) = GRAMMAR.verb(first.text).and_then(|verb| never(line.rules, line.view, verb)) {
        return Err(at(first, why));
    }
    let read = GRAMMAR.read(line, text, |verb| is_offered(line.rules, line.view, verb));
    let Some(read) = read.map_err(|remark| instead(first, words.rest().get(1), remark))? else {
        return Ok(None);
    };
    let (order, doubt) = meant(line, &read, text).map_err(|why| of_verb(why, first.span))?;
    Ok(Some(Heard { order, doubt, verb: first.span, parts: read.parts }))
}

/// A remark that is of no part of a line is of its first word.
pub(super) fn of_verb(remark: Remark, (start, length): Span) -> Remark {
    if remark.span.is_none() { remark.at(start, length) } else { remark }
}

/// What a line orders, and a doubt of how it is written, if there is one.
fn meant(line: &Line<'_>, read: &Read, text: &str) -> Result<(Order, Option<Remark>), Remark> {
    let units = who(read);
    let task = |task: Task| Order::Do { units: units.clone(), tasks: vec![task] };
    let act = |act: Act| task(Task::plain(act));
    let hold = || match read.noun("until") {
        Some(until) => Act::Until(until.point()),
        None if read.has("contact") => Act::Contact,
        None => Act::Hold,
    };
    let stance = |stance| Order::Stance { units: units.clone(), stance };
    let goal = || read.noun("to").map(Noun::hex);
    let order = match read.verb {
        Verb::Deploy => Order::Deploy { unit: alone(read)?, at: read.the("at").hex() },
        Verb::Move => return march(read, text, units),
        Verb::Again => act(Act::Again),
        Verb::Hold | Verb::Wait => act(hold()),
        Verb::Attack => act(match read.noun("way") {
            Some(way) => Act::Strike(way.way()),
            None => Act::Attack(read.the("target").unit()),
        }),
        Verb::Fire => act(match read.noun("at") {
            Some(at) => Act::FireAt(at.hex()),
            None => Act::Fire(read.the("target").unit()),
        }),
        Verb::Cast => task(Task::cast(read.the("spell").spell(), read.the("points").count(), trigger(read))),
        Verb::Replicate => act(Act::Liken(read.the("way").way())),
        Verb::Leave => act(Act::Leave),
        Verb::Stance => stance(certain(posture(read))),
        Verb::Advance => stance(Stance::Advance(goal())),
        Verb::Charge => stance(Stance::Charge),
        Verb::Skirmish => stance(Stance::Skirmish),
        Verb::Avoid => stance(Stance::Avoid),
        Verb::On => Order::On { units, trigger: certain(trigger(read)), stance: posture(read) },
        Verb::Cancel => Order::Clear { units },
        Verb::Detail => Order::Detail(read.has("full")),
        Verb::Map if read.has("symbols") => Order::Symbols(!read.has("off")),
        Verb::Map => Order::Map(middle(line, read).map_err(|why| Remark::error(0, why))?),
    };
    Ok((order, None))
}

/// The middle of the map that is asked for: a hex, or a row and a column as the game of 1981 asked for them.
fn middle(line: &Line<'_>, read: &Read) -> Result<Option<Hex>, String> {
    let Some((row, col)) = read.noun("row").zip(read.noun("col")) else {
        return Ok(read.noun("at").map(Noun::hex));
    };
    let (row, col) = (row.count(), col.count());
    let field = &line.rules.battle().field;
    let hex = u8::try_from(col).ok().zip(u8::try_from(row).ok()).map(|(col, row)| Hex::new(col, row));
    match hex.filter(|hex| field.has(*hex)) {
        Some(hex) => Ok(Some(hex)),
        None => Err(format!(
            "Row {row}, column {col} is off the field: it has {} rows and {} columns.",
            field.rows, field.columns
        )),
    }
}

/// The units of a line, each once.
fn who(read: &Read) -> Vec<UnitId> {
    let mut seen = BTreeSet::new();
    read.nouns("who").map(Noun::unit).filter(|id| seen.insert(*id)).collect()
}

/// The unit of a line that can be for one unit alone.
fn alone(read: &Read) -> Result<UnitId, Remark> {
    let unit = read.the("who").unit();
    match read.parts.iter().find(|part| part.name == "who" && part.said != Said::Noun(Noun::Unit(unit))) {
        Some(other) => {
            let (start, length) = other.span;
            let remark = Remark::error(0, "DEPLOY takes one unit a line: a hex holds no more.");
            Err(remark.at(start, length).hint(format!("DEPLOY {} AT {}", unit.number, read.the("at").hex())))
        }
        None => Ok(unit),
    }
}

/// What a line says must have happened.
fn trigger(read: &Read) -> Option<Trigger> {
    Trigger::ALL.into_iter().find(|trigger| read.has(trigger_word(*trigger)))
}

const fn trigger_word(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Contact => "contact",
        Trigger::FiredAt => "fired",
        Trigger::RoutNear => "rout",
    }
}

/// What every line of its form says.
#[expect(clippy::expect_used, reason = "the grammar refuses a line without it")]
fn certain<T>(part: Option<T>) -> T {
    part.expect("a part of the form")
}

/// The stance that a line names; `None` for `NOTHING`.
fn posture(read: &Read) -> Option<Stance> {
    let goal = read.noun("to").map(Noun::hex);
    let all = [Stance::Advance(goal), Stance::Hold, Stance::Skirmish, Stance::Charge, Stance::Avoid];
    all.into_iter().find(|stance| read.has(stance_word(*stance)))
}

const fn stance_word(stance: Stance) -> &'static str {
    match stance {
        Stance::Advance(_) => "advance",
        Stance::Hold => "hold",
        Stance::Skirmish => "skirmish",
        Stance::Charge => "charge",
        Stance::Avoid => "avoid",
    }
}

/// The hint at an order that does what a first word asks for which is none.
fn instead(first: Token<'_>, second: Option<&Token<'_>>, remark: Remark) -> Remark {
    if GRAMMAR.verb(first.text).is_some() {
        return remark;
    }
    if let Some((_, hint)) = LIKE.iter().find(|(words, _)| first.is_any(words)) {
        return remark.hint(*hint);
    }
    match second.filter(|second| GRAMMAR.verb(second.text).is_some()) {
        Some(second) => remark.hint(format!("the order stands first: {} {}", second.text, first.text)),
        None => remark,
    }
}

/// Words of other games, and what is written here.
const LIKE: [(&[&str], &str); 4] = [
    (
        &["RETREAT", "WITHDRAW", "FALL", "RETIRE"],
        "AVOID keeps a unit away from enemies, MOVE leads it back hex by hex",
    ),
    (&["READY"], "READY stands alone on its line"),
    (&["INFO", "SHOW", "REPORT"], "your dispatch has all that is known of every unit"),
    (&["DEFEND"], "HOLD keeps a unit where it is, as its stance: STANCE 3 HOLD"),
];

/// `MOVE 3 1 1 2`, `MOVE 3 NE TO 1507`, and a doubt if a number may be meant for a unit.
fn march(read: &Read, text: &str, units: Vec<UnitId>) -> Result<(Order, Option<Remark>), Remark> {
    let step = |part: &Part<Noun>| match part.said {
        Said::Noun(Noun::Way(way)) => Some(Task::plain(Act::Move(way))),
        Said::Noun(Noun::Hex(hex)) => Some(Task::plain(Act::To(hex))),
        _ => None,
    };
    let tasks: Vec<Task> = read.parts.iter().filter_map(step).collect();
    if tasks.is_empty() {
        let missing = Remark::error(0, "Where to? Write directions from 1 to 6, or TO and a hex.");
        return Err(missing.at(read.end.0, read.end.1));
    }
    if tasks.len() > LONGEST_QUEUE {
        return Err(Remark::error(0, format!("A unit has {LONGEST_QUEUE} tasks at most.")));
    }
    let is_number = |step: &Part<Noun>| text.chars().nth(step.span.0).is_some_and(|c| c.is_ascii_digit());
    let doubt = match read.parts.as_slice() {
        [who, step, goal]
            if step.name == "step" && step.span.1 == 1 && goal.name == "to" && is_number(step) =>
        {
            let doubt = Remark::warning(0, "A number without a comma before it is a direction here.");
            let doubt = doubt.at(step.span.0, step.span.1);
            Some(match who.said {
                Said::Noun(Noun::Unit(id)) => {
                    doubt.hint(format!("MOVE {}, ... names several units", id.number))
                }
                _ => doubt,
            })
        }
        _ => None,
    };
    Ok((Order::Do { units, tasks }, doubt))
}

/// Steps at most in a line that is written; several the same way are one.
const MOST_STEPS: usize = 8;

/// The lines of an order as they are written. They are read back as orders that mean the same.
pub fn written(order: &Order) -> Vec<String> {
    let line = |verb: Verb, parts: &[Part<Noun>]| GRAMMAR.write(verb, parts, write);
    let who = |units: &[UnitId]| -> Vec<Part<Noun>> {
        units.iter().map(|id| Part::noun("who", Noun::Unit(*id))).collect()
    };
    let with = |units: &[UnitId], more: Vec<Part<Noun>>| [who(units), more].concat();
    match order {
        Order::Do { units, tasks } => {
            let marches = |task: &Task| matches!(task.act, Act::Move(_) | Act::To(_));
            let runs = tasks.chunk_by(|one, next| marches(one) && marches(next));
            let of = |same: &[&[Task]]| {
                let tasks: Vec<Task> = same.concat();
                let verb = verb_of(tasks[0].act);
                shortened(&line(verb, &with(units, tasks.iter().flat_map(task_parts).collect())))
            };
            let lines = |run: &[Task]| -> Vec<String> {
                let steps: Vec<&[Task]> = run.chunk_by(|one, next| one == next).collect();
                steps.chunks(MOST_STEPS).map(of).collect()
            };
            runs.flat_map(lines).collect()
        }
        Order::Stance { units, stance } => vec![line(Verb::Stance, &with(units, stance_parts(*stance)))],
        Order::On { units, trigger, stance } => {
            let then = stance.map_or_else(|| vec![Part::word("nothing")], stance_parts);
            let parts = [vec![Part::word(trigger_word(*trigger))], who(units), then].concat();
            vec![line(Verb::On, &parts)]
        }
        Order::Clear { units } => vec![line(Verb::Cancel, &who(units))],
        Order::Deploy { unit, at } => {
            let parts = [Part::noun("who", Noun::Unit(*unit)), Part::noun("at", Noun::Hex(*at))];
            vec![line(Verb::Deploy, &parts)]
        }
        Order::Detail(full) => vec![line(Verb::Detail, &[Part::word(if *full { "full" } else { "brief" })])],
        Order::Symbols(true) => vec![line(Verb::Map, &[Part::word("symbols")])],
        Order::Symbols(false) => vec![line(Verb::Map, &[Part::word("symbols"), Part::word("off")])],
        Order::Map(None) => vec![line(Verb::Map, &[Part::word("none")])],
        Order::Map(Some(at)) => vec![line(Verb::Map, &[Part::noun("at", Noun::Hex(*at))])],
    }
}

/// A line of orders in which many steps the same way are written once: `W x27`.
fn shortened(line: &str) -> String {
    const FEW: usize = 2;
    let is_way = |word: &str| Direction::from_abbreviation(word).is_some();
    let words: Vec<&str> = line.split(' ').collect();
    let runs = words.chunk_by(|one, next| one == next && is_way(one));
    let written = runs.map(|run| match run.len() {
        ..=FEW => run.join(" "),
        many => format!("{} x{many}", run[0]),
    });
    written.collect::<Vec<_>>().join(" ")
}

const fn verb_of(act: Act) -> Verb {
    match act {
        Act::Move(_) | Act::To(_) => Verb::Move,
        Act::Again => Verb::Again,
        Act::Hold | Act::Until(_) => Verb::Hold,
        Act::Contact => Verb::Wait,
        Act::Strike(_) | Act::Attack(_) => Verb::Attack,
        Act::Fire(_) | Act::FireAt(_) => Verb::Fire,
        Act::Cast(..) => Verb::Cast,
        Act::Liken(_) => Verb::Replicate,
        Act::Leave => Verb::Leave,
    }
}

fn task_parts(task: &Task) -> Vec<Part<Noun>> {
    let mut parts = match task.act {
        Act::Move(way) => vec![Part::noun("step", Noun::Way(way))],
        Act::To(hex) => vec![Part::noun("to", Noun::Hex(hex))],
        Act::Again | Act::Hold | Act::Leave => Vec::new(),
        Act::Until(point) => vec![Part::noun("until", Noun::Point(point))],
        Act::Contact => vec![Part::word("contact")],
        Act::Strike(way) | Act::Liken(way) => vec![Part::noun("way", Noun::Way(way))],
        Act::Attack(foe) | Act::Fire(foe) => vec![Part::noun("target", Noun::Unit(foe))],
        Act::FireAt(at) => vec![Part::noun("at", Noun::Hex(at))],
        Act::Cast(spell, points) => {
            vec![Part::noun("spell", Noun::Spell(spell)), Part::noun("points", Noun::Count(points))]
        }
    };
    parts.extend(task.when().map(|trigger| Part::word(trigger_word(trigger))));
    parts
}

fn stance_parts(stance: Stance) -> Vec<Part<Noun>> {
    let goal = match stance {
        Stance::Advance(goal) => goal,
        _ => None,
    };
    let goal = goal.map(|hex| Part::noun("to", Noun::Hex(hex)));
    std::iter::once(Part::word(stance_word(stance))).chain(goal).collect()
}
