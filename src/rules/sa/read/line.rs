//! The nouns of the orders, as one commander may use them: units, hexes, directions, time-points, spells.

use std::collections::BTreeSet;

use musterd_engine::alike::meant;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind as TokenKind, Span, Token, longest};
use musterd_engine::yaml::short;
use musterd_kit::grammar::Sentence;
use musterd_kit::lexicon::{Lexicon, at, missing, on, range_of_units};
use musterd_kit::names::{best, either, nearest, words};
use musterd_kit::nouns;

use super::forms::{Kind, LONGEST_QUEUE, Verb};
use crate::battle::Spec;
use crate::data::Sa;
use crate::model::{ALL, REST, Side, Spell, UnitId, Way};
use crate::state::{Fate, Unit};
use crate::view::View;
use crate::words;

/// The most words of a name that may be written without quotes, its brackets counted: `Zorg (Orc) Rabble 1` has six.
const NAME_WORDS: usize = 7;
/// The fewest letters of a part of a name.
const ENOUGH_OF_A_NAME: usize = 3;

/// Words between an enemy and who is to attack it.
const WITH: [&str; 2] = ["WITH", "BY"];
/// Words before units.
const UNITS: [&str; 2] = ["UNIT", "UNITS"];
/// Kinds of units, behind `ALL` and `REST`.
type Arm = (&'static [&'static str], fn(&Spec) -> bool);
const ARMS: [Arm; 3] = [
    (&["CAVALRY", "HORSE"], |spec| spec.kind.is_cavalry()),
    (&["INFANTRY"], |spec| !spec.kind.is_cavalry()),
    (&["ARCHERS", "MISSILES"], |spec| spec.missile.is_some()),
];

nouns! {
    pub(crate) enum Noun {
        /// A unit, own or hostile.
        unit: Unit(UnitId),
        hex: Hex(Hex),
        way: Way(Way),
        /// A time-point.
        point: Point(u16),
        /// Spell points; a row or a column.
        count: Count(u32),
        spell: Spell(Spell),
    }
}

/// A line, read by the grammar.
pub(super) type Read = Sentence<Verb, Noun>;

/// What the orders of one commander are read by.
pub(crate) struct Line<'v> {
    pub(crate) rules: &'v Sa,
    pub(crate) view: &'v View,
    /// The words of the names of all units, in the order of the battle's list.
    names: Vec<Vec<String>>,
    /// The units that the lines above name.
    pub(crate) named: BTreeSet<UnitId>,
}

impl<'v> Line<'v> {
    pub(super) fn new(rules: &'v Sa, view: &'v View) -> Self {
        let names = rules.battle().units.iter().map(|spec| words(&spec.name)).collect();
        Self { rules, view, names, named: BTreeSet::new() }
    }

    /// The units of a side, each with the words of its name.
    fn names(&self, side: Side) -> impl Iterator<Item = (UnitId, &[String])> {
        let (from, to) = self.rules.battle().army(side).units;
        let specs = &self.rules.battle().units[from..to];
        specs.iter().map(|spec| spec.id).zip(self.names[from..to].iter().map(Vec::as_slice))
    }
}

