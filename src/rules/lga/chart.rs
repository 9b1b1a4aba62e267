//! A scenario as a rule book prints it: situation, sides, forces, victory levels, special rules, map. It is made from the scenario's data and its
//! first position, which anybody may read, and never from a game in play.

use std::collections::{BTreeMap, BTreeSet};

use super::atlas::{self, ENEMY_SIGNS, bounds};
use super::data::Lga;
use super::map::Map;
use super::model::{Arm, CityRank, Nation, Side, Terrain, UnitType};
use super::scenario::{SideSpec, UnitSpec};
use super::special;
use super::state::State;
use super::victory;
use musterd_engine::briefing::{
    Briefing, Column, Fact, Item, Map as Sheet, Part, Row, Scale, Section, Table,
};
use musterd_engine::hex::Hex;
use musterd_report::map::MOST_COLUMNS;

/// The scenario as a document, its map at the end if it is wanted.
pub(super) fn chart(rules: &Lga, map: bool) -> Briefing {
    let scenario = &rules.scenario;
    let mut sections = vec![
        Section::of("Situation", vec![Part::text(&scenario.situation)]),
        Section::of("Sides", sides(rules)),
        Section::of(
            "Victory",
            vec![Part::Table(levels(rules)), Part::text(format!("{} {LEVELS}", at_the_start(rules)))],
        ),
        Section::of("Forces", forces(rules)),
        Section::of("Order of battle", order_of_battle(rules)),
    ];
    sections.extend(pool(rules).map(|parts| Section::of("Build pool", parts)));
    let special = special(rules);
    if !special.is_empty() {
        let items = special.into_iter().map(Item::of);
        let part = Part::Items { numbered: false, items: items.collect() };
        sections.push(Section::of("Special rules", vec![part]));
    }
    if map {
        sections.push(Section::of("The map", vec![strategic(rules), Part::text(STRATEGIC)]));
        sections.extend(theatres(rules));
    }
    Briefing {
        title: scenario.title.clone(),
        date: format!("{} to {}", scenario.start, scenario.end),
        sections,
        ..Briefing::default()
    }
}

const LEVELS: &str = "Each level asks for so many victory points at the end: 4 for a capital of one's own, 2 for a major city \
                      of one's own, 1 for either taken from the enemy. The higher level wins.";
const STRATEGIC: &str =
    "Hexes are written column, then row; even rows stand half a hex to the right. Blanks are out of play.";

/// Dates, turns, seats.
fn sides(rules: &Lga) -> Vec<Part> {
    let scenario = &rules.scenario;
    let seasons = match scenario.turns() {
        1 => "one season".to_owned(),
        turns => format!("{turns} seasons"),
    };
    let mut facts = vec![Fact::of("Dates", format!("{} to {}, {seasons}", scenario.start, scenario.end))];
    for spec in &scenario.sides {
        let nations: Vec<&str> = spec.nations.iter().map(|(nation, _)| rules.name(*nation)).collect();
        let seat = spec.side.word();
        let shared = match nations.as_slice() {
            [_] | [] => String::new(),
            _ => {
                let seats: Vec<String> = spec
                    .nations
                    .iter()
                    .map(|(nation, _)| format!("`{seat}.{}`", rules.setting.seat_word(*nation)))
                    .collect();
                format!(", or shared: {}", seats.join(", "))
            }
        };
        facts.push(Fact::of(spec.side.to_string(), format!("{}; seat `{seat}`{shared}", nations.join(", "))));
    }
    let order: Vec<String> = scenario.sides.iter().map(|spec| spec.side.to_string()).collect();
    facts.push(Fact::of("Each season", order.join(", then ")));
    vec![Part::Facts { facts }]
}

