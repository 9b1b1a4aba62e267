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

/// A possible state of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    /// The number of fallen defenders, and the one in front.
    fallen: usize,
    front: Option<Fighter>,
    /// The attacker.
    unit: Fighter,
}

impl State {
    /// A number that no other state of the attack has: who is in front follows from the fallen, and arms don't change.
    const fn number(&self) -> u64 {
        let (stands, front) = match self.front {
            Some(front) => (1, front),
            None => (0, self.unit),
        };
        let fighters = [front.morale as u8, front.fatigue, self.unit.morale as u8, self.unit.fatigue];
        (self.fallen as u64) << 40 | stands << 32 | u32::from_be_bytes(fighters) as u64
    }
}

/// States, each with its chance in parts of [`CERTAIN`].
type Chances = Vec<(State, u64)>;

/// The outcome after each attacker, whose order says no `WHILE ODDS`. `hq` is the assumed modifier of the defenders' headquarters.
pub(super) fn series(
    table: &Combat,
    attackers: &[Attacker],
    defenders: &[Defender],
    hq: i8,
) -> Vec<Estimate> {
    let front = defenders.first().map(|defender| defender.unit);
    let begins = attackers.first().map(|first| (State { fallen: 0, front, unit: first.unit }, CERTAIN));
    let mut chances: Chances = begins.into_iter().collect();
    let mut sums = Estimate::default();
    let mut outcomes = Vec::with_capacity(attackers.len());
    for attacker in attackers {
        chances = bout(table, attacker, defenders, hq, chances, &mut sums);
        sums.clear = chances.iter().filter(|(state, _)| state.front.is_none()).map(|(_, c)| c).sum();
        outcomes.push(sums);
    }
    outcomes
}

/// All rounds of one attacker. Returns what may be after them.
fn bout(
    table: &Combat,
    attacker: &Attacker,
    defenders: &[Defender],
    hq: i8,
    before: Chances,
    sums: &mut Estimate,
) -> Chances {
    let begun = before.into_iter().map(|(state, chance)| (State { unit: attacker.unit, ..state }, chance));
    let mut open = joined(begun.collect());
    let mut settled = Chances::new();
    let Limit { rounds, while_morale, .. } = attacker.limit;
    for round in 0..=rounds {
        let mut next = Chances::with_capacity(open.len() * 4);
        for (state, chance) in open {
            let State { fallen, front, unit } = state;
            let facing = front.and_then(|there| Some((there, defenders.get(fallen)?)));
            let goes_on = round < rounds && unit.morale >= while_morale.unwrap_or(1).max(1);
            let Some((there, defender)) = facing.filter(|_| goes_on) else {
                settled.push((state, chance));
                continue;
            };
            let clash = clash(attacker, unit, defender, there, hq);
            let odds = clash.odds(table);
            let results = [1, 2, 3, 4, 5, 6].map(|die| clash.result(table, odds, die).1);
            // Faces with one result are reckoned together.
            for alike in results.chunk_by(PartialEq::eq) {
                let (result, part) = (alike[0], chance / 6 * alike.len() as u64);
                let lost =
                    |loss: i8, of: Fighter| u64::from(loss.min(of.morale).max(0).unsigned_abs()) * part;
                sums.own_morale += lost(result.attacker_loss, unit);
                sums.their_morale += lost(result.defender_loss, there);
                let mut after = State { front: Some(there.after(result.defender_loss)), ..state };
                if result.defender_destroyed {
                    sums.their_units += part;
                    after.fallen += 1;
                    after.front = defenders.get(after.fallen).map(|next| next.unit);
                }
                if result.attacker_destroyed {
                    sums.own_units += part;
                    settled.push((after, part));
                } else {
                    next.push((State { unit: unit.after(result.attacker_loss), ..after }, part));
                }
            }
        }
        open = joined(next);
    }
    settled
}

/// Every state once, with all of its chance.
fn joined(mut chances: Chances) -> Chances {
    chances.sort_unstable_by_key(|(state, _)| state.number());
    chances.dedup_by(|(state, chance), (first, sum)| {
        let is_same = state.number() == first.number();
        debug_assert_eq!(is_same, state == first, "a state has its own number");
        *sum += if is_same { *chance } else { 0 };
        is_same
    });
    chances
}

/// Parts of [`CERTAIN`] in thousandths.
pub(super) fn thousandths(chance: u64) -> i64 {
    i64::try_from(chance / (CERTAIN / 1000)).unwrap_or(i64::MAX)
}
