//! Results that one die decides: the muster, withdrawing, reinforcing, a siege.

use super::Remains;
use crate::model::Arm;
use crate::numbers::{Muster, Reinforce, Rout, Siege};
use crate::tables::muster::Mustering;
use crate::tables::reaction::{self, Withdrawal};
use crate::tables::siege;
use musterd_dice::odds::Distribution;

/// The fate of a unit at a muster (manual 5.4).
pub fn muster(table: &Muster, unit: &Mustering<'_>) -> Distribution<Remains> {
    one_roll(unit.morale, |die| unit.loss(table, die))
}

/// The fate of a unit that withdraws (manual 5.67): units that can't rout are unhurt.
pub fn withdraw(table: &Rout, unit: &Withdrawal) -> Distribution<Remains> {
    if unit.may_rout() {
        one_roll(unit.morale, |die| unit.check(table, die).1)
    } else {
        Distribution::certain(Remains::Morale(unit.morale))
    }
}

/// Whether a reinforcing unit arrives (manual 5.67): a headquarters always does (ruling LGA-56).
pub fn reinforce(table: &Reinforce, arm: Arm, morale: i8) -> Distribution<bool> {
    let arrives = Distribution::certain(true);
    if arm == Arm::Hq {
        return arrives;
    }
    arrives.throw(6, |_| Some(|die| reaction::reinforce(table, arm, morale, die).1))
}

/// The fate of a garrison that is out of supply at the end of its turn (manual 5.7).
pub fn besieged(table: &Siege, morale: i8) -> Distribution<Remains> {
    one_roll(morale, |die| siege::loss(table, die))
}

fn one_roll(morale: i8, loss: impl Fn(u32) -> i8) -> Distribution<Remains> {
    let before = Distribution::certain(Remains::Morale(morale));
    before.throw(6, |_| Some(|die| Remains::left_with(morale - loss(die))))
}
