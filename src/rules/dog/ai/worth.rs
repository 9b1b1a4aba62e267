//! The worth of fighters to a computer leader.

use crate::data::Dog;
use crate::known::unseen_sorts;
use crate::model::{Ground, Sort};
use crate::scores;
use crate::view::SeenUnit;

/// Hundredths of a point of fighting strength.
pub(super) type Worth = i64;

/// The worth of a fighter of a sort: its scores and its hit points. Arrows count twice, since nobody retaliates against them.
pub(super) fn fighter(rules: &Dog, sort: &Sort, shoots: bool) -> Worth {
    let numbers = rules.numbers();
    let power = scores::distance(numbers, sort).filter(|_| shoots).map_or(0, |arm| arm.power);
    let defence = scores::defence(numbers, rules.battle().switches, sort, Ground::OPEN);
    let scores =
        [scores::attack(numbers, sort, Ground::OPEN), defence, power, power, scores::hp(numbers, sort)];
    100 * scores.map(Worth::from).into_iter().sum::<Worth>()
}

/// A unit in sight as fighters: the number counted, or the middle of the guessed range.
pub(super) fn guessed(foe: &SeenUnit) -> Vec<Sort> {
    let (least, most) = foe.count.ends();
    unseen_sorts(&foe.kinds, u16::midpoint(least, most))
}
