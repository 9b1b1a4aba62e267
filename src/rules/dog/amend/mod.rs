//! Reads the GM's changes of the position and rulings on orders to come (`docs/dog/gm-guide.md`).

mod forms;

use self::forms::{GRAMMAR, Kind, Verb};
use super::data::Dog;
use super::event::Event;
use super::model::{ArmyId, Fortification, Ground, Relief, Sort, Terrain, UnitId, Waiting};
use super::order::Record;
use super::read::{NAME_WORDS, only};
use super::scores;
use super::state::{State, Unit};
use musterd_engine::alike::meant;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::tokens::{Cursor, Token};
use musterd_engine::yaml::short;
use musterd_kit::amend::{amended, take_hex};
use musterd_kit::grammar::Sentence;
use musterd_kit::lexicon::{Lexicon, at, missing};
use musterd_kit::lists::joined;
use musterd_kit::nouns;

pub use super::change::{Change, Ruling};

/// What the GM can change.
pub fn uses() -> Vec<OrderUse> {
    GRAMMAR.uses(|_| true)
}

/// The same, with the terrains that there are.
pub(super) fn uses_in(rules: &Dog) -> Vec<OrderUse> {
    let mut uses = uses();
    for ground in uses.iter_mut().filter(|one| one.begins_with("GROUND")) {
        ground.does = format!("{}; the terrains are {}", ground.does, terrains(rules)).into();
    }
    uses
}

/// The events of a GM's line: `UNIT E3 FIGHTERS 12; RULE D2 FLEES E3`.
///
/// # Errors
/// The line is faulty; the text tells the GM how.
pub(super) fn amend(rules: &Dog, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
    let read = |state: &State, part: &str| {
        let table = Table { rules, state };
        let Some(line) = GRAMMAR.read(&table, part, |_| true)? else { return Ok(Vec::new()) };
        let change = table.change(&line).map_err(|why| Remark::error(1, why))?;
        Ok(vec![Event::Amended { change }])
    };
    amended(rules, state, text, read, |state| state.faults(rules))
}

type Line = Sentence<Verb, Noun>;

nouns! {
    enum Noun {
        unit: Unit(UnitId),
        record: Record(Record),
        hex: Hex(Hex),
        /// Two neighbours.
        side: Side((Hex, Hex)),
        number: Number(u32),
        /// A type of troops as it is written.
        troop: Troop(String),
        name: Name(String),
        army: Army(ArmyId),
        terrain: Terrain(Terrain),
        relief: Relief(Relief),
        walls: Walls(Fortification),
    }
}

/// Everything that the GM sees.
struct Table<'a> {
    rules: &'a Dog,
    state: &'a State,
}

impl Lexicon for Table<'_> {
    type Kind = Kind;
    type Noun = Noun;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        Ok(match kind {
            Kind::Unit => Noun::Unit(self.unit(cursor)?),
            Kind::Record => Noun::Record(self.record(cursor)?),
            Kind::Hex => Noun::Hex(self.hex(cursor)?),
            Kind::Water => Noun::Hex(self.water(cursor)?),
            Kind::Span => self.span(cursor)?,
            Kind::Fighters => Noun::Number(number(cursor, 200)?),
            Kind::Shots => Noun::Number(number(cursor, 1000)?),
            Kind::Points => Noun::Number(number(cursor, 1_000_000)?),
            Kind::Troop => Noun::Troop(rest(cursor)),
            Kind::Name => Noun::Name(taken(cursor, "a name")?.text.to_owned()),
            Kind::Army => Noun::Army(self.army(cursor)?),
            Kind::Terrain => Noun::Terrain(self.terrain(cursor)?),
            Kind::Feature => feature(cursor)?,
        })
    }
}

/// The terrains that a hex can be given.
fn terrains(rules: &Dog) -> String {
    joined(rules.numbers().terrains().map(|(terrain, _)| terrain), ", ")
}

/// The next token.
fn taken<'t>(cursor: &mut Cursor<'t>, what: &str) -> Result<Token<'t>, Remark> {
    cursor.take().ok_or_else(|| missing(cursor, format!("{what} is missing")))
}

