//! Lines of supply (manual 2.3 and 5.4, rulings LGA-34, LGA-55 and LGA-64).

use super::data::Lga;
use super::model::{Nation, Side, UnitId};
use super::sites::supply_capitals;
use super::spots::{Spot, Spots, trace};
use super::state::State;
use musterd_engine::hex::Hex;

/// Which hexes a side can trace a line of supply to.
pub(super) struct Supply(Spots);

impl Supply {
    /// Traces lines from every source of the side over its own hexes. A line continues from a hex only if no enemy zone covers it, even if a friendly
    /// unit stands there. Either end may be in a zone.
    pub(super) fn of(rules: &Lga, state: &State, side: Side) -> Self {
        let zones = state.enemy_zones(rules, side);
        let open = open(state, side).filter(|hex| !state.occupied_by_enemy(rules, *hex, side));
        Self::trace(rules, sources(rules, state, side), open, |hex| zones.contains(hex))
    }

    /// The same from the sources, the hexes over which a line can run, apart from zones, and the hexes that enemy zones cover.
    pub(super) fn trace(
        rules: &Lga,
        sources: impl Iterator<Item = Hex>,
        open: impl Iterator<Item = Hex>,
        in_zone: impl Fn(Hex) -> bool,
    ) -> Self {
        let map = &rules.map;
        let held = Spots::of(map.len(), open.filter_map(|hex| map.index(hex)));
        let zones = Spots::of(map.len(), (0..map.len()).filter(|spot| in_zone(map.at(*spot))));
        let near = |here: Spot| map.links_at(here).iter().map(|link| link.index);
        Self(trace(near, sources.filter_map(|hex| map.index(hex)), &held, &zones))
    }

    /// Whether a line reaches the hex.
    pub(super) fn reaches(&self, rules: &Lga, hex: Hex) -> bool {
        rules.map.index(hex).is_some_and(|spot| self.0.has(spot))
    }

    /// Every hex that a line reaches.
    pub(super) fn hexes<'a>(&'a self, rules: &'a Lga) -> impl Iterator<Item = Hex> + 'a {
        self.0.spots().map(|spot| rules.map.at(spot))
    }

    /// Whether a unit is in supply where it stands: by a line, or where it needs none.
    pub(super) fn serves(&self, rules: &Lga, state: &State, unit: UnitId) -> bool {
        let Some(at) = state.unit(unit).at else { return true };
        rules.setting.of(rules.scenario.unit(unit).nation).needs_no_line(&rules.map, at)
            || self.reaches(rules, at)
    }
}

/// The side's own hexes.
fn open(state: &State, side: Side) -> impl Iterator<Item = Hex> + '_ {
    state.control.iter().filter(move |(_, controller)| **controller == side).map(|(hex, _)| *hex)
}

/// The sources of a side: the capitals that it holds of those that can supply it, and every port with a garrison of a nation that supplies from
/// ports.
fn sources<'a>(rules: &'a Lga, state: &'a State, side: Side) -> impl Iterator<Item = Hex> + 'a {
    let map = &rules.map;
    let capitals = supply_capitals(rules, side).filter(move |hex| state.control.get(hex) == Some(&side));
    let lands = |nation: Nation| rules.setting.of(nation).port_supply;
    let open_port = move |hex: &Hex| {
        let garrison = |&id: &UnitId| {
            let spec = rules.scenario.unit(id);
            state.unit(id).garrison && spec.side == side && lands(spec.nation)
        };
        state.stack(*hex).iter().any(garrison)
    };
    let ports = map.cities().filter(|(_, city)| city.port).map(|(hex, _)| hex).filter(open_port);
    capitals.chain(ports)
}
