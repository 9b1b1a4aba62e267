//! A scenario file, read and checked against its map: everything wrong with it is noted where it stands.

mod units;

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{Levels, NationLine, ScenarioFile, SideLine};
use super::{Scenario, SideSpec};
use crate::map::{Area, Map, path_of};
use crate::model::{Level, Nation, Side};
use crate::numbers::Numbers;
use crate::setting::{Setting, Traits, known};
use musterd_engine::alike::{guess, meant};
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{LineColumn, Node, Reader, short};
use musterd_kit::data::{ANY, At, read_file};
use musterd_kit::field::{Cells, Rows};

/// The file that a game's scenario is in, whatever it was called before.
pub const FILE: &str = "scenario.yaml";

/// The most seasons that a scenario can have.
const MOST_TURNS: u32 = 80;
impl Scenario {
    /// Reads `scenario.yaml`, the map that it names and the map's setting, and checks one against the other.
    ///
    /// # Errors
    /// Everything that is wrong with either, with file, line and column.
    pub fn load(files: &RuleFiles, numbers: &Numbers) -> Result<(Self, Map, Setting), DataErrors> {
        let draft = ReadScenario::read(files, numbers)?;
        match draft.errors.is_empty() {
            true => Ok((draft.scenario, draft.map, draft.setting)),
            false => Err(DataErrors(draft.errors)),
        }
    }
}

/// A scenario as read, with everything found in it and its map; usable if there are no errors.
pub(crate) struct ReadScenario {
    pub(crate) scenario: Scenario,
    pub(crate) map: Map,
    pub(crate) setting: Setting,
    pub(crate) places: Places,
    pub(crate) errors: Vec<DataError>,
    pub(crate) warnings: Vec<DataError>,
}

/// Where in `scenario.yaml` its parts stand.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The map's name.
    pub(crate) map: LineColumn,
    /// The victory levels of each side.
    pub(crate) levels: BTreeMap<Side, LineColumn>,
    /// Each side.
    pub(crate) sides: BTreeMap<Side, LineColumn>,
    /// Each nation.
    pub(crate) nations: BTreeMap<Nation, LineColumn>,
    /// Every unit, in order.
    pub(crate) units: Vec<LineColumn>,
}