/// The victory points needed for each victory level by each side, best first, and the sides' points at the start.
pub(super) fn levels(rules: &Lga) -> Table {
    let sides = &rules.scenario.sides;
    let state = State::at_start(rules);
    let mut table = Table { columns: vec![column("", false)], rows: Vec::new() };
    table.columns.extend(sides.iter().map(|spec| column(&spec.side.to_string(), true)));
    let levels = sides.first().map_or(&[][..], |spec| spec.levels.as_slice());
    for (place, (level, _)) in levels.iter().enumerate().rev() {
        let asked = sides.iter().map(|spec| spec.levels.get(place).map_or(0, |(_, least)| *least));
        points_row(&mut table, &level.to_string(), asked);
    }
    let held = sides.iter().map(|spec| victory::points(rules, &state.control, spec.side));
    points_row(&mut table, "at the start", held);
    table
}

/// Adds a row of points, a side a column.
pub(super) fn points_row(table: &mut Table, name: &str, points: impl Iterator<Item = i32>) {
    let cells = std::iter::once(name.to_owned()).chain(points.map(|points| points.to_string()));
    table.rows.push(Row::Cells(cells.collect()));
}

fn column(title: &str, right: bool) -> Column {
    Column { title: title.to_owned(), right }
}

/// `At the start: French tactical defeat, Allied absolute victory.`
pub(super) fn at_the_start(rules: &Lga) -> String {
    let state = State::at_start(rules);
    let standing = |spec: &SideSpec| {
        format!("{} {}", spec.side, spec.level(victory::points(rules, &state.control, spec.side)))
    };
    let standings: Vec<String> = rules.scenario.sides.iter().map(standing).collect();
    format!("At the start: {}.", standings.join(", "))
}

/// The forces of a nation or a side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Forces {
    /// Units on the map by type.
    units: BTreeMap<UnitType, u32>,
    /// The sum of their morale.
    pub(super) morale: i32,
    /// Headquarters on the map.
    headquarters: u32,
    /// Units and headquarters in the build pool.
    pub(super) pool: u32,
    /// Military points.
    points: i32,
}

impl Forces {
    /// The forces of a nation.
    pub(super) fn of(rules: &Lga, nation: Nation) -> Self {
        let points = rules.scenario.nations().find(|(n, _)| *n == nation).map_or(0, |(_, points)| points);
        let mut strength = Self { points, ..Self::default() };
        for unit in rules.scenario.units.iter().filter(|unit| unit.nation == nation) {
            let Some(start) = unit.start else {
                strength.pool += 1;
                continue;
            };
            strength.morale += i32::from(start.morale);
            match unit.kind.arm {
                Arm::Hq => strength.headquarters += 1,
                _ => *strength.units.entry(unit.kind).or_default() += 1,
            }
        }
        strength
    }

    /// The forces of a side.
    pub(super) fn of_side(rules: &Lga, spec: &SideSpec) -> Self {
        let forces = spec.nations.iter().map(|(nation, _)| Self::of(rules, *nation));
        forces.reduce(Self::and).unwrap_or_default()
    }

    /// Units and headquarters on the map.
    pub(super) fn pieces(&self) -> u32 {
        self.units.values().sum::<u32>() + self.headquarters
    }

    fn and(self, other: Self) -> Self {
        let mut units = self.units;
        other.units.into_iter().for_each(|(kind, more)| *units.entry(kind).or_default() += more);
        Self {
            units,
            morale: self.morale + other.morale,
            headquarters: self.headquarters + other.headquarters,
            pool: self.pool + other.pool,
            points: self.points + other.points,
        }
    }

    /// A row of the table: the units of each arm, then the rest.
    fn row(&self, name: &str) -> Vec<String> {
        let of = |arm: Arm| self.units.iter().filter(|(kind, _)| kind.arm == arm).map(|(_, n)| n).sum();
        let (headquarters, pool) = (number(self.headquarters), number(self.pool));
        let rest = [self.morale.to_string(), headquarters, self.points.to_string(), pool];
        std::iter::once(name.to_owned()).chain(ARMS_OF_UNITS.map(|arm| number(of(arm)))).chain(rest).collect()
    }

