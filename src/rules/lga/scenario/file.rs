//! A scenario file, read and checked against its map: everything wrong with it is noted where it stands.

mod units;

use std::collections::{BTreeMap, BTreeSet};

use super::{Scenario, SideSpec};
use crate::map::{Area, Map, path_of};
use crate::model::{Date, Level, Nation, Season, Side};
use crate::numbers::Numbers;
use crate::setting::{Setting, Traits};
use musterd_engine::alike::{guess, meant};
use musterd_engine::files::{DataError, DataErrors, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{Content, Fields, LineColumn, Node, Reader, short};

/// The file that a game's scenario is in, whatever it was called before.
pub const FILE: &str = "scenario.yaml";

/// The years in which a scenario can be set.
const YEARS: std::ops::RangeInclusive<i64> = 1700..=1899;
/// The most seasons that a scenario can have.
const MOST_TURNS: u32 = 80;
/// The most that a nation can have, or a level ask for.
const MOST_POINTS: i64 = 999;

const SIDES: [&str; 3] = ["french", "allied", "neutral"];
const SEASONS: [&str; 4] = ["spring", "summer", "autumn", "winter"];
const LEVELS: [(&str, Level); 5] = [
    ("strategic-defeat", Level::StrategicDefeat),
    ("tactical-defeat", Level::TacticalDefeat),
    ("tactical-victory", Level::TacticalVictory),
    ("strategic-victory", Level::StrategicVictory),
    ("absolute-victory", Level::AbsoluteVictory),
];

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
        const KEYS: &[&str] = &[
            "id",
            "title",
            "map",
            "situation",
            "aftermath",
            "start",
            "end",
            "first",
            "sides",
            "recalls",
            "neutral_open",
            "control",
        ];
        let mut reader = Reader::new(FILE);
        let tree = files.tree(FILE)?;
        let fields = reader.fields(&tree, "a scenario", KEYS);
        let named = fields.need(&mut reader, "map");
        let (map, mut setting, of_map) =
            match named.and_then(|node| Some((node, reader.text(node, "the map's name")?))) {
                None => return Err(DataErrors(reader.errors)),
                Some((node, name)) => match Map::read(files, name) {
                    Ok(read) => read,
                    Err(_) if !files.0.contains_key(&path_of(name)) => {
                        let maps = files.0.keys();
                        let maps = maps.filter_map(|path| path.strip_prefix("maps/")?.strip_suffix(".yaml"));
                        let hint = meant(name, maps.clone()).map_or_else(
                            || format!("there are {}", maps.clone().collect::<Vec<_>>().join(", ")),
                            |near| format!("did you mean `{near}`?"),
                        );
                        let reason = format!("there is no map `{}` ({}); {hint}", short(name), path_of(name));
                        reader.fault(node.at, reason);
                        return Err(DataErrors(reader.errors));
                    }
                    Err(errors) => return Err(DataErrors([reader.errors, errors.0].concat())),
                },
            };
        for (nation, home) in numbers.nations.iter().filter(|(nation, _)| !map.homes().contains_key(nation)) {
            setting.rehome(*nation, home);
        }
        if let Some(countries) = &numbers.muster.abroad {
            setting.starve_in(countries);
        }
        let mut places =
            Places { map: named.map_or_else(LineColumn::default, |node| node.at), ..Places::default() };
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
        let scenario = recruiter.scenario(&fields);
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
    fn scenario(&mut self, fields: &Fields<'_>) -> Scenario {
        let mut say = |key, what: &str| {
            let node = fields.need(self.reader, key)?;
            Some(self.reader.text(node, what)?.trim().to_owned())
        };
        let id = say("id", "the scenario's id");
        let title = say("title", "the title").unwrap_or_default();
        let situation = say("situation", "the situation").unwrap_or_default();
        let aftermath = fields.get("aftermath").and_then(|n| self.reader.text(n, "the aftermath"));
        let aftermath = aftermath.unwrap_or_default().trim().to_owned();
        if let (Some(id), Some(node)) = (&id, fields.get("id"))
            && !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            self.reader
                .fault(node.at, format!("`{}` is no id: use a-z, 0-9 and -, as in waterloo-1815", short(id)));
        }
        let start = fields.need(self.reader, "start").and_then(|n| self.date(n));
        let end = fields.need(self.reader, "end").and_then(|n| self.date(n));
        let fallback = Date { year: 1805, season: Season::Spring };
        let dated = start.zip(end);
        let (start, end) = dated.unwrap_or((fallback, fallback));
        let neutral_open = fields.get("neutral_open").and_then(|n| self.reader.flag(n, "`neutral_open`"));
        let mut scenario = Scenario {
            id: id.unwrap_or_default(),
            title,
            situation,
            aftermath,
            start,
            end,
            sides: Vec::new(),
            units: Vec::new(),
            in_play: HexSet::default(),
            control: BTreeMap::new(),
            neutral_open: neutral_open.unwrap_or_default(),
            recalls: Vec::new(),
        };
        if let Some(node) = fields.get("end") {
            if end < start {
                self.reader
                    .fault(node.at, format!("the scenario ends in {end} but starts in {start}: swap them"));
            } else if scenario.turns() > MOST_TURNS {
                let reason =
                    format!("the scenario has {} seasons: it may have {MOST_TURNS}", scenario.turns());
                self.reader.fault(node.at, reason);
            }
        }
        let sides = fields.need(self.reader, "sides");
        let lines = sides.map_or(&[][..], |n| self.reader.list(n, "`sides`"));
        let present = lines.iter().filter_map(side_named).collect();
        if let Some(node) = fields.need(self.reader, "control") {
            scenario.control = self.control(node, &present);
            scenario.in_play = scenario.control.keys().copied().collect();
        }
        for line in lines {
            self.side(&mut scenario, line);
        }
        if let Some(node) = sides
            && lines.len() < 2
        {
            self.reader.fault(node.at, "a scenario needs two sides or three: add one to `sides`");
        }
        if let Some(node) = fields.get("first")
            && let Some(first) = self.reader.word::<Side>(node, "side", &SIDES)
        {
            match scenario.sides.iter().position(|spec| spec.side == first) {
                Some(place) => scenario.sides[..=place].rotate_right(1),
                None => self
                    .reader
                    .fault(node.at, format!("the {first} side is not in the scenario: name one that is")),
            }
        }
        self.garrisons(&scenario);
        for line in fields.get("recalls").map_or(&[][..], |n| self.reader.list(n, "`recalls`")) {
            self.recall(&mut scenario, line);
        }
        scenario
    }

    fn date(&mut self, node: &Node) -> Option<Date> {
        let fields = self.reader.fields(node, "a date", &["season", "year"]);
        let season = fields.need(self.reader, "season");
        let season = season.and_then(|n| self.reader.word(n, "season", &SEASONS));
        let year = fields.need(self.reader, "year").and_then(|n| self.reader.number(n, "year", YEARS));
        Some(Date { season: season?, year: year? })
    }

    /// Who controls each hex at the start, by a sign a hex.
    fn control(&mut self, node: &Node, present: &BTreeSet<Side>) -> BTreeMap<Hex, Side> {
        let mut control = BTreeMap::new();
        let rows = self.reader.list(node, "`control`");
        let (columns, height) = (usize::from(self.map.columns()), usize::from(self.map.rows()));
        if rows.len() != height {
            self.vague.extend(self.map.hexes());
        }
        if rows.len() != height && self.solid {
            let reason = format!("`control` has {} rows and the map {height}: write a row a row", rows.len());
            self.reader.fault(node.at, reason);
        }
        let mut hexes = self.map.hexes();
        for (number, row) in rows.iter().take(height).enumerate() {
            let signs: Vec<char> =
                self.reader.text(row, "a row of `control`").unwrap_or_default().chars().collect();
            if signs.len() != columns && self.solid {
                let reason = format!(
                    "row {} of `control` has {} characters, the map {columns} columns: write one a hex",
                    number + 1,
                    signs.len()
                );
                self.reader.fault(row.character(signs.len().min(columns)), reason);
            }
            for (column, hex) in hexes.by_ref().take(columns).enumerate() {
                if signs.len() != columns {
                    self.vague.insert(hex);
                    continue;
                }
                let Some(&sign) = signs.get(column) else { continue };
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
                            self.reader.fault(row.character(column), reason);
                        }
                        self.vague.insert(hex);
                    }
                    Ok(None) => {}
                    Err(reason) => {
                        if self.solid && !self.vague.contains(hex) {
                            self.reader.fault(row.character(column), reason);
                        }
                        self.vague.insert(hex);
                    }
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

    fn side(&mut self, scenario: &mut Scenario, node: &Node) {
        let fields = self.reader.fields(node, "a side", &["side", "levels", "home", "nations"]);
        let named = fields.need(self.reader, "side");
        let side = named.and_then(|n| Some((n, self.reader.word::<Side>(n, "side", &SIDES)?)));
        let levels = fields.need(self.reader, "levels").map(|n| (n.at, self.levels(n))).unwrap_or_default();
        let mut home = BTreeSet::new();
        for node in fields.get("home").map_or(&[][..], |n| self.reader.list(n, "`home`")) {
            if let Some(hex) = self.city(node)
                && (!home.insert(hex) || scenario.sides.iter().any(|other| other.home.contains(&hex)))
            {
                self.reader.fault(
                    node.at,
                    format!("{} is somebody's home already: name it once", self.map.place(hex)),
                );
            }
        }
        let lines = fields.need(self.reader, "nations");
        let lines = lines.map_or(&[][..], |n| self.reader.list(n, "`nations`"));
        let Some((named, side)) = side else { return };
        if scenario.side(side).is_some() {
            self.reader
                .fault(named.at, format!("the {side} side stands there twice: put its nations into one"));
            return;
        }
        if lines.is_empty() && fields.get("nations").is_some() {
            self.reader.fault(fields.at, format!("the {side} side has no nation: add one to `nations`"));
        }
        self.places.sides.insert(side, fields.at);
        self.places.levels.insert(side, levels.0);
        let mut spec = SideSpec { side, nations: Vec::new(), levels: levels.1, home };
        for line in lines {
            self.nation(scenario, &mut spec, line);
        }
        scenario.sides.push(spec);
    }

    /// The five levels of victory, each above the one before.
    fn levels(&mut self, node: &Node) -> Vec<(Level, i32)> {
        let fields = self.reader.fields(node, "`levels`", &LEVELS.map(|(word, _)| word));
        let mut levels: Vec<(Level, i32)> = Vec::new();
        for (word, level) in LEVELS {
            let Some(node) = fields.need(self.reader, word) else { continue };
            let Some(points) = self.reader.number(node, word, 0..=MOST_POINTS) else { continue };
            if let Some((below, least)) = levels.last().filter(|(_, least)| *least >= points) {
                let reason = format!(
                    "{level} asks for {points} points, but {below} for {least}: each has to ask for more"
                );
                self.reader.fault(node.at, reason);
            }
            levels.push((level, points));
        }
        levels
    }

    /// The hex of a city that a node names.
    fn city(&mut self, node: &Node) -> Option<Hex> {
        let name = self.reader.text(node, "a city")?;
        let hex = self.map.city(name);
        if hex.is_none() && self.solid {
            let near = guess(name, self.map.cities().map(|(_, city)| city.name.as_str()));
            self.reader.fault(node.at, format!("the map has no city called {}{near}", short(name)));
        }
        hex
    }

    fn nation(&mut self, scenario: &mut Scenario, side: &mut SideSpec, node: &Node) {
        let fields = self.reader.fields(node, "a nation", &["nation", "points", "units", "pool"]);
        let named = fields.need(self.reader, "nation");
        let nation =
            named.and_then(|n| Some((n.at, self.reader.word::<Nation>(n, "nation", &self.setting.words())?)));
        let points = fields.need(self.reader, "points");
        let points = points.and_then(|n| self.reader.number(n, "number of military points", 0..=MOST_POINTS));
        let Some((at, nation)) = nation else { return };
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
        if let Some(leader) = self.setting.leader(side.side)
            && leader.nation != nation
            && side.nations.is_empty()
        {
            let (name, word) = (&leader.name, leader.nation.word());
            let reason = format!("the {} side begins with {name}: put `{word}` first", side.side);
            self.reader.fault(at, reason);
        }
        self.places.nations.insert(nation, at);
        self.capital(traits, at);
        side.nations.push((nation, points.unwrap_or_default()));
        for line in fields.get("units").map_or(&[][..], |n| self.reader.list(n, "`units`")) {
            self.unit(scenario, (side.side, nation), line, true);
        }
        for line in fields.get("pool").map_or(&[][..], |n| self.reader.list(n, "`pool`")) {
            self.unit(scenario, (side.side, nation), line, false);
        }
    }

    /// A side draws all its supply from the capitals of the nation that leads it: without one on the map every unit starves.
    fn capital(&mut self, traits: &Traits, at: LineColumn) {
        let capitals = &traits.home.capitals;
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

/// The side that a line of `sides` names, or was meant to; none where that can't be told.
fn side_named(node: &Node) -> Option<Side> {
    let Content::Map(pairs) = &node.content else { return None };
    let text = |node: &Node| match &node.content {
        Content::Text { text, .. } => text.clone(),
        Content::List(_) | Content::Map(_) => String::new(),
    };
    let (_, value) = pairs.iter().find(|(key, _)| text(key) == "side")?;
    let meant = meant(&text(value), SIDES.into_iter())?.to_owned();
    let sides = [Side::French, Side::Allied, Side::Neutral];
    sides.into_iter().zip(SIDES).find(|(_, word)| *word == meant).map(|(side, _)| side)
}
