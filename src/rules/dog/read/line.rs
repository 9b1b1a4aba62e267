//! The nouns of the orders, as one leader may use them: units, hexes, numbers, types of troops.

use super::forms::{Kind, Verb};
use super::troops;
use crate::battle::hire::HireList;
use crate::data::Dog;
use crate::known::example_hex;
use crate::model::{People, Sort, TroopId, UnitId};
use crate::view::{LastSeen, SeenUnit, View};
use crate::words;
use musterd_engine::alike::meant;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind as TokenKind, Token, longest};
use musterd_engine::yaml::short;
use musterd_kit::grammar::Sentence;
use musterd_kit::lexicon::{Lexicon, Vocabulary, at, first_few, is_short_number, missing};
use musterd_kit::lists::joined;
use musterd_kit::nouns;

/// The most words of a name that may be written without quotes.
pub(crate) const NAME_WORDS: usize = 4;

nouns! {
    pub(crate) enum Noun {
        /// A unit, own or hostile.
        unit: Unit(UnitId),
        hex: Hex(Hex),
        direction: Direction(Direction),
        /// A number of fighters, or another number.
        count: Count(u16),
        /// A unit's name.
        name: Name(String),
        sort: Sort(Sort),
        troop: Troop(TroopId),
        people: People(People),
        /// The name of a hire list.
        list: List(String),
    }
}

/// A line, read by the grammar.
pub(super) type Read = Sentence<Verb, Noun>;

/// What the orders of one leader are read by.
pub(crate) struct Line<'v> {
    pub(crate) rules: &'v Dog,
    pub(crate) view: &'v View,
    /// Whether a part of a unit can be recorded too: by the GM.
    pub(crate) parts: bool,
}

impl Lexicon for Line<'_> {
    type Kind = Kind;
    type Noun = Noun;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        Ok(match kind {
            Kind::Own => Noun::Unit(self.own(cursor)?),
            Kind::Foe => Noun::Unit(self.foe(cursor)?),
            Kind::Hex => Noun::Hex(self.hex(cursor)?),
            Kind::Direction => Noun::Direction(direction(cursor)?),
            Kind::Count => Noun::Count(count(cursor)?),
            Kind::Number => Noun::Unit(self.number(cursor)?),
            Kind::Quoted | Kind::Name => Noun::Name(troops::name(cursor)?),
            Kind::Sort => Noun::Sort(troops::sort(self.rules.numbers(), cursor)?),
            Kind::Troop => Noun::Troop(troops::troop(self.rules.numbers(), cursor)?),
            Kind::People => Noun::People(troops::people(cursor)?),
            Kind::List => Noun::List(self.list(cursor)?),
        })
    }

    fn begins(&self, kind: Kind, tokens: &[Token<'_>]) -> bool {
        let Some(token) = tokens.first() else { return false };
        match kind {
            Kind::Own => self.own_here(tokens).is_some(),
            Kind::Hex => token.text.parse::<Hex>().is_ok(),
            Kind::Direction => Direction::from_abbreviation(token.text).is_some(),
            Kind::Count => token.text.parse::<u16>().is_ok(),
            Kind::Quoted => token.kind == TokenKind::Quoted,
            Kind::Foe | Kind::Number | Kind::Name | Kind::Sort | Kind::Troop | Kind::People | Kind::List => {
                true
            }
        }
    }
}

/// Writes a noun at the end of a line, as it is read.
pub(super) fn write(rules: &Dog, noun: &Noun, line: &mut String) {
    let text = match noun {
        Noun::Unit(id) => id.to_string(),
        Noun::Hex(hex) => hex.to_string(),
        Noun::Direction(direction) => direction.abbreviation().to_owned(),
        Noun::Count(number) => number.to_string(),
        Noun::Name(name) => format!("\"{name}\""),
        Noun::Sort(sort) => words::recorded(rules, sort),
        Noun::Troop(troop) => rules.numbers().troop(*troop).name.clone(),
        Noun::People(people) => people.to_string(),
        Noun::List(list) => list.clone(),
    };
    line.push_str(&text);
}

