//! What a leader remembers of units that aren't his.

use std::collections::BTreeMap;

use crate::model::UnitId;
use crate::view::{LastCounted, SeenUnit};
use musterd_kit::seen;

/// What an army's leader remembers of others' units.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// Those that his last report showed in sight.
    pub(super) report: BTreeMap<UnitId, SeenUnit>,
    /// Those who have hidden since they were in sight, with the round.
    pub(super) hid: seen::Memory<UnitId, u16, SeenUnit>,
    /// Enemies in sight whose fighters were counted, since when their number can't have changed untold.
    pub(super) counted: BTreeMap<UnitId, LastCounted>,
}

impl Memory {
    /// A unit is counted.
    pub(super) fn count(&mut self, unit: UnitId, fighters: u16, round: u16) {
        self.counted.insert(unit, LastCounted { fighters, round });
    }

    /// So many are told to have left a unit; none if they are not counted, so that nobody knows any more how many are left.
    pub(super) fn lessen(&mut self, unit: UnitId, by: Option<u16>, round: u16) {
        let before = self.counted.remove(&unit);
        let left = before.zip(by).and_then(|(before, by)| before.fighters.checked_sub(by));
        if let Some(left) = left.filter(|left| *left > 0) {
            self.count(unit, left, round);
        }
    }
}
