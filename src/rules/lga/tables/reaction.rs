//! Reinforcing and withdrawing (manual 5.67, rulings LGA-14 and LGA-15).

use super::Sum;
use crate::model::Arm;
use crate::numbers::{Reinforce, Rout, read};
use crate::sight::Check;

/// The roll of a reinforcing unit, and whether it arrives.
pub fn reinforce(table: &Reinforce, arm: Arm, morale: i8, die: u32) -> (Check, bool) {
    let mut sum = Sum::default();
    sum.add("morale", morale);
    sum.add_if(arm == Arm::Militia, "militia", table.militia);
    sum.add_if(arm == Arm::Cavalry, "cavalry", table.cavalry);
    sum.check(die, |total| (total.clamp(1, 6), total >= table.arrives_on))
}

/// A unit that withdraws: everything that the rout table looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Withdrawal {
    /// Its arm.
    pub arm: Arm,
    /// Its morale.
    pub morale: i8,
    /// Whether it goes over a river.
    pub river: bool,
    /// Whether it goes into a marsh.
    pub into_marsh: bool,
}

impl Withdrawal {
    /// Whether it may rout at all: infantry and militia may (ruling LGA-15).
    pub const fn may_rout(&self) -> bool {
        matches!(self.arm, Arm::Infantry | Arm::Militia)
    }

    /// The roll and the morale that it takes; below zero the unit is destroyed.
    pub fn check(&self, table: &Rout, die: u32) -> (Check, i8) {
        let mut sum = Sum::default();
        sum.add("morale", self.morale);
        sum.add_if(self.river, "over a river", table.river);
        sum.add_if(self.into_marsh, "into marsh", table.into_marsh);
        sum.check(die, |total| read(&table.loss, total))
    }
}