/// The unit with this name, in any case, if it is one alone. What split off a unit shares its name, which means the unit itself while that is
/// there.
pub(crate) fn only<'n>(units: impl Iterator<Item = (UnitId, &'n str)>, name: &str) -> Option<UnitId> {
    let called = units.filter(|(_, own)| own.eq_ignore_ascii_case(name)).map(|(id, _)| id);
    let called: Vec<UnitId> = called.collect();
    let mut whole = called.iter().filter(|id| id.part == 0);
    match (called.as_slice(), whole.next()) {
        ([one], _) => Some(*one),
        (_, Some(one)) if whole.next().is_none() => Some(*one),
        _ => None,
    }
}

fn direction(cursor: &mut Cursor<'_>) -> Result<Direction, Remark> {
    let named = cursor.take().and_then(|token| Direction::from_abbreviation(token.text));
    named.ok_or_else(|| missing(cursor, "Which direction? Write E, W, NE, NW, SE or SW."))
}

/// A number of fighters.
fn count(cursor: &mut Cursor<'_>) -> Result<u16, Remark> {
    let Some(token) = cursor.take() else { return Err(missing(cursor, "How many? Write a number.")) };
    token.text.parse().map_err(|_| at(token, format!("`{}` is no number of fighters.", short(token.text))))
}

/// The first few of these behind `such`, or that there is none.
fn few(known: &[String], such: &str, none: &str) -> String {
    if known.is_empty() { none.to_owned() } else { format!("{such} {}", first_few(known)) }
}

