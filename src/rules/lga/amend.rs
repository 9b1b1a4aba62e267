//! Reads the GM's amendments: `UNIT 12 MORALE 3; UNIT Davout AT Ulm; CONTROL Ulm FRENCH`.
//!
//! An amendment is an input to the rules. It is read against the whole position and turned into events. It is refused if the position would become
//! inconsistent.

use serde::Deserialize;

use super::data::Lga;
use super::event::Event;
use super::footing::Traveller;
use super::ground::closed;
use super::model::{Arm, Nation, Side, UnitId};
use super::read::examples::{Examples, Swap};
use super::scenario::UnitSpec;
use super::state::State;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{OrderUse, Remark};
use musterd_engine::tokens::{Cursor, Token, around};
use musterd_kit::amend::{YES_OR_NO, amended, number, within};
use musterd_kit::grammar::{Manner, Sentence, lack};
use musterd_kit::lexicon::{Lexicon, at, missing};
use musterd_kit::names::words;
use musterd_kit::{kinds, language, nouns};

pub use super::change::Change;

/// The most military points that a nation can be given, and the most victory points of a side.
const MOST_POINTS: i32 = 99_999;
/// The most fatigue that a unit can be given.
const MOST_FATIGUE: u8 = 99;
/// The most morale and moves of any type of unit. What a unit's own type allows is asked of the position that changes lead to.
const MOST_MORALE: i8 = 50;
const MOST_MOVES: u8 = 50;

kinds! {
    enum Kind {
        "unit": Unit,
        "number": Number,
        /// A hex or a city: the rest of the line.
        "place": Place,
        /// A hex or a city: the rest of the line but its last word.
        "place-before": PlaceBefore,
        "nation": Nation,
        "side": Side,
    }
}

nouns! {
    enum Noun {
        unit: Unit(UnitId),
        number: Number(i32),
        hex: Hex(Hex),
        nation: Nation(Nation),
        side: Side(Side),
    }
}

language! {
    /// The language of the changes.
    static GRAMMAR of Verb, Kind = Manner::of("change");

    Unit ["UNIT"]:
        "{unit:unit} ( MORALE {morale:number} / FATIGUE {fatigue:number} / MOVES {moves:number} / AT {at:place} / top=TOP / pool=POOL \
         / garrison=GARRISON ( YES|TRUE|ON / no=NO|FALSE|OFF ) / supplied=SUPPLIED ( YES|TRUE|ON / no=NO|FALSE|OFF ) \
         / rallied=RALLIED ( YES|TRUE|ON / no=NO|FALSE|OFF ) )"
    => {
        missing lack("RALLIED", "What changes? Write MORALE, FATIGUE, MOVES, AT, TOP, POOL, GARRISON, SUPPLIED or RALLIED.");
        missing YES_OR_NO;
        "UNIT 12 MORALE 3", "UNIT Marmont FATIGUE 1", "UNIT 12 MOVES 2" =>
            "its morale, its fatigue, the moves that it has left this season";
        "UNIT 12 AT Ulm", "UNIT 12 TOP" =>
            "where it stands, on top; one from the pool comes fresh. A corps takes control of the hex";
        "UNIT 12 POOL" => "it goes to the build pool";
        "UNIT 12 GARRISON YES", "UNIT 12 SUPPLIED NO", "UNIT 12 RALLIED YES" =>
            "whether it is its city's garrison, counts as supplied this season, was rallied this season";
    }

    Points ["POINTS"]: "{nation:nation} {points:number}" => {
        "POINTS Austria 20" => "a nation's military points";
    }

    Victory ["VICTORY"]: "{side:side} {points:number}" => {
        "VICTORY French 12" => "a side's victory points, until its next count";
    }

    Control ["CONTROL"]: "{at:place-before} {side:side}" => {
        "CONTROL Ulm French" => "who controls a hex";
    }
}

/// What the GM can change, with examples from the game: a unit, a place, a nation or a side that it doesn't have is replaced by one of its own.
pub(super) fn uses_in(rules: &Lga) -> Vec<OrderUse> {
    let examples = Examples { swaps: swaps(rules) };
    let mut uses = GRAMMAR.uses(|_| true);
    for line in uses.iter_mut().flat_map(|one| &mut one.lines) {
        *line = examples.told(line).into_owned().into();
    }
    uses
}

