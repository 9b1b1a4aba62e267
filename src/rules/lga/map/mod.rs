//! The map: hexes with their terrain, cities, rivers and seas, from `games/lga/maps/*.yaml`. Public and unchanging.

mod file;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::model::{CityRank, Nation, Terrain};
use super::numbers::Home;
use musterd_engine::files::{DataErrors, RuleFiles};
use musterd_engine::hex::Hex;
use musterd_engine::yaml::Reader;

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
    homes: BTreeMap<Nation, Home>,
    /// What [`Map::place`] says of every hex: a receipt asks for a hundred.
    places: Vec<String>,
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

impl Map {
    /// Reads `maps/<name>.yaml`, whole even where it is wrong: the reader has noted what is.
    ///
    /// # Errors
    /// When the file is missing or can't be read at all.
    pub fn read(files: &RuleFiles, name: &str) -> Result<(Self, Reader), DataErrors> {
        let path = path_of(name);
        let mut reader = Reader::new(&path);
        let map = file::read(&mut reader, &files.tree(&path)?);
        Ok((map, reader))
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
    pub fn place(&self, hex: Hex) -> Cow<'_, str> {
        if let Some(place) = self.index(hex).and_then(|i| self.places.get(i)) {
            return Cow::Borrowed(place);
        }
        Cow::Owned(match self.area(hex).and_then(|area| area.city.as_ref()) {
            Some(city) => format!("{} {hex}", city.name),
            None => hex.to_string(),
        })
    }

    /// The countries and capitals of nations that are not, on this map, what the rules say: a small map has no Paris.
    #[must_use]
    pub const fn homes(&self) -> &BTreeMap<Nation, Home> {
        &self.homes
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

/// The file of the map with this name.
#[must_use]
pub fn path_of(name: &str) -> String {
    format!("maps/{name}.yaml")
}

/// Both hexes of a side in order.
fn side(a: Hex, b: Hex) -> (Hex, Hex) {
    if a <= b { (a, b) } else { (b, a) }
}
