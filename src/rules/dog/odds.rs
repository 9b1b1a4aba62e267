//! Exact odds of strikes, exchanges and series of rounds (manual 4.3): counted, never sampled.

use super::battle::{Ground, Switches};
use super::model::Sort;
use super::numbers::Numbers;
use super::scores;
use crate::dice::odds::Distribution;

/// A side of an exchange: who, and where they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fighters {
    /// Who.
    pub sorts: Vec<Sort>,
    /// Where.
    pub ground: Ground,
}

/// What a strike may do: fighters killed, hit points taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Toll {
    /// Fighters killed.
    pub killed: u16,
    /// Their hit points.
    pub hp: u32,
}

/// The odds of a strike of so much force on fighters (rulings DOG-1, DOG-2).
#[must_use]
pub fn strike(numbers: &Numbers, switches: Switches, force: u32, on: &[Sort]) -> Distribution<Toll> {
    Distribution::certain(Toll { killed: 0, hp: 0 }).throw(6, |_| {
        Some(|die: u32| {
            let (killed, hp) = scores::deaths(numbers, on, scores::damage(switches, force, die));
            Toll { killed: killed.iter().sum(), hp }
        })
    })
}

/// The odds of `rounds` rounds in which one side attacks and the other defends itself: the fighters left of each sort on both sides
/// (rulings DOG-15, DOG-16). It ends when a side is gone.
#[must_use]
pub fn rounds(
    numbers: &Numbers,
    switches: Switches,
    attacker: &Fighters,
    defender: &Fighters,
    rounds: u16,
) -> Distribution<(Vec<u16>, Vec<u16>)> {
    let count = |side: &Fighters| side.sorts.iter().map(|sort| sort.fighters).collect::<Vec<u16>>();
    let of = |side: &Fighters, left: &[u16]| -> Vec<Sort> {
        let sorts = side.sorts.iter().zip(left);
        sorts.map(|(sort, fighters)| Sort { fighters: *fighters, ..sort.clone() }).collect()
    };
    let gone = |left: &[u16]| left.iter().all(|left| *left == 0);
    let mut odds = Distribution::certain((count(attacker), count(defender)));
    for _ in 0..rounds {
        // Both strike at the same time: the first die is the attacker's, and what it does is taken off after the second.
        let thrown = odds.map(|(a, d)| (a.clone(), d.clone(), 0_u32));
        let thrown = thrown.throw(6, |(a, d, _)| {
            let (a, d) = (a.clone(), d.clone());
            (!gone(&a) && !gone(&d)).then_some(move |die: u32| (a.clone(), d.clone(), die))
        });
        let struck = thrown.throw(6, |(a, d, first)| {
            let (a, d, first) = (a.clone(), d.clone(), *first);
            (first > 0).then_some(move |second: u32| {
                let (ours, theirs) = (of(attacker, &a), of(defender, &d));
                let force = scores::attack_force(numbers, &ours, attacker.ground);
                let (dead, _) = scores::deaths(numbers, &theirs, scores::damage(switches, force, first));
                let back = scores::defence_force(numbers, switches, &theirs, defender.ground);
                let (fallen, _) = scores::deaths(numbers, &ours, scores::damage(switches, back, second));
                let left =
                    |before: &[u16], dead: &[u16]| before.iter().zip(dead).map(|(b, d)| b - d).collect();
                (left(&a, &fallen), left(&d, &dead), 0)
            })
        });
        odds = struck.map(|(a, d, _)| (a.clone(), d.clone()));
    }
    odds
}
