//! Invariants of every position, for tests and for amendments.

use std::collections::BTreeSet;

use super::State;
use crate::data::Lga;
use crate::model::{Arm, Side};
use musterd_engine::hex::Hex;

impl State {
    /// The inconsistencies of this position; tests check it after every event. Empty if there are none.
    pub fn faults(&self, rules: &Lga) -> Vec<String> {
        let mut faults = Vec::new();
        for spec in &rules.scenario.units {
            let unit = self.unit(spec.id);
            let max = rules.stats(spec.kind).max_morale;
            let stacked = self.stacks.iter().filter(|(_, stack)| stack.contains(&spec.id));
            let stacked: Vec<Hex> = stacked.map(|(&hex, _)| hex).collect();
            if stacked != unit.at.into_iter().collect::<Vec<_>>() {
                faults.push(format!("unit {} is at {:?} but stacked at {stacked:?}", spec.id, unit.at));
            }
            if unit.at.is_some() && !(0..=max).contains(&unit.morale) {
                faults.push(format!("unit {} has morale {} of {max}", spec.id, unit.morale));
            }
            if unit.left > rules.stats(spec.kind).moves || unit.marched > rules.stats(spec.kind).moves {
                faults.push(format!("unit {} has more moves than its type", spec.id));
            }
        }
        for (&hex, stack) in &self.stacks {
            let sides: BTreeSet<Side> = stack.iter().map(|&id| rules.scenario.unit(id).side).collect();
            if sides.len() != 1 {
                faults.push(format!("{hex} holds the pieces of {} sides", sides.len()));
            }
            if stack.iter().filter(|&&id| self.unit(id).garrison).count() > 1 {
                faults.push(format!("{hex} has two garrisons"));
            }
            let land = rules.map.is_land(hex);
            let unit = stack.iter().find(|&&id| rules.scenario.unit(id).kind.arm != Arm::Hq);
            if let Some(&id) = unit
                && land
                && self.control.get(&hex) != Some(&rules.scenario.unit(id).side)
            {
                faults.push(format!("{hex} is not controlled by unit {id}, which stands in it"));
            }
        }
        if let Some((nation, points)) = self.points.iter().find(|(_, points)| **points < 0) {
            faults.push(format!("{} has {points} military points", rules.name(*nation)));
        }
        faults
    }
}
