//! The map itself: its hexes with terrain and cities, and what lies between them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{CityRank, Nation, OwnTerrain, Terrain};
use crate::setting::Home;
use musterd_engine::hex::Hex;
use musterd_kit::field;

/// The map of a game.
#[derive(Debug, Clone)]
pub struct Map {
    /// The number of columns.
    pub columns: u8,
    /// The number of rows.
    pub rows: u8,
    pub(super) areas: Vec<Area>,
    pub(super) links: Vec<Vec<Link>>,
    pub(super) cities: BTreeMap<String, Hex>,
    pub(super) rivers: BTreeMap<(Hex, Hex), String>,
    pub(super) blocked: BTreeSet<(Hex, Hex)>,
    /// Countries and capitals of nations that differ on this map from the rules: a small map has no Paris.
    pub homes: BTreeMap<Nation, Home>,
    /// The text of [`Map::place`] for every hex: a receipt needs a hundred.
    pub(super) places: Vec<String>,
}

impl Map {
    /// A map of this many columns and rows on which nothing is yet.
    pub(super) const fn of_size((columns, rows): (u8, u8)) -> Self {
        Self {
            columns,
            rows,
            areas: Vec::new(),
            links: Vec::new(),
            cities: BTreeMap::new(),
            rivers: BTreeMap::new(),
            blocked: BTreeSet::new(),
            homes: BTreeMap::new(),
            places: Vec::new(),
        }
    }

    /// The last hex, in the last column and row.
    pub const fn last(&self) -> Hex {
        Hex::new(self.columns, self.rows)
    }

    /// The hex, if the map has it.
    pub fn area(&self, hex: Hex) -> Option<&Area> {
        self.index(hex).map(|i| &self.areas[i])
    }

    /// The city in a hex.
    pub fn city_at(&self, hex: Hex) -> Option<&City> {
        self.area(hex)?.city.as_ref()
    }

    /// Whether units can stand in a hex without a ship.
    pub fn is_land(&self, hex: Hex) -> bool {
        self.area(hex).is_some_and(Area::is_land)
    }

    /// Whether a hex is sea.
    pub fn is_sea(&self, hex: Hex) -> bool {
        self.area(hex).is_some_and(|area| area.terrain == Terrain::Sea)
    }

    /// Whether one step by land or sea leads from a hex to another.
    pub fn touch(&self, from: Hex, to: Hex) -> bool {
        self.neighbours(from).any(|hex| hex == to)
    }

    /// Every hex, in the order in which a map is read.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        field::hexes((self.columns, self.rows))
    }

    /// The hexes that can be reached from here in one step by land or sea: not closed ones, not over blocked sides, and
    /// over the passage round Portugal.
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> + '_ {
        self.links(hex).iter().map(|link| link.to)
    }

    /// Whether a river runs between two hexes.
    pub fn river(&self, a: Hex, b: Hex) -> bool {
        self.rivers.contains_key(&side(a, b))
    }

    /// The sides with a river: both hexes in order, the river's name.
    pub fn rivers(&self) -> impl Iterator<Item = (Hex, Hex, &str)> {
        self.rivers.iter().map(|(&(a, b), name)| (a, b, name.as_str()))
    }

    /// Whether nothing passes between two hexes.
    pub fn blocked(&self, a: Hex, b: Hex) -> bool {
        self.blocked.contains(&side(a, b))
    }

    /// The blocked sides, both hexes in order.
    pub fn blocked_sides(&self) -> impl Iterator<Item = (Hex, Hex)> {
        self.blocked.iter().copied()
    }

    /// The hex of the city with exactly this name.
    pub fn city(&self, name: &str) -> Option<Hex> {
        self.cities.get(name).copied()
    }

    /// The countries that some hex belongs to.
    pub(crate) fn countries(&self) -> BTreeSet<&str> {
        self.areas.iter().map(|area| area.country.as_str()).filter(|country| !country.is_empty()).collect()
    }

    /// Every city with its hex, in the order in which a map is read.
    pub fn cities(&self) -> impl Iterator<Item = (Hex, &City)> {
        self.hexes().zip(&self.areas).filter_map(|(hex, area)| Some((hex, area.city.as_ref()?)))
    }

    /// A hex as a report names it: `Ulm 1507`, or `1506`.
    pub fn place(&self, hex: Hex) -> Cow<'_, str> {
        if let Some(place) = self.index(hex).and_then(|i| self.places.get(i)) {
            return Cow::Borrowed(place);
        }
        Cow::Owned(match self.city_at(hex) {
            Some(city) => format!("{} {hex}", city.name),
            None => hex.to_string(),
        })
    }

    /// A dense number for a hex of the map, from 0.
    pub(crate) fn index(&self, hex: Hex) -> Option<usize> {
        field::place((self.columns, self.rows), hex)
    }

    /// The hex with a number of [`Map::index`].
    pub(crate) fn at(&self, index: usize) -> Hex {
        let columns = usize::from(self.columns);
        let number = |n: usize| u8::try_from(n + 1).unwrap_or(u8::MAX);
        Hex::new(number(index % columns), number(index / columns))
    }

    /// How many hexes there are.
    pub(crate) fn len(&self) -> usize {
        self.areas.len()
    }

    /// The sides that can be passed.
    pub(crate) fn links(&self, hex: Hex) -> &[Link] {
        self.index(hex).map_or(&[], |i| self.links[i].as_slice())
    }

    /// The sides that can be passed, of the hex with this number.
    pub(crate) fn links_at(&self, index: usize) -> &[Link] {
        &self.links[index]
    }
}

/// Both hexes of a side in order.
pub(super) fn side(a: Hex, b: Hex) -> (Hex, Hex) {
    if a <= b { (a, b) } else { (b, a) }
}

/// A hex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    /// What the ground is, or counts as.
    pub terrain: Terrain,
    /// What it is, if it is none of the rules' own.
    pub own_terrain: Option<OwnTerrain>,
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
    /// The name of the ground: `hills`.
    pub fn ground(&self) -> String {
        self.own_terrain.map_or_else(|| self.terrain.to_string(), |own| own.word().to_owned())
    }

    /// Whether units can stand here at all without a ship.
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
    /// Its names in other languages.
    pub also: Vec<String>,
    /// How big it is.
    pub rank: CityRank,
    /// Whether a British garrison in it supplies the Allies (manual 2.3).
    pub port: bool,
}

/// A side that can be passed, and what lies behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// The hex on the other side.
    pub(crate) to: Hex,
    /// Its place in `Map::index` order.
    pub(crate) index: usize,
    /// Whether a river runs between.
    pub(crate) river: bool,
}
