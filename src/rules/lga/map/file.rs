//! Reads a map file: every fault is noted with its place, and reading goes on.

use std::collections::{BTreeMap, BTreeSet};

use super::area::{Area, City, Link};
use super::grid::{Map, side};
use crate::folding::words;
use crate::model::{CityRank, Nation, Terrain};
use crate::setting::{self, Home, Setting};
use musterd_engine::alike::guess;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{Fields, LineColumn, Node, Reader, short};

/// The most rows and columns that a map may have, limited by the four digits of a hex.
const MOST: usize = 99;

/// The file of the map with this name.
#[must_use]
pub fn path_of(name: &str) -> String {
    format!("maps/{name}.yaml")
}

impl Map {
    /// Reads `maps/<name>.yaml`, completely even if it has faults, which the reader notes, and its setting.
    ///
    /// # Errors
    /// When the file is missing or can't be read at all, or its setting has faults.
    pub fn read(files: &RuleFiles, name: &str) -> Result<(Self, Setting, Reader), DataErrors> {
        let path = path_of(name);
        let mut reader = Reader::new(&path);
        let tree = files.tree(&path)?;
        let fields = reader.fields(&tree, "a map", KEYS);
        let named = fields.get("setting").and_then(|n| Some((n, reader.text(n, "the setting's name")?)));
        if let Some((node, name)) = named.filter(|(_, name)| !files.0.contains_key(&setting::path_of(name))) {
            let settings =
                files.0.keys().filter_map(|path| path.strip_prefix("settings/")?.strip_suffix(".yaml"));
            let reason = format!("there is no setting `{}`{}", short(name), guess(name, settings));
            reader.fault(node.at, reason);
            return Err(DataErrors(reader.errors));
        }
        let mut setting = Setting::read(files, named.map(|(_, name)| name))?;
        let map = read(&mut reader, &fields, &setting);
        map.homes.iter().for_each(|(nation, home)| setting.rehome(*nation, home));
        Ok((map, setting, reader))
    }
}

const KEYS: &[&str] = &[
    "name",
    "setting",
    "terrain",
    "regions",
    "countries",
    "seas",
    "sea_links",
    "cities",
    "rivers",
    "blocked",
    "homes",
];

/// Reads a map.
fn read(reader: &mut Reader, fields: &Fields<'_>, setting: &Setting) -> Map {
    if let Some(name) = fields.need(reader, "name") {
        reader.text(name, "the map's name");
    }
    let letters = Letters {
        countries: fields.need(reader, "countries").map(|n| countries(reader, n)).unwrap_or_default(),
        seas: fields.get("seas").map(|n| seas(reader, n)).unwrap_or_default(),
    };
    for (letter, (at, _)) in &letters.countries {
        if letters.seas.contains_key(letter) {
            reader.fault(*at, format!("`{letter}` is a country and a sea: give one of them another letter"));
        }
    }
    let terrain = fields.need(reader, "terrain").map(|n| grid(reader, n, "terrain")).unwrap_or_default();
    let regions = fields.need(reader, "regions").map(|n| grid(reader, n, "regions")).unwrap_or_default();
    let mut draft = Sketch { reader, bad: BTreeSet::new(), places: BTreeMap::new() };
    let mut map = draft.areas(&terrain, &regions, &letters, fields.at);
    if let Some(node) = fields.get("rivers") {
        map.rivers = draft.sides(&map, node, "a river");
    }
    if let Some(node) = fields.get("blocked") {
        map.blocked = draft.sides(&map, node, "a blocked passage").into_keys().collect();
    }
    if let Some(node) = fields.need(draft.reader, "cities") {
        for line in draft.reader.list(node, "`cities`") {
            draft.city(&mut map, line, &letters);
        }
    }
    map.links = links(&map);
    if let Some(node) = fields.get("sea_links") {
        for line in draft.reader.list(node, "`sea_links`") {
            draft.sea_link(&mut map, line);
        }
    }
    if let Some(node) = fields.get("homes") {
        draft.homes(&mut map, node, &letters, setting);
    }
    map.places = map.hexes().map(|hex| map.place(hex).into_owned()).collect();
    map
}

