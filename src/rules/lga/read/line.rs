//! One line of orders: the grammar of docs/lga/orders.md.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::command::{LineOrders, Marked};
use super::lists::{NamedUnit, Who, separated, units, units_by_length, who, whom};
use super::names::{Fault, Names, Scope, quote};
use super::options::{condition, limit, opens_limit};
use super::verbs::{Verb, verb};
use crate::model::UnitId;
use crate::order::{Act, Guard, HexIs, Order, Path, Reaction, Stage, Standing, Trigger};
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::phrase;
use musterd_engine::tokens::{Cursor, Kind, Span, Token, around};

/// The meaning of a line.
pub(super) enum Line {
    /// An order for the own turn, to one or several units.
    Command(LineOrders),
    /// Lines of the standing file.
    Reactions(Vec<Marked<Standing>>),
    /// `STANDING`: reactions follow.
    SectionBegins,
    /// `STANDING NONE`.
    SectionEmpty,
    /// `END` without a unit.
    SectionEnds,
    /// `INFO`: the hexes asked about, and what names none.
    Info(Vec<Hex>, Vec<Fault>),
}

/// Reads one line without its comment; none if it is empty.
///
/// # Errors
/// The line can't be understood; the fault has the place.
pub(super) fn read(names: &Names<'_>, text: &str, in_section: bool) -> Result<Option<Line>, Fault> {
    let mut cursor = Cursor::new(text);
    let Some(first) = cursor.take() else { return Ok(None) };
    match verb(first)? {
        Verb::Standing => standing(names, &mut cursor).map(Some),
        Verb::End if cursor.rest().is_empty() || cursor.rest().iter().all(|t| t.is("STANDING")) => {
            if in_section {
                Ok(Some(Line::SectionEnds))
            } else {
                Err(Fault::new(cursor.here(), "END which unit?").hint("for example END 3"))
            }
        }
        Verb::Reinforce => reaction(names, Verb::Reinforce, &mut cursor).map(Some),
        Verb::Withdraw => reaction(names, Verb::Withdraw, &mut cursor).map(Some),
        Verb::Top if in_section || cursor.rest().iter().any(|t| t.is_any(&["WHEN", "ALWAYS"])) => {
            reaction(names, Verb::Top, &mut cursor).map(Some)
        }
        Verb::Info => {
            let end = cursor.here();
            let (mut hexes, mut unknown) = (Vec::new(), Vec::new());
            for place in separated(cursor.rest()) {
                match names.place(place, end) {
                    Ok(hex) => hexes.push(hex),
                    Err(fault) => unknown.push(fault),
                }
            }
            Ok(Some(Line::Info(hexes, unknown)))
        }
        Verb::If => {
            let guard = guard(names, &mut cursor)?;
            let Some(next) = cursor.take() else {
                return Err(Fault::new(cursor.here(), "IF what is so, do what? An order is missing.")
                    .hint("for example IF Ulm EMPTY MOVE 3 TO Ulm"));
            };
            let command = act(names, verb(next)?, next, &mut cursor)?;
            Ok(Some(Line::Command(command.guarded(guard))))
        }
        verb => act(names, verb, first, &mut cursor).map(|command| Some(Line::Command(command))),
    }
}