/// The words of the examples that a game doesn't have, each with what stands for it.
fn swaps(rules: &Lga) -> Vec<Swap> {
    let scenario = &rules.scenario;
    let begins = |spec: &&UnitSpec| spec.start.is_some() && spec.kind.arm != Arm::Hq;
    let named = |name: &str| scenario.units.iter().find(|spec| spec.name.split(' ').any(|word| word == name));
    let is_city_in_play = |hex: &Hex| scenario.in_play(*hex);
    let mut swaps = Vec::new();
    let twelfth = scenario.find(UnitId(12)).filter(begins);
    let unit = twelfth.or_else(|| scenario.units.iter().find(begins));
    if twelfth.is_none() {
        swaps.extend(unit.map(|spec| ("12", spec.id.to_string())));
    }
    if named("Marmont").filter(begins).is_none() {
        // Another may have the same name.
        let is_alone =
            |spec: &&UnitSpec| scenario.units.iter().filter(|one| one.name == spec.name).count() == 1;
        let other = scenario.units.iter().filter(begins).rfind(is_alone);
        swaps.extend(other.map(|spec| ("Marmont", spec.name.clone())));
    }
    if rules.map.city("Ulm").filter(is_city_in_play).is_none() {
        // The next city to the unit that is put there.
        let from = unit.and_then(|spec| spec.start).map(|start| start.hex);
        let cities = rules.map.cities().filter(|(hex, _)| is_city_in_play(hex) && Some(*hex) != from);
        let other = cities.min_by_key(|(hex, _)| from.map_or(0, |from| from.distance(*hex)));
        swaps.extend(other.map(|(_, city)| ("Ulm", city.name.clone())));
    }
    let is_austria = |nation: &Nation| nation.word() == "austria";
    if !scenario.nations().any(|(nation, _)| is_austria(&nation)) {
        let last = scenario.nations().last();
        swaps.extend(last.map(|(nation, _)| ("Austria", rules.name(nation).to_owned())));
    }
    if scenario.side(Side::French).is_none() {
        swaps.extend(scenario.sides.first().map(|spec| ("French", spec.side.to_string())));
    }
    swaps
}

/// The events of a GM's line.
pub(super) fn amend(rules: &Lga, state: &State, text: &str) -> Result<Vec<Event>, Remark> {
    let read = |state: &State, part: &str| {
        let table = Table { rules, state };
        let Some(line) = GRAMMAR.read(&table, part, |_| true)? else { return Ok(Vec::new()) };
        let changes = table.changes(&line).map_err(|why| Remark::error(1, why))?;
        Ok(changes.into_iter().map(|change| Event::Amended { change }).collect())
    };
    amended(rules, state, text, read, |state| state.faults(rules))
}

/// Everything that the GM sees.
struct Table<'a> {
    rules: &'a Lga,
    state: &'a State,
}

impl Lexicon for Table<'_> {
    type Kind = Kind;
    type Noun = Noun;

    fn read(&self, kind: Kind, cursor: &mut Cursor<'_>) -> Result<Noun, Remark> {
        let left = cursor.rest().len();
        let Some(first) = cursor.peek() else { return Err(missing(cursor, "The line ends too early.")) };
        let mut words = |most: usize| {
            let tokens = &cursor.rest()[..most];
            let (start, length) = around(tokens).unwrap_or(first.span);
            let texts: Vec<String> = tokens.iter().map(|token| token.text.to_owned()).collect();
            cursor.skip(most);
            (texts, move |why: String| Remark::error(1, why).at(start, length))
        };
        match kind {
            Kind::Unit => {
                let named = |length: &usize| unit_named(self.rules, &cursor.rest()[..*length]).is_ok();
                let length = (1..=left.min(4)).rev().find(named).unwrap_or(1);
                let unit = unit_named(self.rules, &cursor.rest()[..length]).map_err(|why| at(first, why))?;
                cursor.skip(length);
                Ok(Noun::Unit(unit))
            }
            Kind::Place | Kind::PlaceBefore => {
                let (texts, fault) = words(if kind == Kind::Place { left } else { left.max(2) - 1 });
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                hex(self.rules, &texts).map(Noun::Hex).map_err(fault)
            }
            Kind::Number | Kind::Nation | Kind::Side => {
                let (_, fault) = words(1);
                match kind {
                    Kind::Number => number(first.text).map(Noun::Number),
                    Kind::Nation => self.nation(first.text).map(Noun::Nation),
                    _ => named::<Side>(first.text).map(Noun::Side),
                }
                .map_err(fault)
            }
        }
    }
}