/// The meaning of the letters of `regions`, with their places.
#[derive(Default)]
struct Letters {
    countries: BTreeMap<char, (LineColumn, String)>,
    seas: BTreeMap<char, (LineColumn, Sea)>,
}

struct Sea {
    name: String,
    closed: bool,
}

fn letter(reader: &mut Reader, key: &Node) -> Option<char> {
    let text = reader.text(key, "a letter of `regions`")?;
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(letter), None) if letter != '-' => Some(letter),
        _ => {
            reader.fault(key.at, format!("`{}` is no letter: write one character, not `-`", short(text)));
            None
        }
    }
}

fn countries(reader: &mut Reader, node: &Node) -> BTreeMap<char, (LineColumn, String)> {
    let mut countries = BTreeMap::new();
    for (key, value) in reader.entries(node, "`countries`") {
        if let (Some(letter), Some(name)) = (letter(reader, key), reader.text(value, "a country's name")) {
            countries.insert(letter, (key.at, name.to_owned()));
        }
    }
    countries
}

fn seas(reader: &mut Reader, node: &Node) -> BTreeMap<char, (LineColumn, Sea)> {
    let mut seas = BTreeMap::new();
    for (key, value) in reader.entries(node, "`seas`") {
        let fields = reader.fields(value, "a sea", &["name", "closed"]);
        let name = fields.need(reader, "name").and_then(|n| reader.text(n, "a sea's name"));
        let closed = fields.get("closed").and_then(|n| reader.flag(n, "`closed`")).unwrap_or_default();
        if let (Some(letter), Some(name)) = (letter(reader, key), name) {
            seas.insert(letter, (key.at, Sea { name: name.to_owned(), closed }));
        }
    }
    seas
}

/// The rows of a grid, one character a hex.
fn grid<'n>(reader: &mut Reader, node: &'n Node, what: &str) -> Vec<(&'n Node, Vec<char>)> {
    let rows = reader.list(node, &format!("`{what}`"));
    let rows: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row, reader.text(row, &format!("a row of `{what}`"))?.chars().collect())))
        .collect();
    if rows.is_empty() || rows.len() > MOST {
        reader.fault(node.at, format!("`{what}` has {} rows: a map has 1 to {MOST}", rows.len()));
    }
    rows
}

/// The length that most rows have.
fn usual_length(rows: &[(&Node, Vec<char>)]) -> usize {
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, row) in rows {
        *lengths.entry(row.len()).or_default() += 1;
    }
    lengths.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(length, _)| length)
}

/// The passable sides of every hex.
fn links(map: &Map) -> Vec<Vec<Link>> {
    let open = |hex: Hex| map.area(hex).is_some_and(|area| area.terrain != Terrain::Prohibited);
    map.hexes()
        .map(|from| {
            from.around()
                .filter(|&to| open(from) && open(to) && !map.blocked(from, to))
                .filter_map(|to| Some(Link { to, index: map.index(to)?, river: map.river(from, to) }))
                .collect()
        })
        .collect()
}

/// A map in the making.
struct Sketch<'a> {
    reader: &'a mut Reader,
    /// Hexes with a fault that was already reported; faults that follow from it are not.
    bad: BTreeSet<Hex>,
    /// The place of each city in the file, by hex.
    places: BTreeMap<Hex, LineColumn>,
}