impl Line<'_> {
    /// One own unit: by number, by letter and number, or by name.
    fn own(&self, cursor: &mut Cursor<'_>) -> Result<UnitId, Remark> {
        cursor.take_any(&["UNIT", "UNITS"]);
        let Some(token) = cursor.peek() else {
            return Err(missing(cursor, "Which unit? Write its number."));
        };
        let Some((id, taken)) = self.own_here(cursor.rest()) else {
            let known = self.view.own.keys().map(ToString::to_string).collect::<Vec<_>>();
            let text = format!("`{}` is none of your units.", short(token.text));
            return Err(at(token, text).hint(few(&known, "yours are", "you have none")));
        };
        cursor.skip(taken);
        Ok(id)
    }

    /// The own unit that the next tokens name, and how many they are.
    fn own_here(&self, tokens: &[Token<'_>]) -> Option<(UnitId, usize)> {
        let token = tokens.first()?;
        let by_number = self.numbered(token.text);
        let is_own = |id: &UnitId| token.kind == TokenKind::Word && self.view.own.contains_key(id);
        if let Some(id) = by_number.filter(is_own) {
            return Some((id, 1));
        }
        let own = || self.view.own.iter().map(|(id, unit)| (*id, unit.name.as_str()));
        longest(tokens, NAME_WORDS, |text| only(own(), text))
    }

    /// The unit that a word means: `E3`, or `3` for the own army's.
    fn numbered(&self, text: &str) -> Option<UnitId> {
        let with_letter = || format!("{}{text}", self.letter()?).parse().ok();
        text.parse().ok().or_else(with_letter)
    }

    /// The letter of the leader's army.
    fn letter(&self) -> Option<char> {
        self.view.army.map(|army| self.rules.battle().army(army).letter)
    }

    /// The number of a unit that is recorded: `3` or `E3`.
    fn number(&self, cursor: &mut Cursor<'_>) -> Result<UnitId, Remark> {
        let letter = self.letter();
        let Some(token) = cursor.take() else {
            return Err(missing(cursor, "Which unit? Write its number."));
        };
        match self.numbered(token.text) {
            Some(id) if Some(id.army) == letter && (id.part == 0 || self.parts) => Ok(id),
            Some(id) if Some(id.army) != letter => Err(at(token, format!("{id} is not of your army."))),
            _ => Err(at(token, format!("`{}` is no unit's number.", short(token.text)))
                .hint("write a number from 1 to 99")),
        }
    }

    /// A hex by number or by the name of a place.
    fn hex(&self, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let Some(token) = cursor.peek() else {
            let text = format!("Where? Write a hex, such as {}.", example_hex(self.rules, self.view));
            return Err(missing(cursor, &text));
        };
        let field = &self.rules.battle().field;
        if let Ok(hex) = token.text.parse::<Hex>() {
            cursor.skip(1);
            return match field.has(hex) {
                true => Ok(hex),
                false => Err(at(token, format!("{hex} is off the field."))
                    .hint(format!("the field ends at {}", Hex::new(field.columns, field.rows)))),
            };
        }
        if let Some(hex) = cursor.take_longest(NAME_WORDS, |text| field.named(text)) {
            return Ok(hex);
        }
        let near = meant(token.text, field.places.values().map(String::as_str));
        let hint = near.map_or_else(
            || format!("write column and row, such as {}", example_hex(self.rules, self.view)),
            |n| format!("did you mean {n}?"),
        );
        Err(at(token, format!("`{}` is no hex of this field.", short(token.text))).hint(hint))
    }

    /// A hire list.
    fn list(&self, cursor: &mut Cursor<'_>) -> Result<String, Remark> {
        let lists = self.rules.lists();
        let known = || format!("there are {}", joined(lists.keys(), ", "));
        let Some(token) = cursor.take() else {
            return Err(missing(cursor, "Which hire list?").hint(known()));
        };
        match HireList::find(lists, token.text) {
            Some(list) => Ok(list.id.clone()),
            None => Err(at(token, format!("`{}` is no hire list.", short(token.text))).hint(known())),
        }
    }

    /// The enemies in sight, by letter and number.
    pub(super) fn foes(&self) -> impl Iterator<Item = (&UnitId, &SeenUnit)> {
        let battle = self.rules.battle();
        let hostile = |unit: &SeenUnit| self.view.army.is_some_and(|own| !battle.allied(own, unit.army));
        self.view.others.iter().filter(move |(_, unit)| hostile(unit))
    }

    /// An enemy who has hidden, by letter and number or by name.
    fn last_seen(&self, by_id: Option<UnitId>, cursor: &Cursor<'_>) -> Option<(UnitId, &LastSeen)> {
        let called = || self.view.remembered.iter().map(|(id, seen)| (*id, seen.unit.name.as_str()));
        let by_name = || cursor.longest(NAME_WORDS, |text| only(called(), text)).map(|(id, _)| id);
        let id = by_id.or_else(by_name)?;
        Some((id, self.view.remembered.get(&id)?))
    }

    /// An enemy in sight: by letter and number, by its hex, or by name.
    fn foe(&self, cursor: &mut Cursor<'_>) -> Result<UnitId, Remark> {
        let Some(token) = cursor.peek() else {
            return Err(missing(cursor, "Which enemy? Write its letter and number."));
        };
        let foes = || self.foes();
        let by_id = token.text.parse::<UnitId>().ok();
        let by_hex = token.text.parse::<Hex>().ok();
        let called = || foes().map(|(id, unit)| (*id, unit.name.as_str()));
        let by_name = || cursor.longest(NAME_WORDS, |text| only(called(), text));
        let found = foes()
            .find(|(id, unit)| Some(**id) == by_id || Some(unit.at) == by_hex)
            .map(|(id, _)| (*id, 1))
            .or_else(by_name);
        let Some((id, taken)) = found else {
            let text = match by_id {
                Some(id) if self.view.own.contains_key(&id) => format!("{id} is one of your own units."),
                Some(id) if self.view.others.contains_key(&id) => format!("{id} is an ally's."),
                _ => match self.last_seen(by_id, cursor) {
                    Some((id, seen)) => {
                        let (at, round) = (seen.unit.at, seen.round);
                        format!("{id} is out of sight: it was last seen in {at} in round {round}.")
                    }
                    None => format!("You see no enemy `{}`.", short(token.text)),
                },
            };
            let known: Vec<String> = foes().map(|(id, _)| id.to_string()).collect();
            return Err(at(token, text).hint(few(&known, "in sight are", "no enemy is in sight")));
        };
        cursor.skip(taken);
        Ok(id)
    }
}

/// The words of units and numbers.
const WORDS: [&str; 5] = ["UNIT", "UNITS", "OF", "ALL", "AND"];

/// The words that the orders are told from prose by.
impl Vocabulary for Dog {
    fn is_name(&self, token: &Token<'_>) -> bool {
        let text = token.text;
        is_short_number(text) || text.parse::<UnitId>().is_ok() || text.parse::<Hex>().is_ok()
    }

    fn is_noun(&self, token: &Token<'_>) -> bool {
        token.is_any(&WORDS)
            || self.numbers().find(token.text).is_some()
            || HireList::find(self.lists(), token.text).is_some()
            || self.battle().field.named(token.text).is_some()
    }
}