impl Table<'_> {
    fn nation(&self, text: &str) -> Result<Nation, String> {
        let nation =
            self.rules.setting.called(text).ok_or_else(|| format!("no nation is called `{text}`"))?;
        match self.state.points.contains_key(&nation) {
            true => Ok(nation),
            false => Err(format!("{} is not in this scenario", self.rules.name(nation))),
        }
    }

    /// A change with its consequences: a unit that stands in a hex controls it.
    fn changes(&self, line: &Sentence<Verb, Noun>) -> Result<Vec<Change>, String> {
        let points = || line.the("points").number();
        Ok(vec![match line.verb {
            Verb::Unit => return self.about(line.the("unit").unit(), line),
            Verb::Points => Change::Points {
                nation: line.the("nation").nation(),
                points: within("military points", points(), 0, MOST_POINTS)?,
            },
            Verb::Victory => {
                let side = line.the("side").side();
                let plays = self.rules.scenario.side(side).is_some();
                plays.then_some(()).ok_or_else(|| format!("{side} is not in this scenario"))?;
                Change::Victory { side, points: within("victory points", points(), 0, MOST_POINTS)? }
            }
            Verb::Control => Change::Control { at: line.the("at").hex(), side: line.the("side").side() },
        }])
    }

    fn about(&self, unit: UnitId, line: &Sentence<Verb, Noun>) -> Result<Vec<Change>, String> {
        let Self { rules, state } = *self;
        let spec = rules.scenario.unit(unit);
        if let Some(at) = line.noun("at").map(Noun::hex) {
            return self.placed(unit, at);
        }
        let yes = !line.has("no");
        let value = |name| line.noun(name).map(Noun::number);
        let change = if let Some(morale) = value("morale") {
            Change::Morale { unit, morale: within("morale", morale, 0, MOST_MORALE)? }
        } else if let Some(fatigue) = value("fatigue") {
            Change::Fatigue { unit, fatigue: within("fatigue", fatigue, 0, MOST_FATIGUE)? }
        } else if let Some(left) = value("moves") {
            Change::Moves { unit, left: within("the moves left", left, 0, MOST_MOVES)? }
        } else if line.has("top") {
            Change::Topped { unit }
        } else if line.has("pool") {
            Change::Pooled { unit }
        } else if line.has("garrison") {
            Change::Garrison { unit, garrison: yes }
        } else if line.has("supplied") {
            Change::Supplied { unit, supplied: yes }
        } else {
            Change::Rallied { unit, rallied: yes }
        };
        let at = state.unit(unit).at.ok_or_else(|| format!("{} is in the build pool", spec.name))?;
        let in_city = rules.map.city_at(at).is_some();
        match change {
            Change::Garrison { garrison: true, .. } if !in_city => {
                Err(format!("there is no city at {}", rules.map.place(at)))
            }
            change => Ok(vec![change]),
        }
    }

    fn placed(&self, unit: UnitId, at: Hex) -> Result<Vec<Change>, String> {
        let Self { rules, state } = *self;
        let spec = rules.scenario.unit(unit);
        let stats = rules.stats(spec.kind);
        let who = Traveller { nation: spec.nation, arm: spec.kind.arm };
        let land = rules.map.is_land(at);
        let sea = rules.map.area(at).is_some_and(|area| !area.is_land());
        if let Some(why) = closed(rules, who, at, None).filter(|_| sea) {
            return Err(format!("{} can't be at sea: {}", spec.name, self.rules.refusal(why)));
        }
        let placed = Change::Placed { unit, at, morale: stats.max_morale, left: stats.moves };
        let taken = land && spec.kind.arm != Arm::Hq && state.control.get(&at) != Some(&spec.side);
        let control = taken.then_some(Change::Control { at, side: spec.side });
        Ok(std::iter::once(placed).chain(control).collect())
    }
}

