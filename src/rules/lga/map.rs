//! The map: hexes with their terrain, cities, rivers and seas, from `games/lga/maps/*.yaml`. Public and unchanging.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::model::{CityRank, Terrain};
use crate::engine::files::{DataError, DataErrors, RuleFiles};
use crate::hex::Hex;

/// The map of a game.
#[derive(Debug, Clone)]
pub struct Map {
    columns: u8,
    rows: u8,
    areas: Vec<Area>,
    links: Vec<Vec<Link>>,
    cities: BTreeMap<String, Hex>,
    rivers: BTreeMap<(Hex, Hex), String>,
    blocked: BTreeSet<(Hex, Hex)>,
}

/// A hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// What the ground is.
    pub terrain: Terrain,
    /// The city on it.
    pub city: Option<City>,
    /// The country that it belongs to; empty at sea.
    pub country: String,
    /// The country on whose soil it lies: Gibraltar lies in Spain (ruling LGA-62).
    pub within: String,
    /// The sea, where it is one.
    pub sea_zone: Option<String>,
    /// Whether it is a sea that nobody may enter (manual 2.5).
    pub closed_sea: bool,
}

impl Area {
    /// Whether units can stand here at all without a ship.
    #[must_use]
    pub const fn is_land(&self) -> bool {
        !matches!(self.terrain, Terrain::Sea | Terrain::Prohibited)
    }
}

/// A city.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct City {
    /// Its name: `Konigsberg`.
    pub name: String,
    /// The manual's abbreviation, or the name.
    pub short: String,
    /// How big it is.
    pub rank: CityRank,
    /// Whether a British garrison in it supplies the Allies (manual 2.3).
    pub port: bool,
}

/// A side that can be passed, and what lies behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    /// The hex on the other side.
    pub(super) to: Hex,
    /// Its place in [`Map::index`] order.
    pub(super) index: usize,
    /// Whether a river runs between.
    pub(super) river: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    #[serde(rename = "name")]
    _name: String,
    terrain: Vec<String>,
    regions: Vec<String>,
    countries: BTreeMap<char, String>,
    seas: BTreeMap<char, SeaLine>,
    #[serde(default)]
    sea_links: Vec<SeaLink>,
    cities: Vec<CityLine>,
    rivers: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    blocked: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeaLine {
    name: String,
    #[serde(default)]
    closed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeaLink {
    name: String,
    a: Hex,
    b: Hex,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CityLine {
    hex: Hex,
    name: String,
    rank: CityRank,
    short: Option<String>,
    #[serde(default)]
    port: bool,
    within: Option<String>,
}

impl Map {
    /// Reads and checks `maps/<name>.yaml`.
    ///
    /// # Errors
    /// Everything that is wrong with it, with the line where that can be told.
    pub fn load(files: &RuleFiles, name: &str) -> Result<Self, DataErrors> {
        let path = format!("maps/{name}.yaml");
        let file: MapFile = files.yaml(&path)?;
        let mut draft = Draft { path: &path, text: files.text(&path)?, errors: Vec::new() };
        let map = draft.map(file);
        if draft.errors.is_empty() { Ok(map) } else { Err(DataErrors(draft.errors)) }
    }

    /// The number of columns.
    #[must_use]
    pub const fn columns(&self) -> u8 {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// The hex, if the map has it.
    #[must_use]
    pub fn area(&self, hex: Hex) -> Option<&Area> {
        self.index(hex).map(|i| &self.areas[i])
    }

    /// Every hex, in the order in which a map is read.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        let columns = self.columns;
        (1..=self.rows).flat_map(move |row| (1..=columns).map(move |col| Hex::new(col, row)))
    }

    /// The hexes that can be reached from here in one step by land or sea: not closed ones, not over blocked sides, and
    /// over the passage round Portugal.
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        self.links(hex).iter().map(|link| link.to)
    }

    /// Whether a river runs between two hexes.
    #[must_use]
    pub fn river(&self, a: Hex, b: Hex) -> bool {
        self.rivers.contains_key(&side(a, b))
    }

    /// The sides with a river: both hexes in order, the river's name.
    pub fn rivers(&self) -> impl Iterator<Item = (Hex, Hex, &str)> {
        self.rivers.iter().map(|(&(a, b), name)| (a, b, name.as_str()))
    }

    /// Whether nothing passes between two hexes.
    #[must_use]
    pub fn blocked(&self, a: Hex, b: Hex) -> bool {
        self.blocked.contains(&side(a, b))
    }

    /// The blocked sides, both hexes in order.
    pub fn blocked_sides(&self) -> impl Iterator<Item = (Hex, Hex)> {
        self.blocked.iter().copied()
    }

    /// The hex of the city with exactly this name.
    #[must_use]
    pub fn city(&self, name: &str) -> Option<Hex> {
        self.cities.get(name).copied()
    }

    /// Every city with its hex, in the order in which a map is read.
    pub fn cities(&self) -> impl Iterator<Item = (Hex, &City)> {
        self.hexes().zip(&self.areas).filter_map(|(hex, area)| Some((hex, area.city.as_ref()?)))
    }

    /// A hex as a report names it: `Ulm 1507`, or `1506`.
    #[must_use]
    pub fn place(&self, hex: Hex) -> String {
        match self.area(hex).and_then(|area| area.city.as_ref()) {
            Some(city) => format!("{} {hex}", city.name),
            None => hex.to_string(),
        }
    }

    /// A dense number for a hex of the map, from 0.
    pub(super) fn index(&self, hex: Hex) -> Option<usize> {
        let inside = (1..=self.columns).contains(&hex.col) && (1..=self.rows).contains(&hex.row);
        inside.then(|| usize::from(hex.row - 1) * usize::from(self.columns) + usize::from(hex.col - 1))
    }

    /// The hex with a number of [`Map::index`].
    pub(super) fn at(&self, index: usize) -> Hex {
        let columns = usize::from(self.columns);
        let number = |n: usize| u8::try_from(n + 1).unwrap_or(u8::MAX);
        Hex::new(number(index % columns), number(index / columns))
    }

    /// How many hexes there are.
    pub(super) fn len(&self) -> usize {
        self.areas.len()
    }

    /// The sides that can be passed.
    pub(super) fn links(&self, hex: Hex) -> &[Link] {
        self.index(hex).map_or(&[], |i| self.links[i].as_slice())
    }

    /// The same by number.
    pub(super) fn links_at(&self, index: usize) -> &[Link] {
        &self.links[index]
    }
}

/// Both hexes of a side in order.
fn side(a: Hex, b: Hex) -> (Hex, Hex) {
    if a <= b { (a, b) } else { (b, a) }
}

/// A map in the making, with everything found wrong so far.
struct Draft<'a> {
    path: &'a str,
    text: &'a str,
    errors: Vec<DataError>,
}