impl Sketch<'_> {
    /// The hexes with their terrain and region.
    fn areas(
        &mut self,
        terrain: &[(&Node, Vec<char>)],
        regions: &[(&Node, Vec<char>)],
        letters: &Letters,
        at: LineColumn,
    ) -> Map {
        let (columns, rows) = (usual_length(terrain), terrain.len());
        if !terrain.is_empty() && !regions.is_empty() && regions.len() != rows {
            let at = regions[0].0.at;
            self.reader.fault(
                at,
                format!("`regions` has {} rows and `terrain` {rows}: write a row a row", regions.len()),
            );
        }
        if columns > MOST {
            self.reader.fault(at, format!("the map has {columns} columns: it may have {MOST}"));
        }
        let (columns, rows) = (columns.min(MOST), rows.min(MOST));
        for (what, grid) in [("terrain", terrain), ("regions", regions)] {
            for (number, (node, row)) in grid.iter().enumerate().filter(|(_, (_, row))| row.len() != columns)
            {
                let reason = format!(
                    "row {} of `{what}` has {} characters, the others {columns}: write one a hex",
                    number + 1,
                    row.len()
                );
                self.reader.fault(node.character(row.len().min(columns)), reason);
            }
        }
        let mut areas = Vec::with_capacity(rows * columns);
        let mut used = BTreeSet::new();
        for row in 0..rows {
            for column in 0..columns {
                let number = |n: usize| u8::try_from(n + 1).unwrap_or(u8::MAX);
                let hex = Hex::new(number(column), number(row));
                let ground = sign(terrain, row, column, columns);
                let region = sign(regions, row, column, columns);
                used.extend(region.map(|(letter, _)| letter));
                areas.push(self.area(hex, ground, region, letters));
            }
        }
        for (letter, at) in letters.letters().filter(|(letter, _)| !used.contains(letter)) {
            self.reader
                .doubt(at, format!("no hex of `regions` is `{letter}`: leave the line out, or use it"));
        }
        let narrow = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        Map {
            columns: narrow(columns),
            rows: narrow(rows),
            areas,
            links: Vec::new(),
            cities: BTreeMap::new(),
            rivers: BTreeMap::new(),
            blocked: BTreeSet::new(),
            homes: BTreeMap::new(),
            places: Vec::new(),
        }
    }

    fn area(
        &mut self,
        hex: Hex,
        ground: Option<(char, LineColumn)>,
        region: Option<(char, LineColumn)>,
        letters: &Letters,
    ) -> Area {
        let mut area = Area {
            terrain: Terrain::Prohibited,
            city: None,
            country: String::new(),
            within: String::new(),
            sea_zone: None,
            closed_sea: false,
        };
        let (Some((ground, at)), Some((region, region_at))) = (ground, region) else {
            self.bad.insert(hex);
            return area;
        };
        area.terrain = match ground {
            '.' => Terrain::Clear,
            'f' => Terrain::Forest,
            '^' => Terrain::Mountain,
            '%' => Terrain::Marsh,
            '~' => Terrain::Sea,
            '#' => Terrain::Prohibited,
            other => {
                self.bad.insert(hex);
                let signs = ". clear, f forest, ^ mountain, % marsh, ~ sea, # closed";
                self.reader.fault(at, format!("`{other}` at {hex} is no terrain: use {signs}"));
                return area;
            }
        };
        let country = letters.countries.get(&region).map(|(_, name)| name);
        let sea = letters.seas.get(&region).map(|(_, sea)| sea);
        let wrong = match area.terrain {
            _ if country.is_none() && sea.is_none() && region != '-' => {
                Some(format!("`{region}` at {hex} is no country and no sea: add it to one of them"))
            }
            Terrain::Sea if sea.is_none() => {
                Some(format!("{hex} is sea, but `{region}` is not one of `seas`: change one of them"))
            }
            Terrain::Prohibited if region != '-' => {
                Some(format!("{hex} is closed, so it is nobody's: write `-` for `{region}`"))
            }
            Terrain::Clear | Terrain::Forest | Terrain::Mountain | Terrain::Marsh if country.is_none() => {
                Some(format!("{hex} is land, but `{region}` is not one of `countries`: change one of them"))
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            self.bad.insert(hex);
            self.reader.fault(region_at, wrong);
        }
        area.country = country.cloned().unwrap_or_default();
        area.within.clone_from(&area.country);
        area.sea_zone = sea.map(|sea| sea.name.clone());
        area.closed_sea = sea.is_some_and(|sea| sea.closed);
        area
    }

    /// The hex that a node names, if the map has it.
    fn hex(&mut self, map: &Map, node: &Node) -> Option<Hex> {
        let text = self.reader.text(node, "a hex")?;
        match text.parse::<Hex>() {
            Err(error) => self.reader.fault(node.at, error.to_string()),
            Ok(hex) if map.area(hex).is_none() => {
                let last = Hex::new(map.columns, map.rows);
                self.reader.fault(node.at, format!("{hex} is off the map: its last hex is {last}"));
            }
            Ok(hex) => return Some(hex),
        }
        None
    }

    /// Hex sides by name: rivers, or sides that can't be passed.
    fn sides(&mut self, map: &Map, node: &Node, what: &str) -> BTreeMap<(Hex, Hex), String> {
        let mut sides = BTreeMap::new();
        for (key, value) in self.reader.entries(node, what) {
            let Some(name) = self.reader.text(key, "its name") else { continue };
            for pair in self.reader.list(value, what) {
                if let Some((a, b)) = self.pair(map, pair)
                    && sides.insert(side(a, b), name.to_owned()).is_some_and(|before| before == *name)
                {
                    self.reader.fault(pair.at, format!("{a}-{b} stands in {name} twice: leave one out"));
                }
            }
        }
        sides
    }

    fn pair(&mut self, map: &Map, node: &Node) -> Option<(Hex, Hex)> {
        let text = self.reader.text(node, "a hex side")?;
        let hexes =
            text.split_once('-').and_then(|(a, b)| Some((a.parse::<Hex>().ok()?, b.parse::<Hex>().ok()?)));
        let Some((a, b)) = hexes else {
            self.reader.fault(
                node.at,
                format!("`{}` is no hex side: write two neighbours such as 1307-1407", short(text)),
            );
            return None;
        };
        if let Some(off) = [a, b].into_iter().find(|hex| map.area(*hex).is_none()) {
            self.reader.fault(node.at, format!("{off} in {text} is off the map"));
            return None;
        }
        if a.direction_to(b).is_none() {
            let around: BTreeSet<Hex> = a.around().filter(|h| map.area(*h).is_some()).collect();
            let around: Vec<String> = around.iter().map(Hex::to_string).collect();
            let reason = format!("{a} and {b} are no neighbours: {a} touches {}", around.join(", "));
            self.reader.fault(node.at, reason);
            return None;
        }
        Some((a, b))
    }

    fn city(&mut self, map: &mut Map, node: &Node, letters: &Letters) {
        let fields = self.reader.fields(node, "a city", &["hex", "name", "rank", "short", "port", "within"]);
        let hex = fields.need(self.reader, "hex").and_then(|n| Some((n, self.hex(map, n)?)));
        let name =
            fields.need(self.reader, "name").and_then(|n| Some((n, self.reader.text(n, "a city's name")?)));
        let rank = fields.need(self.reader, "rank");
        let rank = rank.and_then(|n| self.reader.word::<CityRank>(n, "rank", &["capital", "major", "minor"]));
        let port = fields.get("port").map(|n| (n, self.reader.flag(n, "`port`").unwrap_or_default()));
        let abbreviation = fields.get("short").and_then(|n| self.reader.text(n, "the short name"));
        let within = fields.get("within").and_then(|n| Some((n, self.reader.text(n, "the country")?)));
        let (Some((hex_node, hex)), Some((name_node, name))) = (hex, name) else { return };
        let known = || letters.countries.values().map(|(_, country)| country.as_str());
        if let Some((node, within)) = within
            && !known().any(|country| country == within)
        {
            self.reader.fault(node.at, format!("{}{}", no("country", within), guess(within, known())));
        }
        self.name(map, name_node, name);
        let Some(index) = map.index(hex) else { return };
        let area = &map.areas[index];
        if !matches!(area.terrain, Terrain::Clear | Terrain::Mountain) && !self.bad.contains(&hex) {
            let reason = format!(
                "{name} stands at {hex}, which is {}: cities stand on clear ground or in mountains",
                area.terrain
            );
            self.reader.fault(hex_node.at, reason);
        }
        if let Some(there) = &area.city {
            let line = self.places.get(&hex).map_or(0, |at| at.line);
            let reason = format!("{hex} holds {} already (line {line}): a hex has one city", there.name);
            self.reader.fault(hex_node.at, reason);
            return;
        }
        let coast = hex.around().filter_map(|h| map.area(h)).any(|a| a.terrain == Terrain::Sea);
        if let Some((node, true)) = port
            && !coast
        {
            self.reader.fault(node.at, format!("{name} can't be a port: no sea touches {hex}"));
        }
        self.places.insert(hex, node.at);
        map.cities.insert(name.to_owned(), hex);
        let area = &mut map.areas[index];
        if let Some((_, within)) = within {
            within.clone_into(&mut area.within);
        }
        let short = abbreviation.unwrap_or(name).to_owned();
        let port = port.is_some_and(|(_, port)| port);
        area.city = Some(City { name: name.to_owned(), short, rank: rank.unwrap_or(CityRank::Minor), port });
    }

    /// Checks that a city's name can be told from every other name and from a hex in orders.
    fn name(&mut self, map: &Map, node: &Node, name: &str) {
        let spelled = words(name);
        if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.reader.fault(
                node.at,
                format!("`{}` can't be told from a number in orders: use letters", short(name)),
            );
        }
        if let Some((other, hex)) = map.cities.iter().find(|(other, _)| words(other) == spelled) {
            let line = self.places.get(hex).map_or(0, |at| at.line);
            let reason =
                format!("{name} has the name of {other} (line {line}): orders could not tell them apart");
            self.reader.fault(node.at, reason);
        }
    }

    fn sea_link(&mut self, map: &mut Map, node: &Node) {
        let fields = self.reader.fields(node, "a sea link", &["name", "a", "b"]);
        if let Some(name) = fields.need(self.reader, "name") {
            self.reader.text(name, "its name");
        }
        let mut end = |key| {
            let node = fields.need(self.reader, key)?;
            let hex = self.hex(map, node)?;
            if map.area(hex).is_some_and(|area| area.terrain != Terrain::Sea) {
                self.reader
                    .fault(node.at, format!("{} is no sea: a sea link joins two sea hexes", map.place(hex)));
                return None;
            }
            Some((hex, map.index(hex)?))
        };
        if let (Some((a, a_index)), Some((b, b_index))) = (end("a"), end("b")) {
            map.links[a_index].push(Link { to: b, index: b_index, river: false });
            map.links[b_index].push(Link { to: a, index: a_index, river: false });
        }
    }

    fn homes(&mut self, map: &mut Map, node: &Node, letters: &Letters, setting: &Setting) {
        for (key, value) in self.reader.entries(node, "`homes`") {
            let nation = self.reader.word::<Nation>(key, "nation", &setting.words());
            let fields = self.reader.fields(value, "a home", &["country", "capitals"]);
            let country = fields.need(self.reader, "country");
            let country = country.and_then(|n| Some((n, self.reader.text(n, "the country")?)));
            let known = || letters.countries.values().map(|(_, country)| country.as_str());
            if let Some((node, country)) = country
                && !known().any(|name| name == country)
            {
                self.reader.fault(node.at, format!("{}{}", no("country", country), guess(country, known())));
            }
            let mut capitals = Vec::new();
            let list = fields.need(self.reader, "capitals");
            for node in list.map_or(&[][..], |n| self.reader.list(n, "`capitals`")) {
                let Some(city) = self.reader.text(node, "a capital") else { continue };
                match map.city(city).and_then(|hex| map.area(hex)).and_then(|area| area.city.as_ref()) {
                    None => {
                        let near = guess(city, map.cities.keys().map(String::as_str));
                        self.reader.fault(node.at, format!("{}{near}", no("city", city)));
                    }
                    Some(there) if there.rank != CityRank::Capital => {
                        self.reader.fault(
                            node.at,
                            format!("{city} has not the rank of a capital: give it `rank: capital`"),
                        );
                    }
                    Some(_) => capitals.push(city.to_owned()),
                }
            }
            if let (Some(nation), Some((_, country))) = (nation, country) {
                map.homes.insert(nation, Home { country: country.to_owned(), capitals });
            }
        }
    }
}

impl Letters {
    fn letters(&self) -> impl Iterator<Item = (char, LineColumn)> {
        let countries = self.countries.iter().map(|(letter, (at, _))| (*letter, *at));
        countries.chain(self.seas.iter().map(|(letter, (at, _))| (*letter, *at)))
    }
}

/// The character of a grid at a row and column, with its place; `None` in a row of the wrong length, in which it may belong to another column.
fn sign(
    grid: &[(&Node, Vec<char>)],
    row: usize,
    column: usize,
    columns: usize,
) -> Option<(char, LineColumn)> {
    let (node, chars) = grid.get(row).filter(|(_, chars)| chars.len() == columns)?;
    Some((*chars.get(column)?, node.character(column)))
}

fn no(what: &str, name: &str) -> String {
    format!("the map has no {what} called {}", short(name))
}
