//! The ground of every hex for a traveller, by map and scenario, whoever controls the hex.

use super::map::{Area, Map};
use super::model::{Arm, Nation, Terrain};
use super::numbers::MoveCosts;
use super::scenario::Scenario;
use super::setting::{Setting, Zone, lists};
use musterd_engine::hex::Hex;

/// The properties of a unit that the map's rules of entry depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traveller {
    /// The nation that the unit belongs to.
    pub nation: Nation,
    /// The arm of the unit.
    pub arm: Arm,
}

/// Why a unit may never enter a hex, whoever stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEntry {
    /// Off the map or not in this scenario (manual 2.2).
    OutOfPlay,
    /// The hex belongs to the Neutral side, and the scenario keeps it shut (ruling LGA-33).
    Neutral,
    /// Sea, for nations that don't sail (manual 2.5).
    Sea,
    /// A closed sea, for those that do (manual 2.5, ruling LGA-31).
    ClosedSea,
    /// A zone of the setting, by number, that is closed to the unit (manual 2.5, rulings LGA-42 and LGA-43).
    Zone(u8),
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
pub(super) struct Footings {
    /// The nations of the setting, in its order, each with the number of its group by arm.
    groups: Vec<(Nation, [usize; Arm::ALL.len()])>,
    /// A group for all travellers that the rules of entry don't distinguish.
    grounds: Vec<Vec<Footing>>,
    /// For each group, whether some step may cost no move: at sea, or where a host's rules say so of a ground.
    free_steps: Vec<bool>,
}

impl Footings {
    /// Works out the footing of every hex.
    pub(super) fn new(setting: &Setting, map: &Map, scenario: &Scenario, costs: &MoveCosts) -> Self {
        let mut bonds: Vec<Bonds> = Vec::new();
        let mut group = |of: Bonds| {
            bonds.iter().position(|known| *known == of).unwrap_or_else(|| {
                bonds.push(of);
                bonds.len() - 1
            })
        };
        let groups = setting.nations().map(|(nation, traits)| {
            let of = |arm| Bonds { sails: traits.sails, zones: setting.bonds(nation, arm) };
            (nation, Arm::ALL.map(|arm| group(of(arm))))
        });
        let groups = groups.collect();
        let footing = |of: &Bonds, hex: Hex, area: &Area| Footing {
            closed: shut(setting, scenario, of, hex, area),
            sea: area.terrain == Terrain::Sea,
            enter: match area.own_terrain.filter(|_| area.city.is_none()) {
                Some(own) => own.moves,
                None => costs.enter(area.terrain, area.city.is_some()),
            },
        };
        let ground =
            |of: &Bonds| map.hexes().filter_map(|hex| Some(footing(of, hex, map.area(hex)?))).collect();
        let grounds: Vec<Vec<Footing>> = bonds.iter().map(ground).collect();
        let is_free = |footing: &Footing| footing.closed.is_none() && (footing.sea || footing.enter == 0);
        let free_steps = grounds.iter().map(|ground| ground.iter().any(is_free)).collect();
        Self { groups, grounds, free_steps }
    }

    /// Whether some step may cost this traveller no move.
    pub(super) fn has_free_steps(&self, who: Traveller) -> bool {
        self.free_steps[self.group(who)]
    }

    /// The footings of the group that a traveller belongs to.
    pub(super) fn of(&self, who: Traveller) -> &[Footing] {
        &self.grounds[self.group(who)]
    }

    fn group(&self, who: Traveller) -> usize {
        let types = self.groups.iter().find(|(nation, _)| *nation == who.nation);
        #[expect(clippy::expect_used, reason = "the nations of a scenario are checked against its setting")]
        let (_, groups) = types.expect("a nation of the setting");
        groups[who.arm as usize]
    }
}

/// What the rules of entry distinguish travellers by.
#[derive(PartialEq, Eq)]
struct Bonds {
    sails: bool,
    /// The zones of the setting that bind them.
    zones: Vec<u8>,
}

/// Why a traveller may never enter a hex, whoever controls it.
fn shut(setting: &Setting, scenario: &Scenario, who: &Bonds, hex: Hex, area: &Area) -> Option<NoEntry> {
    match area.terrain {
        Terrain::Prohibited => return Some(NoEntry::OutOfPlay),
        Terrain::Sea if !who.sails => return Some(NoEntry::Sea),
        Terrain::Sea if area.closed_sea => return Some(NoEntry::ClosedSea),
        Terrain::Sea => return None,
        Terrain::Clear | Terrain::Forest | Terrain::Mountain | Terrain::Marsh => {}
    }
    if !scenario.in_play(hex) {
        return Some(NoEntry::OutOfPlay);
    }
    who.zones.iter().find(|zone| forbids(setting.zone(**zone), area)).map(|zone| NoEntry::Zone(*zone))
}

/// Whether a zone forbids an area to those whom it binds.
fn forbids(zone: &Zone, area: &Area) -> bool {
    lists(zone.closed(), &area.country)
        || !zone.confined().is_empty() && !lists(zone.confined(), &area.within)
}
