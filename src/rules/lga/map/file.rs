//! Reads a map file: every fault is noted with its place, and reading goes on.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{CityLine, HomeLine, Letter, MapFile, Sea, SeaLink, SideText};
use super::grid::{Area, City, Link, Map, side};
use crate::model::{CityRank, Nation, Terrain};
use crate::setting::{self, Home, ReadSetting};
use crate::terrains::Terrains;
use musterd_engine::alike::{guess, names};
use musterd_engine::files::{DataError, RuleFiles};
use musterd_engine::hex::{Hex, HexSet};
use musterd_engine::yaml::{LineColumn, Reader, short};
use musterd_kit::data::{ANY, At, Entries};
use musterd_kit::field::{Cells, Rows, hexes};
use musterd_kit::files::open;
use musterd_kit::names::words;

/// The most rows and columns that a map may have, limited by the four digits of a hex.
const MOST: u8 = 99;

/// The file of the map with this name.
pub fn path_of(name: &str) -> String {
    format!("maps/{name}.yaml")
}

/// A map as read, with its setting and everything found in both; usable if there are no errors.
pub(crate) struct ReadMap {
    pub(crate) map: Map,
    pub(crate) setting: ReadSetting,
    pub(crate) gaps: Gaps,
    /// The faults of the map, without those of its setting.
    pub(crate) errors: Vec<DataError>,
    pub(crate) warnings: Vec<DataError>,
}

/// What of a map could not be read, its fault being noted: nothing is said that would follow from it.
#[derive(Default)]
pub(crate) struct Gaps {
    /// Whether the number of its columns and rows is known.
    pub(crate) sized: bool,
    /// Hexes of which it is not known what they are.
    pub(crate) vague: HexSet,
    /// Whether the names of all cities are known.
    named: bool,
    /// Whether it is known where all cities stand.
    pub(crate) settled: bool,
    /// Whether the capitals of all nations are known.
    pub(crate) homed: bool,
    /// Cities whose hex is not known.
    unplaced: BTreeSet<String>,
}

impl Gaps {
    /// Whether a city of which the map has no hex is not there at all.
    pub(crate) fn lacks(&self, city: &str) -> bool {
        self.named && !self.unplaced.contains(city)
    }
}

impl ReadMap {
    /// Reads `maps/<name>.yaml` and its setting, both completely even if they have faults; `terrains` are those that the rules don't have themselves.
    pub(crate) fn read(files: &RuleFiles, name: &str, terrains: &Terrains) -> Self {
        let path = path_of(name);
        let (mut reader, file) = open::<MapFile>(files, &path, &ANY);
        let Some(file) = file else { return Self { errors: reader.errors, ..Self::unknown() } };
        let mut setting = setting_of(&mut reader, files, file.setting.as_ref());
        let (map, gaps) = draw(&mut reader, file, &setting, terrains);
        map.homes.iter().for_each(|(nation, home)| setting.setting.rehome(*nation, home));
        Self { map, setting, gaps, errors: reader.errors, warnings: reader.warnings }
    }

