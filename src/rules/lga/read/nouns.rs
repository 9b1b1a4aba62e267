//! The nouns of the orders, as one seat may use them: units and places by number, name or part of a name, and numbers.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::examples::Examples;
use super::forms::Kind;
use crate::Lga;
use crate::map::City;
use crate::model::{Nation, UnitId};
use crate::order::Limit;
use crate::scenario::UnitSpec;
use crate::setting::Traits;
use crate::view::View;
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind as TokenKind, Span, Token, around};
use musterd_engine::yaml::short;
use musterd_kit::lexicon::{Lexicon, SEPARATORS, at, is_number, missing, on, range};
use musterd_kit::names::{best, either, fold, nearest, words};
use musterd_kit::nouns;
use musterd_report::text::sentence;

nouns! {
    pub(super) enum Noun {
        unit: Unit(UnitId),
        /// `ALL`, `ALL AT Ulm`, as a noun reads it.
        everyone: Everyone(Option<Hex>),
        hex: Hex(Hex),
        hexes: Hexes(Vec<Hex>),
        direction: Direction(Direction),
        nation: Nation(Nation),
        points: Points(u16),
        rounds: Rounds(u8),
        at_least: AtLeast(i8),
        at_most: AtMost(i8),
        /// A hex that is asked about, or why there is none.
        asked: Asked(Result<Hex, Remark>),
    }
}

/// Writes a noun at the end of a line, as it is read.
pub(super) fn write(noun: &Noun, line: &mut String) {
    use std::fmt::Write;
    // Writing to a `String` never fails.
    let _ = match noun {
        Noun::Unit(unit) => write!(line, "{unit}"),
        Noun::Everyone(None) => write!(line, "ALL"),
        Noun::Everyone(Some(hex)) => write!(line, "ALL AT {hex}"),
        Noun::Hex(hex) | Noun::Asked(Ok(hex)) => write!(line, "{hex}"),
        Noun::Hexes(hexes) => {
            let hexes: Vec<String> = hexes.iter().map(Hex::to_string).collect();
            write!(line, "{}", hexes.join(" "))
        }
        Noun::Direction(direction) => write!(line, "{}", direction.abbreviation()),
        Noun::Nation(nation) => write!(line, "{}", sentence(nation.word())),
        Noun::Points(points) => write!(line, "{points}"),
        Noun::Rounds(rounds) => write!(line, "x{rounds}"),
        Noun::AtLeast(number) => write!(line, ">= {number}"),
        Noun::AtMost(number) => write!(line, "<= {number}"),
        Noun::Asked(Err(_)) => Ok(()),
    };
}

/// The relation of a player to a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    /// His own, on the map.
    Field,
    /// His own, in the build pool.
    Pool,
    /// Of his side, under another player.
    Ally,
    /// Not of his side.
    Enemy,
}

/// The names of one game, as one seat may use them.
pub(super) struct Names<'a> {
    rules: &'a Lga,
    view: &'a View,
    suggests: bool,
}

impl<'a> Names<'a> {
    /// Every name that the seat of `view` may write.
    pub(super) const fn new(rules: &'a Lga, view: &'a View) -> Self {
        Self { rules, view, suggests: true }
    }