fn act(
    names: &Names<'_>,
    verb: Verb,
    first: Token<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<LineOrders, Fault> {
    // `MOVE: 3 TO Ulm`.
    while cursor.take_any(&[":"]).is_some() {}
    let (start, length) = cursor.rest_span();
    let line = (first.span.0, start + length - first.span.0);
    let plain = |who: Who, stage: Stage, at: Option<Hex>, act: fn(UnitId, Option<Hex>) -> Act| {
        LineOrders::to(who, verb, stage, move |unit, unit_span| Marked {
            order: Order { guard: None, act: act(unit, at) },
            unit_span,
            rest_span: line,
        })
    };
    let command = match verb {
        Verb::Aid => LineOrders::Each(vec![aid(names, cursor)?]),
        Verb::Build => {
            let who = who(names, cursor, Scope::Pool, |t| t.is_any(&["AT", "IN"]))?;
            let (at, rest_span) =
                located(names, cursor)?.map_or((None, line), |(hex, span)| (Some(hex), span));
            LineOrders::to(who, verb, Stage::Muster, move |unit, unit_span| {
                let order = Order { guard: None, act: Act::Build { unit, at } };
                Marked { order, unit_span, rest_span }
            })
        }
        Verb::Rally => {
            let who = who(names, cursor, Scope::Field, |_| false)?;
            plain(who, Stage::Muster, None, |unit, _| Act::Rally { unit })
        }
        Verb::End => {
            let who = who(names, cursor, Scope::Field, |_| false)?;
            plain(who, Stage::Field, None, |unit, _| Act::End { unit })
        }
        Verb::Garrison => {
            let (who, at) = garrison(names, cursor)?;
            plain(who, Stage::Field, at, |unit, at| Act::Garrison { unit, at })
        }
        Verb::Top => {
            let (at, units) = top(names, cursor, Scope::Field)?;
            plain(Who::Named(units), Stage::Field, at, |unit, at| Act::Top { unit, at })
        }
        Verb::Move => march(names, cursor)?,
        Verb::Attack => attack(names, cursor)?,
        Verb::If | Verb::Info | Verb::Standing | Verb::Reinforce | Verb::Withdraw => {
            return Err(Fault::new(first.span, "IF guards orders for your own turn only.")
                .hint("MOVE, ATTACK, GARRISON, END, TOP, BUILD, RALLY or AID"));
        }
    };
    nothing_left(cursor)?;
    Ok(command)
}

/// Refuses what stands behind a complete order.
fn nothing_left(cursor: &Cursor<'_>) -> Result<(), Fault> {
    match cursor.peek() {
        None => Ok(()),
        Some(token) => Err(Fault::new(
            cursor.rest_span(),
            format!("The order is complete before {}.", quote(token.text)),
        )
        .hint("one order a line; # begins a comment")),
    }
}

/// `Austria 4`, `4 TO Austria`.
fn aid(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Marked, Fault> {
    let (mut to, mut points) = (None, None);
    while let Some(token) = cursor.take() {
        if token.is_any(&["TO", "MP", "MPS", "POINTS", "POINT", ","]) {
            continue;
        }
        if token.text.bytes().all(|b| b.is_ascii_digit()) && points.is_none() {
            let number: Option<u16> = token.text.parse().ok().filter(|n| *n > 0);
            let number = number.ok_or_else(|| Fault::new(token.span, "AID gives at least 1 point."))?;
            points = Some((number, token.span));
        } else if let (Some(nation), None) = (names.nation(token), to) {
            to = Some((nation, token.span));
        } else {
            return Err(Fault::new(token.span, format!("{} is no nation.", quote(token.text)))
                .hint("for example AID Austria 4"));
        }
    }
    match (to, points) {
        (Some((to, unit_span)), Some((points, rest_span))) => {
            let order = Order { guard: None, act: Act::Aid { to, points } };
            Ok(Marked { order, unit_span, rest_span })
        }
        (None, _) => Err(Fault::new(cursor.here(), "AID to whom?").hint("for example AID Austria 4")),
        (_, None) => Err(Fault::new(cursor.here(), "AID how much?").hint("for example AID Austria 4")),
    }
}

/// `3`, `3 AT Ulm`, `Ulm WITH 3`: who, and the city that he has to stand in.
fn garrison(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<(Who, Option<Hex>), Fault> {
    let with = |t: &Token<'_>| t.is_any(&["WITH", "BY"]);
    if let Some(length) = cursor.rest().iter().position(with) {
        let city = names.place(&cursor.rest()[..length], cursor.here())?;
        cursor.skip(length + 1);
        let who = match who(names, cursor, Scope::Field, |_| false)? {
            Who::All { at: None, span } => Who::All { at: Some(city), span },
            other => other,
        };
        return Ok((who, Some(city)));
    }
    match who(names, cursor, Scope::Field, |t| t.is_any(&["AT", "IN"])) {
        Ok(Who::All { at: None, span }) => {
            let at = located(names, cursor)?.map(|(hex, _)| hex);
            Ok((Who::All { at, span }, None))
        }
        Ok(who) => Ok((who, located(names, cursor)?.map(|(hex, _)| hex))),
        // `GARRISON Ulm` names the city and forgets the unit.
        Err(fault) => Err(match names.place(cursor.rest(), (0, 0)) {
            Ok(hex) => fault.hint(format!("name the unit: GARRISON {hex} WITH 3")),
            Err(_) => fault,
        }),
    }
}

/// `1, 2 TO Ulm`, `1 E NE`, `1 1405 1406`, `1 Ulm`, `ALL AT Ulm TO Munich`.
fn march(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<LineOrders, Fault> {
    let to = |t: &Token<'_>| t.is_any(&["TO", "->"]);
    let (who, path, rest_span) = if cursor.rest().iter().any(to) {
        let who = who(names, cursor, Scope::Field, to)?;
        cursor.skip(1);
        let span = cursor.rest_span();
        let goal = names.place(cursor.rest(), span)?;
        cursor.skip(usize::MAX);
        (who, Path::To(goal), span)
    } else {
        let who = units_by_length(names, cursor)?;
        let span = cursor.rest_span();
        (who, way(names, cursor)?, span)
    };
    Ok(LineOrders::to(who, Verb::Move, Stage::Field, move |unit, unit_span| {
        let order = Order { guard: None, act: Act::Move { unit, path: path.clone() } };
        Marked { order, unit_span, rest_span }
    }))
}

/// The path of a MOVE without TO.
fn way(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Path, Fault> {
    let tokens = cursor.rest().to_vec();
    let end = cursor.here();
    if tokens.is_empty() {
        return Err(
            Fault::new(end, "Move where?").hint("a goal (TO Ulm), hexes (1405 1406) or directions (E NE)")
        );
    }
    cursor.skip(usize::MAX);
    let steps: Vec<_> = tokens.iter().filter(|t| !t.is(",")).collect();
    if steps.iter().any(|t| Direction::from_abbreviation(t.text).is_some()) {
        let direction = |t: &&Token<'_>| {
            Direction::from_abbreviation(t.text).ok_or_else(|| {
                Fault::new(t.span, format!("{} is no direction.", quote(t.text)))
                    .hint("E, W, NE, NW, SE or SW")
            })
        };
        return Ok(Path::Directions(steps.iter().map(direction).collect::<Result<_, _>>()?));
    }
    let numbers = steps.iter().all(|t| t.text.bytes().all(|b| b.is_ascii_digit()));
    let places: Vec<&[Token<'_>]> = if numbers {
        tokens.chunks(1).filter(|t| !t[0].is(",")).collect()
    } else {
        separated(&tokens).collect()
    };
    let hexes = places.into_iter().map(|place| names.place(place, end)).collect::<Result<Vec<_>, _>>()?;
    // One hex is a goal. If it is adjacent the straight step is the cheapest way there, so nothing is lost.
    Ok(if let [goal] = hexes.as_slice() { Path::To(*goal) } else { Path::Hexes(hexes) })
}

/// `1507 WITH 3 x2 THEN ENTER`, `3 AT 1507`, `1507 3`.
fn attack(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<LineOrders, Fault> {
    let rest = cursor.rest();
    let length = (0..rest.len()).find(|&n| opens_limit(&rest[n..])).unwrap_or(rest.len());
    let body = &rest[..length];
    let end = around(body).map_or_else(|| cursor.here(), |(start, length)| (start + length, 1));
    let find = |words: &[&str]| body.iter().position(|t| t.is_any(words));
    // The last: `ALL AT Ulm AT 1507`.
    let find_last = |words: &[&str]| body.iter().rposition(|t| t.is_any(words));
    let is_hex = |t: &Token<'_>| t.text.parse::<Hex>().is_ok();
    let (place, who): (&[Token<'_>], Cow<'_, [Token<'_>]>) = if let Some(with) = find(&["WITH", "BY"]) {
        (&body[..with], Cow::Borrowed(&body[with + 1..]))
    } else if let Some(at) = find_last(&["AT", "ON", "IN", "INTO"]) {
        (&body[at + 1..], Cow::Borrowed(&body[..at]))
    } else if let Some(hex) = body.iter().position(is_hex) {
        (&body[hex..=hex], body.iter().filter(|t| !is_hex(t)).copied().collect())
    } else {
        let span = around(body).unwrap_or(end);
        return Err(Fault::new(span, "Attack which hex with which unit?").hint("ATTACK 1507 WITH 3"));
    };
    let at = names.place(place, end)?;
    let rest_span = around(place).unwrap_or(end);
    let who = whom(names, &who, Scope::Field, end)?;
    cursor.skip(length);
    let (limit, enter) = limit(cursor)?;
    Ok(LineOrders::to(who, Verb::Attack, Stage::Field, move |unit, unit_span| {
        let order = Order { guard: None, act: Act::Attack { unit, at, limit: limit.clone(), enter } };
        Marked { order, unit_span, rest_span }
    }))
}

/// `3, 1`, `1204 3`: the first named comes last, and so ends on top.
fn top(
    names: &Names<'_>,
    cursor: &mut Cursor<'_>,
    scope: Scope,
) -> Result<(Option<Hex>, Vec<NamedUnit>), Fault> {
    let hex = cursor.peek().filter(|t| t.kind == Kind::Word && t.text.parse::<Hex>().is_ok());
    let at = match hex {
        Some(token) => {
            cursor.skip(1);
            Some(names.place(&[token], token.span)?)
        }
        None => None,
    };
    let mut who = units(names, cursor, scope, |t| t.is_any(&["WHEN", "ALWAYS"]))?;
    who.reverse();
    Ok((at, who))
}

/// `Ulm EMPTY`.
fn guard(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Guard, Fault> {
    let states = [("EMPTY", HexIs::Empty), ("HELD", HexIs::Held), ("CONTROLLED", HexIs::Controlled)];
    let is_state = |t: &Token<'_>| states.iter().any(|(word, _)| t.is(word));
    let Some(length) = cursor.rest().iter().position(is_state) else {
        return Err(Fault::new(cursor.here(), "IF which hex is EMPTY, HELD or CONTROLLED?")
            .hint("for example IF Ulm EMPTY MOVE 3 TO Ulm"));
    };
    let place: Vec<_> = cursor.rest()[..length].iter().filter(|t| !t.is("IS")).copied().collect();
    let hex = names.place(&place, cursor.here())?;
    cursor.skip(length);
    let word = cursor.take();
    let is =
        states.iter().find(|(name, _)| word.is_some_and(|t| t.is(name))).map_or(HexIs::Empty, |(_, is)| *is);
    while cursor.take_any(&[":", ",", "THEN"]).is_some() {}
    Ok(Guard { hex, is })
}

fn standing(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Line, Fault> {
    while cursor.take_any(&[":", "ORDERS"]).is_some() {}
    let Some(next) = cursor.take() else { return Ok(Line::SectionBegins) };
    if next.is_any(&["NONE", "CLEAR"]) {
        nothing_left(cursor)?;
        return Ok(Line::SectionEmpty);
    }
    match verb(next)? {
        verb @ (Verb::Reinforce | Verb::Withdraw | Verb::Top) => reaction(names, verb, cursor),
        _ => Err(Fault::new(next.span, format!("{} is no standing order.", quote(next.text)))
            .hint("REINFORCE, WITHDRAW or TOP; STANDING NONE empties the file")),
    }
}

/// `REINFORCE 4 TO 1507 WHEN 1507 ATTACKED`, without its verb.
fn reaction(names: &Names<'_>, verb: Verb, cursor: &mut Cursor<'_>) -> Result<Line, Fault> {
    let opens_when = |t: &Token<'_>| t.is_any(&["WHEN", "ALWAYS", "IF"]);
    let start = cursor.here();
    let (who, hex, rest_span) = if verb == Verb::Top {
        let (at, who) = top(names, cursor, Scope::Both)?;
        (who, at, start)
    } else {
        let who = units(names, cursor, Scope::Both, |t| t.is("TO"))?;
        cursor.skip(1);
        let rest = cursor.rest();
        let length = rest.iter().position(opens_when).unwrap_or(rest.len());
        let (place, end) = (&rest[..length], cursor.here());
        let goal = names.place(place, end)?;
        let rest_span = around(place).unwrap_or(end);
        cursor.skip(length);
        (who, Some(goal), rest_span)
    };
    let when = condition(names, cursor)?;
    nothing_left(cursor)?;
    let reactions = who.into_iter().map(|(unit, unit_span)| {
        let (reaction, usual) = match (verb, hex) {
            (Verb::Reinforce, Some(to)) => {
                (Reaction::Reinforce { unit, to }, Trigger::HexAttacked { hex: to })
            }
            (Verb::Withdraw, Some(to)) => (Reaction::Withdraw { unit, to }, Trigger::UnitAttacked { unit }),
            _ => (Reaction::Top { unit, at: hex }, Trigger::Always),
        };
        let when = when.unwrap_or(usual);
        let order = Standing { line: written(reaction, when), reaction, when };
        Marked { order, unit_span, rest_span }
    });
    Ok(Line::Reactions(reactions.collect()))
}

/// A reaction as the order form shows it; it reads back as itself.
fn written(reaction: Reaction, when: Trigger) -> String {
    let mut line = match reaction {
        Reaction::Reinforce { unit, to } => phrase(format_args!("REINFORCE {unit} TO {to}")),
        Reaction::Withdraw { unit, to } => phrase(format_args!("WITHDRAW {unit} TO {to}")),
        Reaction::Top { unit, at: None } => phrase(format_args!("TOP {unit}")),
        Reaction::Top { unit, at: Some(at) } => phrase(format_args!("TOP {at} {unit}")),
    };
    // Writing to a `String` never fails.
    let _ = match when {
        Trigger::HexAttacked { hex } => write!(line, " WHEN {hex} ATTACKED"),
        Trigger::UnitAttacked { unit } => write!(line, " WHEN {unit} ATTACKED"),
        Trigger::MoraleAtMost { unit, morale } => write!(line, " WHEN {unit} MORALE <= {morale}"),
        Trigger::HexEntered { hex } => write!(line, " WHEN {hex} ENTERED"),
        Trigger::Always => line.write_str(" ALWAYS"),
    };
    line
}

/// `AT Paris`, if it stands there.
fn located(names: &Names<'_>, cursor: &mut Cursor<'_>) -> Result<Option<(Hex, Span)>, Fault> {
    if cursor.take_any(&["AT", "IN"]).is_none() {
        return Ok(None);
    }
    let span = cursor.rest_span();
    let hex = names.place(cursor.rest(), span)?;
    cursor.skip(usize::MAX);
    Ok(Some((hex, span)))
}