    /// A map of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self {
            map: Map::of_size((0, 0)),
            setting: ReadSetting::unknown(),
            gaps: Gaps::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// The setting that a map names, or the usual one.
fn setting_of(reader: &mut Reader, files: &RuleFiles, named: Option<&At<String>>) -> ReadSetting {
    let Some(named) = named else { return ReadSetting::read(files, None) };
    match named.known() {
        None => ReadSetting::unknown(),
        Some(name) if files.0.contains_key(&setting::path_of(name)) => ReadSetting::read(files, Some(name)),
        Some(name) => {
            let settings = files.0.keys();
            let settings = settings.filter_map(|path| path.strip_prefix("settings/")?.strip_suffix(".yaml"));
            let reason = format!("there is no setting `{}`; {}", short(name), names(name, settings));
            reader.fault(named.at, reason);
            ReadSetting::unknown()
        }
    }
}

/// Reads a map.
fn draw(reader: &mut Reader, file: MapFile, setting: &ReadSetting, terrains: &Terrains) -> (Map, Gaps) {
    let letters = Letters::of(&file);
    for (letter, (at, _)) in &letters.countries {
        if letters.seas.contains_key(letter) {
            reader.fault(*at, format!("`{letter}` is a country and a sea: give one of them another letter"));
        }
    }
    let terrain = Rows::read(reader, "terrain", &file.terrain, Cells::Signs, (MOST, MOST));
    let regions = Rows::beside(reader, "regions", &file.regions, Cells::Signs, terrain.known_size());
    let gaps = Gaps { homed: true, sized: terrain.known_size().is_some(), ..Gaps::default() };
    let mut draft = Sketch { reader, terrains, gaps, named: BTreeMap::new(), places: BTreeMap::new() };
    let mut map = draft.areas(&terrain, &regions, &letters);
    map.rivers = draft.sides(&map, &file.rivers);
    map.blocked = draft.sides(&map, &file.blocked).into_keys().collect();
    draft.gaps.named =
        file.cities.known().is_some_and(|all| all.iter().all(|city| city.name.known().is_some()));
    for line in &file.cities.value {
        draft.city(&mut map, line, &letters);
    }
    draft.other_names(&file.cities.value);
    draft.gaps.settled = draft.gaps.named && draft.gaps.unplaced.is_empty();
    map.links = links(&map);
    for line in &file.sea_links {
        draft.sea_link(&mut map, line);
    }
    draft.homes(&mut map, file.homes.0, &letters, setting);
    map.places = map.hexes().map(|hex| map.place(hex).into_owned()).collect();
    (map, draft.gaps)
}

/// The meaning of the letters of `regions`, with their places.
struct Letters {
    countries: BTreeMap<char, (LineColumn, String)>,
    seas: BTreeMap<char, (LineColumn, Sea)>,
    /// Whether all letters could be read.
    whole: bool,
    /// The names of the countries, whatever their letters.
    names: Vec<String>,
    /// Whether all names of countries could be read.
    named: bool,
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
    gaps: Gaps,
    /// The cities so far by the words of their names: the first of each, with its place in the file.
    named: BTreeMap<Vec<String>, (String, LineColumn)>,
    /// The place of each city in the file, by hex.
    places: BTreeMap<Hex, LineColumn>,
}

impl Sketch<'_> {
    /// The hexes with their terrain and region.
    fn areas(&mut self, terrain: &Rows<'_>, regions: &Rows<'_>, letters: &Letters) -> Map {
        let mut map = Map::of_size(terrain.size());
        let mut used = BTreeSet::new();
        let mut whole = self.gaps.sized;
        for hex in hexes(terrain.size()) {
            let sign = |rows: &Rows<'_>| rows.at(hex).and_then(|(sign, at)| Some((sign.chars().next()?, at)));
            let (ground, region) = (sign(terrain), sign(regions));
            whole &= region.is_some();
            used.extend(region.map(|(letter, _)| letter));
            map.areas.push(self.area(hex, ground, region, letters));
        }
        for (letter, at) in letters.letters().filter(|(letter, _)| whole && !used.contains(letter)) {
            self.reader
                .doubt(at, format!("no hex of `regions` is `{letter}`: leave the line out, or use it"));
        }
        map
    }

    /// What a sign says of the ground.
    fn terrain(&mut self, hex: Hex, (sign, at): (char, LineColumn)) -> Option<Terrain> {
        Some(match sign {
            _ if let Some(own) = self.terrains.at(sign) => own.like,
            '.' => Terrain::Clear,
            'f' => Terrain::Forest,
            '^' => Terrain::Mountain,
            '%' => Terrain::Marsh,
            '~' => Terrain::Sea,
            '#' => Terrain::Prohibited,
            _ if !self.terrains.whole => return None,
            other => {
                let own = self.terrains.iter().map(|own| format!(", {} {}", own.sign, own.word()));
                let own: String = own.collect();
                let signs = format!(". clear, f forest, ^ mountain, % marsh, ~ sea, # closed{own}");
                self.reader.fault(at, format!("`{other}` at {hex} is no terrain: use {signs}"));
                return None;
            }
        })
    }

    fn area(
        &mut self,
        hex: Hex,
        ground: Option<(char, LineColumn)>,
        region: Option<(char, LineColumn)>,
        letters: &Letters,
    ) -> Area {
        let terrain = ground.and_then(|ground| self.terrain(hex, ground));
        let own_terrain = ground.and_then(|(sign, _)| self.terrains.at(sign));
        let mut area = Area {
            terrain: terrain.unwrap_or(Terrain::Prohibited),
            own_terrain,
            city: None,
            country: String::new(),
            within: String::new(),
            sea_zone: None,
            closed_sea: false,
        };
        let Some((region, at)) = region else {
            self.gaps.vague.insert(hex);
            return area;
        };
        let country = letters.countries.get(&region).map(|(_, name)| name);
        let sea = letters.seas.get(&region).map(|(_, sea)| sea);
        // A letter that is not there may be one that could not be read.
        let known = letters.whole || region == '-' || country.is_some() || sea.is_some();
        let wrong = match terrain {
            _ if known && country.is_none() && sea.is_none() && region != '-' => {
                Some(format!("`{region}` at {hex} is no country and no sea: add it to one of them"))
            }
            Some(Terrain::Sea) if known && sea.is_none() => {
                Some(format!("{hex} is sea, but `{region}` is not one of `seas`: change one of them"))
            }
            Some(Terrain::Prohibited) if region != '-' => {
                Some(format!("{hex} is closed, so it is nobody's: write `-` for `{region}`"))
            }
            Some(Terrain::Clear | Terrain::Forest | Terrain::Mountain | Terrain::Marsh)
                if known && country.is_none() =>
            {
                Some(format!("{hex} is land, but `{region}` is not one of `countries`: change one of them"))
            }
            _ => None,
        };
        if terrain.is_none() || !known || wrong.is_some() {
            self.gaps.vague.insert(hex);
        }
        if let Some(wrong) = wrong {
            self.reader.fault(at, wrong);
        }
        area.country = country.cloned().unwrap_or_default();
        area.within.clone_from(&area.country);
        area.sea_zone = sea.map(|sea| sea.name.clone());
        area.closed_sea = sea.is_some_and(|sea| sea.closed);
        area
    }

