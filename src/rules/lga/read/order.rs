//! What a line orders, from its parts, with the places in it that a remark may point at; and the parts of an order, to write it.

use super::forms::{GRAMMAR, Verb};
use super::nouns::{Names, Noun, write};
use crate::model::UnitId;
use crate::order::{Act, Guard, HexIs, Limit, Order, Path, Reaction, Stage, Standing, Trigger};
use crate::plan::About;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::Span;
use musterd_kit::grammar::{Part, Said, Sentence};
use musterd_kit::lexicon::{Lexicon as _, on};

/// A unit and where it is named.
pub(super) type NamedUnit = (UnitId, Span);

/// Whom an order is for.
pub(super) enum Who {
    /// Nobody, since it is for a nation; with the place where that is named.
    Nation(Span),
    /// These units, in the order in which they act.
    Named(Vec<NamedUnit>),
    /// `ALL`, `ALL AT Ulm`. Its units are found when it is carried out, after the lines before it.
    All {
        /// Where, if not anywhere.
        at: Option<Hex>,
        /// Where it is written.
        span: Span,
    },
}

/// The orders in a line: the same to each of its units.
pub(super) struct LineOrders {
    /// The units.
    pub(super) who: Who,
    /// Its verb.
    pub(super) verb: Verb,
    /// When it is carried out.
    pub(super) stage: Stage,
    /// Its `IF`.
    pub(super) guard: Option<Guard>,
    /// The action of a unit.
    pub(super) act: Box<dyn Fn(UnitId) -> Act>,
    /// The place of the hex, the path or the number; the whole line if there is none.
    pub(super) rest_span: Span,
}

impl LineOrders {
    /// The place in the line where its units are named.
    pub(super) fn span(&self) -> Span {
        match &self.who {
            Who::Named(units) => units.first().map_or((0, 0), |(_, span)| *span),
            Who::All { span, .. } | Who::Nation(span) => *span,
        }
    }

    /// The order for a unit.
    pub(super) fn order(&self, (unit, unit_span): NamedUnit) -> Marked {
        let order = Order { guard: self.guard, act: (self.act)(unit) };
        Marked { order, unit_span, rest_span: self.rest_span }
    }

    /// An order each for the units named; none for `ALL`.
    pub(super) fn each(&self) -> Vec<Marked> {
        match &self.who {
            Who::Nation(span) => vec![self.order((UnitId(0), *span))],
            Who::Named(units) => units.iter().map(|unit| self.order(*unit)).collect(),
            Who::All { .. } => Vec::new(),
        }
    }
}

/// An order with the places in its line that an answer may point at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked<O = Order> {
    /// The order.
    pub(super) order: O,
    /// Where the unit is named.
    pub(super) unit_span: Span,
    /// The place of the hex, the path or the number; the whole line if there is none.
    pub(super) rest_span: Span,
}

impl<O> Marked<O> {
    /// The place of a part of the order.
    pub(super) const fn span(&self, about: About) -> Span {
        match about {
            About::Unit => self.unit_span,
            About::Goal => self.rest_span,
        }
    }
}

/// A line, read by the grammar.
pub(super) type Read = Sentence<Verb, Noun>;

/// The orders of a line for the own turn. `line` is the place of the whole line.
///
/// # Errors
/// What the shape of the line doesn't forbid and makes no sense.
pub(super) fn orders(names: &Names<'_>, read: &Read, line: Span) -> Result<LineOrders, Remark> {
    let hex = |name: &str| read.noun(name).map(Noun::hex);
    let span = |name: &str| read.part(name).map_or(line, |part| part.span);
    let (at, at_span) = (hex("at"), span("at"));
    let (stage, rest_span, act): (Stage, Span, Box<dyn Fn(UnitId) -> Act>) = match read.verb {
        Verb::Aid => return aid(names, read),
        Verb::Build => (Stage::Muster, at_span, Box::new(move |unit| Act::Build { unit, at })),
        Verb::Rally => (Stage::Muster, line, Box::new(|unit| Act::Rally { unit })),
        Verb::Move => {
            let (path, span) = path(read);
            (Stage::Field, span, Box::new(move |unit| Act::Move { unit, path: path.clone() }))
        }
        Verb::Attack => {
            let at = read.the("at").hex();
            let (limit, enter) = (limit(read), read.has("enter"));
            (Stage::Field, at_span, Box::new(move |unit| Act::Attack { unit, at, limit, enter }))
        }
        Verb::Garrison => {
            // Of all units those in the city that is named, however it is named.
            let at = at.filter(|_| !read.has("all") || read.has("from") || read.parts[0].name == "at");
            (Stage::Field, line, Box::new(move |unit| Act::Garrison { unit, at }))
        }
        Verb::End => (Stage::Field, line, Box::new(|unit| Act::End { unit })),
        Verb::Top => (Stage::Field, line, Box::new(move |unit| Act::Top { unit, at })),
        #[expect(clippy::unreachable, reason = "whoever reads a line by its verb knows which it is")]
        Verb::If | Verb::Standing | Verb::Info | Verb::Reinforce | Verb::Withdraw | Verb::TopWhen => {
            unreachable!("{:?} is no order for the own turn", read.verb)
        }
    };
    Ok(LineOrders { who: who(read), verb: read.verb, stage, guard: None, act, rest_span })
}

