//! A scenario: dates, sides, order of battle, control and victory levels, from `games/lga/scenarios/*.yaml`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::data::line_of;
use super::map::Map;
use super::model::{Date, Level, Nation, Season, Side, UnitId, UnitType};
use super::numbers::Numbers;
use crate::engine::files::{DataError, DataErrors, RuleFiles};
use crate::hex::{Hex, HexSet};

/// The file that a game's scenario is in, whatever it was called before.
pub const FILE: &str = "scenario.yaml";

/// A scenario, checked against its map.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name on the command line: `austrian-1805`.
    pub id: String,
    /// Its title: `Austrian Challenge`.
    pub title: String,
    /// The situation, a few sentences.
    pub situation: String,
    /// The first season.
    pub start: Date,
    /// The last season.
    pub end: Date,
    sides: Vec<SideSpec>,
    units: Vec<UnitSpec>,
    control: BTreeMap<Hex, Side>,
    in_play: HexSet,
    neutral_open: bool,
    recalls: Vec<Recall>,
}

/// A side of a scenario.
#[derive(Debug, Clone)]
pub struct SideSpec {
    /// Which.
    pub side: Side,
    /// Its nations with their military points at the start, in the order in which they act.
    pub nations: Vec<(Nation, i32)>,
    /// What each level of victory asks for, from strategic defeat to absolute victory.
    pub levels: Vec<(Level, i32)>,
    /// Cities that are home to it though somebody else holds them at the start.
    pub home: BTreeSet<Hex>,
}

impl SideSpec {
    /// The level that so many victory points give (manual 5.2).
    #[must_use]
    pub fn level(&self, points: i32) -> Level {
        self.levels
            .iter()
            .rev()
            .find(|(_, least)| points >= *least)
            .map_or(Level::AbsoluteDefeat, |(level, _)| *level)
    }
}

/// A unit of the order of battle, or of the build pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its number.
    pub id: UnitId,
    /// Its name: `III Davout`.
    pub name: String,
    /// Whose it is.
    pub nation: Nation,
    /// The side that it fights for.
    pub side: Side,
    /// Its type.
    pub kind: UnitType,
    /// HQ only: what it adds to combat.
    pub modifier: i8,
    /// First year in which it can be built (ruling LGA-6).
    pub from_year: u16,
    /// Where it starts; none in the build pool.
    pub start: Option<Start>,
}

/// How a unit starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Where.
    pub hex: Hex,
    /// Whether as the city's garrison.
    pub garrison: bool,
    /// Morale.
    pub morale: i8,
    /// Fatigue.
    pub fatigue: u8,
}

