//! Lines of supply (manual 2.3 and 5.4, rulings LGA-34, LGA-55 and LGA-64).

use super::data::Lga;
use super::model::{Nation, Side, UnitId};
use super::sites::{needs_no_line, supply_capitals};
use super::state::State;
use musterd_engine::hex::Hex;

/// Which hexes a side can trace a line of supply to.
pub(super) struct Supply(Vec<bool>);

impl Supply {
    /// Traces lines from every source of the side over its own hexes. A line continues from a hex only if no enemy zone covers it, even if a friendly
    /// unit stands there. Either end may be in a zone.
    pub(super) fn of(rules: &Lga, state: &State, side: Side) -> Self {
        let map = rules.map();
        let zones = state.enemy_zones(rules, side);
        let passable = passable(rules, state, side);
        let mut reached = vec![false; map.len()];
        let mut open: Vec<(usize, bool)> = Vec::with_capacity(64);
        for index in sources(rules, state, side) {
            reached[index] = true;
            open.push((index, true));
        }
        while let Some((here, source)) = open.pop() {
            if !source && zones.contains(map.at(here)) {
                continue;
            }
            for link in map.links_at(here) {
                if passable[link.index] && !reached[link.index] {
                    reached[link.index] = true;
                    open.push((link.index, false));
                }
            }
        }
        Self(reached)
    }

    /// Whether a line reaches the hex.
    pub(super) fn reaches(&self, rules: &Lga, hex: Hex) -> bool {
        rules.map().index(hex).is_some_and(|index| self.0[index])
    }

    /// Every hex that a line reaches.
    pub(super) fn hexes<'a>(&'a self, rules: &'a Lga) -> impl Iterator<Item = Hex> + 'a {
        self.0.iter().enumerate().filter(|(_, reached)| **reached).map(|(index, _)| rules.map().at(index))
    }

    /// Whether a unit is in supply where it stands: by a line, or where it needs none.
    pub(super) fn serves(&self, rules: &Lga, state: &State, unit: UnitId) -> bool {
        let Some(at) = state.unit(unit).at else { return true };
        needs_no_line(rules.map(), rules.scenario().unit(unit).nation, at) || self.reaches(rules, at)
    }
}

/// The hexes over which a line can run, apart from zones: the side's own without an enemy unit in them, by number.
fn passable(rules: &Lga, state: &State, side: Side) -> Vec<bool> {
    let mut passable = vec![false; rules.map().len()];
    let ours = state.control.iter().filter(|(_, controller)| **controller == side);
    for index in ours.filter_map(|(&hex, _)| rules.map().index(hex)) {
        passable[index] = true;
    }
    let held = state.stacks().filter(|&(hex, _)| state.occupied_by_enemy(rules, hex, side));
    for index in held.filter_map(|(hex, _)| rules.map().index(hex)) {
        passable[index] = false;
    }
    passable
}

/// The sources of a side: the capitals that it holds of those that can supply it, and every port with a British garrison.
fn sources(rules: &Lga, state: &State, side: Side) -> Vec<usize> {
    let map = rules.map();
    let capitals = supply_capitals(rules, side).filter(|hex| state.control.get(hex) == Some(&side));
    let british_port = |hex: &Hex| {
        let garrison = |&id: &UnitId| {
            let spec = rules.scenario().unit(id);
            state.unit(id).garrison && spec.nation == Nation::Britain && spec.side == side
        };
        state.stack(*hex).iter().any(garrison)
    };
    let ports = map.cities().filter(|(_, city)| city.port).map(|(hex, _)| hex).filter(british_port);
    capitals.chain(ports).filter_map(|hex| map.index(hex)).collect()
}