/// The unit with this number, or the only one whose name has all these words.
fn unit_named(rules: &Lga, tokens: &[Token<'_>]) -> Result<UnitId, String> {
    let quoted = tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ");
    if let [token] = tokens
        && let Ok(number) = token.text.parse::<u16>()
    {
        let found = rules.scenario.find(UnitId(number));
        return found.map(|spec| spec.id).ok_or_else(|| format!("there is no unit {number}"));
    }
    let wanted = words(&quoted);
    let names = rules.scenario.units.iter().zip(&rules.spelling.units);
    let fits = |name: &[String]| wanted.iter().all(|word| name.contains(word));
    let found: Vec<_> = names.filter(|(_, name)| fits(name)).map(|(spec, _)| spec).collect();
    match found.as_slice() {
        [] => Err(format!("no unit is called `{quoted}`")),
        [one] => Ok(one.id),
        [first, second, ..] => Err(format!(
            "`{quoted}` may be {} ({}) or {} ({}): write its number",
            first.name, first.id, second.name, second.id
        )),
    }
}

/// A hex in play or at sea, by number or by its city's name.
fn hex(rules: &Lga, tokens: &[&str]) -> Result<Hex, String> {
    let quoted = tokens.join(" ");
    let wanted = words(&quoted);
    let number = tokens.last().and_then(|last| last.parse::<Hex>().ok());
    let cities = || rules.map.cities().zip(&rules.spelling.towns);
    let city = || cities().find(|(_, (name, short))| *name == wanted || *short == wanted.join(" "));
    let other = || rules.spelling.others.iter().find(|(_, name)| *name == wanted);
    let hex = number.or_else(|| city().map(|((hex, _), _)| hex)).or_else(|| other().map(|(hex, _)| *hex));
    let hex = hex.ok_or_else(|| format!("no place is called `{quoted}`"))?;
    let sea = rules.map.area(hex).is_some_and(|area| !area.is_land());
    if rules.scenario.in_play(hex) || sea {
        Ok(hex)
    } else {
        Err(format!("{} is not in play", rules.map.place(hex)))
    }
}

/// A nation or a side as data files write it.
fn named<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, String> {
    let value = serde_json::Value::String(text.to_ascii_lowercase());
    serde_json::from_value(value).map_err(|_| format!("nothing is called `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rules;
    use musterd_engine::Ruleset;

    /// What is added to a nation's points later still fits a number.
    #[test]
    fn a_number_beyond_its_bounds_is_refused() {
        let rules = rules("austrian-1805");
        let state = rules.found();
        for (line, what) in [
            ("POINTS Austria 2147483647", "military points can be from 0 to 99999"),
            ("POINTS Austria -1", "military points can be from 0 to 99999"),
            ("VICTORY French 2147483647", "victory points can be from 0 to 99999"),
            ("UNIT 1 FATIGUE 255", "fatigue can be from 0 to 99"),
            ("UNIT 1 MORALE 99", "morale can be from 0 to 50"),
            ("UNIT 1 MOVES 99", "the moves left can be from 0 to 50"),
        ] {
            let told = amend(&rules, &state, line).unwrap_err().text;
            assert!(told.contains(what), "{line}: {told}");
        }
    }

    #[test]
    fn nobody_is_put_to_sea_who_cannot_sail_and_a_nation_has_either_name() {
        let rules = rules("austrian-1805");
        let state = rules.found();
        let refused = amend(&rules, &state, "UNIT 1 AT 0706").unwrap_err();
        assert!(refused.text.contains("I Bernadotte can't be at sea"), "{}", refused.text);
        for nation in ["France", "french"] {
            assert_eq!(
                amend(&rules, &state, &format!("POINTS {nation} 20")).map(|events| events.len()),
                Ok(1)
            );
        }
    }
}