/// A unit that is called away for good (ruling LGA-41).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recall {
    /// Who.
    pub unit: UnitId,
    /// To which city.
    pub to: Hex,
    /// At the start of its side's turn in this season.
    pub when: Date,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    id: String,
    title: String,
    map: String,
    situation: String,
    start: Date,
    end: Date,
    sides: Vec<SideLine>,
    #[serde(default)]
    recalls: Vec<RecallLine>,
    /// Whether sides may enter what the Neutral side controls (ruling LGA-33).
    #[serde(default)]
    neutral_open: bool,
    /// The side that takes the first turn of each season, where it is not the first of `sides` (ruling LGA-44).
    first: Option<Side>,
    control: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SideLine {
    side: Side,
    levels: BTreeMap<Level, i32>,
    #[serde(default)]
    home: Vec<String>,
    nations: Vec<NationLine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NationLine {
    nation: Nation,
    points: i32,
    #[serde(default)]
    units: Vec<UnitLine>,
    #[serde(default)]
    pool: Vec<PoolLine>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitLine {
    name: String,
    #[serde(rename = "type")]
    kind: UnitType,
    at: Hex,
    #[serde(default)]
    garrison: bool,
    morale: Option<i8>,
    #[serde(default)]
    fatigue: u8,
    #[serde(default)]
    modifier: i8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PoolLine {
    name: String,
    #[serde(rename = "type")]
    kind: UnitType,
    year: u16,
    #[serde(default)]
    modifier: i8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecallLine {
    unit: String,
    to: String,
    when: Date,
}

impl Scenario {
    /// Reads `scenario.yaml` and the map that it names, and checks one against the other.
    ///
    /// # Errors
    /// Everything that is wrong with either, with the line where that can be told.
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, Map), DataErrors> {
        let file: ScenarioFile = files.yaml(FILE)?;
        let map = Map::load(files, &file.map)?;
        let mut draft = Draft { text: files.text(FILE)?, map: &map, numbers, errors: Vec::new() };
        let scenario = draft.scenario(file);
        if draft.errors.is_empty() { Ok((scenario, map)) } else { Err(DataErrors(draft.errors)) }
    }

    /// The sides, in the order in which they take their turns.
    #[must_use]
    pub fn sides(&self) -> &[SideSpec] {
        &self.sides
    }

    /// One side.
    #[must_use]
    pub fn side(&self, side: Side) -> Option<&SideSpec> {
        self.sides.iter().find(|s| s.side == side)
    }

    /// The side that a nation fights for; none where it is not in the scenario.
    #[must_use]
    pub fn side_of(&self, nation: Nation) -> Option<Side> {
        self.sides.iter().find(|s| s.nations.iter().any(|(n, _)| *n == nation)).map(|s| s.side)
    }

    /// The nations in play with their military points at the start, in the order in which they act.
    pub fn nations(&self) -> impl Iterator<Item = (Nation, i32)> + '_ {
        self.sides.iter().flat_map(|s| s.nations.iter().copied())
    }

    /// Every unit, on the map or not, by number from 1.
    #[must_use]
    pub fn units(&self) -> &[UnitSpec] {
        &self.units
    }

    /// One unit.
    ///
    /// # Panics
    /// When the number is not one of this scenario's: every number in a state or an event is; what players write is
    /// looked up with [`Scenario::find`].
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &UnitSpec {
        &self.units[usize::from(id.0) - 1]
    }

    /// The unit with this number, if there is one.
    #[must_use]
    pub fn find(&self, id: UnitId) -> Option<&UnitSpec> {
        self.units.get(usize::from(id.0).checked_sub(1)?)
    }

    /// Whether anything may happen on land in this hex: not sea, and not closed in this scenario.
    #[must_use]
    pub fn in_play(&self, hex: Hex) -> bool {
        self.in_play.contains(hex)
    }

    /// Who controls each land hex in play at the start.
    #[must_use]
    pub fn control(&self) -> &BTreeMap<Hex, Side> {
        &self.control
    }

    /// Whether sides may enter what the Neutral side controls (ruling LGA-33).
    #[must_use]
    pub const fn neutral_open(&self) -> bool {
        self.neutral_open
    }

    /// The units that are called away.
    #[must_use]
    pub fn recalls(&self) -> &[Recall] {
        &self.recalls
    }

    /// Whether a city is a side's own: it held it at the start, or the scenario says so.
    #[must_use]
    pub fn is_home(&self, hex: Hex, side: Side) -> bool {
        match self.sides.iter().find(|s| s.home.contains(&hex)) {
            Some(owner) => owner.side == side,
            None => self.control.get(&hex) == Some(&side),
        }
    }

    /// How many seasons the scenario has.
    #[must_use]
    pub fn turns(&self) -> u32 {
        let season = |date: Date| u32::from(date.year) * 4 + date.season as u32;
        season(self.end) - season(self.start) + 1
    }
}

/// A scenario in the making, with everything found wrong so far.
struct Draft<'a> {
    text: &'a str,
    map: &'a Map,
    numbers: &'a Numbers,
    errors: Vec<DataError>,
}

impl Draft<'_> {
    /// Notes a fault, on the first line that contains `near`.
    fn fault(&mut self, near: &str, reason: impl Into<String>) {
        let line = line_of(self.text, near);
        self.errors.push(DataError { file: FILE.to_owned(), line, reason: reason.into() });
    }

    fn scenario(&mut self, file: ScenarioFile) -> Scenario {
        if file.end < file.start || file.end.year > file.start.year + 50 {
            self.fault("end:", format!("the scenario ends in {}, but starts in {}", file.end, file.start));
        }
        let control = self.control(&file.control);
        let mut scenario = Scenario {
            id: file.id,
            title: file.title,
            situation: file.situation.trim().to_owned(),
            start: file.start,
            end: file.end,
            sides: Vec::new(),
            units: Vec::new(),
            in_play: control.keys().copied().collect(),
            control,
            neutral_open: file.neutral_open,
            recalls: Vec::new(),
        };
        for side in file.sides {
            self.side(&mut scenario, side);
        }
        if scenario.sides.len() < 2 {
            self.fault("sides:", "a scenario needs two sides or three");
        }
        if let Some(first) = file.first {
            match scenario.sides.iter().position(|spec| spec.side == first) {
                Some(place) => scenario.sides[..=place].rotate_right(1),
                None => self.fault("first:", format!("`first` names the {first} side, which is not there")),
            }
        }
        self.garrisons(&scenario);
        for line in file.recalls {
            match (scenario.units.iter().find(|u| u.name == line.unit), self.map.city(&line.to)) {
                (Some(unit), Some(to)) => {
                    scenario.recalls.push(Recall { unit: unit.id, to, when: line.when });
                }
                _ => self.fault("recalls:", format!("no unit {} or no city {}", line.unit, line.to)),
            }
        }
        scenario
    }

    fn control(&mut self, rows: &[String]) -> BTreeMap<Hex, Side> {
        let mut control = BTreeMap::new();
        let shape = rows.iter().map(|row| row.chars().count()).collect::<Vec<_>>();
        if shape != vec![usize::from(self.map.columns()); usize::from(self.map.rows())] {
            self.fault("control:", "`control` needs a row a map row and a character a hex");
            return control;
        }
        for (hex, sign) in self.map.hexes().zip(rows.iter().flat_map(|row| row.chars())) {
            let land = self.map.area(hex).is_some_and(super::map::Area::is_land);
            let side = match sign {
                'F' => Side::French,
                'A' => Side::Allied,
                'N' => Side::Neutral,
                '#' => continue,
                '~' if !land => continue,
                other => {
                    self.fault(
                        "control:",
                        format!("`{other}` at {hex}: use F, A, N or # on land and ~ at sea"),
                    );
                    continue;
                }
            };
            if land {
                control.insert(hex, side);
            } else {
                self.fault("control:", format!("nobody can control {hex}: it is no land"));
            }
        }
        control
    }

    fn side(&mut self, scenario: &mut Scenario, line: SideLine) {
        if scenario.side(line.side).is_some() {
            self.fault("sides:", format!("the {} side stands there twice", line.side));
        }
        let levels: Vec<(Level, i32)> = line.levels.into_iter().collect();
        let right = levels.len() == 5
            && levels.iter().all(|(level, _)| *level != Level::AbsoluteDefeat)
            && levels.windows(2).all(|pair| pair[0].1 < pair[1].1);
        if !right {
            let reason = "`levels` needs the five from strategic-defeat to absolute-victory, each higher than the one before";
            self.fault("levels:", reason);
        }
        let mut home = BTreeSet::new();
        for city in &line.home {
            match self.map.city(city) {
                Some(hex) => drop(home.insert(hex)),
                None => self.fault(city, format!("the map has no city called {city}")),
            }
        }
        let nations = line.nations.iter().map(|n| (n.nation, n.points)).collect();
        for nation in line.nations {
            if scenario.side_of(nation.nation).is_some() {
                self.fault("nations:", format!("{} stands there twice", nation.nation));
            }
            self.nation(scenario, line.side, nation);
        }
        scenario.sides.push(SideSpec { side: line.side, nations, levels, home });
    }

    fn nation(&mut self, scenario: &mut Scenario, side: Side, line: NationLine) {
        let nation = line.nation;
        for unit in line.units {
            let max = self.numbers.stats(unit.kind).max_morale;
            let morale = unit.morale.unwrap_or(max);
            if !(0..=max).contains(&morale) {
                self.fault(&unit.name, format!("{} can't have morale {morale}: use 0 to {max}", unit.name));
            }
            if scenario.control.get(&unit.at) != Some(&side)
                && self.map.area(unit.at).is_none_or(super::map::Area::is_land)
            {
                self.fault(
                    &unit.name,
                    format!("{} stands at {}, which its side does not control", unit.name, unit.at),
                );
            }
            let start = Start { hex: unit.at, garrison: unit.garrison, morale, fatigue: unit.fatigue };
            let from_year = scenario.start.year;
            self.enlist(
                scenario,
                side,
                nation,
                (unit.name, unit.kind, unit.modifier),
                from_year,
                Some(start),
            );
        }
        for unit in line.pool {
            self.enlist(scenario, side, nation, (unit.name, unit.kind, unit.modifier), unit.year, None);
        }
    }

    fn enlist(
        &mut self,
        scenario: &mut Scenario,
        side: Side,
        nation: Nation,
        (name, kind, modifier): (String, UnitType, i8),
        from_year: u16,
        start: Option<Start>,
    ) {
        if scenario.units.iter().any(|u| u.nation == nation && u.name == name) {
            self.fault(&name, format!("{nation} has two units called {name}"));
        }
        if (kind == UnitType::Hq) != (1..=3).contains(&modifier) {
            self.fault(&name, format!("{name}: an HQ, and only an HQ, has a `modifier` from 1 to 3"));
        }
        let id = UnitId(u16::try_from(scenario.units.len() + 1).unwrap_or(u16::MAX));
        scenario.units.push(UnitSpec { id, name, nation, side, kind, modifier, from_year, start });
    }

    /// A garrison stands in a city, is of a type that can, and is alone in it as such (manual 3.5, 3.6).
    fn garrisons(&mut self, scenario: &Scenario) {
        let mut held = BTreeSet::new();
        for unit in &scenario.units {
            let Some(start) = unit.start.filter(|start| start.garrison) else { continue };
            let city = self.map.area(start.hex).is_some_and(|area| area.city.is_some());
            let able = matches!(unit.kind, UnitType::Infantry | UnitType::Guard | UnitType::Militia);
            if !city || !able || !held.insert(start.hex) {
                let reason = format!(
                    "{} can't garrison {}: a city has one garrison, of infantry, guard or militia",
                    unit.name, start.hex
                );
                self.fault(&unit.name, reason);
            }
        }
    }
}

impl Season {
    /// The season in lower case, for the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
            Self::Autumn => "autumn",
            Self::Winter => "winter",
        }
    }
}
