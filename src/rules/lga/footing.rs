//! The ground of every hex for a traveller, by map and scenario, whoever controls the hex.

use std::fmt;

use super::map::{Area, Map};
use super::model::{Nation, Terrain, UnitType};
use super::numbers::MoveCosts;
use super::scenario::Scenario;
use musterd_engine::hex::Hex;

/// The properties of a unit that the map's rules of entry depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traveller {
    /// The nation that the unit belongs to.
    pub nation: Nation,
    /// The type of the unit.
    pub kind: UnitType,
}

/// Why a unit may never enter a hex, whoever stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEntry {
    /// Off the map or not in this scenario (manual 2.2).
    OutOfPlay,
    /// The hex belongs to the Neutral side, and the scenario keeps it shut (ruling LGA-33).
    Neutral,
    /// Sea, for anybody but the British (manual 2.5).
    Sea,
    /// The Baltic, for the British (manual 2.5, ruling LGA-31).
    ClosedSea,
    /// The Russian hinterland, for the French (manual 2.5, ruling LGA-43).
    Hinterland,
    /// Outside Spain and Portugal, for Spanish militia (manual 2.5, ruling LGA-42).
    AbroadForMilitia,
}

impl fmt::Display for NoEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OutOfPlay => "it is not in play in this scenario",
            Self::Neutral => "it is neutral and closed",
            Self::Sea => "only the British sail",
            Self::ClosedSea => "the British may not enter that sea",
            Self::Hinterland => "the French may not enter the Russian hinterland",
            Self::AbroadForMilitia => "Spanish militia stay in Spain and Portugal",
        })
    }
}

/// The ground of a hex for a traveller; nothing in play changes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Footing {
    pub(super) closed: Option<NoEntry>,
    pub(super) sea: bool,
    /// The moves to enter it over land.
    pub(super) enter: u8,
}

/// The footing of every hex for every kind of traveller, in [`Map::index`] order. It is computed once for each game, because a search needs it
/// thousands of times a turn.
#[derive(Debug, Clone)]
pub(super) struct Footings([Vec<Footing>; 4]);

impl Footings {
    /// Works out the footing of every hex.
    pub(super) fn new(map: &Map, scenario: &Scenario, costs: &MoveCosts) -> Self {
        // One traveller for each of the groups that the rules of entry distinguish.
        let travellers = [
            Traveller { nation: Nation::Britain, kind: UnitType::Infantry },
            Traveller { nation: Nation::French, kind: UnitType::Infantry },
            Traveller { nation: Nation::Spain, kind: UnitType::Militia },
            Traveller { nation: Nation::Spain, kind: UnitType::Infantry },
        ];
        let footing = |who: Traveller, hex: Hex, area: &Area| Footing {
            closed: shut(map, scenario, who, hex, area),
            sea: area.terrain == Terrain::Sea,
            enter: costs.enter(area.terrain, area.city.is_some()),
        };
        let footings =
            |who| map.hexes().filter_map(|hex| Some(footing(who, hex, map.area(hex)?))).collect::<Vec<_>>();
        Self(travellers.map(footings))
    }

    /// The footings of the group that a traveller belongs to.
    pub(super) fn of(&self, who: Traveller) -> &[Footing] {
        &self.0[match (who.nation, who.kind) {
            (Nation::Britain, _) => 0,
            (Nation::French, _) => 1,
            (Nation::Spain, UnitType::Militia) => 2,
            _ => 3,
        }]
    }
}

/// Why the traveller may never enter a hex, whoever controls it.
fn shut(map: &Map, scenario: &Scenario, who: Traveller, hex: Hex, area: &Area) -> Option<NoEntry> {
    match area.terrain {
        Terrain::Prohibited => return Some(NoEntry::OutOfPlay),
        Terrain::Sea if who.nation != Nation::Britain => return Some(NoEntry::Sea),
        Terrain::Sea if area.closed_sea => return Some(NoEntry::ClosedSea),
        Terrain::Sea => return None,
        Terrain::Clear | Terrain::Forest | Terrain::Mountain | Terrain::Marsh => {}
    }
    let militia = who.nation == Nation::Spain && who.kind == UnitType::Militia;
    if !scenario.in_play(hex) {
        Some(NoEntry::OutOfPlay)
    } else if is_hinterland(map, hex) && who.nation == Nation::French {
        Some(NoEntry::Hinterland)
    } else if militia && !["Spain", "Portugal"].contains(&area.within.as_str()) {
        Some(NoEntry::AbroadForMilitia)
    } else {
        None
    }
}

/// The country that only Russians may enter: the last column of the map of Europe (manual 2.5).
const HINTERLAND: &str = "Russian Hinterland";

/// Whether a hex is Russian hinterland.
#[must_use]
pub fn is_hinterland(map: &Map, hex: Hex) -> bool {
    map.area(hex).is_some_and(|area| area.country == HINTERLAND)
}
