//! The worth of fighters to a computer leader, and the average damage of strikes to it, in whole numbers.

use crate::battle::{Ground, Switches};
use crate::data::Dog;
use crate::known::unseen_sorts;
use crate::model::Sort;
use crate::scores;
use crate::view::{Count, SeenUnit};

/// Hundredths of a point of fighting strength.
pub(super) type Worth = i64;

/// The faces of the die that stand for a bad, a medium and a good strike: two faces each do the same (manual 4.3).
const STRIKES: [u32; 3] = [1, 3, 5];

/// The worth of a fighter of a sort: its scores and its hit points. Arrows count twice, since nobody retaliates against them.
pub(super) fn fighter(rules: &Dog, sort: &Sort, shoots: bool) -> Worth {
    let numbers = rules.numbers();
    let open = crate::known::OPEN;
    let power = scores::distance(numbers, sort).filter(|_| shoots).map_or(0, |arm| arm.power);
    let defence = scores::defence(numbers, rules.battle().switches, sort, open);
    let scores = [scores::attack(numbers, sort, open), defence, power, power, scores::hp(numbers, sort)];
    100 * scores.map(Worth::from).into_iter().sum::<Worth>()
}

/// What all of a unit are worth.
pub(super) fn unit(rules: &Dog, sorts: &[Sort], shoots: bool) -> Worth {
    sorts.iter().map(|sort| fighter(rules, sort, shoots) * i64::from(sort.fighters)).sum()
}

/// The average damage of a strike of this force to fighters.
pub(super) fn harm(rules: &Dog, force: u32, sorts: &[Sort], shoot: bool) -> Worth {
    let (numbers, switches) = (rules.numbers(), rules.battle().switches);
    let of = |die: u32| -> Worth {
        let (killed, _) = scores::deaths(numbers, sorts, scores::damage(switches, force, die));
        sorts.iter().zip(killed).map(|(sort, dead)| fighter(rules, sort, shoot) * i64::from(dead)).sum()
    };
    STRIKES.map(of).into_iter().sum::<Worth>() / 3
}

/// The fighters that a medium strike leaves.
pub(super) fn struck(rules: &Dog, force: u32, sorts: &[Sort]) -> Vec<Sort> {
    let (numbers, switches) = (rules.numbers(), rules.battle().switches);
    let (killed, _) = scores::deaths(numbers, sorts, scores::damage(switches, force, 3));
    let left =
        sorts.iter().zip(killed).map(|(sort, dead)| Sort { fighters: sort.fighters - dead, ..sort.clone() });
    left.filter(|sort| sort.fighters > 0).collect()
}

/// The force of a retaliation on this ground.
pub(super) fn defence(rules: &Dog, switches: Switches, sorts: &[Sort], ground: Ground) -> u32 {
    scores::defence_force(rules.numbers(), switches, sorts, ground)
}

/// A unit in sight as fighters: the number counted, or the middle of the guessed range.
pub(super) fn guessed(foe: &SeenUnit) -> Vec<Sort> {
    let all = match foe.count {
        Count::Exactly(all) => all,
        Count::About(least, most) => u16::midpoint(least, most),
    };
    unseen_sorts(&foe.kinds, all)
}