    /// The hex, if the map has it.
    fn hex(&mut self, map: &Map, hex: &At<Hex>) -> Option<Hex> {
        hex.known()?;
        if map.area(hex.value).is_none() && self.gaps.sized {
            let last = map.last();
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
        let SideText(text) = pair.known()?;
        let hexes =
            text.split_once('-').and_then(|(a, b)| Some((a.parse::<Hex>().ok()?, b.parse::<Hex>().ok()?)));
        let Some((a, b)) = hexes else {
            self.reader.fault(
                pair.at,
                format!("`{}` is no hex side: write two neighbours such as 1307-1407", short(text)),
            );
            return None;
        };
        if let Some(off) = [a, b].into_iter().find(|hex| self.gaps.sized && map.area(*hex).is_none()) {
            self.reader.fault(pair.at, format!("{off} in {text} is off the map"));
            return None;
        }
        if a.direction_to(b).is_none() {
            let around: BTreeSet<Hex> =
                a.around().filter(|h| !self.gaps.sized || map.area(*h).is_some()).collect();
            let around: Vec<String> = around.iter().map(Hex::to_string).collect();
            let reason = format!("{a} and {b} are no neighbours: {a} touches {}", around.join(", "));
            self.reader.fault(pair.at, reason);
            return None;
        }
        Some((a, b))
    }

    fn city(&mut self, map: &mut Map, line: &CityLine, letters: &Letters) {
        if let Some(within) = &line.within {
            self.country(within, letters);
        }
        self.name(&line.name);
        let Some(hex) = self.hex(map, &line.hex).filter(|hex| self.settle(map, *hex, line)) else {
            self.gaps.unplaced.extend(line.name.known().cloned());
            return;
        };
        let Some(index) = map.index(hex) else { return };
        let name = line.name.known().cloned().unwrap_or_else(|| hex.to_string());
        map.cities.entry(name.clone()).or_insert(hex);
        let area = &mut map.areas[index];
        if let Some(within) = &line.within {
            area.within.clone_from(&within.value);
        }
        let short = line.short.as_ref().unwrap_or(&name).clone();
        let port = line.port.as_ref().is_some_and(|port| port.value);
        let also = line.also.iter().filter_map(At::known).cloned().collect();
        area.city = Some(City { name, short, also, rank: line.rank, port });
    }

    /// Whether a city can have a hex. What is wrong with its ground is noted.
    fn settle(&mut self, map: &Map, hex: Hex, line: &CityLine) -> bool {
        let Some(area) = map.area(hex) else { return false };
        let name = line.name.known().map_or("this city", String::as_str);
        if !matches!(area.terrain, Terrain::Clear | Terrain::Mountain) && !self.gaps.vague.contains(hex) {
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
            return false;
        }
        let coast = hex.around().any(|h| self.gaps.vague.contains(h) || map.is_sea(h));
        if let Some(At { at, value: true, .. }) = line.port
            && self.gaps.sized
            && !coast
        {
            self.reader.fault(at, format!("{name} can't be a port: no sea touches {hex}"));
        }
        self.places.insert(hex, line.hex.at);
        true
    }

    /// Checks that the map has a country.
    fn country(&mut self, named: &At<String>, letters: &Letters) {
        let known = || letters.names.iter().map(String::as_str);
        if let Some(country) = named.known()
            && letters.named
            && !known().any(|name| name == country)
        {
            self.reader.fault(named.at, format!("{}{}", no("country", country), guess(country, known())));
        }
    }

    /// Checks that a city's name can be told from every other name and from a hex in orders.
    fn name(&mut self, named: &At<String>) {
        let Some(name) = named.known() else { return };
        let spelled = words(name);
        if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
            let reason = format!("`{}` can't be told from a number in orders: use letters", short(name));
            self.reader.fault(named.at, reason);
        }
        if let Some((other, at)) = self.named.get(&spelled) {
            let line = at.line;
            let reason =
                format!("{name} has the name of {other} (line {line}): orders could not tell them apart");
            self.reader.fault(named.at, reason);
        }
        self.named.entry(spelled).or_insert_with(|| (name.clone(), named.at));
    }