impl ReadScenario {
    /// Reads `scenario.yaml` and the map that it names.
    ///
    /// # Errors
    /// When the scenario can't be read at all, or names no map.
    pub(crate) fn read(files: &RuleFiles, numbers: &Numbers) -> Result<Self, DataErrors> {
        let mut reader = Reader::new(FILE);
        let tree = files.tree(FILE)?;
        let Some(file): Option<ScenarioFile> = read_file(&mut reader, &tree, &ANY) else {
            let map =
                tree.get("map").and_then(Node::text).map(|name| Map::read(files, name, &numbers.terrains));
            let of_map = map.map_or_else(Vec::new, |map| map.map_or_else(|e| e.0, |(.., map)| map.errors));
            return Err(DataErrors([reader.errors, of_map].concat()));
        };
        let At { at, value: name, .. } = &file.map;
        let (map, mut setting, of_map) = match Map::read(files, name, &numbers.terrains) {
            Ok(read) => read,
            Err(_) if !files.0.contains_key(&path_of(name)) => {
                let maps = files.0.keys();
                let maps = maps.filter_map(|path| path.strip_prefix("maps/")?.strip_suffix(".yaml"));
                let hint = meant(name, maps.clone()).map_or_else(
                    || format!("there are {}", maps.clone().collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                let reason = format!("there is no map `{}` ({}); {hint}", short(name), path_of(name));
                reader.fault(*at, reason);
                return Err(DataErrors(reader.errors));
            }
            Err(errors) => return Err(DataErrors([reader.errors, errors.0].concat())),
        };
        for (nation, home) in numbers.nations.iter().filter(|(nation, _)| !map.homes().contains_key(nation)) {
            setting.rehome(*nation, home);
        }
        if let Some(countries) = &numbers.muster.abroad {
            setting.starve_in(countries);
        }
        let mut places = Places { map: *at, ..Places::default() };
        let solid = of_map.errors.is_empty();
        let mut recruiter = Recruiter {
            reader: &mut reader,
            map: &map,
            setting: &setting,
            solid,
            numbers,
            places: &mut places,
            vague: HexSet::default(),
            absent: BTreeSet::new(),
        };
        let scenario = recruiter.scenario(file);
        Ok(Self {
            scenario,
            map,
            setting,
            places,
            errors: [of_map.errors, reader.errors].concat(),
            warnings: [of_map.warnings, reader.warnings].concat(),
        })
    }
}

/// A scenario in the making.
struct Recruiter<'a> {
    reader: &'a mut Reader,
    map: &'a Map,
    setting: &'a Setting,
    /// Whether the map is without fault: else nothing is said of what stands where.
    solid: bool,
    numbers: &'a Numbers,
    places: &'a mut Places,
    /// Hexes of which `control` can't tell whose they are: a row is missing or has the wrong length, or the sign is a fault.
    vague: HexSet,
    /// Sides that hold hexes without being in the scenario: told once each.
    absent: BTreeSet<Side>,
}

impl Recruiter<'_> {
    fn scenario(&mut self, file: ScenarioFile) -> Scenario {
        let At { at, value: id, .. } = file.id;
        if !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
            let id = short(&id);
            self.reader.fault(at, format!("`{id}` is no id: use a-z, 0-9 and -, as in waterloo-1815"));
        }
        let (start, end) = (file.start, file.end.value);
        let mut scenario = Scenario {
            id,
            title: file.title,
            situation: file.situation,
            aftermath: file.aftermath,
            start,
            end,
            sides: Vec::new(),
            units: Vec::new(),
            in_play: HexSet::default(),
            control: BTreeMap::new(),
            neutral_open: file.neutral_open,
            recalls: Vec::new(),
        };
        if end < start {
            let reason = format!("the scenario ends in {end} but starts in {start}: swap them");
            self.reader.fault(file.end.at, reason);
        } else if scenario.turns() > MOST_TURNS {
            let reason = format!("the scenario has {} seasons: it may have {MOST_TURNS}", scenario.turns());
            self.reader.fault(file.end.at, reason);
        }
        // A side with a fault may not be among those that were read.
        let present = match self.reader.errors.is_empty() {
            true => file.sides.value.iter().map(|line| line.value.side.value).collect(),
            false => BTreeSet::from([Side::French, Side::Allied]),
        };
        scenario.control = self.control(&file.control, &present);
        scenario.in_play = scenario.control.keys().copied().collect();
        if file.sides.value.len() < 2 {
            self.reader.fault(file.sides.at, "a scenario needs two sides or three: add one to `sides`");
        }
        for line in file.sides.value {
            self.side(&mut scenario, line);
        }
        if let Some(At { at, value: first, .. }) = file.first {
            match scenario.sides.iter().position(|spec| spec.side == first) {
                Some(place) => scenario.sides[..=place].rotate_right(1),
                None => self
                    .reader
                    .fault(at, format!("the {first} side is not in the scenario: name one that is")),
            }
        }
        self.garrisons(&scenario);
        for line in file.recalls {
            self.recall(&mut scenario, line);
        }
        scenario
    }

    /// Who controls each hex at the start, by a sign a hex.
    fn control(&mut self, rows: &At<Vec<At<String>>>, present: &BTreeSet<Side>) -> BTreeMap<Hex, Side> {
        let mut control = BTreeMap::new();
        let size = (self.map.columns(), self.map.rows());
        // The faults of a map that has some itself are told of the map.
        let mut ignored = Reader::new("");
        let reader = if self.solid { &mut *self.reader } else { &mut ignored };
        let signs = Rows::beside(reader, "control", rows, Cells::Signs, size);
        if signs.size() != size {
            self.vague.extend(self.map.hexes());
        }
        for hex in self.map.hexes() {
            let sign = signs.at(hex).and_then(|(sign, place)| Some((sign.chars().next()?, place)));
            let Some((sign, place)) = sign else {
                self.vague.insert(hex);
                continue;
            };
            match self.holder(hex, sign) {
                // The Neutral side has no commander, so it need not be among the sides.
                Ok(Some(side)) if side == Side::Neutral || present.contains(&side) => {
                    control.insert(hex, side);
                }
                Ok(Some(side)) => {
                    if self.absent.insert(side) && self.solid {
                        let reason = format!(
                            "{hex} is held by the {side} side, which is not in `sides`: add it, or write N or #"
                        );
                        self.reader.fault(place, reason);
                    }
                    self.vague.insert(hex);
                }
                Ok(None) => {}
                Err(reason) => {
                    if self.solid && !self.vague.contains(hex) {
                        self.reader.fault(place, reason);
                    }
                    self.vague.insert(hex);
                }
            }
        }
        control
    }

    /// What a sign of `control` says of a hex.
    fn holder(&self, hex: Hex, sign: char) -> Result<Option<Side>, String> {
        let land = self.map.area(hex).is_some_and(Area::is_land);
        let side = match sign {
            'F' => Side::French,
            'A' => Side::Allied,
            'N' => Side::Neutral,
            '#' => return Ok(None),
            '~' if !land => return Ok(None),
            '~' => {
                return Err(format!("{} is land: write F, A, N, or # for out of play", self.map.place(hex)));
            }
            other => {
                return Err(format!(
                    "`{other}` at {hex} is no sign: use F French, A Allied, N neutral, # out of play, ~ sea"
                ));
            }
        };
        if !land {
            return Err(format!("{hex} is no land, so nobody holds it: write ~ or #"));
        }
        Ok(Some(side))
    }

    fn side(&mut self, scenario: &mut Scenario, line: At<SideLine>) {
        let At { at, value: line, .. } = line;
        let levels = self.levels(&line.levels.value);
        let mut home = BTreeSet::new();
        for name in &line.home {
            if let Some(hex) = self.city(name)
                && (!home.insert(hex) || scenario.sides.iter().any(|other| other.home.contains(&hex)))
            {
                let reason = format!("{} is somebody's home already: name it once", self.map.place(hex));
                self.reader.fault(name.at, reason);
            }
        }
        let At { at: named, value: side, .. } = line.side;
        if scenario.side(side).is_some() {
            self.reader.fault(named, format!("the {side} side stands there twice: put its nations into one"));
            return;
        }
        if line.nations.is_empty() {
            self.reader.fault(at, format!("the {side} side has no nation: add one to `nations`"));
        }
        self.places.sides.insert(side, at);
        self.places.levels.insert(side, line.levels.at);
        let mut spec = SideSpec { side, nations: Vec::new(), levels, home };
        for line in line.nations {
            self.nation(scenario, &mut spec, line);
        }
        scenario.sides.push(spec);
    }

    /// The five levels of victory, each above the one before.
    fn levels(&mut self, levels: &Levels) -> Vec<(Level, i32)> {
        let all = [
            (Level::StrategicDefeat, &levels.strategic_defeat),
            (Level::TacticalDefeat, &levels.tactical_defeat),
            (Level::TacticalVictory, &levels.tactical_victory),
            (Level::StrategicVictory, &levels.strategic_victory),
            (Level::AbsoluteVictory, &levels.absolute_victory),
        ];
        for ((below, least), (level, points)) in all.iter().zip(&all[1..]) {
            if least.value >= points.value {
                let (points, least, at) = (points.value, least.value, points.at);
                let reason = format!(
                    "{level} asks for {points} points, but {below} for {least}: each has to ask for more"
                );
                self.reader.fault(at, reason);
            }
        }
        all.map(|(level, points)| (level, points.value)).to_vec()
    }

    /// The hex of a city of this name.
    fn city(&mut self, name: &At<String>) -> Option<Hex> {
        let At { at, value: name, .. } = name;
        let hex = self.map.city(name);
        if hex.is_none() && self.solid {
            let near = guess(name, self.map.cities().map(|(_, city)| city.name.as_str()));
            self.reader.fault(*at, format!("the map has no city called {}{near}", short(name)));
        }
        hex
    }

    fn nation(&mut self, scenario: &mut Scenario, side: &mut SideSpec, line: NationLine) {
        let at = line.nation.at;
        let Some(nation) = known(self.reader, self.setting, &line.nation) else { return };
        if let Some(other) = scenario
            .sides
            .iter()
            .map(|s| (s.side, &s.nations))
            .chain([(side.side, &side.nations)])
            .find_map(|(other, nations)| nations.iter().any(|(n, _)| *n == nation).then_some(other))
        {
            let reason =
                format!("{} fights for the {other} side already: name it once", self.setting.of(nation).name);
            self.reader.fault(at, reason);
            return;
        }
        let traits = self.setting.of(nation);
        if let Some(leads) = traits.leads.filter(|leads| *leads != side.side) {
            self.reader.fault(at, format!("{} is the {leads} side: put it there", traits.name));
        }
        if let Some((leader, leading)) = self.setting.leader(side.side)
            && leader != nation
            && side.nations.is_empty()
        {
            let (name, word) = (&leading.name, leader.word());
            let reason = format!("the {} side begins with {name}: put `{word}` first", side.side);
            self.reader.fault(at, reason);
        }
        self.places.nations.insert(nation, at);
        self.capital(traits, at);
        side.nations.push((nation, line.points));
        for unit in line.units {
            self.unit(scenario, (side.side, nation), unit);
        }
        for unit in line.pool {
            self.pooled(scenario, (side.side, nation), unit);
        }
    }

    /// A side draws all its supply from the capitals of the nation that leads it: without one on the map every unit starves.
    fn capital(&mut self, traits: &Traits, at: LineColumn) {
        let capitals = &traits.capitals;
        if traits.leads.is_some() && self.solid && !capitals.iter().any(|city| self.map.city(city).is_some())
        {
            let reason = format!(
                "the map has no {}, from where {} is supplied: name another capital under `homes` in the map",
                capitals.join(" or "),
                traits.name
            );
            self.reader.fault(at, reason);
        }
    }
}
