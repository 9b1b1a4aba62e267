//! The nouns of the orders, as one commander may use them: brigades, headquarters, objectives, hexes, directions.

use musterd_engine::alike::meant;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind as TokenKind, Span, Token, longest};
use musterd_engine::yaml::short;
use musterd_kit::grammar::Sentence;
use musterd_kit::lexicon::{Lexicon, at, missing, on, range_of_units};
use musterd_kit::names::{best, either, nearest, words};

use super::forms::{Kind, Verb};
use super::noun::Noun;
use crate::battle::Battle;
use crate::data::Acw;
use crate::model::{BrigadeId, Echelon, HqId, ObjectiveId, Side};
use crate::state::Presence;
use crate::view::View;
use crate::words as said;

/// The most words of a name that may be written without quotes.
const NAME_WORDS: usize = 6;
/// The fewest letters of a part of a name.
const ENOUGH_OF_A_NAME: usize = 3;
/// Words before units.
const UNITS: [&str; 6] = ["BRIGADE", "BRIGADES", "UNIT", "UNITS", "HQ", "HEADQUARTERS"];
/// Words behind units that say what they are told.
const TOLD: [&str; 11] = [
    "OFFENSIVE",
    "ATTACK",
    "DEFENSIVE",
    "DEFEND",
    "RESERVE",
    "REST",
    "ASSAULT",
    "SKIRMISH",
    "ADVANCE",
    "WITHDRAW",
    "RETREAT",
];
/// The directions in words.
const DIRECTIONS: [(Direction, &[&str]); 6] = [
    (Direction::NorthEast, &["NE", "NORTHEAST", "NORTH-EAST"]),
    (Direction::East, &["E", "EAST"]),
    (Direction::SouthEast, &["SE", "SOUTHEAST", "SOUTH-EAST"]),
    (Direction::SouthWest, &["SW", "SOUTHWEST", "SOUTH-WEST"]),
    (Direction::West, &["W", "WEST"]),
    (Direction::NorthWest, &["NW", "NORTHWEST", "NORTH-WEST"]),
];

/// A line, read by the grammar.
pub(super) type Read = Sentence<Verb, Noun>;

/// What a line names, and by how many tokens.
type Named<T> = (Vec<T>, usize);

/// A name in words, and what it names.
type Name<T> = (T, Vec<String>);

/// What the orders of one commander are read by.
pub(crate) struct Line<'v> {
    pub(crate) rules: &'v Acw,
    pub(crate) view: &'v View,
    pub(super) brigades: Vec<Name<BrigadeId>>,
    pub(super) hqs: Vec<Name<HqId>>,
    pub(super) objectives: Vec<Name<ObjectiveId>>,
    pub(super) places: Vec<Name<Hex>>,
}

impl<'v> Line<'v> {
    pub(super) fn new(rules: &'v Acw, view: &'v View) -> Self {
        let battle = rules.battle();
        let army = view.side.map(|side| battle.army(side));
        // A unit goes by its own name, and by that of whoever leads it.
        let brigades = army.iter().flat_map(|army| &army.brigades);
        let brigades =
            brigades.flat_map(|spec| spellings(spec.id, [&spec.name, &spec.commander, &spec.unit]));
        let hqs = army.iter().flat_map(|army| &army.hqs);
        let hqs = hqs.flat_map(|spec| spellings(spec.id, [&spec.name, &spec.commander, ""]));
        let objectives = battle.objectives().map(|(id, objective)| (id, words(&objective.name)));
        let places = battle.map.places.iter().map(|(hex, name)| (*hex, words(name)));
        Self {
            rules,
            view,
            brigades: brigades.collect(),
            hqs: hqs.collect(),
            objectives: objectives.collect(),
            places: places.collect(),
        }
    }

    pub(super) fn battle(&self) -> &'v Battle {
        self.rules.battle()
    }
}

fn spellings<T: Copy>(id: T, names: [&str; 3]) -> Vec<Name<T>> {
    let mut known: Vec<Vec<String>> = names.into_iter().map(words).filter(|name| !name.is_empty()).collect();
    known.dedup();
    known.into_iter().map(|name| (id, name)).collect()
}