    /// An example of a hint in the names of the game.
    fn in_game(&self, text: &'static str) -> Cow<'static, str> {
        Examples::of(self.rules, self.view).told(text)
    }

    fn tie(&self, unit: &UnitSpec) -> Tie {
        match unit.side == self.view.side {
            false => Tie::Enemy,
            true if !self.view.commands(unit.nation) => Tie::Ally,
            true if self.view.own.contains_key(&unit.id) => Tie::Field,
            true => Tie::Pool,
        }
    }

    /// All units, with their names in words.
    fn units(&self) -> impl Iterator<Item = (&'a UnitSpec, &'a [String])> {
        let spellings = self.rules.spelling.units.iter().map(Vec::as_slice);
        self.rules.scenario.units.iter().zip(spellings)
    }

    /// All cities, with their names in words.
    fn towns(&self) -> impl Iterator<Item = ((Hex, &'a City), &'a [String])> {
        self.rules.map.cities().zip(self.rules.spelling.towns.iter().map(|(words, _)| words.as_slice()))
    }

    /// The names of cities in other languages, in words.
    fn other_names(&self) -> impl Iterator<Item = (Hex, &'a [String])> {
        self.rules.spelling.others.iter().map(|(hex, words)| (*hex, words.as_slice()))
    }

    /// The cities that these words name: by the map's own names, or if none is called so, in other languages.
    fn called_so(&self, asked: &[String]) -> Vec<(Hex, &'a City)> {
        let is_out_of_play = |hex: Hex| !self.rules.scenario.in_play(hex);
        let own = best(asked, self.towns(), |(hex, _)| is_out_of_play(*hex));
        if !own.is_empty() {
            return own;
        }
        let others: BTreeSet<Hex> =
            best(asked, self.other_names(), |hex| is_out_of_play(*hex)).into_iter().collect();
        self.rules.map.cities().filter(|(hex, _)| others.contains(hex)).collect()
    }

    /// Stops looking for names that may have been meant, because the remarks will not be shown.
    pub(super) const fn suggest_no_more(&mut self) {
        self.suggests = false;
    }

    /// The unit that all of these tokens name, of those that a noun of this kind may be.
    fn unit(&self, tokens: &[Token<'_>], kind: Kind, end: Span) -> Result<UnitId, Remark> {
        let Some(span) = around(tokens) else {
            return Err(on(end, "Which unit? Its number or name is missing.")
                .hint("its number, such as 3, is enough"));
        };
        if let [one] = tokens
            && is_number(one)
        {
            let known = one.text.parse().ok().and_then(|number| self.numbered(number));
            return known.map_or_else(|| Err(self.no_number(one)), |unit| self.permitted(unit, kind, span));
        }
        let written = together(tokens);
        let asked = words(&written);
        match self.called(&asked, kind).as_slice() {
            [] => {}
            [unit] => return self.permitted(unit, kind, span),
            several => {
                let list: Vec<String> = several.iter().map(|u| format!("{} ({})", u.id, u.name)).collect();
                let text = format!("`{}` could be {}.", short(&written), either(&list));
                return Err(on(span, text).hint("write the unit's number"));
            }
        }
        let fault = on(span, format!("No unit of yours is called `{}`.", short(&written)));
        let is_own = |unit: &UnitSpec| self.suggests && matches!(self.tie(unit), Tie::Field | Tie::Pool);
        Err(match nearest(&asked, self.units().filter(|(unit, _)| is_own(unit))) {
            Some(unit) => fault.hint(format!("did you mean {} ({})?", unit.name, unit.id)),
            None => match unit_and_rounds(&written) {
                Some((unit, rounds)) => fault.hint(format!("write a space: {unit} x{rounds}")),
                None => fault,
            },
        })
    }

    /// The units that are called so; where the seat may mean several, those that the kind of noun is for.
    fn called(&self, asked: &[String], kind: Kind) -> Vec<&'a UnitSpec> {
        let is_for_both = matches!(kind, Kind::Both | Kind::Ally | Kind::Watched);
        best(asked, self.units(), |unit| match self.tie(unit) {
            Tie::Field => u8::from(kind == Kind::Pool),
            Tie::Pool => u8::from(kind != Kind::Pool && !is_for_both),
            Tie::Ally => 2,
            Tie::Enemy => 3,
        })
    }

    /// The one unit that these tokens name, whoever's it is.
    fn only(&self, tokens: &[Token<'_>], kind: Kind) -> Option<&'a UnitSpec> {
        match tokens {
            [one] if is_number(one) => self.numbered(one.text.parse().ok()?),
            _ => match self.called(&words(&together(tokens)), kind).as_slice() {
                [one] => Some(one),
                _ => None,
            },
        }
    }

    fn numbered(&self, number: u16) -> Option<&'a UnitSpec> {
        self.rules.scenario.find(UnitId(number))
    }

    /// The highest number that a unit has.
    fn last_number(&self) -> u16 {
        self.rules.scenario.units.last().map_or(0, |unit| unit.id.0)
    }

    fn no_number(&self, token: &Token<'_>) -> Remark {
        let last = self.last_number();
        let text = format!("There is no unit `{}`: they go from 1 to {last}.", short(token.text));
        match token.text.parse::<Hex>() {
            Ok(_) => at(*token, text).hint("four digits are a hex; a unit comes before it"),
            Err(_) => at(*token, text),
        }
    }

    /// Whether a noun of this kind may be the unit, and if not, why.
    fn permitted(&self, unit: &UnitSpec, kind: Kind, span: Span) -> Result<UnitId, Remark> {
        let (id, name, nation) = (unit.id, &unit.name, unit.nation);
        match (self.tie(unit), kind) {
            (Tie::Field, Kind::Pool) => Err(on(span, format!("{name} ({id}) is on the map already."))
                .hint("only units of the build pool are built")),
            // A unit of the pool may be built by an earlier line: the plan knows. A standing order may react to what befalls an ally (ruling LGA-75).
            (Tie::Field | Tie::Pool, _) | (Tie::Ally, Kind::Ally | Kind::Watched) => Ok(id),
            (Tie::Ally, _) => {
                let who = self.rules.commander(nation);
                Err(on(
                    span,
                    format!("{name} ({id}) is {}'s: {who} gives its orders.", self.rules.name(nation)),
                ))
            }
            (Tie::Enemy, _) => {
                Err(on(span, format!("{name} ({id}) is {}'s, your enemy.", self.rules.name(nation))))
            }
        }
    }

    /// A member of a list: one unit, a range, or several numbers.
    fn units_of(&self, tokens: &[Token<'_>], kind: Kind, end: Span, found: Found<'_>) -> Result<(), Remark> {
        if let Some((first, last)) = range(tokens) {
            return self.between(first, last, kind, tokens, found);
        }
        let are_numbers =
            tokens.len() > 1 && tokens.iter().all(|token| is_number(token) || range(&[*token]).is_some());
        if are_numbers {
            return tokens.chunks(1).try_for_each(|one| self.units_of(one, kind, end, found));
        }
        let unit = self.unit(tokens, kind, end).map_err(|fault| match self.place(tokens, end) {
            Ok(hex) if kind == Kind::Guard => fault.hint(format!("name the unit: GARRISON {hex} WITH 3")),
            _ => fault,
        })?;
        found(Noun::Unit(unit), around(tokens).unwrap_or(end));
        Ok(())
    }

    /// Every unit of a range, downwards if it is written so. The order must be allowed to name each of them.
    fn between(
        &self,
        first: u16,
        last: u16,
        kind: Kind,
        tokens: &[Token<'_>],
        found: Found<'_>,
    ) -> Result<(), Remark> {
        let span = around(tokens).unwrap_or_default();
        if let Some(strange) = [first, last].into_iter().find(|number| self.numbered(*number).is_none()) {
            let written: String = tokens.iter().map(|token| token.text).collect();
            let (written, last) = (short(&written), self.last_number());
            let text = format!("There is no unit {strange} for `{written}`: they go from 1 to {last}.");
            return Err(on(span, text));
        }
        let each = |number: u16| {
            let none = || on(span, format!("There is no unit {number}."));
            let unit = self.numbered(number).ok_or_else(none)?;
            found(Noun::Unit(self.permitted(unit, kind, span)?), span);
            Ok(())
        };
        match first <= last {
            true => (first..=last).try_for_each(each),
            false => (last..=first).rev().try_for_each(each),
        }
    }

    /// The units before a way: each takes as many words as form a name.
    fn marching(&self, cursor: &mut Cursor<'_>, found: Found<'_>) -> Result<(), Remark> {
        loop {
            // Only up to the comma: words on both sides of it never make one name.
            let rest = cursor.rest();
            let member = rest.split(|token| token.is_any(&SEPARATORS)).next().unwrap_or_default();
            let is_range = |count: &usize| member.get(..*count).is_some_and(|part| range(part).is_some());
            let longest = |is_meant: fn(&Self, &UnitSpec) -> bool| {
                let unit = |count: &usize| self.only(&member[..*count], Kind::Marching);
                (1..=member.len().min(4))
                    .rev()
                    .find(|count| unit(count).is_some_and(|unit| is_meant(self, unit)))
            };
            let strange = || match member.first() {
                Some(first) if is_number(first) => 1,
                _ => member.iter().position(begins_way).unwrap_or(member.len()).max(1).min(member.len()),
            };
            let count = [3, 1]
                .into_iter()
                .find(is_range)
                .or_else(|| longest(|names, unit| names.permitted(unit, Kind::Marching, (0, 0)).is_ok()))
                .or_else(|| longest(|_, _| true))
                .unwrap_or_else(strange);
            let (named, end) = (&member[..count], cursor.here());
            match range(named) {
                Some((first, last)) => self.between(first, last, Kind::Marching, named, found)?,
                None => {
                    found(Noun::Unit(self.unit(named, Kind::Marching, end)?), around(named).unwrap_or(end));
                }
            }
            cursor.skip(count);
            // `1, 2, and 4`.
            let mut parted = false;
            while cursor.take_any(&SEPARATORS).is_some() {
                parted = true;
            }
            if !parted || cursor.rest().first().is_some_and(begins_way) {
                return Ok(());
            }
        }
    }

    /// `1507 3` or `3 1507`: the first hex, and the units.
    fn melee(&self, cursor: &mut Cursor<'_>, found: Found<'_>) -> Result<(), Remark> {
        let is_hex = |token: &&Token<'_>| token.text.parse::<Hex>().is_ok();
        let (body, span) = (cursor.rest().to_vec(), cursor.rest_span());
        cursor.skip(usize::MAX);
        let end = cursor.here();
        let Some(hex) = body.iter().find(is_hex) else {
            return Err(
                on(span, "Attack which hex with which unit?").hint(self.in_game("ATTACK 1507 WITH 3"))
            );
        };
        found(Noun::Hex(self.place(&[*hex], end)?), hex.span);
        let who: Vec<Token<'_>> = body.iter().filter(|token| !is_hex(token)).copied().collect();
        match who.as_slice() {
            [all] if all.is("ALL") => found(Noun::Everyone(None), all.span),
            [all, there, place @ ..] if all.is("ALL") && there.is_any(&["AT", "IN", "FROM"]) => {
                found(Noun::Everyone(Some(self.place(place, end)?)), all.span);
            }
            who => {
                let members = who.split(|token| token.is_any(&SEPARATORS));
                let members = members.filter(|one| !one.is_empty() || who.is_empty());
                members.into_iter().try_for_each(|one| self.units_of(one, Kind::Melee, end, found))?;
            }
        }
        Ok(())
    }

    /// The hex that all of these tokens name.
    fn place(&self, tokens: &[Token<'_>], end: Span) -> Result<Hex, Remark> {
        let Some(span) = around(tokens) else {
            return Err(
                on(end, "Where? A hex or a city is missing.").hint(self.in_game("for example 1507 or Ulm"))
            );
        };
        let written = together(tokens);
        if written.bytes().all(|b| b.is_ascii_digit()) {
            let map = &self.rules.map;
            let hex = written.parse().ok().filter(|hex| map.area(*hex).is_some());
            return hex.ok_or_else(|| {
                let (columns, rows, such) = (map.columns, map.rows, self.in_game("1204"));
                on(span, format!("`{}` is no hex of this map.", short(&written))).hint(format!(
                    "four digits, column 01 to {columns} then row 01 to {rows:02}, such as {such}"
                ))
            });
        }
        let asked = words(&written);
        let joined = asked.join(" ");
        let shorts = self.rules.map.cities().zip(&self.rules.spelling.towns);
        if let Some(((hex, _), _)) = shorts.into_iter().find(|(_, (_, short))| *short == joined) {
            return Ok(hex);
        }
        match self.called_so(&asked).as_slice() {
            [] => {}
            [(hex, _)] => return Ok(*hex),
            several => {
                let list: Vec<String> =
                    several.iter().map(|(hex, city)| format!("{} {hex}", city.name)).collect();
                let text = format!("`{}` could be {}.", short(&written), either(&list));
                return Err(on(span, text).hint("write more of the name, or the hex number"));
            }
        }
        let fault = on(span, format!("There is no city called `{}`.", short(&written)));
        let near = || nearest(&asked, self.towns()).map(|(hex, _)| hex);
        let near = || near().or_else(|| nearest(&asked, self.other_names()));
        Err(match self.suggests.then(near).flatten() {
            Some(hex) => fault.hint(format!("did you mean {}?", self.rules.map.place(hex))),
            None => fault.hint(self.in_game("a hex number such as 1204 always works")),
        })
    }

    /// A place or a unit that is looked at: `1507`, `4`, `VI Ney`.
    fn watched(&self, tokens: &[Token<'_>], end: Span) -> Result<Noun, Remark> {
        let is_unit = matches!(tokens, [one] if is_number(one) && one.text.parse::<Hex>().is_err());
        let place = if is_unit { None } else { self.place(tokens, end).ok() };
        match place {
            Some(hex) => Ok(Noun::Hex(hex)),
            None => self.unit(tokens, Kind::Watched, end).map(Noun::Unit),
        }
    }

    /// The hexes of a way: numbers, or places with commas between them. No step in a direction stands among them.
    fn hexes(&self, tokens: &[Token<'_>], end: Span) -> Result<Vec<Hex>, Remark> {
        let is_step = |token: &Token<'_>| Direction::from_abbreviation(token.text).is_some();
        if let Some(strange) = tokens.iter().find(|token| !token.is(",") && !is_step(token))
            && tokens.iter().any(is_step)
        {
            self.word(Kind::Direction, *strange)?;
        }
        let is_digits = |token: &Token<'_>| token.text.bytes().all(|b| b.is_ascii_digit());
        if tokens.iter().all(|token| token.is(",") || is_digits(token)) {
            let hexes = tokens.chunks(1).filter(|one| !one[0].is(","));
            return hexes.map(|one| self.place(one, end)).collect();
        }
        let places = tokens.split(|token| token.is_any(&SEPARATORS)).filter(|place| !place.is_empty());
        places.map(|place| self.place(place, end)).collect()
    }
}

/// Takes the nouns of a list, each with its place.
type Found<'f> = &'f mut dyn FnMut(Noun, Span);

impl Lexicon for Names<'_> {
    type Kind = Kind;
    type Noun = Noun;

    /// The shapes say where `ALL` may stand, and with which place.
    const ALL: &'static [&'static str] = &[];

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        let (rest, end) = (cursor.rest(), cursor.here());
        let (noun, count) = match kind {
            Kind::Place => (Noun::Hex(self.place(rest, end)?), rest.len()),
            Kind::Asked => (Noun::Asked(self.place(rest, end)), rest.len()),
            Kind::Hexes => (Noun::Hexes(self.hexes(rest, end)?), rest.len()),
            Kind::Spot | Kind::Ally | Kind::Watched => {
                let subject: Vec<Token<'_>> = rest.iter().filter(|token| !token.is("IS")).copied().collect();
                let noun = match kind {
                    Kind::Spot => Noun::Hex(self.place(&subject, end)?),
                    Kind::Ally => Noun::Unit(self.unit(&subject, kind, end)?),
                    _ => self.watched(&subject, end)?,
                };
                (noun, rest.len())
            }
            Kind::Hex => (Noun::Hex(self.place(&rest[..rest.len().min(1)], end)?), 1),
            Kind::Direction | Kind::Nation | Kind::Points => {
                let Some(token) = rest.first() else {
                    return Err(missing(cursor, "The line ends too early."));
                };
                (self.word(kind, *token)?, 1)
            }
            Kind::Times => times(rest, end)?,
            Kind::Least => return compared(cursor, &[">=", ">"], "WHILE MORALE >= 2").map(Noun::AtLeast),
            Kind::Most => return compared(cursor, &["<=", "<", "="], "WHEN 4 MORALE <= 1").map(Noun::AtMost),
            // No form has these alone today; one that did would want the first.
            Kind::Field | Kind::Guard | Kind::Pool | Kind::Both | Kind::Marching | Kind::Melee => {
                let mut first = None;
                self.read_some(kind, cursor, &mut |noun, _| _ = first.get_or_insert(noun))?;
                return first.ok_or_else(|| missing(cursor, "The line ends too early."));
            }
        };
        cursor.skip(count);
        Ok(noun)
    }

    fn read_some(&self, kind: Kind, cursor: &mut Cursor<'_>, found: Found<'_>) -> Result<(), Remark> {
        match kind {
            Kind::Marching => self.marching(cursor, found),
            Kind::Melee => self.melee(cursor, found),
            Kind::Field | Kind::Guard | Kind::Pool | Kind::Both => {
                self.units_of(cursor.rest(), kind, cursor.here(), found)?;
                cursor.skip(usize::MAX);
                Ok(())
            }
            _ => {
                let before = cursor.rest().len();
                let noun = self.read(kind, cursor)?;
                found(noun, cursor.span_since(before));
                Ok(())
            }
        }
    }

    fn example(&self, text: &'static str) -> Cow<'static, str> {
        self.in_game(text)
    }

    fn begins(&self, kind: Kind, tokens: &[Token<'_>]) -> bool {
        let Some(first) = tokens.first() else { return false };
        match kind {
            Kind::Hex => first.kind == TokenKind::Word && first.text.parse::<Hex>().is_ok(),
            Kind::Direction => Direction::from_abbreviation(first.text).is_some(),
            Kind::Points => first.text.bytes().all(|b| b.is_ascii_digit()),
            // A lone `X` is a number of rounds before a number only: corps are called so too.
            Kind::Times => rounds(tokens).is_some(),
            Kind::Nation => self.nation(*first).is_some(),
            _ => false,
        }
    }
}

/// Several tokens as one text.
fn together<'t>(tokens: &[Token<'t>]) -> Cow<'t, str> {
    match tokens {
        [one] => Cow::Borrowed(one.text),
        several => Cow::Owned(several.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")),
    }
}

/// Whether a way begins here: a hex number or a direction is never a unit.
fn begins_way(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word
        && (token.text.parse::<Hex>().is_ok() || Direction::from_abbreviation(token.text).is_some())
}

impl Names<'_> {
    /// A noun that is one word.
    fn word(&self, kind: Kind, token: Token<'_>) -> Result<Noun, Remark> {
        let text = token.text;
        match kind {
            Kind::Direction => Direction::from_abbreviation(text).map(Noun::Direction).ok_or_else(|| {
                at(token, format!("`{}` is no direction.", short(text))).hint("E, W, NE, NW, SE or SW")
            }),
            Kind::Nation => self.nation(token).map(Noun::Nation).ok_or_else(|| {
                at(token, format!("`{}` is no nation.", short(text)))
                    .hint(self.in_game("for example AID Austria 4"))
            }),
            _ => {
                let points = text.parse().ok().filter(|points| *points > 0);
                points.map(Noun::Points).ok_or_else(|| at(token, "AID gives at least 1 point."))
            }
        }
    }

    /// The nation with this name or word, or the beginning of it.
    fn nation(&self, token: Token<'_>) -> Option<Nation> {
        let word = fold(token.text);
        let fits = |(nation, traits): &(Nation, &Traits)| {
            let name = fold(&traits.name);
            // `Austrian` for Austria.
            let (stem, _) = name.split_at(name.char_indices().next_back().map_or(0, |(last, _)| last));
            let is_alike = name.starts_with(&word) || stem.len() >= 3 && word.starts_with(stem);
            token.text.eq_ignore_ascii_case(nation.word()) || name == word || word.len() >= 3 && is_alike
        };
        self.rules.setting.nations().find(fits).map(|(nation, _)| nation)
    }
}

/// The digits of `x3`, `3x` or `x 3`, and the number of tokens.
fn rounds<'t>(tokens: &[Token<'t>]) -> Option<(&'t str, usize)> {
    let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let first = tokens.first()?;
    if first.is("X") {
        return tokens.get(1).filter(|number| is_digits(number.text)).map(|number| (number.text, 2));
    }
    let digits = first.text.strip_prefix(['x', 'X']).or_else(|| first.text.strip_suffix(['x', 'X']))?;
    (first.kind == TokenKind::Word && !digits.is_empty() && is_digits(digits)).then_some((digits, 1))
}

fn times(tokens: &[Token<'_>], end: Span) -> Result<(Noun, usize), Remark> {
    let (digits, count) = rounds(tokens).unwrap_or_default();
    match digits.parse::<u8>().map(|number| number.min(Limit::MOST_ROUNDS)) {
        Ok(0) | Err(_) => {
            let last = tokens.get(count.max(1) - 1);
            let written = short(last.map_or("", |token| token.text));
            Err(on(last.map_or(end, |token| token.span), format!("`{written}` is no number of rounds."))
                .hint(format!("x1 to x{}", Limit::MOST_ROUNDS)))
        }
        Ok(number) => Ok((Noun::Rounds(number), count)),
    }
}

/// `>= 2`, `> 1` or `2`; `<= 1`, `< 2`, `= 1` or `1`: the last number that it allows, one that any table of the game could hold.
fn compared(cursor: &mut Cursor<'_>, signs: &[&str], example: &str) -> Result<i8, Remark> {
    let sign = cursor.take_any(signs);
    let number = cursor.peek().and_then(|token| token.text.parse::<i8>().ok());
    let Some(number) = number.filter(|number| (-20..=20).contains(number)) else {
        return Err(missing(cursor, "A number is missing here.").hint(format!("for example {example}")));
    };
    cursor.skip(1);
    Ok(match sign {
        Some(sign) if sign.is(">") => number + 1,
        Some(sign) if sign.is("<") => number - 1,
        _ => number,
    })
}

/// `3X2`, where `3 x2` is meant: the unit's number and the rounds.
fn unit_and_rounds(written: &str) -> Option<(&str, &str)> {
    let (unit, rounds) = written.split_once(['x', 'X'])?;
    let digits = |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    (digits(unit) && digits(rounds)).then_some((unit, rounds))
}