    /// Checks that each name of a city in another language can be told from every name of the others.
    fn other_names(&mut self, cities: &[CityLine]) {
        let mut others: Vec<(Vec<String>, usize, LineColumn)> = Vec::new();
        for (place, city) in cities.iter().enumerate() {
            for At { value: name, at, .. } in city.also.iter().filter(|name| name.known().is_some()) {
                let (spelled, quoted) = (words(name), short(name));
                let own = city.name.known().is_some_and(|own| words(own) == spelled);
                let is_called = |other: &&CityLine| {
                    let called = other.name.known().into_iter().chain(&other.short);
                    called.into_iter().any(|name| words(name) == spelled)
                };
                let earlier = others.iter().find(|(known, ..)| *known == spelled);
                let apart =
                    cities.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, city)| city);
                let reason = if spelled.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
                    format!("`{quoted}` can't be told from a number in orders: use letters")
                } else if own || earlier.is_some_and(|(_, other, _)| *other == place) {
                    format!("`{quoted}` is read as another name of this city already: leave it out")
                } else if let Some(other) = apart.clone().find(is_called) {
                    let (named, line) = (&other.name.value, other.name.at.line);
                    format!(
                        "`{quoted}` is the name of {named} (line {line}): orders could not tell them apart"
                    )
                } else if let Some((_, other, first)) = earlier {
                    let (named, line) = (&cities[*other].name.value, first.line);
                    format!(
                        "`{quoted}` is another name of {named} (line {line}): orders could not tell them apart"
                    )
                } else {
                    others.push((spelled, place, *at));
                    continue;
                };
                self.reader.fault(*at, reason);
            }
        }
    }

    fn sea_link(&mut self, map: &mut Map, link: &SeaLink) {
        let mut end = |end: &At<Hex>| {
            let hex = self.hex(map, end)?;
            if !self.gaps.vague.contains(hex)
                && map.area(hex).is_some_and(|area| area.terrain != Terrain::Sea)
            {
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
        setting: &ReadSetting,
    ) {
        for (nation, HomeLine { country, capitals: named }) in homes {
            let nation = setting.known(self.reader, &nation);
            self.country(&country, letters);
            let many = named.len();
            let mut capitals = Vec::new();
            for At { at, value: city, .. } in named.into_iter().filter(|city| city.known().is_some()) {
                match map.city(&city).and_then(|hex| map.area(hex)).and_then(|area| area.city.as_ref()) {
                    None if self.gaps.lacks(&city) => {
                        let near = guess(&city, map.cities.keys().map(String::as_str));
                        self.reader.fault(at, format!("{}{near}", no("city", &city)));
                    }
                    None => capitals.push(city),
                    Some(there) if there.rank != CityRank::Capital => {
                        self.reader.fault(
                            at,
                            format!("{city} has not the rank of a capital: give it `rank: capital`"),
                        );
                    }
                    Some(_) => capitals.push(city),
                }
            }
            self.gaps.homed &= capitals.len() == many;
            if let Some(nation) = nation {
                map.homes.insert(nation, Home { country: country.value, capitals });
            }
        }
    }
}

impl Letters {
    fn of(file: &MapFile) -> Self {
        let (countries, seas) = (&file.countries.value.0, file.seas.as_ref());
        let known = |(letter, _): &&(At<Letter>, String)| letter.known().is_some();
        let named = file.countries.known().is_some() && countries.iter().all(|(_, name)| !name.is_empty());
        let seas_known = seas.is_none_or(|seas| {
            seas.known().is_some_and(|seas| seas.0.iter().all(|(letter, _)| letter.known().is_some()))
        });
        let whole =
            file.countries.known().is_some() && countries.iter().all(|pair| known(&pair)) && seas_known;
        let names = countries.iter().map(|(_, name)| name.clone()).collect();
        let countries = countries.iter().filter(known);
        let countries = countries.map(|(letter, name)| (letter.value.0, (letter.at, name.clone())));
        let seas = seas.into_iter().flat_map(|seas| &seas.value.0);
        let seas = seas.filter(|(letter, _)| letter.known().is_some());
        let seas = seas.map(|(letter, sea)| (letter.value.0, (letter.at, sea.clone())));
        Self { countries: countries.collect(), seas: seas.collect(), whole, names, named }
    }

    fn letters(&self) -> impl Iterator<Item = (char, LineColumn)> {
        let countries = self.countries.iter().map(|(letter, (at, _))| (*letter, *at));
        countries.chain(self.seas.iter().map(|(letter, (at, _))| (*letter, *at)))
    }
}

fn no(what: &str, name: &str) -> String {
    format!("the map has no {what} called {}", short(name))
}