impl Draft<'_> {
    /// Notes a fault, on the first line that contains `near`.
    fn fault(&mut self, near: &str, reason: impl Into<String>) {
        let line = super::data::line_of(self.text, near);
        self.errors.push(DataError { file: self.path.to_owned(), line, reason: reason.into() });
    }

    fn map(&mut self, file: MapFile) -> Map {
        let areas = self.areas(&file);
        let columns = file.terrain.first().map_or(0, |row| row.chars().count());
        let narrow = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        let mut map = Map {
            columns: narrow(columns),
            rows: narrow(file.terrain.len()),
            areas,
            links: Vec::new(),
            cities: BTreeMap::new(),
            rivers: self.sides(&file.rivers),
            blocked: self.sides(&file.blocked).into_keys().collect(),
        };
        if !self.errors.is_empty() {
            return map;
        }
        for city in file.cities {
            self.found(&mut map, city);
        }
        map.links = self.links_of(&map, &file.sea_links);
        map
    }

    fn areas(&mut self, file: &MapFile) -> Vec<Area> {
        let columns = file.terrain.first().map_or(0, |row| row.chars().count());
        if columns == 0 || columns > 99 || file.terrain.len() > 99 {
            self.fault("terrain:", "a map has 1 to 99 rows of 1 to 99 characters");
            return Vec::new();
        }
        if file.regions.len() != file.terrain.len() {
            self.fault(
                "regions:",
                format!("`regions` has {} rows, `terrain` {}", file.regions.len(), file.terrain.len()),
            );
        }
        let mut areas = Vec::new();
        for (ground, region) in file.terrain.iter().zip(&file.regions) {
            if ground.chars().count() != columns || region.chars().count() != columns {
                self.fault(ground, format!("every row of `terrain` and `regions` has {columns} characters"));
            }
            for (ground, region) in ground.chars().zip(region.chars()) {
                areas.push(self.area(ground, region, file));
            }
        }
        areas
    }

    fn area(&mut self, ground: char, region: char, file: &MapFile) -> Area {
        let terrain = match ground {
            '.' => Terrain::Clear,
            'f' => Terrain::Forest,
            '^' => Terrain::Mountain,
            '%' => Terrain::Marsh,
            '~' => Terrain::Sea,
            '#' => Terrain::Prohibited,
            other => {
                self.fault("terrain:", format!("`{other}` is no terrain: use . f ^ % ~ or #"));
                Terrain::Prohibited
            }
        };
        let country = file.countries.get(&region).cloned().unwrap_or_default();
        let sea = file.seas.get(&region);
        let right = match terrain {
            Terrain::Sea => sea.is_some(),
            Terrain::Prohibited => region == '-',
            _ => !country.is_empty(),
        };
        if !right {
            self.fault(
                "regions:",
                format!("`{region}` does not fit the terrain `{ground}`: land needs a country, sea a sea"),
            );
        }
        Area {
            terrain,
            city: None,
            within: country.clone(),
            country,
            sea_zone: sea.map(|sea| sea.name.clone()),
            closed_sea: sea.is_some_and(|sea| sea.closed),
        }
    }

    fn sides(&mut self, lines: &BTreeMap<String, Vec<String>>) -> BTreeMap<(Hex, Hex), String> {
        let mut sides = BTreeMap::new();
        for (name, pairs) in lines {
            for pair in pairs {
                let hexes = pair.split_once('-').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                match hexes {
                    Some((a, b)) if Hex::direction_to(a, b).is_some() => {
                        sides.insert(side(a, b), name.clone());
                    }
                    _ => self.fault(
                        pair,
                        format!("`{pair}` is no hex side: write two neighbours such as 1307-1407"),
                    ),
                }
            }
        }
        sides
    }

    fn found(&mut self, map: &mut Map, line: CityLine) {
        let Some(index) = map.index(line.hex) else {
            return self.fault(&line.name, format!("{} lies off the map", line.hex));
        };
        let area = &mut map.areas[index];
        if !matches!(area.terrain, Terrain::Clear | Terrain::Mountain) {
            return self.fault(&line.name, format!("{} can't stand on {}", line.name, area.terrain));
        }
        if let Some(there) = &area.city {
            let reason = format!("{} already holds {}", line.hex, there.name);
            return self.fault(&line.name, reason);
        }
        if map.cities.insert(line.name.clone(), line.hex).is_some() {
            return self.fault(&line.name, format!("there are two cities called {}", line.name));
        }
        if let Some(within) = line.within {
            area.within = within;
        }
        let short = line.short.unwrap_or_else(|| line.name.clone());
        area.city = Some(City { name: line.name.clone(), short, rank: line.rank, port: line.port });
        let coast = line.hex.around().filter_map(|h| map.area(h)).any(|a| a.terrain == Terrain::Sea);
        if line.port && !coast {
            self.fault(&line.name, format!("{} can't be a port: no sea touches its hex", line.name));
        }
    }

    fn links_of(&mut self, map: &Map, sea_links: &[SeaLink]) -> Vec<Vec<Link>> {
        let open = |hex: Hex| map.area(hex).is_some_and(|area| area.terrain != Terrain::Prohibited);
        let mut links: Vec<Vec<Link>> = map
            .hexes()
            .map(|from| {
                from.around()
                    .filter(|&to| open(from) && open(to) && !map.blocked(from, to))
                    .filter_map(|to| Some(Link { to, index: map.index(to)?, river: map.river(from, to) }))
                    .collect()
            })
            .collect();
        for link in sea_links {
            let at_sea = |hex| map.area(hex).is_some_and(|area| area.terrain == Terrain::Sea);
            match (map.index(link.a), map.index(link.b)) {
                (Some(a), Some(b)) if at_sea(link.a) && at_sea(link.b) => {
                    links[a].push(Link { to: link.b, index: b, river: false });
                    links[b].push(Link { to: link.a, index: a, river: false });
                }
                _ => self.fault(&link.name, format!("the sea link {} must join two sea hexes", link.name)),
            }
        }
        links
    }
}
