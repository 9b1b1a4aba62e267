//! The examples of orders in the names of one battle: its units, its hexes, its clock.

use musterd_engine::hex::Hex;
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::tokens::{Cursor, Token, respelt};
use musterd_kit::grammar::{Part, Said, Sentence};
use musterd_kit::lexicon::{Lexicon, missing};

use super::forms::{GRAMMAR, Kind, Verb};
use super::offer::is_able;
use crate::data::Sa;
use crate::model::{UnitId, Way};
use crate::state::Unit;
use crate::view::View;
use crate::words;

/// What the examples of one commander are written with.
pub(super) struct Examples<'v> {
    rules: &'v Sa,
    view: &'v View,
    /// His units on the field, the steady ones first.
    own: Vec<(UnitId, &'v Unit, Hex)>,
}

/// The nouns of an example by their kinds alone: what they name is not of this battle.
struct Kinds;

impl Lexicon for Kinds {
    type Kind = Kind;
    type Noun = Kind;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Kind, Remark> {
        cursor.take().map(|_| kind).ok_or_else(|| missing(cursor, "What?"))
    }

    fn begins(&self, kind: Kind, tokens: &[Token<'_>]) -> bool {
        let Some(token) = tokens.first() else { return false };
        let is_number = |length: usize| token.text.len() == length && token.text.parse::<u16>().is_ok();
        match kind {
            Kind::Foe => token.text.parse::<UnitId>().is_ok(),
            Kind::Hex | Kind::Goal => is_number(4),
            Kind::Way | Kind::Step => is_number(1) || ["NE", "E"].contains(&token.text),
            Kind::Own => is_number(1),
            Kind::Line => is_number(1) || is_number(2),
            Kind::Mover => false,
            Kind::Point | Kind::Count | Kind::Spell => true,
        }
    }
}

impl<'v> Examples<'v> {
    pub(super) fn of(rules: &'v Sa, view: &'v View) -> Self {
        let unit = |id: &UnitId| {
            let unit = &view.position.units[rules.battle().place(*id)];
            Some((*id, unit, unit.at?))
        };
        let mut own: Vec<_> = view.own.iter().filter_map(unit).collect();
        own.sort_by_key(|(id, unit, _)| (unit.routing, *id));
        Self { rules, view, own }
    }

    /// A use with the names of this battle; none if nothing in it can be ordered here.
    pub(super) fn of_battle(&self, general: OrderUse) -> Option<OrderUse> {
        let lines: Vec<_> =
            general.lines.iter().filter_map(|line| self.written(line)).map(Into::into).collect();
        let does = self.explained(&general.does).into();
        (!lines.is_empty()).then_some(OrderUse { lines, does, ..general })
    }

    /// What happens, with the orders in it in the names of this battle, as the examples beside it are.
    fn explained(&self, does: &str) -> String {
        let parts = does.split('`').enumerate().map(|(number, part)| match number % 2 {
            1 => self.written(part).map_or_else(|| part.to_owned(), |line| format!("`{line}`")),
            _ => part.to_owned(),
        });
        parts.collect()
    }

    /// An example with the names of this battle; none if no unit here can be ordered so.
    fn written(&self, line: &str) -> Option<String> {
        let Ok(Some(read)) = GRAMMAR.read(&Kinds, line, |_| true) else { return Some(line.to_owned()) };
        let letters: Vec<char> = line.chars().collect();
        Some(respelt(line, self.said(&read, &letters)?))
    }

    /// What stands in the places of a line in this battle.
    fn said(&self, read: &Sentence<Verb, Kind>, letters: &[char]) -> Option<Vec<((usize, usize), String)>> {
        let able: Vec<_> =
            self.own.iter().filter(|(id, ..)| is_able(self.rules, self.view, *id, read.verb)).collect();
        let (_, _, at) = **able.first()?;
        let foe = self.foe(at)?;
        let (mut here, mut who) = (at, able.iter().cycle());
        let mut said = Vec::new();
        for Part { name, said: what, span } in &read.parts {
            let Said::Noun(kind) = what else { continue };
            let words = match kind {
                Kind::Own | Kind::Mover => match letters.get(span.0..span.0 + span.1)? {
                    word if word.iter().all(|c| c.is_alphabetic()) => continue,
                    range if range.contains(&'-') => self.range()?,
                    _ => who.next()?.0.number.to_string(),
                },
                Kind::Foe => foe.0.to_string(),
                Kind::Hex if read.verb == Verb::Fire => foe.1.to_string(),
                Kind::Hex if read.verb == Verb::Deploy => self.zone()?.to_string(),
                Kind::Hex | Kind::Goal => {
                    here = self.step(able[0].0, here)?.1;
                    here.to_string()
                }
                Kind::Way | Kind::Step => {
                    let (way, next) = self.step(able[0].0, here)?;
                    here = next;
                    let by_number = letters.get(span.0).is_some_and(char::is_ascii_digit);
                    if by_number { way.number().to_string() } else { words::way(way).to_owned() }
                }
                Kind::Point => self.rules.block_after(self.view.paused).1.to_string(),
                Kind::Count => "1".to_owned(),
                Kind::Line => if *name == "row" { at.row } else { at.col }.to_string(),
                Kind::Spell => continue,
            };
            said.push((*span, words));
        }
        Some(said)
    }

    /// A range of units of his: the first with the last of those that follow it without a gap.
    fn range(&self) -> Option<String> {
        let mut numbers: Vec<u8> = self.own.iter().map(|(id, ..)| id.number).collect();
        numbers.sort_unstable();
        let first = *numbers.first()?;
        let run = (first..).zip(numbers).take_while(|(next, number)| next == number).take(4);
        run.last().map(|(last, _)| if last == first { first.to_string() } else { format!("{first}-{last}") })
    }

    /// The nearest enemy, and where it stands.
    fn foe(&self, from: Hex) -> Option<(UnitId, Hex)> {
        let units =
            self.view.position.fielded().map(|(place, _, at)| (self.rules.battle().units[place].id, at));
        let foes = units.filter(|(id, _)| Some(id.side) != self.view.side);
        foes.min_by_key(|(id, at)| (at.distance(from), *id))
    }

    /// A way on from a hex that the unit can take, into a free hex if there is one.
    fn step(&self, id: UnitId, from: Hex) -> Option<(Way, Hex)> {
        let (battle, kind) = (self.rules.battle(), self.rules.battle().spec(id).kind);
        let field = &battle.field;
        let on = Way::ALL.into_iter().filter_map(|way| Some((way, field.step(from, way.0)?)));
        let open = on.filter(|(_, hex)| self.rules.numbers().cost(kind, field.terrain(*hex)).is_some());
        let free = |hex: Hex| self.view.position.unit_at(self.rules, hex).is_none();
        open.min_by_key(|(way, hex)| (!free(*hex), way.number()))
    }

    /// A free hex of the zone.
    fn zone(&self) -> Option<Hex> {
        let zone = &self.rules.battle().army(self.view.side?).zone;
        zone.iter().copied().find(|hex| self.view.position.unit_at(self.rules, *hex).is_none())
    }
}
