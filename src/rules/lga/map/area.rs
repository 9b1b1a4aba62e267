//! A hex of the map: its terrain, its city, its sides.

use crate::model::{CityRank, OwnTerrain, Terrain};
use musterd_engine::hex::Hex;

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
