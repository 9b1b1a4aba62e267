//! The odds of a series of attacks, exactly: round after round, attacker after attacker, defender after defender
//! (manual 5.64, rulings LGA-20 to LGA-24).

use std::collections::BTreeMap;

use crate::rules::lga::numbers::Combat;

/// All chances together.
const CERTAIN: u64 = 1 << 40;

/// An attacker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fighter {
    pub(super) morale: i8,
    pub(super) fatigue: i8,
    /// His other modifiers in the field, and against a garrison.
    pub(super) field: i8,
    pub(super) siege: i8,
    pub(super) cavalry: bool,
}

/// A defender, as far as can be guessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Defender {
    pub(super) morale: i8,
    pub(super) garrison: bool,
}

/// How each attacker attacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Manner {
    /// Rounds at most.
    pub(super) rounds: u8,
    /// Only while his morale is this or better.
    pub(super) morale: i8,
}

/// What is expected after so many attackers, in thousandths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Morale that the attackers have lost, and units.
    pub(super) own_morale: i64,
    pub(super) own_units: i64,
    /// The same of the defenders.
    pub(super) their_morale: i64,
    pub(super) their_units: i64,
    /// The chance that nobody is left.
    pub(super) clear: i64,
}

/// The defenders as they may be: which is in front, his morale and fatigue.
type Front = (usize, i8, i8);

/// The outcome after each attacker. `hq` is what the defenders' headquarters is thought to add for them.
pub(super) fn series(
    combat: &Combat,
    fighters: &[Fighter],
    defenders: &[Defender],
    hq: i8,
    manner: Manner,
) -> Vec<Outcome> {
    let Some(first) = defenders.first() else { return Vec::new() };
    let mut fronts: BTreeMap<Front, u64> = BTreeMap::from([((0, first.morale, 0), CERTAIN)]);
    let mut sums = [0_u64; 4];
    let mut outcomes = Vec::with_capacity(fighters.len());
    for fighter in fighters {
        let mut open: BTreeMap<(Front, i8), u64> =
            fronts.iter().map(|(front, chance)| ((*front, fighter.morale), *chance)).collect();
        let mut settled: BTreeMap<Front, u64> = BTreeMap::new();
        for round in 0..=manner.rounds {
            let mut next: BTreeMap<(Front, i8), u64> = BTreeMap::new();
            for ((front, morale), chance) in open {
                let (place, their_morale, their_fatigue) = front;
                let stops =
                    round == manner.rounds || morale < manner.morale.max(1) || place >= defenders.len();
                if stops {
                    *settled.entry(front).or_default() += chance;
                    continue;
                }
                let tired = fighter.fatigue + i8::try_from(round).unwrap_or(i8::MAX);
                let garrison = defenders[place].garrison;
                let chase = fighter.cavalry && !garrison && their_morale < morale;
                let ground = if garrison { combat.garrison + fighter.siege } else { fighter.field };
                let sum = morale - tired - their_morale + their_fatigue - hq
                    + ground
                    + if chase { combat.cavalry_on_weaker } else { 0 };
                for die in 1..=6 {
                    let (_, result) = combat.results.read(die + i32::from(sum));
                    let part = chance / 6;
                    let count = |loss: i8, of: i8| u64::from(loss.min(of).max(0).unsigned_abs()) * part;
                    sums[0] += count(result.attacker, morale);
                    sums[2] += count(result.defender, their_morale);
                    let front = if result.defender > their_morale {
                        sums[3] += part;
                        let next = defenders.get(place + 1).map_or(0, |defender| defender.morale);
                        (place + 1, next, 0)
                    } else {
                        (place, their_morale - result.defender, their_fatigue + 1)
                    };
                    if result.attacker > morale {
                        sums[1] += part;
                        *settled.entry(front).or_default() += part;
                    } else {
                        *next.entry((front, morale - result.attacker)).or_default() += part;
                    }
                }
            }
            open = next;
        }
        fronts = settled;
        let cleared: u64 =
            fronts.iter().filter(|(front, _)| front.0 >= defenders.len()).map(|(_, c)| c).sum();
        outcomes.push(Outcome {
            own_morale: thousandths(sums[0]),
            own_units: thousandths(sums[1]),
            their_morale: thousandths(sums[2]),
            their_units: thousandths(sums[3]),
            clear: thousandths(cleared),
        });
    }
    outcomes
}

fn thousandths(chance: u64) -> i64 {
    i64::try_from(chance / (CERTAIN / 1000)).unwrap_or(i64::MAX)
}