impl Lexicon for Line<'_> {
    type Kind = Kind;
    type Noun = Noun;

    // Read as a list of units: `ALL CAVALRY`.
    const ALL: &'static [&'static str] = &[];

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        Ok(match kind {
            Kind::Own | Kind::Mover => Noun::Unit(self.own(cursor)?),
            Kind::Foe => Noun::Unit(self.foe(cursor)?),
            Kind::Hex | Kind::Goal => Noun::Hex(self.hex(kind, cursor)?),
            Kind::Way | Kind::Step => Noun::Way(way(cursor)?),
            Kind::Point => Noun::Point(self.point(cursor)?),
            Kind::Line => Noun::Count(row_or_column(cursor)?),
            Kind::Count => Noun::Count(count(cursor)?),
            Kind::Spell => Noun::Spell(spell(cursor)?),
        })
    }

    fn read_some(
        &self,
        kind: Kind,
        cursor: &mut Cursor<'_>,
        found: &mut dyn FnMut(Noun, Span),
    ) -> Result<(), Remark> {
        let before = cursor.rest().len();
        if matches!(kind, Kind::Own | Kind::Mover)
            && let Some(units) = self.several(cursor)?
        {
            let span = cursor.span_since(before);
            units.into_iter().for_each(|id| found(Noun::Unit(id), span));
            return Ok(());
        }
        let noun = self.read(kind, cursor)?;
        let steps = if kind == Kind::Step { times(cursor)? } else { 1 };
        let span = cursor.span_since(before);
        (0..steps).for_each(|_| found(noun.clone(), span));
        Ok(())
    }

    fn begins(&self, kind: Kind, tokens: &[Token<'_>]) -> bool {
        let Some(token) = tokens.first() else { return false };
        match kind {
            Kind::Own => self.begins_own(tokens),
            Kind::Mover => false,
            Kind::Foe => self.begins_foe(tokens),
            Kind::Hex | Kind::Goal => token.text.parse::<Hex>().is_ok() || self.place(tokens).is_some(),
            // A place may be called after a direction: `East Gate`.
            Kind::Way | Kind::Step => {
                way_of(token).is_some() && self.place(tokens).is_none_or(|(_, count)| count == 1)
            }
            Kind::Point | Kind::Count => token.text.parse::<u32>().is_ok(),
            // Of more digits it is a hex.
            Kind::Line => token.text.len() <= 2 && token.text.parse::<u8>().is_ok(),
            Kind::Spell => true,
        }
    }
}

/// Writes a noun at the end of a line, as it is read.
pub(super) fn write(noun: &Noun, line: &mut String) {
    let text = match noun {
        Noun::Unit(id) => id.to_string(),
        Noun::Hex(hex) => hex.to_string(),
        Noun::Way(to) => words::way(*to).to_owned(),
        Noun::Point(point) => point.to_string(),
        Noun::Count(points) => points.to_string(),
        Noun::Spell(spell) => spell_word(*spell).to_owned(),
    };
    line.push_str(&text);
}

const fn spell_word(spell: Spell) -> &'static str {
    match spell {
        Spell::Blade => "BLADE",
        Spell::Shield => "SHIELD",
        Spell::Haste => "HASTE",
        Spell::Courage => "COURAGE",
    }
}

fn way_of(token: &Token<'_>) -> Option<Way> {
    (token.kind == TokenKind::Word).then(|| Way::named(token.text))?
}

/// How often a step is made: the `x3` behind it, or once.
fn times(cursor: &mut Cursor<'_>) -> Result<usize, Remark> {
    let Some(token) = cursor.peek().filter(|token| token.kind == TokenKind::Word) else { return Ok(1) };
    let Some(number) = token.text.strip_prefix(['x', 'X']).filter(|rest| rest.parse::<u128>().is_ok()) else {
        return Ok(1);
    };
    cursor.skip(1);
    match number.parse::<usize>() {
        Ok(0) => Err(at(token, "A step is made once at least.")),
        Ok(times) if times <= LONGEST_QUEUE => Ok(times),
        _ => Err(at(token, format!("A unit has {LONGEST_QUEUE} tasks at most."))),
    }
}

/// Whether a word stands for units or spells, or between them.
pub(super) fn is_noun(token: &Token<'_>) -> bool {
    let arm = || ARMS.iter().any(|(words, _)| token.is_any(words));
    let spell = || Spell::ALL.into_iter().any(|spell| token.is(spell_word(spell)));
    token.is_any(&UNITS) || token.is_any(&ALL) || token.is_any(&REST) || token.is("AND") || arm() || spell()
}