impl Lexicon for Line<'_> {
    type Kind = Kind;
    type Noun = Noun;

    const ALL: &'static [&'static str] = &["ALL", "EVERYBODY", "EVERYONE"];

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        Ok(match kind {
            Kind::Brigade => Noun::Brigade(self.brigade(cursor)?),
            Kind::Hq => Noun::Hq(self.hq(cursor)?),
            Kind::Goal => Noun::Goal(self.goal(cursor)?),
            Kind::Objective => Noun::Objective(self.objective(cursor)?),
            Kind::Way => Noun::Way(way(cursor)?),
            Kind::Thing => Noun::Thing(self.thing(cursor)?),
        })
    }

    fn read_some(
        &self,
        kind: Kind,
        cursor: &mut Cursor<'_>,
        found: &mut dyn FnMut(Noun, Span),
    ) -> Result<(), Remark> {
        let before = cursor.rest().len();
        if kind == Kind::Brigade
            && let Some(brigades) = self.several(cursor)?
        {
            let span = cursor.span_since(before);
            brigades.into_iter().for_each(|id| found(Noun::Brigade(id), span));
            return Ok(());
        }
        let noun = self.read(kind, cursor)?;
        found(noun, cursor.span_since(before));
        Ok(())
    }

    fn example(&self, text: &'static str) -> std::borrow::Cow<'static, str> {
        super::examples::of_battle(self.rules, self.view, text)
    }

    fn begins(&self, kind: Kind, tokens: &[Token<'_>]) -> bool {
        let Some(token) = tokens.first() else { return false };
        // A unit may be called after a word of orders: `Reserve Corps`. In a list such a word is what the units are told.
        if matches!(kind, Kind::Brigade | Kind::Hq) && token.is_any(&TOLD) {
            return false;
        }
        let goal = || self.named_place(tokens).is_some() || self.named_objective(tokens).is_some();
        match kind {
            Kind::Brigade => {
                is_number(token, 2) || self.ends(tokens).is_some() || self.begins_brigade(token, tokens)
            }
            Kind::Hq => {
                token.is_any(&UNITS) || hq_number(token.text).is_some() || self.named_hq(tokens).is_some()
            }
            Kind::Objective => token.text.parse::<Hex>().is_ok() || self.named_objective(tokens).is_some(),
            Kind::Goal => token.text.parse::<Hex>().is_ok() || goal(),
            Kind::Way => way_of(token).is_some(),
            Kind::Thing => {
                token.text.parse::<Hex>().is_ok()
                    || is_number(token, 2)
                    || hq_number(token.text).is_some()
                    || goal()
                    || self.begins_brigade(token, tokens)
                    || self.named_hq(tokens).is_some()
            }
        }
    }
}

/// Whether a token is a number of at most so many digits.
fn is_number(token: &Token<'_>, most: usize) -> bool {
    token.kind == TokenKind::Word
        && (1..=most).contains(&token.text.len())
        && token.text.bytes().all(|b| b.is_ascii_digit())
}

/// The number of a headquarters, with its side's letter or without: `H2`, `AH2`.
pub(super) fn hq_number(text: &str) -> Option<(Option<Side>, u16)> {
    if let Ok(id) = text.parse::<HqId>() {
        return Some((Some(id.side), id.number.into()));
    }
    let digits = text.strip_prefix(['H', 'h'])?;
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| (None, digits.parse().unwrap_or(u16::MAX)))
}

fn way_of(token: &Token<'_>) -> Option<Direction> {
    let named = |(_, words): &&(Direction, &[&str])| token.is_any(words);
    DIRECTIONS.iter().find(named).map(|(way, _)| *way)
}

fn way(cursor: &mut Cursor<'_>) -> Result<Direction, Remark> {
    const HINT: &str = "write NE, E, SE, SW, W or NW";
    let Some(token) = cursor.peek() else { return Err(missing(cursor, "Which way?").hint(HINT)) };
    cursor.skip(1);
    if let Some(way) = way_of(&token) {
        return Ok(way);
    }
    let known = DIRECTIONS.iter().flat_map(|(_, words)| words.iter().copied());
    let near = meant(token.text, known.filter(|word| word.len() > 2));
    let hint = match near {
        _ if token.is_any(&["N", "S", "NORTH", "SOUTH"]) => {
            "no hex lies due north or south: write NE, E, SE, SW, W or NW".to_owned()
        }
        Some(near) => format!("did you mean {near}?"),
        None => HINT.to_owned(),
    };
    Err(at(token, format!("`{}` is no direction.", short(token.text))).hint(hint))
}

