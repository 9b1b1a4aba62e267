//! A scenario file, read and checked against its map: everything wrong with it is noted where it stands.

mod units;

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{Levels, NationLine, ScenarioFile, SideLine};
use super::{Scenario, SideSpec};
use crate::map::{Gaps, Map, ReadMap, path_of};
use crate::model::{Level, Nation, Side};
use crate::numbers::Numbers;
use crate::setting::{ReadSetting, Setting, Traits};
use crate::terrains::Terrains;
use musterd_engine::alike::{guess, names};
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::{ANY, At, whole};
use musterd_kit::field::{Cells, Rows};
use musterd_kit::files::open;

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
        let (mut reader, file) = open::<ScenarioFile>(files, FILE, &ANY);
        let Some(file) = file else { return Err(DataErrors(reader.errors)) };
        let ReadMap { map, mut setting, gaps, errors, warnings } =
            map_of(&mut reader, files, &file.map, &numbers.terrains);
        for (nation, home) in numbers.nations.iter().filter(|(nation, _)| !map.homes.contains_key(nation)) {
            setting.setting.rehome(*nation, home);
        }
        if let Some(countries) = &numbers.muster.abroad {
            setting.setting.starve_in(countries);
        }
        let mut places = Places { map: file.map.at, ..Places::default() };
        let mut recruiter = Recruiter {
            reader: &mut reader,
            map: &map,
            gaps: &gaps,
            setting: &setting,
            numbers,
            places: &mut places,
            vague: HexSet::default(),
            absent: BTreeSet::new(),
            whole: true,
            named: BTreeMap::new(),
        };
        let scenario = recruiter.scenario(file);
        Ok(Self {
            scenario,
            map,
            setting: setting.setting,
            places,
            errors: [setting.errors, errors, reader.errors].concat(),
            warnings: [warnings, reader.warnings].concat(),
        })
    }
}

/// The map that a scenario names.
fn map_of(reader: &mut Reader, files: &RuleFiles, named: &At<String>, terrains: &Terrains) -> ReadMap {
    let Some(name) = named.known() else { return ReadMap::unknown() };
    if files.0.contains_key(&path_of(name)) {
        return ReadMap::read(files, name, terrains);
    }
    let maps = files.0.keys().filter_map(|path| path.strip_prefix("maps/")?.strip_suffix(".yaml"));
    let hint = names(name, maps);
    reader.fault(named.at, format!("there is no map `{}` ({}); {hint}", short(name), path_of(name)));
    ReadMap::unknown()
}

/// A scenario in the making.
struct Recruiter<'a> {
    reader: &'a mut Reader,
    map: &'a Map,
    /// What is not known of the map.
    gaps: &'a Gaps,
    setting: &'a ReadSetting,
    numbers: &'a Numbers,
    places: &'a mut Places,
    /// Hexes of which `control` can't tell whose they are: a row is missing or has the wrong length, or the sign is a fault.
    vague: HexSet,
    /// Sides that hold hexes without being in the scenario: told once each.
    absent: BTreeSet<Side>,
    /// Whether all units could be read so far, with their names.
    whole: bool,
    /// The units so far by their nation, which is told by the number of units before it, and the words of their names: the first of each, by its index.
    named: BTreeMap<(usize, Vec<String>), usize>,
}

/// A nation of the scenario, as far as it is known.
struct Raising<'a> {
    side: Option<Side>,
    nation: Option<Nation>,
    traits: Option<&'a Traits>,
    /// The number of units before its own.
    before: usize,
}