/// The units of a line.
fn who(read: &Read) -> Who {
    let all = |part: &Part<Noun>| match part.said {
        Said::Noun(Noun::Everyone(at)) => Some((at, part.span)),
        _ => (part.name == "all").then_some((read.noun("from").map(Noun::hex), part.span)),
    };
    match read.parts.iter().find_map(all) {
        Some((at, span)) => {
            let garrisons = if read.verb == Verb::Garrison { read.noun("at") } else { None };
            Who::All { at: at.or(garrisons.map(Noun::hex)), span }
        }
        None => Who::Named(named(read)),
    }
}

/// The units that a line names; those that go on top with the first named last, so that it ends highest.
fn named(read: &Read) -> Vec<NamedUnit> {
    let unit = |part: &Part<Noun>| match (part.name, &part.said) {
        ("who" | "at", Said::Noun(Noun::Unit(unit))) => Some((*unit, part.span)),
        _ => None,
    };
    let mut units: Vec<NamedUnit> = read.parts.iter().filter_map(unit).collect();
    if matches!(read.verb, Verb::Top | Verb::TopWhen) {
        units.reverse();
    }
    units
}

/// `Austria 4`, `4 TO Austria`.
fn aid(names: &Names<'_>, read: &Read) -> Result<LineOrders, Remark> {
    let twice = ["to", "points"]
        .into_iter()
        .find_map(|name| read.parts.iter().filter(|part| part.name == name).nth(1));
    if let Some(part) = twice {
        return Err(on(part.span, "AID gives one number of points to one nation.")
            .hint(names.example("for example AID Austria 4")));
    }
    let part = |name| read.part(name).ok_or_else(|| GRAMMAR.lacking(names, read.verb, name, read.end));
    let (to, points) = (part("to")?, part("points")?);
    let (nation, sum) = (read.the("to").nation(), read.the("points").points());
    Ok(LineOrders {
        who: Who::Nation(to.span),
        verb: read.verb,
        stage: Stage::Aid,
        guard: None,
        act: Box::new(move |_| Act::Aid { to: nation, points: sum }),
        rest_span: points.span,
    })
}

/// The way of a march, and its place.
fn path(read: &Read) -> (Path, Span) {
    let goal = read.part("goal").or_else(|| read.part("by"));
    if let Some(Part { said: Said::Noun(noun), span, .. }) = goal {
        let path = match noun {
            Noun::Hexes(hexes) => match hexes.as_slice() {
                // One hex is a goal. If it is adjacent the straight step is the cheapest way there, so nothing is lost.
                [goal] => Path::To(*goal),
                hexes => Path::Hexes(hexes.to_vec()),
            },
            goal => Path::To(goal.hex()),
        };
        return (path, *span);
    }
    let steps = || read.parts.iter().filter(|part| part.name == "step");
    let start = steps().next().map_or(0, |part| part.span.0);
    let end = steps().next_back().map_or(start, |part| part.span.0 + part.span.1);
    (Path::Directions(read.nouns("step").map(Noun::direction).collect()), (start, end - start))
}

/// `x3 UNTIL CLEAR WHILE MORALE >= 2 WHILE ODDS >= 0`; of each the last counts.
fn limit(read: &Read) -> Limit {
    let last = |name: &str| read.nouns(name).last();
    let (while_morale, while_odds) = (last("morale").map(Noun::at_least), last("odds").map(Noun::at_least));
    let open_ended = read.has("clear") || while_morale.is_some() || while_odds.is_some();
    let rounds = last("rounds").map_or(if open_ended { Limit::MOST_ROUNDS } else { 1 }, Noun::rounds);
    Limit { rounds, while_morale, while_odds }
}

/// The condition of an `IF`.
pub(super) fn guard(read: &Read) -> Guard {
    let is = HexIs::ALL.into_iter().find(|is| read.has(is.word()));
    Guard { hex: read.the("hex").hex(), is: is.unwrap_or(HexIs::Controlled) }
}

/// The standing orders of a line. `start` is the place behind its first word.
pub(super) fn reactions(read: &Read, start: Span) -> Vec<Marked<Standing>> {
    let at = read.noun("at").map(Noun::hex);
    let to = read.noun("to").map(Noun::hex);
    let rest_span = read.part("to").map_or(start, |part| part.span);
    let each = |(unit, unit_span): NamedUnit| {
        let (reaction, usual) = match (read.verb, to) {
            (Verb::Reinforce, Some(to)) => {
                (Reaction::Reinforce { unit, to }, Trigger::HexAttacked { hex: to })
            }
            (Verb::Withdraw, Some(to)) => (Reaction::Withdraw { unit, to }, Trigger::UnitAttacked { unit }),
            _ => (Reaction::Top { unit, at }, Trigger::Always),
        };
        let when = trigger(read).unwrap_or(usual);
        Marked {
            order: Standing { line: written_reaction(reaction, when), reaction, when },
            unit_span,
            rest_span,
        }
    };
    named(read).into_iter().map(each).collect()
}

