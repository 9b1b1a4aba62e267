//! The odds of a series of attacks, exactly: round after round, attacker after attacker, defender after defender
//! (manual 5.64, rulings LGA-20 to LGA-24).

use std::collections::BTreeMap;

use crate::model::Arm;
use crate::numbers::Combat;
use crate::tables::combat::{Clash, Field, Fighter};

/// All chances together.
const CERTAIN: u64 = 1 << 40;

/// An attacker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Striker {
    pub(super) unit: Fighter,
    /// The combat modifier of the best headquarters with it.
    pub(super) hq: i8,
    pub(super) field: Field,
}

impl Striker {
    /// Its modifiers against a defender of whom nothing else is known.
    pub(super) fn strength(&self, table: &Combat) -> i32 {
        let nobody = Fighter { arm: Arm::Infantry, morale: 0, fatigue: 0 };
        let any = Struck { unit: nobody, garrison: false };
        self.clash(self.unit, &any, nobody, 0).odds(table)
    }

    const fn clash(&self, unit: Fighter, defender: &Struck, as_he_is: Fighter, hq: i8) -> Clash {
        Clash {
            attacker: unit,
            defender: as_he_is,
            garrison: defender.garrison,
            met: false,
            attacker_hq: self.hq,
            defender_hq: hq,
            field: self.field,
        }
    }
}

/// A defender, as far as can be guessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Struck {
    pub(super) unit: Fighter,
    pub(super) garrison: bool,
}

/// How each attacker attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manner {
    /// Rounds at most.
    pub(super) rounds: u8,
    /// The attacker goes on only while his morale is at least this.
    pub(super) morale: i8,
}

/// The expected result after some attackers, in thousandths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Estimate {
    /// The morale that the attackers have lost, and the number of lost units.
    pub(super) own_morale: i64,
    pub(super) own_units: i64,
    /// The morale that the defenders have lost, and the number of lost units.
    pub(super) their_morale: i64,
    pub(super) their_units: i64,
    /// The chance that nobody is left.
    pub(super) clear: i64,
}

/// A possible state of the defence: the number of fallen defenders, and the one in front.
type Front = (usize, Option<Fighter>);

/// The outcome after each attacker. `hq` is the assumed modifier of the defenders' headquarters.
pub(super) fn series(
    table: &Combat,
    attackers: &[Striker],
    defenders: &[Struck],
    hq: i8,
    manner: Manner,
) -> Vec<Estimate> {
    let first = defenders.first().map(|defender| defender.unit);
    let mut fronts: BTreeMap<Front, u64> = BTreeMap::from([((0, first), CERTAIN)]);
    let mut sums = Sums::default();
    let mut outcomes = Vec::with_capacity(attackers.len());
    for attacker in attackers {
        fronts = bout(table, attacker, defenders, hq, manner, fronts, &mut sums);
        let cleared: u64 = fronts.iter().filter(|((_, front), _)| front.is_none()).map(|(_, c)| c).sum();
        outcomes.push(Estimate {
            own_morale: thousandths(sums.own_morale),
            own_units: thousandths(sums.own_units),
            their_morale: thousandths(sums.their_morale),
            their_units: thousandths(sums.their_units),
            clear: thousandths(cleared),
        });
    }
    outcomes
}

/// Losses so far, each in parts of [`CERTAIN`].
#[derive(Default)]
struct Sums {
    own_morale: u64,
    own_units: u64,
    their_morale: u64,
    their_units: u64,
}

/// All rounds of one attacker. Returns the defence after them.
fn bout(
    table: &Combat,
    attacker: &Striker,
    defenders: &[Struck],
    hq: i8,
    manner: Manner,
    fronts: BTreeMap<Front, u64>,
    sums: &mut Sums,
) -> BTreeMap<Front, u64> {
    let mut open: BTreeMap<(Front, Fighter), u64> =
        fronts.into_iter().map(|(front, chance)| ((front, attacker.unit), chance)).collect();
    let mut settled: BTreeMap<Front, u64> = BTreeMap::new();
    for round in 0..=manner.rounds {
        let mut next: BTreeMap<(Front, Fighter), u64> = BTreeMap::new();
        for ((front, unit), chance) in open {
            let facing = front.1.and_then(|there| Some((there, defenders.get(front.0)?)));
            let goes_on = round < manner.rounds && unit.morale >= manner.morale.max(1);
            let Some((there, defender)) = facing.filter(|_| goes_on) else {
                *settled.entry(front).or_default() += chance;
                continue;
            };
            let clash = attacker.clash(unit, defender, there, hq);
            let odds = clash.odds(table);
            let part = chance / 6;
            for die in 1..=6 {
                let (_, result) = clash.result(table, odds, die);
                let lost =
                    |loss: i8, of: Fighter| u64::from(loss.min(of.morale).max(0).unsigned_abs()) * part;
                sums.own_morale += lost(result.attacker_loss, unit);
                sums.their_morale += lost(result.defender_loss, there);
                let front = if result.defender_destroyed {
                    sums.their_units += part;
                    (front.0 + 1, defenders.get(front.0 + 1).map(|next| next.unit))
                } else {
                    (front.0, Some(there.after(result.defender_loss)))
                };
                if result.attacker_destroyed {
                    sums.own_units += part;
                    *settled.entry(front).or_default() += part;
                } else {
                    *next.entry((front, unit.after(result.attacker_loss))).or_default() += part;
                }
            }
        }
        open = next;
    }
    settled
}

fn thousandths(chance: u64) -> i64 {
    i64::try_from(chance / (CERTAIN / 1000)).unwrap_or(i64::MAX)
}
