//! Invariants of every position, for tests.

use super::{Boat, Losses, State};
use crate::data::Dog;
use crate::model::{Sort, UnitId};
use crate::scores;

impl State {
    /// The inconsistencies of this position; tests check it after every event. Empty if there are none.
    pub fn faults(&self, rules: &Dog) -> Vec<String> {
        let mut faults = Vec::new();
        for (id, unit) in &self.units {
            if self.taken.get(&unit.at) != Some(id) {
                faults.push(format!("{id} stands in {}, where {:?} is", unit.at, self.taken.get(&unit.at)));
            }
            if unit.fighters() == 0 {
                faults.push(format!("{id} has nobody left and stands"));
            }
            if unit.sorts.len() != unit.shots.len() || unit.sorts.len() != unit.first.len() {
                faults.push(format!(
                    "{id} has {} sorts and shots for {}",
                    unit.sorts.len(),
                    unit.shots.len()
                ));
            }
            if unit.sorts.iter().zip(&unit.first).any(|(sort, first)| sort.fighters > *first) {
                faults.push(format!("{id} has more fighters than it began with"));
            }
            if let Err(reason) = scores::fits(rules.numbers(), rules.battle().scale, &unit.sorts) {
                faults.push(format!("{id}: {reason}"));
            }
            let bridged = unit.aboard.is_some() || self.works.bridges.contains(&unit.at);
            let ground = self.ground(rules, unit.at);
            let stands = ground.map(|g| {
                scores::may_stand(rules.numbers(), rules.battle().switches, &unit.sorts, g, bridged)
            });
            match stands {
                None => faults.push(format!("{id} stands off the field in {}", unit.at)),
                Some(Err(reason)) => faults.push(format!("{id} in {}: {reason}", unit.at)),
                Some(Ok(())) => {}
            }
            let carries = |boat: &Boat| boat.load == Some(*id) && boat.at == unit.at;
            if unit.aboard.is_some_and(|boat| !self.boats.get(usize::from(boat)).is_some_and(carries)) {
                faults.push(format!("{id} is aboard a boat that doesn't carry it"));
            }
        }
        if self.taken.len() != self.units.len() {
            faults.push(format!("{} hexes are taken by {} units", self.taken.len(), self.units.len()));
        }
        let sum = |of: fn(&Losses) -> u64| self.ledgers.values().map(of).sum::<u64>();
        if sum(|ledger| ledger.lost) != sum(|ledger| ledger.inflicted + ledger.drowned) {
            faults.push("what was lost is not what was inflicted".to_owned());
        }
        faults
    }

    /// The hit points of everybody on the field, and of everybody who fell: nothing comes from nothing (tests).
    pub fn hit_points(&self, rules: &Dog) -> (u64, u64) {
        let of = |sort: &Sort| u64::from(scores::hp(rules.numbers(), sort)) * u64::from(sort.fighters);
        let present = self.units.values().flat_map(|unit| &unit.sorts).map(of).sum();
        (present, self.ledgers.values().map(|ledger| ledger.lost).sum())
    }

    /// The units that an army's enemies don't see.
    pub fn hidden(&self) -> Vec<UnitId> {
        self.units.iter().filter(|(_, unit)| unit.hidden).map(|(id, _)| *id).collect()
    }
}