impl Recruiter<'_> {
    fn scenario(&mut self, file: ScenarioFile) -> Scenario {
        if let Some(id) = file.id.known()
            && !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            let id = short(id);
            self.reader
                .fault(file.id.at, format!("`{id}` is no id: use a-z, 0-9 and -, as in waterloo-1815"));
        }
        let mut scenario = Scenario {
            id: file.id.value,
            title: file.title,
            situation: file.situation,
            aftermath: file.aftermath,
            start: file.start.value,
            end: file.end.value,
            sides: Vec::new(),
            units: Vec::new(),
            in_play: HexSet::default(),
            control: BTreeMap::new(),
            neutral_open: file.neutral_open,
            recalls: Vec::new(),
        };
        let dated = file.start.known().is_some() && file.end.known().is_some();
        if dated {
            self.dates(&scenario, file.end.at);
        }
        let sides = file.sides.known();
        // A side that can't be read may be any.
        let named = sides.is_some_and(|sides| sides.iter().all(|line| line.value.side.known().is_some()));
        let present = match named {
            true => file.sides.value.iter().map(|line| line.value.side.value).collect(),
            false => BTreeSet::from([Side::French, Side::Allied, Side::Neutral]),
        };
        self.whole = sides.is_some_and(whole);
        scenario.control = self.control(&file.control, &present);
        scenario.in_play = scenario.control.keys().copied().collect();
        if sides.is_some_and(|sides| sides.len() < 2) {
            self.reader.fault(file.sides.at, "a scenario needs two sides or three: add one to `sides`");
        }
        for line in file.sides.value {
            self.side(&mut scenario, line);
        }
        if let Some((at, first)) = file.first.and_then(|first| Some((first.at, *first.known()?))) {
            match scenario.sides.iter().position(|spec| spec.side == first) {
                Some(place) => scenario.sides[..=place].rotate_right(1),
                None if named => {
                    let reason = format!("the {first} side is not in the scenario: name one that is");
                    self.reader.fault(at, reason);
                }
                None => {}
            }
        }
        self.garrisons(&scenario);
        for line in file.recalls {
            self.recall(&mut scenario, &line, dated);
        }
        scenario
    }

    /// Whether a scenario ends after its start, and soon enough.
    fn dates(&mut self, scenario: &Scenario, at: LineColumn) {
        let (start, end) = (scenario.start, scenario.end);
        if end < start {
            let reason = format!("the scenario ends in {end} but starts in {start}: swap them");
            self.reader.fault(at, reason);
        } else if scenario.turns() > MOST_TURNS {
            let reason = format!("the scenario has {} seasons: it may have {MOST_TURNS}", scenario.turns());
            self.reader.fault(at, reason);
        }
    }

    /// Who controls each hex at the start, by a sign a hex.
    fn control(&mut self, rows: &At<Vec<At<String>>>, present: &BTreeSet<Side>) -> BTreeMap<Hex, Side> {
        let mut control = BTreeMap::new();
        let size = self.gaps.sized.then_some((self.map.columns, self.map.rows));
        let signs = Rows::beside(self.reader, "control", rows, Cells::Signs, size);
        if signs.known_size().is_none() {
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
                    if self.absent.insert(side) {
                        let reason = format!(
                            "{hex} is held by the {side} side, which is not in `sides`: add it, or write N or #"
                        );
                        self.reader.fault(place, reason);
                    }
                    self.vague.insert(hex);
                }
                Ok(None) => {}
                Err(reason) => {
                    if !self.vague.contains(hex) {
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
        let vague = self.gaps.vague.contains(hex);
        let land = self.map.is_land(hex);
        let side = match sign {
            'F' => Side::French,
            'A' => Side::Allied,
            'N' => Side::Neutral,
            '#' => return Ok(None),
            '~' if vague || !land => return Ok(None),
            '~' => {
                return Err(format!("{} is land: write F, A, N, or # for out of play", self.map.place(hex)));
            }
            other => {
                return Err(format!(
                    "`{other}` at {hex} is no sign: use F French, A Allied, N neutral, # out of play, ~ sea"
                ));
            }
        };
        if !land && !vague {
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
        let side = line.side.known().copied();
        let twice = side.is_some_and(|side| scenario.side(side).is_some());
        if let Some(side) = side.filter(|_| twice) {
            let reason = format!("the {side} side stands there twice: put its nations into one");
            self.reader.fault(line.side.at, reason);
        }
        if let Some([]) = line.nations.known().map(Vec::as_slice) {
            let side = side.map_or_else(|| "this".to_owned(), |side| format!("the {side}"));
            self.reader.fault(at, format!("{side} side has no nation: add one to `nations`"));
        }
        self.whole &= line.nations.known().is_some();
        let mut spec = SideSpec { side: line.side.value, nations: Vec::new(), levels, home };
        for (number, line) in line.nations.value.into_iter().enumerate() {
            self.nation(scenario, &mut spec, (side, number == 0 && !twice), line);
        }
        if let Some(side) = side.filter(|_| !twice) {
            self.places.sides.insert(side, at);
            self.places.levels.insert(side, line.levels.at);
            scenario.sides.push(spec);
        }
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
            if let (Some(least), Some(asked)) = (least.known(), points.known())
                && least >= asked
            {
                let (points, at) = (asked, points.at);
                let reason = format!(
                    "{level} asks for {points} points, but {below} for {least}: each has to ask for more"
                );
                self.reader.fault(at, reason);
            }
        }
        all.map(|(level, points)| (level, points.value)).to_vec()
    }

    /// The hex of a city of this name.
    fn city(&mut self, named: &At<String>) -> Option<Hex> {
        let name = named.known()?;
        let hex = self.map.city(name);
        if hex.is_none() && self.gaps.lacks(name) {
            let near = guess(name, self.map.cities().map(|(_, city)| city.name.as_str()));
            self.reader.fault(named.at, format!("the map has no city called {}{near}", short(name)));
        }
        hex
    }

    /// A nation of a side, which is the first that the side has or not.
    fn nation(
        &mut self,
        scenario: &mut Scenario,
        spec: &mut SideSpec,
        (side, first): (Option<Side>, bool),
        line: NationLine,
    ) {
        let setting = self.setting;
        let nation = setting.known(self.reader, &line.nation);
        let traits = nation.and_then(|nation| setting.setting.find(nation));
        if let Some((nation, traits)) = nation.zip(traits)
            && !self.is_twice(scenario, spec, side, (nation, line.nation.at))
        {
            self.standing((side, first), (nation, traits), line.nation.at);
            self.places.nations.insert(nation, line.nation.at);
            self.capital(traits, line.nation.at);
            spec.nations.push((nation, line.points));
        }
        let raising = Raising { side, nation, traits, before: scenario.units.len() };
        self.whole &= line.units.as_ref().is_none_or(whole_list) && line.pool.as_ref().is_none_or(whole_list);
        for unit in line.units.map_or_else(Vec::new, |list| list.value) {
            self.unit(scenario, &raising, unit);
        }
        for unit in line.pool.map_or_else(Vec::new, |list| list.value) {
            self.pooled(scenario, &raising, unit);
        }
    }

    /// Whether a nation fights already, which is a fault.
    fn is_twice(
        &mut self,
        scenario: &Scenario,
        spec: &SideSpec,
        side: Option<Side>,
        (nation, at): (Nation, LineColumn),
    ) -> bool {
        let before = scenario.sides.iter().map(|spec| (Some(spec.side), spec)).chain([(side, spec)]);
        let has = |spec: &SideSpec| spec.nations.iter().any(|(of, _)| *of == nation);
        let Some(other) = before.into_iter().find_map(|(other, spec)| has(spec).then_some(other)) else {
            return false;
        };
        let name = &self.setting.setting.of(nation).name;
        let other = other.map_or_else(|| "this".to_owned(), |side| format!("the {side}"));
        self.reader.fault(at, format!("{name} fights for {other} side already: name it once"));
        true
    }

    /// A nation that leads a side fights on it, before all others.
    fn standing(
        &mut self,
        (side, first): (Option<Side>, bool),
        (nation, traits): (Nation, &Traits),
        at: LineColumn,
    ) {
        let Some(side) = side else { return };
        if let Some(leads) = traits.leads.filter(|leads| *leads != side) {
            self.reader.fault(at, format!("{} is the {leads} side: put it there", traits.name));
        }
        if let Some((leader, leading)) = self.setting.setting.leader(side)
            && leader != nation
            && first
        {
            let (name, word) = (&leading.name, leader.word());
            let reason = format!("the {side} side begins with {name}: put `{word}` first");
            self.reader.fault(at, reason);
        }
    }

    /// A side draws all its supply from the capitals of the nation that leads it: without one on the map every unit starves.
    fn capital(&mut self, traits: &Traits, at: LineColumn) {
        let capitals = &traits.capitals;
        let missing = |city: &String| self.map.city(city).is_none() && self.gaps.lacks(city);
        let known = self.gaps.homed && self.setting.errors.is_empty();
        if traits.leads.is_some() && known && capitals.iter().all(missing) {
            let reason = format!(
                "the map has no {}, from where {} is supplied: name another capital under `homes` in the map",
                capitals.join(" or "),
                traits.name
            );
            self.reader.fault(at, reason);
        }
    }
}

/// Whether a list of a nation's units is there, and every one of it.
fn whole_list<T>(list: &At<Vec<At<T>>>) -> bool {
    list.known().is_some_and(|entries| whole(entries))
}
