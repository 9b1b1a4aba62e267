//! Reads a map file: every fault is noted with its place, and reading goes on.

use std::collections::{BTreeMap, BTreeSet};

use super::area::{Area, City, Link};
use super::declared::{CityLine, HomeLine, MapFile, Sea, SeaLink, SideText};
use super::grid::{Map, side};
use crate::model::{CityRank, Nation, Terrain};
use crate::setting::{self, Home, Setting};
use crate::terrains::Terrains;
use musterd_engine::alike::{guess, meant};
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::{ANY, At, Entries, read_file};
use musterd_kit::field::{Cells, Rows, hexes};
use musterd_kit::names::words;

/// The most rows and columns that a map may have, limited by the four digits of a hex.
const MOST: u8 = 99;

/// The file of the map with this name.
#[must_use]
pub fn path_of(name: &str) -> String {
    format!("maps/{name}.yaml")
}

impl Map {
    /// Reads `maps/<name>.yaml`, completely even if it has faults, which the reader notes, and its setting; `terrains` are those that the rules don't have themselves.
    ///
    /// # Errors
    /// When the file is missing or can't be read at all, or its setting has faults.
    pub fn read(
        files: &RuleFiles,
        name: &str,
        terrains: &Terrains,
    ) -> Result<(Self, Setting, Reader), DataErrors> {
        let path = path_of(name);
        let mut reader = Reader::new(&path);
        let tree = files.tree(&path)?;
        let Some(file): Option<MapFile> = read_file(&mut reader, &tree, &ANY) else {
            return Err(DataErrors(reader.errors));
        };
        let named = file.setting.clone();
        let missing = |named: &&At<String>| !files.0.contains_key(&setting::path_of(&named.value));
        if let Some(At { at, value: name, .. }) = named.as_ref().filter(missing) {
            let settings = files.0.keys();
            let settings = settings.filter_map(|path| path.strip_prefix("settings/")?.strip_suffix(".yaml"));
            let reason = format!("there is no setting `{}`{}", short(name), guess(name, settings));
            reader.fault(*at, reason);
            return Err(DataErrors(reader.errors));
        }
        let mut setting = Setting::read(files, named.as_ref().map(|name| name.value.as_str()))?;
        let map = draw(&mut reader, file, &setting, terrains);
        if let Some(named) = &named {
            strange_countries(&mut reader, named.at, &map, &setting);
        }
        map.homes.iter().for_each(|(nation, home)| setting.rehome(*nation, home));
        Ok((map, setting, reader))
    }
}

/// Notes the countries of a setting that this map lacks, where it has one that may be meant.
fn strange_countries(reader: &mut Reader, at: LineColumn, map: &Map, setting: &Setting) {
    let known: BTreeSet<&str> = map.hexes().filter_map(|hex| Some(map.area(hex)?.country.as_str())).collect();
    let named: BTreeSet<&str> = setting.countries().filter(|country| !known.contains(country)).collect();
    for country in named {
        if let Some(near) = meant(country, known.iter().copied()) {
            let reason = format!(
                "the setting names a country `{}`, which this map lacks; did you mean `{near}`?",
                short(country)
            );
            reader.doubt(at, reason);
        }
    }
}

/// Reads a map.
fn draw(reader: &mut Reader, file: MapFile, setting: &Setting, terrains: &Terrains) -> Map {
    let letters = Letters::of(&file);
    for (letter, (at, _)) in &letters.countries {
        if letters.seas.contains_key(letter) {
            reader.fault(*at, format!("`{letter}` is a country and a sea: give one of them another letter"));
        }
    }
    let terrain = Rows::read(reader, "terrain", &file.terrain, Cells::Signs, (MOST, MOST));
    let regions = Rows::beside(reader, "regions", &file.regions, Cells::Signs, terrain.size());
    let mut draft = Sketch { reader, terrains, bad: BTreeSet::new(), places: BTreeMap::new() };
    let mut map = draft.areas(&terrain, &regions, &letters);
    map.rivers = draft.sides(&map, &file.rivers);
    map.blocked = draft.sides(&map, &file.blocked).into_keys().collect();
    for line in &file.cities {
        draft.city(&mut map, line, &letters);
    }
    map.links = links(&map);
    for line in &file.sea_links {
        draft.sea_link(&mut map, line);
    }
    draft.homes(&mut map, file.homes.0, &letters, setting);
    map.places = map.hexes().map(|hex| map.place(hex).into_owned()).collect();
    map
}

/// The meaning of the letters of `regions`, with their places.
struct Letters {
    countries: BTreeMap<char, (LineColumn, String)>,
    seas: BTreeMap<char, (LineColumn, Sea)>,
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
    terrains: &'a Terrains,
    /// Hexes with a fault that was already reported; faults that follow from it are not.
    bad: BTreeSet<Hex>,
    /// The place of each city in the file, by hex.
    places: BTreeMap<Hex, LineColumn>,
}