/// The numbers at the ends of a range of units of such sides, and the number of its tokens.
pub(super) fn units_of(tokens: &[Token<'_>], of: impl Fn(Side) -> bool) -> Option<((u16, u16), usize)> {
    let own = |text: &str| text.parse::<UnitId>().ok().filter(|id| of(id.side));
    range_of_units(tokens, |text| own(text).map(|id| id.number.into()))
}

fn way(cursor: &mut Cursor<'_>) -> Result<Way, Remark> {
    let Some(token) = cursor.take() else {
        return Err(missing(cursor, "Which way? Write a number from 1 to 6, or NE, E, SE, SW, W, NW."));
    };
    way_of(&token).ok_or_else(|| {
        at(token, format!("`{}` is no direction.", short(token.text)))
            .hint("write a number from 1 to 6, or NE, E, SE, SW, W, NW")
    })
}

/// A row or a column by its number.
fn row_or_column(cursor: &mut Cursor<'_>) -> Result<u32, Remark> {
    let Some(token) = cursor.peek() else {
        return Err(missing(cursor, "Which row, and which column? Write two numbers."));
    };
    let number =
        token.text.parse().map_err(|_| at(token, format!("`{}` is no number.", short(token.text))))?;
    cursor.skip(1);
    Ok(number)
}

/// Spell points.
fn count(cursor: &mut Cursor<'_>) -> Result<u32, Remark> {
    let Some(token) = cursor.take() else { return Err(missing(cursor, "How many? Write a number.")) };
    match token.text.parse() {
        Ok(0) => Err(at(token, "A spell takes a point at least.")),
        Ok(points) => Ok(points),
        Err(_) => Err(at(token, format!("`{}` is no number of spell points.", short(token.text)))),
    }
}

/// A spell by its name or key.
fn spell(cursor: &mut Cursor<'_>) -> Result<Spell, Remark> {
    let Some(token) = cursor.peek() else { return Err(missing(cursor, "Which spell?")) };
    let by_name = |text: &str| {
        let is_it = |spell: &Spell| {
            text.eq_ignore_ascii_case(spell.words()) || text.eq_ignore_ascii_case(spell_word(*spell))
        };
        Spell::ALL.into_iter().find(is_it)
    };
    let by_key = || Spell::ALL.get(token.text.parse::<usize>().ok()?.checked_sub(1)?).copied();
    if let Some(found) = cursor.take_longest(2, by_name) {
        return Ok(found);
    }
    if let Some(found) = by_key() {
        cursor.skip(1);
        return Ok(found);
    }
    let near = meant(token.text, Spell::ALL.into_iter().map(spell_word));
    let hint = near.map_or_else(
        || "spells are BLADE, SHIELD, HASTE and COURAGE".to_owned(),
        |near| format!("did you mean {near}?"),
    );
    Err(at(token, format!("`{}` is no spell.", short(token.text))).hint(hint))
}

/// Units that a name fits.
type Named = (Vec<UnitId>, usize);

impl Line<'_> {
    fn spec(&self, id: UnitId) -> &Spec {
        self.rules.battle().spec(id)
    }

    /// A unit as this commander sees it.
    pub(super) fn unit(&self, id: UnitId) -> &Unit {
        &self.view.position.units[self.rules.battle().place(id)]
    }

    fn fate(&self, id: UnitId) -> Fate {
        self.unit(id).fate
    }

    /// The units of a side whose names the next tokens fit, and how many tokens these are: the longest that fit any. `rank` says which come first.
    /// Those that are gone are meant where nobody else can be.
    fn called<R: Ord>(&self, side: Side, tokens: &[Token<'_>], rank: impl Fn(UnitId) -> R) -> Option<Named> {
        let among = |is_meant: fn(&Self, UnitId) -> bool| {
            let fit = |text: &str| {
                let asked = words(text);
                let is_long = asked.iter().any(|word| word.chars().count() >= ENOUGH_OF_A_NAME);
                let names = self.names(side).filter(|(id, _)| is_meant(self, *id));
                let found = if is_long { best(&asked, names, |id| rank(*id)) } else { Vec::new() };
                (!found.is_empty()).then_some(found)
            };
            longest(tokens, NAME_WORDS, fit)
        };
        // A likeness that isn't made yet is neither: it has no name to be called by.
        among(|line, id| line.view.position.is_afoot(line.rules, id))
            .or_else(|| among(|line, id| matches!(line.fate(id), Fate::Gone(_))))
    }

    fn named_own(&self, tokens: &[Token<'_>]) -> Option<Named> {
        self.called(self.view.side?, tokens, |id| !self.view.own.contains(&id))
    }

    fn named_foe(&self, tokens: &[Token<'_>]) -> Option<Named> {
        self.called(self.view.side?.other(), tokens, |id| self.fate(id) != Fate::Fielded)
    }

    /// The place that these tokens begin with, and how many they are.
    fn place(&self, tokens: &[Token<'_>]) -> Option<(Hex, usize)> {
        longest(tokens, NAME_WORDS, |text| self.rules.battle().field.named(text))
    }

    /// The unit that a word means by number: `3` of the own side, `A3`, `B3`.
    fn numbered(&self, token: &Token<'_>) -> Option<UnitId> {
        let bare = || Some(UnitId::new(self.view.side?, token.text.parse().ok()?));
        let id = token.text.parse().ok().or_else(bare).filter(|_| token.kind == TokenKind::Word)?;
        self.rules.battle().index(id).map(|_| id)
    }

    fn begins_own(&self, tokens: &[Token<'_>]) -> bool {
        let Some(token) = tokens.first() else { return false };
        token.is_any(&ALL)
            || token.is_any(&REST)
            || self.ends(&tokens[..1]).is_some()
            || self.numbered(token).is_some_and(|id| Some(id.side) == self.view.side)
            || token.text.len() <= 2 && token.text.parse::<u8>().is_ok()
            || self.named_own(tokens).is_some()
    }

    fn begins_foe(&self, tokens: &[Token<'_>]) -> bool {
        let Some(token) = tokens.first() else { return false };
        let is_foe = |id: UnitId| self.view.side.is_some_and(|side| id.side != side);
        token.text.parse().is_ok_and(is_foe)
            || token.text.parse::<Hex>().is_ok()
            || !self.begins_own(tokens) && self.named_foe(tokens).is_some()
    }

    /// Several own units in one: `ALL`, `ALL CAVALRY`, `ALL Elf Archers`, `REST`, `3-5`; `None` if it is no such.
    fn several(&self, cursor: &mut Cursor<'_>) -> Result<Option<Vec<UnitId>>, Remark> {
        let before = cursor.rest().len();
        cursor.take_any(&UNITS);
        let all = cursor.take_any(&ALL).is_some();
        if all || cursor.take_any(&REST).is_some() {
            let fielded = |id: &UnitId| self.fate(*id) == Fate::Fielded;
            let mut units: Vec<UnitId> = self.view.own.iter().copied().filter(fielded).collect();
            if let Some((_, is)) = ARMS.iter().find(|(words, _)| cursor.take_any(words).is_some()) {
                units.retain(|id| is(self.spec(*id)));
            } else if let Some((fit, taken)) = self.named_own(cursor.rest()) {
                cursor.skip(taken);
                units.retain(|id| fit.contains(id));
            }
            let span = cursor.span_since(before);
            if units.is_empty() {
                return Err(on(span, "None of your units on the field is meant."));
            }
            units.retain(|id| all || !self.named.contains(id));
            if units.is_empty() {
                return Err(on(span, "The lines above name all of these units already."));
            }
            return Ok(Some(units));
        }
        let Some(((first, last), count)) = self.ends(cursor.rest()) else { return Ok(None) };
        cursor.skip(count);
        let span = cursor.span_since(before);
        let (first, last) = (first.min(last), first.max(last));
        let id = |number: u16| {
            let id = self.view.side.zip(u8::try_from(number).ok()).map(|(side, n)| UnitId::new(side, n));
            id.filter(|id| self.rules.battle().index(*id).is_some())
                .ok_or_else(|| self.unknown(on(span, format!("You have no unit {number}."))))
        };
        let units = (first..=last).map(|number| self.commanded(id(number)?, span));
        units.collect::<Result<Vec<UnitId>, Remark>>().map(Some)
    }

    /// The numbers at the ends of a range of own units, and the number of its tokens.
    fn ends(&self, tokens: &[Token<'_>]) -> Option<((u16, u16), usize)> {
        units_of(tokens, |side| Some(side) == self.view.side)
    }

    /// One own unit: by number, by letter and number, or by name or a part of it.
    fn own(&self, cursor: &mut Cursor<'_>) -> Result<UnitId, Remark> {
        cursor.take_any(&UNITS);
        let Some(token) = cursor.peek() else {
            return Err(self.unknown(missing(cursor, "Which unit? Write its number.")));
        };
        let Some(side) = self.view.side else { return Err(at(token, "You command no army.")) };
        if let Some(id) = self.numbered(&token) {
            cursor.skip(1);
            return match id.side == side {
                true => self.commanded(id, token.span),
                false => Err(at(token, format!("{} is the enemy's.", words::called(self.rules, id)))),
            };
        }
        if let Some((fit, taken)) = self.named_own(cursor.rest()) {
            let before = cursor.rest().len();
            let named: Vec<&str> = cursor.rest()[..taken].iter().map(|token| token.text).collect();
            let named = named.join(" ");
            cursor.skip(taken);
            let span = cursor.span_since(before);
            return match fit.as_slice() {
                [one] => self.commanded(*one, span),
                many => {
                    Err(on(span, format!("`{}` means several units: {}.", short(&named), self.choices(many)))
                        .hint("write a number, or ALL before the name for all of them"))
                }
            };
        }
        let strange = at(token, format!("`{}` is none of your units.", short(token.text)));
        match self.near(side, token.text) {
            Some(id) => Err(strange.hint(format!("did you mean {}?", words::called(self.rules, id)))),
            None => Err(self.unknown(strange)),
        }
    }

    /// The unit of a side whose name is nearest to a misspelt one.
    fn near(&self, side: Side, text: &str) -> Option<UnitId> {
        let long = text.chars().count() >= ENOUGH_OF_A_NAME;
        long.then(|| nearest(&words(text), self.names(side)))?
    }

    /// A unit of the own side, if this commander commands it and it can still be ordered.
    fn commanded(&self, id: UnitId, span: Span) -> Result<UnitId, Remark> {
        if !self.view.own.contains(&id) {
            let leader = self.rules.battle().commander_of(id);
            let leader = leader.map_or("nobody", |one| one.title.as_str());
            let text = format!("{} is commanded by {leader}.", words::called(self.rules, id));
            return Err(self.unknown(on(span, text)));
        }
        match self.fate(id) {
            Fate::Gone(_) => Err(on(span, format!("{} is gone.", words::called(self.rules, id)))),
            Fate::Coming if self.spec(id).arrives.is_none() => {
                Err(on(span, format!("{} isn't on the field.", words::called(self.rules, id))))
            }
            Fate::Coming | Fate::Fielded => Ok(id),
        }
    }

    /// Adds whom one may have meant.
    fn unknown(&self, remark: Remark) -> Remark {
        let own: Vec<String> = self.view.own.iter().map(|id| id.number.to_string()).collect();
        match own.as_slice() {
            [] => remark.hint("you command no unit"),
            [one] => remark.hint(format!("yours is {one}")),
            [first, .., last] if own.len() > 12 => remark.hint(format!("yours are from {first} to {last}")),
            many => remark.hint(format!("yours are {}", many.join(", "))),
        }
    }

    fn choices(&self, units: &[UnitId]) -> String {
        either(&units.iter().map(|id| words::called(self.rules, *id)).collect::<Vec<_>>())
    }

    /// An enemy: by letter and number, by its hex, or by name or a part of it.
    fn foe(&self, cursor: &mut Cursor<'_>) -> Result<UnitId, Remark> {
        let Some(token) = cursor.peek() else {
            return Err(missing(cursor, "Which enemy? Write its letter and number."));
        };
        let Some(foes) = self.view.side.map(Side::other) else {
            return Err(at(token, "You command no army."));
        };
        let battle = self.rules.battle();
        let example = UnitId::new(foes, 1);
        if let Ok(hex) = token.text.parse::<Hex>() {
            cursor.skip(1);
            let stands = self.view.position.unit_at(self.rules, hex).map(|place| battle.units[place].id);
            return match stands {
                Some(id) if id.side == foes => Ok(id),
                Some(id) => Err(at(token, format!("{} is your own side's.", words::called(self.rules, id)))),
                None => Err(at(token, format!("No enemy stands in {hex}."))
                    .hint(format!("write the enemy's letter and number, such as {example}"))),
            };
        }
        if let Ok(id) = token.text.parse::<UnitId>() {
            cursor.skip(1);
            return match battle.index(id) {
                None => Err(at(token, format!("There is no {id}."))),
                Some(_) if id.side != foes => {
                    Err(at(token, format!("{} is your own side's.", words::called(self.rules, id))))
                }
                Some(_) => Ok(id),
            };
        }
        if let Some((fit, taken)) = self.named_foe(cursor.rest()) {
            let before = cursor.rest().len();
            cursor.skip(taken);
            return match fit.as_slice() {
                [one] => Ok(*one),
                many => Err(on(
                    cursor.span_since(before),
                    format!("Several enemies are called so: {}.", self.choices(many)),
                )),
            };
        }
        if token.is_any(&WITH) {
            return Err(at(token, format!("Before `{}` stands an enemy.", short(token.text)))
                .hint(format!("write its letter and number, such as {example}")));
        }
        let strange = at(token, format!("`{}` is no enemy.", short(token.text)));
        let by_number = token.text.parse().ok().map(|number| UnitId::new(foes, number));
        let meant =
            by_number.filter(|id| battle.index(*id).is_some()).or_else(|| self.near(foes, token.text));
        Err(match meant {
            Some(id) => strange.hint(format!("did you mean {}?", words::called(self.rules, id))),
            None => strange.hint(format!("write its letter and number, such as {example}")),
        })
    }

    /// A hex of the field, by number or by the name of a place.
    fn hex(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let field = &self.rules.battle().field;
        let example = self.example_hex();
        let Some(token) = cursor.peek() else {
            return Err(missing(cursor, format!("Where? Write a hex, such as {example}.")));
        };
        if let Ok(hex) = token.text.parse::<Hex>() {
            cursor.skip(1);
            return match field.has(hex) {
                true => Ok(hex),
                false => Err(at(token, format!("{hex} is off the field."))
                    .hint(format!("the field ends at {}", field.last()))),
            };
        }
        if let Some(hex) = cursor.take_longest(NAME_WORDS, |text| field.named(text)) {
            return Ok(hex);
        }
        let near = self.near_place(token.text);
        let (what, hint) = match kind {
            Kind::Goal => (
                "neither a direction nor a hex",
                format!(
                    "directions are 1 to 6, or NE, E, SE, SW, W, NW; a hex is column and row, such as {example}"
                ),
            ),
            _ => ("no hex of this field", format!("write column and row, such as {example}")),
        };
        let hint = near.map_or(hint, |near| format!("did you mean {near}?"));
        Err(at(token, format!("`{}` is {what}.", short(token.text))).hint(hint))
    }

    /// The place that a part of a name, or a misspelt one, may mean.
    fn near_place(&self, text: &str) -> Option<&str> {
        let places = || self.rules.battle().field.places.values().map(String::as_str);
        let named: Vec<(&str, Vec<String>)> = places().map(|name| (name, words(name))).collect();
        let long = text.chars().count() >= ENOUGH_OF_A_NAME;
        let parts =
            || best(&words(text), named.iter().map(|(name, words)| (*name, words.as_slice())), |_| ());
        let part = || long.then(parts)?.first().copied();
        part().or_else(|| meant(text, places()))
    }

    /// A hex to name in hints: where the first own unit stands.
    fn example_hex(&self) -> Hex {
        self.view.own.iter().find_map(|id| self.unit(*id).at).unwrap_or(Hex::new(1, 1))
    }

    /// A time-point to come.
    fn point(&self, cursor: &mut Cursor<'_>) -> Result<u16, Remark> {
        let Some(token) = cursor.take() else {
            return Err(missing(cursor, "Until when? Write a time-point."));
        };
        let (first, nightfall) = (self.view.paused + 1, self.rules.battle().nightfall);
        match token.text.parse::<u16>() {
            Ok(point) if point < first => {
                Err(at(token, format!("Time-point {point} is past.")).hint(format!("the next is {first}")))
            }
            Ok(point) if point > nightfall => {
                Err(at(token, format!("Night falls at time-point {nightfall}."))
                    .hint("HOLD as a stance keeps a unit where it is"))
            }
            Ok(point) => Ok(point),
            Err(_) => Err(at(token, format!("`{}` is no time-point.", short(token.text)))),
        }
    }
}