    /// The types of an author's own among the units: `1 lancers (cavalry)`.
    fn own_types(&self) -> Vec<String> {
        let own = self.units.iter().filter(|(kind, _)| **kind != kind.arm.into());
        own.map(|(kind, n)| format!("{n} {kind} ({})", kind.arm)).collect()
    }
}

/// The arms of units, in the order in which tables have them.
const ARMS_OF_UNITS: [Arm; 4] = [Arm::Infantry, Arm::Guard, Arm::Militia, Arm::Cavalry];

fn number(n: u32) -> String {
    if n == 0 { "-".to_owned() } else { n.to_string() }
}

/// The forces of each nation and each side, and the types of an author's own among them.
pub(super) fn forces(rules: &Lga) -> Vec<Part> {
    let mut table = Table { columns: vec![column("", false)], rows: Vec::new() };
    table.columns.extend(ARMS_OF_UNITS.map(|arm| column(UnitType::from(arm).word(), true)));
    table.columns.extend(["morale", "HQs", "points", "pool"].map(|title| column(title, true)));
    let mut own = Vec::new();
    for spec in &rules.scenario.sides {
        for (nation, _) in &spec.nations {
            let forces = Forces::of(rules, *nation);
            let types = forces.own_types();
            if !types.is_empty() {
                own.push(Fact::of(rules.name(*nation), types.join(", ")));
            }
            table.rows.push(Row::Cells(forces.row(rules.name(*nation))));
        }
        if spec.nations.len() > 1 {
            let name = format!("{} side", spec.side);
            table.rows.push(Row::Cells(Forces::of_side(rules, spec).row(&name)));
        }
    }
    let own = (!own.is_empty()).then_some(Part::Facts { facts: own });
    std::iter::once(Part::Table(table)).chain(own).collect()
}

/// A unit in a few words: `NAPOLEON (HQ +2)`, `Mack 2 (militia, garrison, morale 1)`.
fn in_words(rules: &Lga, unit: &UnitSpec) -> String {
    let mut notes = vec![match unit.kind {
        kind if kind.arm == Arm::Hq => format!("{kind} {:+}", unit.modifier),
        kind => kind.to_string(),
    }];
    if let Some(start) = unit.start {
        if start.garrison {
            notes.push("garrison".to_owned());
        }
        if start.morale != rules.stats(unit.kind).max_morale {
            notes.push(format!("morale {}", start.morale));
        }
        if start.fatigue > 0 {
            notes.push(format!("fatigue {}", start.fatigue));
        }
    }
    format!("{} ({})", unit.name, notes.join(", "))
}

/// The positions of all units, nation by nation.
fn order_of_battle(rules: &Lga) -> Vec<Part> {
    let mut parts = Vec::new();
    for (nation, _) in rules.scenario.nations() {
        let mut places: BTreeMap<Hex, Vec<String>> = BTreeMap::new();
        for unit in rules.scenario.units.iter().filter(|unit| unit.nation == nation) {
            if let Some(start) = unit.start {
                places.entry(start.hex).or_default().push(in_words(rules, unit));
            }
        }
        parts.push(Part::Heading { text: rules.name(nation).to_owned() });
        parts.push(if places.is_empty() {
            Part::text("Nobody on the map.")
        } else {
            let facts = places
                .into_iter()
                .map(|(hex, units)| Fact::of(rules.map.place(hex).into_owned(), units.join(", ")));
            Part::Facts { facts: facts.collect() }
        });
    }
    parts
}

