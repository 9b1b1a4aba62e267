//! Keeps track of the fighters that each unit lost: if the GM puts some back, the ledgers are corrected.

use super::State;
use crate::data::Dog;
use crate::model::{ArmyId, Sort, UnitId};
use crate::scores;

/// How fighters went.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// An army struck them down.
    Struck { by: ArmyId },
    /// The water took them.
    Drowned,
    /// The GM took them off the field: no ledger has them.
    TakenOff,
}

/// Fighters of a sort, as many as are gone, who went at the same time.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) sort: Sort,
    pub(super) how: How,
}

impl State {
    /// Fighters of a sort are gone from a unit.
    pub(super) fn note_gone(&mut self, unit: UnitId, sort: &Sort, fighters: u16, how: How) {
        if fighters > 0 {
            let sort = Sort { fighters, ..sort.clone() };
            self.gone.entry(unit).or_default().push(Gone { sort, how });
        }
    }

    /// This number of a sort returns to a unit: the last who went come back first, and no longer count as lost. Additional fighters are new on the
    /// field.
    pub(super) fn take_back(&mut self, rules: &Dog, unit: UnitId, sort: &Sort, mut fighters: u16) {
        let army = rules.battle().army_of(unit);
        let (Some(gone), Some(army)) = (self.gone.get_mut(&unit), army) else { return };
        let each = u64::from(scores::hp(rules.numbers(), sort));
        for Gone { sort: lost, how } in gone.iter_mut().rev() {
            if *lost != (Sort { fighters: lost.fighters, ..sort.clone() }) {
                continue;
            }
            let back = fighters.min(lost.fighters);
            lost.fighters -= back;
            fighters -= back;
            let hp = u64::from(back) * each;
            match *how {
                How::Struck { by } => {
                    // What that army counted stays: a smaller count would reveal how many stand again out of its sight (ruling DOG-45).
                    let ledger = self.ledgers.entry(by).or_default();
                    ledger.inflicted = ledger.inflicted.saturating_sub(hp);
                }
                How::Drowned => {
                    let ledger = self.ledgers.entry(army).or_default();
                    ledger.drowned = ledger.drowned.saturating_sub(hp);
                }
                // No ledger has them.
                How::TakenOff => continue,
            }
            let ledger = self.ledgers.entry(army).or_default();
            ledger.lost = ledger.lost.saturating_sub(hp);
        }
        gone.retain(|gone| gone.sort.fighters > 0);
    }
}
