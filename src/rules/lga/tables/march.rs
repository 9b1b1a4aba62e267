//! Fog of war and long marches (manual 5.62 and 5.63, rulings LGA-16, LGA-26, LGA-27 and LGA-65).

use super::{Sum, signed};
use crate::model::Arm;
use crate::numbers::{FogChances, LongMarch, read};
use crate::sight::{Check, FogLoss};

/// The sides of the die for fog of war.
pub const FOG_SIDES: u32 = 100;

/// Whether a unit that has entered a hex with these moves left rolls for the fog of war. On land a unit without moves has nothing to lose; at sea it
/// can still be kept from sailing on (ruling LGA-65).
pub const fn rolls_for_fog(arm: Arm, left: u8, at_sea: bool) -> bool {
    !matches!(arm, Arm::Hq) && (left > 0 || at_sea)
}

/// Whether a unit that has spent so many of its moves by marching has made a long march (ruling LGA-26).
pub const fn is_long(arm: Arm, marched: u8, moves: u8) -> bool {
    !matches!(arm, Arm::Hq) && marched >= moves
}

/// The moves that fog of war takes, and the moves left; `None` on most faces of the die.
pub const fn fog(chances: FogChances, left: u8, die: u32) -> Option<(FogLoss, u8)> {
    if die <= chances.lose_all {
        Some((FogLoss::All, 0))
    } else if die <= chances.lose_all + chances.lose_one && left > 0 {
        Some((FogLoss::One, left - 1))
    } else {
        None
    }
}

/// The number of faces of the die, of [`FOG_SIDES`], on which fog of war hinders a unit with these moves left.
pub fn fog_risk(chances: FogChances, left: u8) -> u32 {
    (1..=FOG_SIDES).map(|die| u32::from(fog(chances, left, die).is_some())).sum()
}

/// The roll after a long march, and the fatigue that it adds.
pub fn long_march(table: &LongMarch, fatigue: u8, winter: bool, die: u32) -> (Check, u8) {
    let mut sum = Sum::default();
    sum.add("fatigue", -signed(fatigue));
    sum.add_if(winter, "winter", table.winter);
    sum.check(die, |total| read(&table.fatigue, total))
}