/// The units that can be built, by the first year.
fn pool(rules: &Lga) -> Option<Vec<Part>> {
    let mut years: BTreeMap<u16, BTreeMap<usize, (Nation, Vec<String>)>> = BTreeMap::new();
    for unit in rules.scenario.units.iter().filter(|unit| unit.start.is_none()) {
        let nations = years.entry(unit.from_year.max(rules.scenario.start.year)).or_default();
        let place = rules.setting.place(unit.nation);
        let (_, units) = nations.entry(place).or_insert_with(|| (unit.nation, Vec::new()));
        units.push(in_words(rules, unit));
    }
    let mut parts = Vec::new();
    for (year, nations) in years {
        parts.push(Part::Heading { text: format!("From {year}") });
        let facts =
            nations.into_values().map(|(nation, units)| Fact::of(rules.name(nation), units.join(", ")));
        parts.push(Part::Facts { facts: facts.collect() });
    }
    (!parts.is_empty()).then_some(parts)
}

/// The special rules of this scenario, and those of its setting.
fn special(rules: &Lga) -> Vec<String> {
    let scenario = &rules.scenario;
    let mut rules_in_words = Vec::new();
    for recall in &scenario.recalls {
        let unit = scenario.unit(recall.unit);
        let place = rules.map.place(recall.to);
        rules_in_words.push(format!(
            "In {} {} goes to {place} and stays there; lost then, it is not built again.",
            recall.when, unit.name
        ));
    }
    for spec in scenario.sides.iter().filter(|spec| !spec.home.is_empty()) {
        let cities: Vec<_> = spec.home.iter().map(|hex| rules.map.place(*hex)).collect();
        let verb = if cities.len() == 1 { "counts" } else { "count" };
        rules_in_words.push(format!(
            "{} {verb} as {} cities, whoever holds them.",
            cities.join(", "),
            spec.side
        ));
    }
    if scenario.control.values().any(|side| *side == Side::Neutral) && scenario.side(Side::Neutral).is_none()
    {
        rules_in_words.push(match scenario.neutral_open {
            true => "Whoever enters neutral ground takes it.".to_owned(),
            false => "Neutral ground is closed to everybody.".to_owned(),
        });
    }
    let place = |(nation, _): &(&Nation, _)| rules.setting.place(**nation);
    let mut homes: Vec<_> = rules.map.homes.iter().collect();
    homes.sort_by_key(place);
    for (nation, home) in homes {
        if scenario.side_of(*nation).is_some() && !home.capitals.is_empty() {
            rules_in_words.push(format!(
                "{} is the capital of {} on this map: its source of supply, and where it builds.",
                home.capitals.join(" or "),
                rules.name(*nation)
            ));
        }
    }
    rules_in_words.extend(special::in_words(rules));
    rules_in_words
}

/// A map of all hexes in play: control, and the nations that stand there.
fn strategic(rules: &Lga) -> Part {
    let mut map = atlas::sheet(rules, Scale::Strategic, bounds(rules), |hex| sign(rules, hex));
    for unit in &rules.scenario.units {
        if let Some(tile) = unit.start.and_then(|start| map.tiles.get_mut(&start.hex)) {
            tile.pin.get_or_insert(rules.setting.of(unit.nation).letter);
        }
    }
    let entry = |sign: &str, meaning: &str| (sign.to_owned(), meaning.to_owned());
    map.legend = atlas::grounds(&rules.map);
    let held: BTreeSet<Side> = rules.scenario.control.values().copied().collect();
    for side in held {
        let sign = holder(side).map_or_else(|| "blank".to_owned(), |sign| format!("{sign}."));
        map.legend.push(entry(&sign, &format!("held: {side}")));
    }
    for (nation, _) in rules.scenario.nations() {
        let traits = rules.setting.of(nation);
        map.legend.push(entry(&format!("{}.", traits.letter), &traits.name));
    }
    Part::Map(map)
}

/// The sign of a hex's controller: `None` for the French, who are the first to read a map.
const fn holder(side: Side) -> Option<char> {
    match side {
        Side::French => None,
        Side::Allied => Some(ENEMY_SIGNS[0]),
        Side::Neutral => Some(ENEMY_SIGNS[1]),
    }
}