fn number(cursor: &mut Cursor<'_>, most: u32) -> Result<u32, Remark> {
    let token = taken(cursor, "a number")?;
    let number = token.text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| at(token, format!("`{}` is no number from 0 to {most}", short(token.text))))
}

fn rest(cursor: &mut Cursor<'_>) -> String {
    let words = joined(cursor.rest().iter().map(|token| token.text), " ");
    cursor.skip(cursor.rest().len());
    words
}

fn feature(cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
    let token = taken(cursor, "a relief or a fortification")?;
    let relief = Relief::ALL.into_iter().find(|relief| token.is(relief.word()));
    let walls = Fortification::ALL.into_iter().find(|walls| token.is(walls.word()));
    let found = relief.map(Noun::Relief).or(walls.map(Noun::Walls));
    found.ok_or_else(|| at(token, format!("`{}` is no relief and no fortification", short(token.text))))
}

impl Table<'_> {
    /// A unit on the field, by letter and number or by its name.
    fn unit(&self, cursor: &mut Cursor<'_>) -> Result<UnitId, Remark> {
        let token = cursor.peek().ok_or_else(|| missing(cursor, "a unit is missing"))?;
        let units = || self.state.units.iter().map(|(id, unit)| (*id, unit.name.as_str()));
        let by_id = token.text.parse::<UnitId>();
        if let Some((id, words)) =
            cursor.longest(NAME_WORDS, |text| only(units(), text)).filter(|_| by_id.is_err())
        {
            cursor.skip(words);
            return Ok(id);
        }
        let called = |text: &str| {
            let same =
                units().filter(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(id, _)| id.to_string());
            Some(same.collect::<Vec<_>>()).filter(|ids| !ids.is_empty())
        };
        if let Some((ids, _)) = cursor.longest(NAME_WORDS, called).filter(|_| by_id.is_err()) {
            let reason = format!("several units are called so: write {}", ids.join(" or "));
            return Err(at(token, reason));
        }
        let id = by_id.map_err(|bad: super::model::BadUnit| at(token, bad.to_string()))?;
        cursor.skip(1);
        match self.state.unit(id) {
            Some(_) => Ok(id),
            None => Err(at(token, format!("{id} is not on the field"))),
        }
    }

    fn terrain(&self, cursor: &mut Cursor<'_>) -> Result<Terrain, Remark> {
        let token = taken(cursor, "a terrain")?;
        let terrain = self.rules.numbers().terrain(token.text).filter(|terrain| token.is(terrain.word()));
        terrain.ok_or_else(|| {
            at(token, format!("`{}` is no terrain: {}", short(token.text), terrains(self.rules)))
        })
    }

    fn hex(&self, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let field = &self.rules.battle().field;
        let token = cursor.peek().ok_or_else(|| missing(cursor, "a hex is missing"))?;
        let found = take_hex(cursor, 4, |text| field.named(text)).filter(|hex| field.has(*hex));
        found.ok_or_else(|| {
            let fault = at(token, format!("`{}` is no hex of the field", short(token.text)));
            match meant(token.text, field.places.values().map(String::as_str)) {
                Some(near) => fault.hint(format!("did you mean {near}?")),
                None => fault,
            }
        })
    }

    fn water(&self, cursor: &mut Cursor<'_>) -> Result<Hex, Remark> {
        let before = cursor.rest().len();
        let hex = self.hex(cursor)?;
        let water = self
            .state
            .ground(self.rules, hex)
            .is_some_and(|ground| self.rules.numbers().cover(ground.terrain).is_water());
        let (start, length) = cursor.span_since(before);
        if water { Ok(hex) } else { Err(Remark::error(0, format!("{hex} is land")).at(start, length)) }
    }

    /// A hex of water, or the side between two neighbours.
    fn span(&self, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        let sides = |token: Token<'_>| {
            let (a, b) = token.text.split_once('-')?;
            Some((a.parse::<Hex>().ok()?, b.parse::<Hex>().ok()?))
        };
        let Some((token, (a, b))) = cursor.peek().and_then(|token| Some((token, sides(token)?))) else {
            return Ok(Noun::Hex(self.water(cursor)?));
        };
        cursor.skip(1);
        let field = &self.rules.battle().field;
        if let Some(off) = [a, b].into_iter().find(|hex| !field.has(*hex)) {
            return Err(at(token, format!("{off} is no hex of the field")));
        }
        match a.direction_to(b) {
            Some(_) => Ok(Noun::Side((a, b))),
            None => Err(at(token, format!("{a} and {b} are not neighbours: a bridge joins two that are"))),
        }
    }

    fn army(&self, cursor: &mut Cursor<'_>) -> Result<ArmyId, Remark> {
        let token = taken(cursor, "an army")?;
        let armies = self.rules.battle().armies();
        let mut named =
            armies.iter().filter(|army| token.is(army.seat.as_str()) || token.is(&army.letter.to_string()));
        named.next().map(|army| army.id).ok_or_else(|| {
            let known = joined(armies.iter().map(|army| format!("{} ({})", army.letter, army.seat)), ", ");
            at(token, format!("`{}` is no army's letter or seat: there are {known}", short(token.text)))
        })
    }

    /// `E9 12 elite heavy infantry AT 0405 HIDDEN`.
    fn record(&self, cursor: &mut Cursor<'_>) -> Result<Record, Remark> {
        let token = cursor.peek().ok_or_else(|| missing(cursor, "a unit is missing"))?;
        let id: UnitId =
            token.text.parse().map_err(|bad: super::model::BadUnit| at(token, bad.to_string()))?;
        if self.state.unit(id).is_some() {
            return Err(at(token, format!("{id} is on the field already")));
        }
        let army = self.rules.battle().lettered(id.army);
        let army = army.ok_or_else(|| at(token, format!("no army has the letter {}", id.army)))?;
        let view = super::fog::view(self.rules, self.state, &army.seat);
        super::read::record_of(self.rules, &view, cursor)
    }

    /// The change of a line, if it can be made.
    fn change(&self, line: &Line) -> Result<Change, String> {
        let unit = || line.the("unit").unit();
        let there = !line.has("no");
        Ok(match line.verb {
            Verb::Unit => return self.about(unit(), line),
            Verb::Add => return self.added(line.the("record").record()),
            Verb::Remove => Change::Removed { unit: unit() },
            Verb::Ground => {
                let hex = line.the("hex").hex();
                let ground = self.ground_of(line)?;
                if let Some(other) = self.state.at(hex).and_then(|id| self.state.unit(id)) {
                    let bridged = self.state.works.bridges.contains(&hex) || other.aboard.is_some();
                    let switches = self.rules.battle().switches;
                    scores::may_stand(self.rules.numbers(), switches, &other.sorts, ground, bridged)?;
                }
                Change::Ground { hex, ground }
            }
            Verb::Bridge => {
                let hex = match line.the("over") {
                    Noun::Side((a, b)) => return self.crossing((*a.min(b), *a.max(b)), there),
                    over => over.hex(),
                };
                if !there && self.state.at(hex).is_some() {
                    return Err(format!(
                        "somebody stands on the bridge in {hex}: put the unit elsewhere first"
                    ));
                }
                Change::Bridge { hex, there }
            }
            Verb::Boat => return self.boat(line.the("hex").hex(), there),
            Verb::Leadership => {
                Change::Leadership { army: line.the("army").army(), leadership: line.the("points").number() }
            }
            Verb::Loot => {
                Change::Loot { army: line.the("army").army(), loot: u64::from(line.the("points").number()) }
            }
            Verb::Order => return self.order(line.nouns("army").map(Noun::army).collect()),
            Verb::Rule => Change::Ruled { ruling: self.ruling(unit(), line)? },
        })
    }

    fn crossing(&self, (a, b): (Hex, Hex), there: bool) -> Result<Change, String> {
        match (there, self.state.works.crossings.contains(&(a, b))) {
            (true, true) => Err(format!("there is a bridge from {a} to {b} already")),
            (false, false) => Err(format!("there is no bridge from {a} to {b}")),
            _ => Ok(Change::Crossing { a, b, there }),
        }
    }

    fn boat(&self, hex: Hex, there: bool) -> Result<Change, String> {
        let lies = self.state.boats.iter().find(|boat| boat.at == hex);
        match (there, lies) {
            (true, Some(_)) => Err(format!("a boat lies in {hex} already")),
            (false, None) => Err(format!("no boat lies in {hex}")),
            (false, Some(boat)) if boat.load.is_some() => {
                Err(format!("somebody is aboard in {hex}: put the unit elsewhere first"))
            }
            _ => Ok(Change::Boat { hex, there }),
        }
    }

    fn order(&self, order: Vec<ArmyId>) -> Result<Change, String> {
        let mut all = order.clone();
        all.sort_unstable();
        all.dedup();
        let armies = self.rules.battle().armies();
        if all.len() != armies.len() || order.len() != all.len() {
            let letters = joined(armies.iter().map(|army| army.letter), " ");
            return Err(format!("name every army once, such as ORDER {letters}"));
        }
        Ok(Change::Order { order })
    }

    /// The sort of a mixed unit that a line names; the first if it names none.
    fn sort(&self, unit: UnitId, line: &Line) -> Result<u8, String> {
        let Some(name) = line.noun("of").map(Noun::troop) else { return Ok(0) };
        let wanted = self.rules.numbers().find(&name);
        let sorts = self.state.unit(unit).map_or(&[][..], |unit| &unit.sorts);
        let place = (0..).zip(sorts).find(|(_, sort)| Some(sort.troop) == wanted).map(|(place, _)| place);
        place.ok_or_else(|| format!("{unit} has no `{}`", short(&name)))
    }

    fn about(&self, unit: UnitId, line: &Line) -> Result<Change, String> {
        let of = self.state.unit(unit);
        let sorts = of.map_or(&[][..], |unit| &unit.sorts);
        #[expect(clippy::expect_used, reason = "the reader takes no larger number")]
        let small = |name| line.noun(name).map(|noun| u16::try_from(noun.number()).expect("at most 1000"));
        if let Some(fighters) = small("fighters") {
            let sort = self.sort(unit, line)?;
            let mut after = sorts.to_vec();
            if let Some(sort) = after.get_mut(usize::from(sort)) {
                sort.fighters = fighters;
            }
            if fighters > 0 {
                scores::fits(self.rules.numbers(), self.rules.battle().scale, &after)?;
            }
            return Ok(Change::Fighters { unit, sort, fighters });
        }
        if let Some(shots) = small("shots") {
            return Ok(Change::Shots { unit, sort: self.sort(unit, line)?, shots });
        }
        if let Some(to) = line.noun("to").map(Noun::hex) {
            if self.state.at(to).is_some_and(|other| other != unit) {
                return Err(format!("{to} is taken: a hex holds one unit"));
            }
            super::roster::may_start(self.rules, &self.state.works, sorts, to)?;
            return Ok(Change::Place { unit, to });
        }
        if let Some(boat) = line.noun("boat").map(Noun::hex) {
            return self.aboard(unit, sorts, boat);
        }
        if let Some(captor) = line.noun("captor").map(Noun::unit) {
            return self.captured(unit, captor);
        }
        if let Some(name) = line.noun("name").map(Noun::name) {
            return self.named(unit, &name);
        }
        match line.has("hidden") {
            true => Ok(Change::Hidden { unit, hidden: !line.has("no") }),
            false if of.is_some_and(|unit| unit.captive.is_some()) => Ok(Change::Freed { unit }),
            false => Err(format!("{unit} is nobody's prisoner")),
        }
    }

    /// What a unit is to be called: nothing that orders couldn't tell from a number or from another unit of its army, as in battle files.
    fn named(&self, unit: UnitId, name: &str) -> Result<Change, String> {
        let name: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
        if name.is_empty() {
            return Ok(Change::Name { unit, name });
        }
        let quoted = short(&name);
        if UnitId::is_like(&name) {
            return Err(format!("`{quoted}` can't be told from a number in orders: use words"));
        }
        let same = |(id, other): (&UnitId, &Unit)| {
            *id != unit && id.army == unit.army && other.name.eq_ignore_ascii_case(&name)
        };
        match self.state.units.iter().find(|one| same(*one)) {
            Some((other, _)) => {
                Err(format!("{other} is called `{quoted}`: orders could not tell them apart"))
            }
            None => Ok(Change::Name { unit, name }),
        }
    }

    fn aboard(&self, unit: UnitId, sorts: &[Sort], at: Hex) -> Result<Change, String> {
        let numbers = self.rules.numbers();
        let lies = self.state.boats.iter().find(|boat| boat.at == at);
        let boat = lies.ok_or_else(|| format!("no boat lies in {at}: BOAT {at} YES brings one"))?;
        if boat.load.is_some() || self.state.at(at).is_some_and(|other| other != unit) {
            return Err(format!("somebody is in {at} already: put the unit elsewhere first"));
        }
        let (room, carries) = (scores::room(numbers, sorts), numbers.boat.carries);
        if room > carries {
            return Err(format!(
                "{unit} needs the room of {room} men, and a boat carries {carries} (DOG-35)"
            ));
        }
        Ok(Change::Aboard { unit, at })
    }

    fn captured(&self, unit: UnitId, captor: UnitId) -> Result<Change, String> {
        let [Some(own), Some(by)] = [unit, captor].map(|id| self.state.unit(id)) else {
            return Err(format!("{unit} or {captor} is not on the field"));
        };
        if !self.rules.battle().hostile(unit, captor) {
            return Err(format!("{captor} is no enemy of {unit}"));
        }
        if let Some(other) = own.captive {
            return Err(format!("{unit} is {other}'s prisoner already: UNIT {unit} FREE first"));
        }
        if let Some(other) = by.captive {
            return Err(format!("{captor} is {other}'s prisoner himself"));
        }
        if by.hidden {
            return Err(format!("{captor} is hidden: UNIT {captor} HIDDEN NO first"));
        }
        if own.at.distance(by.at) > 1 {
            return Err(format!("{unit} is not next to {captor}: UNIT {unit} AT a hex beside it first"));
        }
        Ok(Change::Captured { unit, captor })
    }

    fn added(&self, record: Record) -> Result<Change, String> {
        let Record { unit, name, sorts, at, hidden } = record;
        let at = at.ok_or("where? Write AT and a hex")?;
        if self.state.at(at).is_some() {
            return Err(format!("{at} is taken: a hex holds one unit"));
        }
        if sorts.is_empty() {
            return Err("who? Write how many and of which type".to_owned());
        }
        for sort in &sorts {
            scores::sense(self.rules.numbers(), sort)?;
        }
        scores::fits(self.rules.numbers(), self.rules.battle().scale, &sorts)?;
        super::roster::may_start(self.rules, &self.state.works, &sorts, at)?;
        Ok(Change::Added(Waiting { unit, name: name.unwrap_or_default(), sorts, at, hidden }))
    }

    fn ruling(&self, unit: UnitId, line: &Line) -> Result<Ruling, String> {
        if let Some(from) = line.noun("from").map(Noun::unit) {
            if !self.rules.battle().hostile(unit, from) {
                return Err(format!("{from} is no enemy of {unit}"));
            }
            return Ok(Ruling::Flees { unit, from });
        }
        Ok(match () {
            () if line.has("free") => Ruling::Free { unit },
            () if line.has("stays") => Ruling::Stays { unit },
            () => Ruling::Holds { unit },
        })
    }

    /// The ground of a line: a terrain with what stands behind it.
    fn ground_of(&self, line: &Line) -> Result<Ground, String> {
        let terrain = line.the("terrain").terrain();
        let cover = self.rules.numbers().cover(terrain);
        let (mut relief, mut walls) = (Relief::Plains, None);
        for feature in line.nouns("feature") {
            match feature {
                Noun::Relief(found) if cover.has_relief() => relief = *found,
                Noun::Walls(built) if cover.is_constructable() => walls = Some(*built),
                Noun::Relief(found) => {
                    return Err(format!("{terrain} has no {} (DOG-37)", found.word()));
                }
                other => {
                    let walls = other.walls();
                    return Err(format!("{terrain} has no {} (DOG-37)", walls.word()));
                }
            }
        }
        Ok(Ground { terrain, relief, walls })
    }
}