fn trigger(read: &Read) -> Option<Trigger> {
    if read.has("always") {
        return Some(Trigger::Always);
    }
    Some(match (read.noun("of")?, read.noun("morale")) {
        (Noun::Unit(unit), Some(morale)) => Trigger::MoraleAtMost { unit: *unit, morale: morale.at_most() },
        (Noun::Unit(unit), None) => Trigger::UnitAttacked { unit: *unit },
        (hex, _) if read.has("entered") => Trigger::HexEntered { hex: hex.hex() },
        (hex, _) => Trigger::HexAttacked { hex: hex.hex() },
    })
}

/// An order as its line is written; the standing orders as their section. It is read back as the same order.
pub fn written(order: &Order) -> String {
    let hex = |name, hex: Hex| Part::noun(name, Noun::Hex(hex));
    let who = |unit: UnitId| Part::noun("who", Noun::Unit(unit));
    let placed =
        |at: Option<Hex>, unit: UnitId| at.map(|at| hex("at", at)).into_iter().chain([who(unit)]).collect();
    let (verb, parts): (Verb, Vec<Part<Noun>>) = match &order.act {
        Act::Aid { to, points } => (
            Verb::Aid,
            vec![Part::noun("to", Noun::Nation(*to)), Part::noun("points", Noun::Points(*points))],
        ),
        Act::Build { unit, at } => {
            (Verb::Build, [who(*unit)].into_iter().chain(at.map(|at| hex("at", at))).collect())
        }
        Act::Rally { unit } => (Verb::Rally, vec![who(*unit)]),
        Act::Move { unit, path } => {
            let way: Vec<Part<Noun>> = match path {
                Path::To(goal) => vec![hex("goal", *goal)],
                Path::Hexes(hexes) => vec![Part::noun("by", Noun::Hexes(hexes.clone()))],
                Path::Directions(steps) => {
                    steps.iter().map(|step| Part::noun("step", Noun::Direction(*step))).collect()
                }
            };
            (Verb::Move, [who(*unit)].into_iter().chain(way).collect())
        }
        Act::Attack { unit, at, limit, enter } => {
            let mut parts = vec![hex("at", *at), who(*unit)];
            let is_open = limit.while_morale.is_some() || limit.while_odds.is_some();
            let rounds = (limit.rounds != 1 || is_open).then_some(Noun::Rounds(limit.rounds));
            parts.extend(rounds.map(|rounds| Part::noun("rounds", rounds)));
            parts.extend(limit.while_morale.map(|least| Part::noun("morale", Noun::AtLeast(least))));
            parts.extend(limit.while_odds.map(|least| Part::noun("odds", Noun::AtLeast(least))));
            parts.extend(enter.then_some(Part::word("enter")));
            (Verb::Attack, parts)
        }
        Act::Garrison { unit, at } => (Verb::Garrison, placed(*at, *unit)),
        Act::End { unit } => (Verb::End, vec![who(*unit)]),
        Act::Top { unit, at } => (Verb::Top, placed(*at, *unit)),
        Act::Standing { file } if file.is_empty() => (Verb::Standing, vec![Part::word("none")]),
        Act::Standing { file } => {
            let mut section = vec![line(Verb::Standing, &[])];
            section.extend(file.iter().map(|placed| placed.order.line.clone()));
            section.push("END".to_owned());
            return section.join("\n");
        }
    };
    let act = line(verb, &parts);
    let Some(guard) = order.guard else { return act };
    line(Verb::If, &[hex("hex", guard.hex), Part::word(guard.is.word())]) + " " + &act
}

/// A standing order as the order form shows it. It is read back as the same.
pub fn written_reaction(reaction: Reaction, when: Trigger) -> String {
    let hex = |name, hex: Hex| Part::noun(name, Noun::Hex(hex));
    let unit = |name, unit: UnitId| Part::noun(name, Noun::Unit(unit));
    let (verb, mut parts) = match reaction {
        Reaction::Reinforce { unit: who, to } => (Verb::Reinforce, vec![unit("who", who), hex("to", to)]),
        Reaction::Withdraw { unit: who, to } => (Verb::Withdraw, vec![unit("who", who), hex("to", to)]),
        Reaction::Top { unit: who, at } => {
            (Verb::TopWhen, at.map(|at| hex("at", at)).into_iter().chain([unit("who", who)]).collect())
        }
    };
    match when {
        Trigger::HexAttacked { hex: of } => parts.extend([hex("of", of), Part::word("attacked")]),
        Trigger::UnitAttacked { unit: of } => parts.extend([unit("of", of), Part::word("attacked")]),
        Trigger::MoraleAtMost { unit: of, morale } => {
            parts.extend([unit("of", of), Part::noun("morale", Noun::AtMost(morale))]);
        }
        Trigger::HexEntered { hex: of } => parts.extend([hex("of", of), Part::word("entered")]),
        Trigger::Always => parts.push(Part::word("always")),
    }
    line(verb, &parts)
}

fn line(verb: Verb, parts: &[Part<Noun>]) -> String {
    GRAMMAR.write(verb, parts, write)
}