fn sign(rules: &Lga, hex: Hex) -> Option<char> {
    rules.scenario.control.get(&hex).copied().and_then(holder)
}

/// Detailed maps, in sheets of at most twelve columns: rivers, names, stacks.
fn theatres(rules: &Lga) -> Vec<Section> {
    let (start, end) = bounds(rules);
    let width = end.col - start.col + 1;
    let sheets = width.div_ceil(MOST_COLUMNS);
    let each = width.div_ceil(sheets.max(1));
    let mut sections = Vec::new();
    for sheet in 0..sheets {
        let first = start.col + sheet * each;
        let last = (first + each - 1).min(end.col);
        let frame = (Hex::new(first, start.row), Hex::new(last, end.row));
        let mut map = atlas::sheet(rules, Scale::Theatre, frame, |hex| sign(rules, hex));
        for (hex, tile) in &mut map.tiles {
            tile.forces = stack(rules, *hex).unwrap_or_default();
        }
        let title = if sheets == 1 { "Closely".to_owned() } else { format!("Columns {first} to {last}") };
        sections.push(Section::of(&title, vec![Part::Map(map)]));
    }
    if let Some(section) = sections.last_mut() {
        section.parts.push(Part::text(THEATRE));
    }
    sections
}

const THEATRE: &str = "F3g+2: nation, units, g with a garrison, +2 with an HQ. # and == are rivers; X and XX can't be passed. \
                       The lower line of a hex: empty the French side, ::: the Allied, ''' the Neutral.";

/// The pieces that start in a hex, in five characters.
fn stack(rules: &Lga, hex: Hex) -> Option<String> {
    let units = rules.scenario.units.iter();
    let here: Vec<_> =
        units.filter_map(|unit| Some((unit, unit.start.filter(|start| start.hex == hex)?))).collect();
    let (top, _) = here.first()?;
    let pieces: Vec<_> =
        here.iter().map(|(unit, start)| (unit.kind.arm, start.garrison, unit.modifier)).collect();
    Some(atlas::forces(rules.setting.of(top.nation).letter, &pieces, false))
}

/// A map in numbers, and drawn: for its author.
pub(super) fn survey(map: &Map) -> Vec<Section> {
    let of = |terrain: Terrain| {
        map.hexes()
            .filter(|hex| map.area(*hex).is_some_and(|a| a.terrain == terrain && a.own_terrain.is_none()))
            .count()
    };
    let own = atlas::own_terrains(map).into_iter().map(|own| {
        let hexes = map.hexes().filter(|hex| map.area(*hex).is_some_and(|a| a.own_terrain == Some(own)));
        format!("{} {}", hexes.count(), own.word())
    });
    let ranked = |rank: CityRank| map.cities().filter(|(_, city)| city.rank == rank).count();
    let ports = map.cities().filter(|(_, city)| city.port).count();
    let kinds = Terrain::ALL.map(|terrain| (of(terrain), terrain));
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, terrain)| format!("{n} {terrain}"))
        .chain(own)
        .collect();
    let facts = vec![
        Fact::of("Size", format!("{} columns, {} rows", map.columns, map.rows)),
        Fact::of("Hexes", kinds.join(", ")),
        Fact::of(
            "Cities",
            format!(
                "{} capital, {} major, {} minor; {ports} of them ports",
                ranked(CityRank::Capital),
                ranked(CityRank::Major),
                ranked(CityRank::Minor)
            ),
        ),
        Fact::of("River sides", map.rivers().count().to_string()),
    ];
    let mut sheet = atlas::bare(map, Scale::Strategic);
    sheet.legend = atlas::grounds(map);
    let mut parts = vec![Part::Facts { facts }, Part::Map(sheet)];
    if map.columns <= MOST_COLUMNS {
        let close: Sheet = atlas::bare(map, Scale::Theatre);
        parts.push(Part::Map(close));
    }
    vec![Section::of("The map", parts)]
}