impl Sketch<'_> {
    /// The hexes with their terrain and region.
    fn areas(&mut self, terrain: &Rows<'_>, regions: &Rows<'_>, letters: &Letters) -> Map {
        let (columns, rows) = terrain.size();
        let mut areas = Vec::with_capacity(usize::from(columns) * usize::from(rows));
        let mut used = BTreeSet::new();
        for hex in hexes(terrain.size()) {
            let sign = |rows: &Rows<'_>| rows.at(hex).and_then(|(sign, at)| Some((sign.chars().next()?, at)));
            let (ground, region) = (sign(terrain), sign(regions));
            used.extend(region.map(|(letter, _)| letter));
            areas.push(self.area(hex, ground, region, letters));
        }
        for (letter, at) in letters.letters().filter(|(letter, _)| !used.contains(letter)) {
            self.reader
                .doubt(at, format!("no hex of `regions` is `{letter}`: leave the line out, or use it"));
        }
        Map {
            columns,
            rows,
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
            own_terrain: None,
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
        area.own_terrain = self.terrains.at(ground);
        area.terrain = match ground {
            _ if let Some(own) = area.own_terrain => own.like,
            '.' => Terrain::Clear,
            'f' => Terrain::Forest,
            '^' => Terrain::Mountain,
            '%' => Terrain::Marsh,
            '~' => Terrain::Sea,
            '#' => Terrain::Prohibited,
            other => {
                self.bad.insert(hex);
                let own = self.terrains.iter().map(|own| format!(", {} {}", own.sign, own.word()));
                let own: String = own.collect();
                let signs = format!(". clear, f forest, ^ mountain, % marsh, ~ sea, # closed{own}");
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

    /// The hex, if the map has it.
    fn hex(&mut self, map: &Map, hex: &At<Hex>) -> Option<Hex> {
        if map.area(hex.value).is_none() {
            let last = Hex::new(map.columns, map.rows);
            self.reader.fault(hex.at, format!("{} is off the map: its last hex is {last}", hex.value));
            return None;
        }
        Some(hex.value)
    }

    /// Hex sides by name: rivers, or sides that can't be passed.
    fn sides(
        &mut self,
        map: &Map,
        named: &Entries<String, Vec<At<SideText>>>,
    ) -> BTreeMap<(Hex, Hex), String> {
        let mut sides = BTreeMap::new();
        for (At { value: name, .. }, pairs) in &named.0 {
            for pair in pairs {
                if let Some((a, b)) = self.pair(map, pair)
                    && sides.insert(side(a, b), name.clone()).is_some_and(|before| before == *name)
                {
                    self.reader.fault(pair.at, format!("{a}-{b} stands in {name} twice: leave one out"));
                }
            }
        }
        sides
    }

    fn pair(&mut self, map: &Map, pair: &At<SideText>) -> Option<(Hex, Hex)> {
        let SideText(text) = &pair.value;
        let hexes =
            text.split_once('-').and_then(|(a, b)| Some((a.parse::<Hex>().ok()?, b.parse::<Hex>().ok()?)));
        let Some((a, b)) = hexes else {
            self.reader.fault(
                pair.at,
                format!("`{}` is no hex side: write two neighbours such as 1307-1407", short(text)),
            );
            return None;
        };
        if let Some(off) = [a, b].into_iter().find(|hex| map.area(*hex).is_none()) {
            self.reader.fault(pair.at, format!("{off} in {text} is off the map"));
            return None;
        }
        if a.direction_to(b).is_none() {
            let around: BTreeSet<Hex> = a.around().filter(|h| map.area(*h).is_some()).collect();
            let around: Vec<String> = around.iter().map(Hex::to_string).collect();
            let reason = format!("{a} and {b} are no neighbours: {a} touches {}", around.join(", "));
            self.reader.fault(pair.at, reason);
            return None;
        }
        Some((a, b))
    }

    fn city(&mut self, map: &mut Map, line: &CityLine, letters: &Letters) {
        let known = || letters.countries.values().map(|(_, country)| country.as_str());
        if let Some(At { at, value: within, .. }) = &line.within
            && !known().any(|country| country == within)
        {
            self.reader.fault(*at, format!("{}{}", no("country", within), guess(within, known())));
        }
        let name = &line.name.value;
        let Some(hex) = self.hex(map, &line.hex) else { return };
        self.name(map, &line.name);
        let Some(index) = map.index(hex) else { return };
        let area = &map.areas[index];
        if !matches!(area.terrain, Terrain::Clear | Terrain::Mountain) && !self.bad.contains(&hex) {
            let reason = format!(
                "{name} stands at {hex}, which is {}: cities stand on clear ground or in mountains",
                area.ground()
            );
            self.reader.fault(line.hex.at, reason);
        }
        if let Some(there) = &area.city {
            let first = self.places.get(&hex).map_or(0, |at| at.line);
            let reason = format!("{hex} holds {} already (line {first}): a hex has one city", there.name);
            self.reader.fault(line.hex.at, reason);
            return;
        }
        let coast = hex.around().filter_map(|h| map.area(h)).any(|a| a.terrain == Terrain::Sea);
        if let Some(At { at, value: true, .. }) = line.port
            && !coast
        {
            self.reader.fault(at, format!("{name} can't be a port: no sea touches {hex}"));
        }
        self.places.insert(hex, line.hex.at);
        map.cities.insert(name.clone(), hex);
        let area = &mut map.areas[index];
        if let Some(within) = &line.within {
            area.within.clone_from(&within.value);
        }
        let short = line.short.as_ref().unwrap_or(name).clone();
        let port = line.port.as_ref().is_some_and(|port| port.value);
        area.city = Some(City { name: name.clone(), short, rank: line.rank, port });
    }

    /// Checks that a city's name can be told from every other name and from a hex in orders.
    fn name(&mut self, map: &Map, At { at, value: name, .. }: &At<String>) {
        let spelled = words(name);
        if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.reader
                .fault(*at, format!("`{}` can't be told from a number in orders: use letters", short(name)));
        }
        if let Some((other, hex)) = map.cities.iter().find(|(other, _)| words(other) == spelled) {
            let line = self.places.get(hex).map_or(0, |at| at.line);
            let reason =
                format!("{name} has the name of {other} (line {line}): orders could not tell them apart");
            self.reader.fault(*at, reason);
        }
    }

    fn sea_link(&mut self, map: &mut Map, link: &SeaLink) {
        let mut end = |end: &At<Hex>| {
            let hex = self.hex(map, end)?;
            if map.area(hex).is_some_and(|area| area.terrain != Terrain::Sea) {
                let reason = format!("{} is no sea: a sea link joins two sea hexes", map.place(hex));
                self.reader.fault(end.at, reason);
                return None;
            }
            Some((hex, map.index(hex)?))
        };
        if let (Some((a, a_index)), Some((b, b_index))) = (end(&link.a), end(&link.b)) {
            map.links[a_index].push(Link { to: b, index: b_index, river: false });
            map.links[b_index].push(Link { to: a, index: a_index, river: false });
        }
    }

    fn homes(
        &mut self,
        map: &mut Map,
        homes: Vec<(At<Nation>, HomeLine)>,
        letters: &Letters,
        setting: &Setting,
    ) {
        for (nation, home) in homes {
            let nation = setting::known(self.reader, setting, &nation);
            let HomeLine { country: At { at, value: country, .. }, capitals: named } = home;
            let countries = || letters.countries.values().map(|(_, country)| country.as_str());
            if !countries().any(|name| name == country) {
                self.reader.fault(at, format!("{}{}", no("country", &country), guess(&country, countries())));
            }
            let mut capitals = Vec::new();
            for At { at, value: city, .. } in named {
                match map.city(&city).and_then(|hex| map.area(hex)).and_then(|area| area.city.as_ref()) {
                    None => {
                        let near = guess(&city, map.cities.keys().map(String::as_str));
                        self.reader.fault(at, format!("{}{near}", no("city", &city)));
                    }
                    Some(there) if there.rank != CityRank::Capital => {
                        self.reader.fault(
                            at,
                            format!("{city} has not the rank of a capital: give it `rank: capital`"),
                        );
                    }
                    Some(_) => capitals.push(city),
                }
            }
            if let Some(nation) = nation {
                map.homes.insert(nation, Home { country, capitals });
            }
        }
    }
}

impl Letters {
    fn of(file: &MapFile) -> Self {
        let countries =
            file.countries.0.iter().map(|(letter, name)| (letter.value.0, (letter.at, name.clone())));
        let seas = file.seas.0.iter().map(|(letter, sea)| (letter.value.0, (letter.at, sea.clone())));
        Self { countries: countries.collect(), seas: seas.collect() }
    }

    fn letters(&self) -> impl Iterator<Item = (char, LineColumn)> {
        let countries = self.countries.iter().map(|(letter, (at, _))| (*letter, *at));
        countries.chain(self.seas.iter().map(|(letter, (at, _))| (*letter, *at)))
    }
}

fn no(what: &str, name: &str) -> String {
    format!("the map has no {what} called {}", short(name))
}
