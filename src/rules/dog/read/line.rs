//! A line of orders that is being read: the units, hexes and numbers in it.

use crate::data::Dog;
use crate::model::UnitId;
use crate::order::Order;
use crate::view::View;
use musterd_engine::alike::meant;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind, Token};

/// The most words of a name that may be written without quotes.
const NAME_WORDS: usize = 4;

/// The unit with this name, in any case, if it is one alone. What split off a unit shares its name, which means the unit itself while that is
/// there.
fn only<'n>(units: impl Iterator<Item = (UnitId, &'n str)>, name: &str) -> Option<UnitId> {
    let called = units.filter(|(_, own)| own.eq_ignore_ascii_case(name)).map(|(id, _)| id);
    let called: Vec<UnitId> = called.collect();
    let mut whole = called.iter().filter(|id| id.part == 0);
    match (called.as_slice(), whole.next()) {
        ([one], _) => Some(*one),
        (_, Some(one)) if whole.next().is_none() => Some(*one),
        _ => None,
    }
}

/// A line that is being read.
pub(super) struct Line<'v, 't> {
    pub(super) rules: &'v Dog,
    pub(super) view: &'v View,
    pub(super) cursor: Cursor<'t>,
    /// Whether it is for all units.
    pub(super) all: bool,
}

/// A remark on a word.
pub(super) fn at(token: Token<'_>, text: impl Into<String>) -> Remark {
    Remark::error(0, text).at(token.span.0, token.span.1)
}

/// A word as a message repeats it.
pub(super) fn clip(text: &str) -> String {
    musterd_engine::yaml::short(text)
}

impl Line<'_, '_> {
    /// A remark that something is missing here.
    pub(super) fn missing(&self, what: &str) -> Remark {
        let (start, length) = self.cursor.here();
        Remark::error(0, what).at(start, length)
    }

    /// One own unit: by number, by letter and number, or by name.
    pub(super) fn own(&mut self) -> Result<UnitId, Remark> {
        self.cursor.take_any(&["UNIT", "UNITS"]);
        let Some(token) = self.cursor.peek() else {
            return Err(self.missing("Which unit? Write its number."));
        };
        let Some((id, taken)) = self.own_here() else {
            let known = self.view.own.keys().map(ToString::to_string).collect::<Vec<_>>();
            let text = format!("`{}` is none of your units.", clip(token.text));
            let hint = if known.is_empty() {
                "you have none".to_owned()
            } else {
                format!("yours are {}", list(&known))
            };
            return Err(at(token, text).hint(hint));
        };
        self.cursor.skip(taken);
        Ok(id)
    }

    /// The own unit that the next tokens name, and how many they are.
    fn own_here(&self) -> Option<(UnitId, usize)> {
        let token = self.cursor.peek()?;
        let by_number = self.numbered(token.text);
        if let Some(id) = by_number.filter(|id| token.kind == Kind::Word && self.view.own.contains_key(id)) {
            return Some((id, 1));
        }
        let own = || self.view.own.iter().map(|(id, unit)| (*id, unit.name.as_str()));
        self.cursor.longest(NAME_WORDS, |text| only(own(), text))
    }

    /// The unit that a word means: `E3`, or `3` for the own army's.
    pub(super) fn numbered(&self, text: &str) -> Option<UnitId> {
        let with_letter = || format!("{}{text}", self.letter()?).parse().ok();
        text.parse().ok().or_else(with_letter)
    }

    /// The letter of the leader's army.
    pub(super) fn letter(&self) -> Option<char> {
        self.view.army.map(|army| self.rules.battle().army(army).letter)
    }

    /// One or more own units, with commas and AND between them.
    pub(super) fn owns(&mut self) -> Result<Vec<UnitId>, Remark> {
        if self.cursor.take_any(&["ALL", "EVERYBODY"]).is_some() {
            self.all = true;
            return Ok(self
                .view
                .own
                .iter()
                .filter(|(_, unit)| unit.captive.is_none())
                .map(|(id, _)| *id)
                .collect());
        }
        let mut units = vec![self.own()?];
        loop {
            let comma = self.cursor.take_any(&[",", "AND", "+", "&"]).is_some();
            if comma {
                units.push(self.own()?);
            } else if let Some((id, taken)) = self.own_here() {
                self.cursor.skip(taken);
                units.push(id);
            } else {
                return Ok(units);
            }
        }
    }

