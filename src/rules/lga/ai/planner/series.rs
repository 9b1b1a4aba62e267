//! The odds of a series of attacks, exactly: round after round, attacker after attacker, defender after defender
//! (manual 5.64, rulings LGA-20 to LGA-24).

use crate::model::Arm;
use crate::numbers::Combat;
use crate::odds::{Attacker, Defender};
use crate::order::Limit;
use crate::tables::combat::{Clash, Fighter};

/// All chances together.
const CERTAIN: u64 = 1 << 40;

/// The modifiers of an attacker against a defender of whom nothing else is known.
pub(super) fn strength(table: &Combat, attacker: &Attacker) -> i32 {
    let nobody = Fighter { arm: Arm::Infantry, morale: 0, fatigue: 0 };
    clash(attacker, attacker.unit, &Defender::unit(nobody), nobody, 0).odds(table)
}

/// A round between an attacker and a defender as they are by then; `hq` is the modifier of the defender's headquarters.
const fn clash(by: &Attacker, attacker: Fighter, of: &Defender, defender: Fighter, hq: i8) -> Clash {
    let (attacker_hq, garrison, field) = (by.hq, of.garrison, by.field);
    Clash { attacker, defender, garrison, met: false, attacker_hq, defender_hq: hq, field }
}

/// The expected result after some attackers, in parts of [`CERTAIN`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Estimate {
    /// The morale that the attackers have lost, and the number of lost units.
    pub(super) own_morale: u64,
    pub(super) own_units: u64,
    /// The morale that the defenders have lost, and the number of lost units.
    pub(super) their_morale: u64,
    pub(super) their_units: u64,
    /// The chance that nobody is left.
    pub(super) clear: u64,
}

/// A possible state of the defence: the number of fallen defenders, and the one in front.
type Front = (usize, Option<Fighter>);

/// States, each with its chance in parts of [`CERTAIN`].
type Chances<S> = Vec<(S, u64)>;

/// The outcome after each attacker, whose order says no `WHILE ODDS`. `hq` is the assumed modifier of the defenders' headquarters.
pub(super) fn series(
    table: &Combat,
    attackers: &[Attacker],
    defenders: &[Defender],
    hq: i8,
) -> Vec<Estimate> {
    let first = defenders.first().map(|defender| defender.unit);
    let mut fronts = vec![((0, first), CERTAIN)];
    let mut sums = Estimate::default();
    let mut outcomes = Vec::with_capacity(attackers.len());
    for attacker in attackers {
        fronts = bout(table, attacker, defenders, hq, fronts, &mut sums);
        sums.clear = fronts.iter().filter(|((_, front), _)| front.is_none()).map(|(_, c)| c).sum();
        outcomes.push(sums);
    }
    outcomes
}

/// All rounds of one attacker. Returns the defence after them.
fn bout(
    table: &Combat,
    attacker: &Attacker,
    defenders: &[Defender],
    hq: i8,
    fronts: Chances<Front>,
    sums: &mut Estimate,
) -> Chances<Front> {
    let mut open: Chances<(Front, Fighter)> =
        fronts.into_iter().map(|(front, chance)| ((front, attacker.unit), chance)).collect();
    let mut settled: Chances<Front> = Vec::new();
    let Limit { rounds, while_morale, .. } = attacker.limit;
    for round in 0..=rounds {
        let mut next: Chances<(Front, Fighter)> = Vec::with_capacity(open.len() * 6);
        for ((front, unit), chance) in open {
            let facing = front.1.and_then(|there| Some((there, defenders.get(front.0)?)));
            let goes_on = round < rounds && unit.morale >= while_morale.unwrap_or(1).max(1);
            let Some((there, defender)) = facing.filter(|_| goes_on) else {
                settled.push((front, chance));
                continue;
            };
            let clash = clash(attacker, unit, defender, there, hq);
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
                    settled.push((front, part));
                } else {
                    next.push(((front, unit.after(result.attacker_loss)), part));
                }
            }
        }
        open = joined(next);
    }
    joined(settled)
}

/// Every state once, with all of its chance.
fn joined<S: Ord>(mut chances: Chances<S>) -> Chances<S> {
    chances.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    chances.dedup_by(|(state, chance), (first, sum)| {
        let is_same = state == first;
        *sum += if is_same { *chance } else { 0 };
        is_same
    });
    chances
}

/// Parts of [`CERTAIN`] in thousandths.
pub(super) fn thousandths(chance: u64) -> i64 {
    i64::try_from(chance / (CERTAIN / 1000)).unwrap_or(i64::MAX)
}