/// What is named best by a run of tokens, and the longest run that names anything.
fn called<T: Copy + PartialEq, R: Ord>(
    names: &[Name<T>],
    tokens: &[Token<'_>],
    rank: impl Fn(T) -> R,
) -> Option<Named<T>> {
    // A name ends before a comma.
    let end = tokens.iter().position(|token| token.kind == TokenKind::Mark).unwrap_or(tokens.len());
    longest(&tokens[..end], NAME_WORDS, |text| {
        let asked = words(text);
        let is_long = asked.iter().any(|word| word.chars().count() >= ENOUGH_OF_A_NAME);
        let known = names.iter().filter(|_| is_long).map(|(id, name)| (*id, name.as_slice()));
        let mut found = best(&asked, known, |id| rank(*id));
        found.dedup();
        (!found.is_empty()).then_some(found)
    })
}

/// The tokens from here, if they begin with a letter: `2nd` is in the names of many units.
fn lettered<'c>(cursor: &'c Cursor<'_>) -> &'c [Token<'c>] {
    let rest = cursor.rest();
    let begins = |token: &Token<'_>| token.text.starts_with(char::is_alphabetic);
    if rest.first().is_some_and(begins) { rest } else { &[] }
}

/// What a misspelt word may mean.
pub(super) fn near<T: Copy>(names: &[Name<T>], text: &str) -> Option<T> {
    let long = text.chars().count() >= ENOUGH_OF_A_NAME;
    long.then(|| nearest(&words(text), names.iter().map(|(id, name)| (*id, name.as_slice()))))?
}

impl Line<'_> {
    pub(super) fn named_brigade(&self, tokens: &[Token<'_>]) -> Option<Named<BrigadeId>> {
        // Those on the map are meant before those to come, and these before those that are gone.
        let rank = |id: BrigadeId| match self.view.brigade(id).presence {
            Presence::Fielded => 0,
            Presence::Awaited => 1,
            Presence::Gone(_) => 2,
        };
        called(&self.brigades, tokens, rank)
    }

    pub(super) fn named_hq(&self, tokens: &[Token<'_>]) -> Option<Named<HqId>> {
        called(&self.hqs, tokens, |_| ())
    }

    pub(super) fn named_objective(&self, tokens: &[Token<'_>]) -> Option<Named<ObjectiveId>> {
        called(&self.objectives, tokens, |_| ())
    }

    pub(super) fn named_place(&self, tokens: &[Token<'_>]) -> Option<Named<Hex>> {
        called(&self.places, tokens, |_| ())
    }

    /// Whether tokens begin with a brigade by its letter or its name. One that is the beginning of a longer name of an objective is none.
    pub(super) fn begins_brigade(&self, token: &Token<'_>, tokens: &[Token<'_>]) -> bool {
        if token.text.parse::<BrigadeId>().is_ok() || token.is_any(&UNITS) {
            return true;
        }
        let Some((_, taken)) = self.named_brigade(tokens).filter(|_| way_of(token).is_none()) else {
            return false;
        };
        self.named_objective(tokens).is_none_or(|(_, longer)| taken >= longer)
    }

    /// The numbers at the ends of a range of brigades, and the number of its tokens.
    fn ends(&self, tokens: &[Token<'_>]) -> Option<((u16, u16), usize)> {
        let own = |text: &str| text.parse::<BrigadeId>().ok().filter(|id| Some(id.side) == self.view.side);
        range_of_units(tokens, |text| own(text).map(|id| id.number.into()))
    }

    /// The brigades of a range; `None` if none stands there.
    fn several(&self, cursor: &mut Cursor<'_>) -> Result<Option<Vec<BrigadeId>>, Remark> {
        let before = cursor.rest().len();
        if self.view.side.is_none() {
            return Ok(None);
        }
        cursor.take_any(&UNITS);
        let Some(((first, last), count)) = self.ends(cursor.rest()) else { return Ok(None) };
        cursor.skip(count);
        let span = cursor.span_since(before);
        let (first, last) = (first.min(last), first.max(last));
        // One that is too large is told once, before the others are looked for.
        self.brigade_of(last, span)?;
        (first..=last).map(|number| self.brigade_of(number, span)).collect::<Result<Vec<_>, _>>().map(Some)
    }

    /// One own brigade of this number.
    fn brigade_of(&self, number: u16, span: Span) -> Result<BrigadeId, Remark> {
        let id = self.view.side.zip(u8::try_from(number).ok()).map(|(side, n)| BrigadeId::new(side, n));
        id.filter(|id| id.number > 0 && usize::from(id.number) <= self.view.brigades.len()).ok_or_else(|| {
            // What doesn't fit was read as the largest number that does.
            let said = if number == u16::MAX {
                "You have no brigade of so high a number.".to_owned()
            } else {
                format!("You have no brigade {number}.")
            };
            self.with_brigades(on(span, said))
        })
    }

    /// Adds the numbers that brigades have.
    fn with_brigades(&self, remark: Remark) -> Remark {
        match self.view.brigades.len() {
            0 => remark.hint("you command no brigade"),
            1 => remark.hint("yours is 1"),
            many => remark.hint(format!("yours are from 1 to {many}; ROSTER lists them")),
        }
    }

    fn with_hqs(&self, remark: Remark) -> Remark {
        let own: Vec<String> = self
            .view
            .own_hqs()
            .map(|(id, _)| id)
            .filter(|id| !id.is_army())
            .map(|id| self.hq_name(id))
            .collect();
        match own.as_slice() {
            [] => remark.hint("you command no headquarters"),
            few if few.len() <= 6 => remark.hint(format!("yours are {}", few.join(", "))),
            many => remark.hint(format!("yours are from H2 to H{}; ROSTER lists them", many.len() + 1)),
        }
    }

    pub(super) fn brigade_name(&self, id: BrigadeId) -> String {
        said::brigade(self.battle(), id)
    }

    pub(super) fn hq_name(&self, id: HqId) -> String {
        said::hq(self.battle(), id)
    }

    /// A brigade of one's own: by number, by letter and number, or by name or a part of it.
    pub(super) fn brigade(&self, cursor: &mut Cursor<'_>) -> Result<BrigadeId, Remark> {
        if cursor.peek().is_some() && self.view.side.is_none() {
            return Err(on(cursor.here(), "You command no army."));
        }
        cursor.take_any(&UNITS);
        let Some(token) = cursor.peek() else {
            return Err(self.with_brigades(missing(cursor, "Which brigade? Write its number or its name.")));
        };
        if token.kind == TokenKind::Word && token.text.bytes().all(|b| b.is_ascii_digit()) {
            cursor.skip(1);
            let remark = match self.brigade_of(token.text.parse().unwrap_or(u16::MAX), token.span) {
                Err(_) if token.text.parse::<Hex>().is_ok() => {
                    at(token, format!("`{}` is a hex, and a brigade is named here.", token.text))
                }
                other => return other,
            };
            return Err(self.with_brigades(remark));
        }
        if let Ok(id) = token.text.parse::<BrigadeId>() {
            cursor.skip(1);
            return match Some(id.side) == self.view.side {
                true => self.brigade_of(id.number.into(), token.span),
                false => Err(self.with_brigades(at(token, format!("`{}` is the enemy's.", token.text)))),
            };
        }
        if let Some((fit, taken)) = self.named_brigade(cursor.rest()) {
            return self.only(cursor, taken, &fit, |id| self.brigade_name(id));
        }
        Err(self.no_brigade(cursor, token))
    }

    /// Why what stands here is no brigade.
    fn no_brigade(&self, cursor: &Cursor<'_>, token: Token<'_>) -> Remark {
        let numbered = hq_number(token.text).and_then(|(side, number)| self.hq_of(side, number));
        if let Some(id) = numbered.or_else(|| Some(self.named_hq(lettered(cursor))?.0[0])) {
            let text = format!("{} is a headquarters, and a brigade is named here.", self.hq_name(id));
            return at(token, text).hint(format!("a headquarters is told by COMMAND H{} ...", id.number));
        }
        let strange = at(token, format!("`{}` is none of your brigades.", short(token.text)));
        match near(&self.brigades, token.text) {
            Some(id) => strange.hint(format!("did you mean {}?", self.brigade_name(id))),
            None => self.with_brigades(strange),
        }
    }

    /// The one thing that a name means; the cursor then stands behind it.
    pub(super) fn only<T: Copy>(
        &self,
        cursor: &mut Cursor<'_>,
        taken: usize,
        fit: &[T],
        name: impl Fn(T) -> String,
    ) -> Result<T, Remark> {
        let before = cursor.rest().len();
        let written: Vec<&str> = cursor.rest()[..taken].iter().map(|token| token.text).collect();
        let written = written.join(" ");
        cursor.skip(taken);
        match fit {
            [one] => Ok(*one),
            many => {
                let names: Vec<String> = many.iter().map(|one| name(*one)).collect();
                let text = format!("`{}` could be {}.", short(&written), either(&names));
                Err(on(cursor.span_since(before), text).hint("write more of the name, or the number"))
            }
        }
    }

    /// The headquarters of this number, if it is one's own.
    pub(super) fn hq_of(&self, side: Option<Side>, number: u16) -> Option<HqId> {
        let own = self.view.side.filter(|own| side.is_none_or(|side| side == *own))?;
        let id = HqId::new(own, u8::try_from(number).ok()?);
        (id.number > 0 && usize::from(id.number) <= self.view.hqs.len()).then_some(id)
    }

    /// A headquarters of one's own: by number, or by its name or its commander's.
    pub(super) fn hq(&self, cursor: &mut Cursor<'_>) -> Result<HqId, Remark> {
        if cursor.peek().is_some() && self.view.side.is_none() {
            return Err(on(cursor.here(), "You command no army."));
        }
        let announced = cursor.take_any(&UNITS).is_some();
        let Some(token) = cursor.peek() else {
            return Err(self.with_hqs(missing(cursor, "Which headquarters? Write its number or its name.")));
        };
        // `HQ 2`.
        let bare = is_number(&token, 2).then(|| (None, token.text.parse().unwrap_or(u16::MAX)));
        let numbered = hq_number(token.text).or(bare.filter(|_| announced));
        if let Some((side, number)) = numbered.filter(|_| token.kind == TokenKind::Word) {
            cursor.skip(1);
            let enemy = side.is_some_and(|side| Some(side) != self.view.side);
            return self.hq_of(side, number).ok_or_else(|| match enemy {
                true => self.with_hqs(at(token, format!("`{}` is the enemy's.", token.text))),
                false => self.with_hqs(at(token, format!("You have no headquarters {}.", short(token.text)))),
            });
        }
        if let Some((fit, taken)) = self.named_hq(cursor.rest()) {
            return self.only(cursor, taken, &fit, |id| self.hq_name(id));
        }
        Err(self.no_hq(cursor, token))
    }

    /// Why what stands here is no headquarters.
    fn no_hq(&self, cursor: &Cursor<'_>, token: Token<'_>) -> Remark {
        let number = token.text.parse::<u16>().ok().filter(|_| token.kind == TokenKind::Word);
        let numbered = number.and_then(|number| self.brigade_of(number, token.span).ok());
        if let Some(id) = numbered.or_else(|| Some(self.named_brigade(lettered(cursor))?.0[0])) {
            let over = self.battle().brigade(id).over;
            let text = format!("{} is a brigade, and a headquarters is named here.", self.brigade_name(id));
            let remark = at(token, text);
            return match over.is_army() {
                true => self.with_hqs(remark),
                false => remark.hint(format!("the one over it is {}", self.hq_name(over))),
            };
        }
        let strange = at(token, format!("`{}` is none of your headquarters.", short(token.text)));
        match near(&self.hqs, token.text) {
            Some(id) => strange.hint(format!("did you mean {}?", self.hq_name(id))),
            None => self.with_hqs(strange),
        }
    }

    /// Whether a headquarters is named here, and not a brigade.
    pub(super) fn begins_hq(&self, cursor: &Cursor<'_>) -> bool {
        let Some(token) = cursor.peek() else { return false };
        let is_numbered = hq_number(token.text).is_some() || token.is_any(&["HQ", "HEADQUARTERS"]);
        let named = lettered(cursor);
        is_numbered || self.named_brigade(named).is_none() && self.named_hq(named).is_some()
    }

    /// The brigades that an `ALL` means: those that this commander can order now.
    pub(super) fn all_brigades(&self) -> Vec<BrigadeId> {
        let fielded = self.view.own_brigades().filter(|(_, brigade)| brigade.is_fielded());
        fielded.map(|(id, _)| id).filter(|id| self.view.can_order(*id)).collect()
    }

    /// The headquarters that an `ALL` means.
    pub(super) fn all_hqs(&self) -> Vec<HqId> {
        let own = self.view.own_hqs().map(|(id, _)| id);
        own.filter(|id| self.view.can_command(*id) && self.battle().hq(*id).echelon != Echelon::Army)
            .collect()
    }
}