    /// An order for each of several units.
    pub(super) fn each(&mut self, order: impl Fn(UnitId) -> Order) -> Result<Vec<Order>, Remark> {
        Ok(self.owns()?.into_iter().map(order).collect())
    }

    /// A hex by number or by the name of a place.
    pub(super) fn hex(&mut self) -> Result<Hex, Remark> {
        self.cursor.take_any(&["TO", "AT", "IN", "->", "INTO"]);
        let Some(token) = self.cursor.peek() else {
            return Err(self.missing("Where? Write a hex, such as 0304."));
        };
        let field = &self.rules.battle().field;
        if let Ok(hex) = token.text.parse::<Hex>() {
            self.cursor.skip(1);
            return match field.has(hex) {
                true => Ok(hex),
                false => Err(at(token, format!("{hex} is off the field."))
                    .hint(format!("the field ends at {}", Hex::new(field.columns, field.rows)))),
            };
        }
        if let Some(hex) = self.cursor.take_longest(NAME_WORDS, |text| field.named(text)) {
            return Ok(hex);
        }
        let near = meant(token.text, field.places.values().map(String::as_str));
        let hint = near.map_or_else(
            || "write column and row, such as 0304".to_owned(),
            |n| format!("did you mean {n}?"),
        );
        Err(at(token, format!("`{}` is no hex of this field.", clip(token.text))).hint(hint))
    }

    /// A number of fighters.
    pub(super) fn count(&mut self, missing: &str) -> Result<u16, Remark> {
        let Some(token) = self.cursor.take() else { return Err(self.missing(missing)) };
        token.text.parse().map_err(|_| at(token, format!("`{}` is no number of fighters.", clip(token.text))))
    }

    /// An enemy in sight: by letter and number, by its hex, or by name.
    pub(super) fn foe(&mut self) -> Result<UnitId, Remark> {
        let Some(token) = self.cursor.peek() else {
            return Err(self.missing("Which enemy? Write its letter and number."));
        };
        let battle = self.rules.battle();
        let hostile = |id: &UnitId| {
            let army = battle.lettered(id.army).map(|army| army.id);
            army.zip(self.view.army).is_some_and(|(a, b)| !battle.allied(a, b))
        };
        let foes = || self.view.others.iter().filter(|(id, _)| hostile(id));
        let by_id = token.text.parse::<UnitId>().ok();
        let by_hex = token.text.parse::<Hex>().ok();
        let called = || foes().map(|(id, unit)| (*id, unit.name.as_str()));
        let by_name = || self.cursor.longest(NAME_WORDS, |text| only(called(), text));
        let found = foes()
            .find(|(id, unit)| Some(**id) == by_id || Some(unit.at) == by_hex)
            .map(|(id, _)| (*id, 1))
            .or_else(by_name);
        let Some((id, taken)) = found else {
            let text = match by_id {
                Some(id) if self.view.own.contains_key(&id) => format!("{id} is one of your own units."),
                Some(id) if self.view.others.contains_key(&id) => format!("{id} is an ally's."),
                _ => format!("You see no enemy `{}`.", clip(token.text)),
            };
            let known: Vec<String> = foes().map(|(id, _)| id.to_string()).collect();
            let hint = if known.is_empty() {
                "no enemy is in sight".to_owned()
            } else {
                format!("in sight are {}", list(&known))
            };
            return Err(at(token, text).hint(hint));
        };
        self.cursor.skip(taken);
        Ok(id)
    }
}

/// The first few names of many.
fn list(names: &[String]) -> String {
    match names.len() {
        0..=12 => names.join(", "),
        _ => format!("{}, ...", names[..12].join(", ")),
    }
}
