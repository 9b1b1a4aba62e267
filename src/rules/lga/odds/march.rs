//! Marches over land: how far a unit gets in the fog of war, and the cost of a long march (manual 5.61 to 5.63).

use crate::model::UnitType;
use crate::numbers::Numbers;
use crate::tables::march;
use musterd_dice::odds::Distribution;

/// A unit that sets out, and the way before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct March {
    /// Its type.
    pub kind: UnitType,
    /// Its fatigue.
    pub fatigue: u8,
    /// Moves that it has left.
    pub left: u8,
    /// Moves of this season that it has spent by marching already.
    pub marched: u8,
    /// Whether it is winter.
    pub winter: bool,
    /// The cost of each hex of the way, zones of control included.
    pub way: Vec<u8>,
}

/// The state at the end of a march.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Halt {
    /// Hexes entered.
    pub entered: usize,
    /// Moves left.
    pub left: u8,
    /// Fatigue.
    pub fatigue: u8,
    marched: u8,
}

impl March {
    /// The possible ends of the march.
    pub fn halts(&self, numbers: &Numbers) -> Distribution<Halt> {
        let Self { kind, fatigue, left, marched, winter, ref way } = *self;
        let moves = numbers.units.stats(kind).moves;
        let start = Distribution::certain(Halt { entered: 0, left, fatigue, marched });
        way.iter().enumerate().fold(start, |halts, (step, &cost)| {
            let entered = halts.map(|halt| match halt.left.checked_sub(cost) {
                Some(left) if halt.entered == step => {
                    Halt { entered: step + 1, left, marched: halt.marched.saturating_add(cost), ..*halt }
                }
                _ => *halt,
            });
            let fogged = entered.throw(march::FOG_SIDES, |&halt| {
                let rolls = halt.entered > step && march::rolls_for_fog(kind.arm, halt.left, false);
                rolls.then_some(move |die| match march::fog(numbers.fog, halt.left, die) {
                    Some((_, left)) => Halt { left, ..halt },
                    None => halt,
                })
            });
            fogged.throw(6, |&halt| {
                let rolls = halt.entered > step && cost > 0 && march::is_long(kind.arm, halt.marched, moves);
                rolls.then_some(move |die| {
                    let (_, gained) = march::long_march(&numbers.long_march, halt.fatigue, winter, die);
                    Halt { fatigue: halt.fatigue.saturating_add(gained), ..halt }
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rules;
    use crate::model::Arm;

    #[test]
    fn five_hexes_with_five_moves_need_four_dice_without_fog() {
        let rules = rules("austrian-1805");
        let infantry = UnitType::from(Arm::Infantry);
        let march = March {
            kind: infantry,
            fatigue: 0,
            left: 5,
            marched: 0,
            winter: false,
            way: vec![1, 1, 1, 1, 1],
        };
        let halts = march.halts(&rules.numbers);
        // 0.95 to the fourth; then the die of the long march adds fatigue on 1 to 4.
        assert_eq!(halts.probability(|halt| halt.entered == 5).to_string(), "130321/160000");
        assert_eq!(halts.probability(|halt| halt.fatigue > 0).to_string(), "130321/240000");
        assert_eq!(halts.probability(|_| true).to_string(), "1");
        // One move is left over: one of the four steps may cost one more.
        let march = March { way: vec![1, 1, 1, 1], ..march };
        let arrives = march.halts(&rules.numbers).probability(|halt| halt.entered == 4);
        assert_eq!(arrives.decimal(6), "0.938600");
    }
}
