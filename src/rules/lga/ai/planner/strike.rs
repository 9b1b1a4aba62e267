//! Attacks: which units attack whom from where, beside which headquarters, and the expected gain by the exact odds.

use std::collections::BTreeMap;

use super::posts::Search;
use super::series::{Estimate, series, strength, thousandths};
use super::threat::Enemy;
use super::worth::{BLOW, KILL, Post};
use crate::model::{Arm, UnitType};
use crate::numbers::Combat;
use crate::odds::{Attacker, Defender};
use crate::order::Limit;
use crate::plan::Piece;
use crate::spots::Spot;
use crate::tables::combat::{Field, Fighter};

/// The ways to attack that are compared: an attack that has begun goes on while it can. One that stops early gives the enemy time to rally, and lost most
/// scenarios against these (docs/lga/balance.md).
const MANNERS: [Limit; 2] = [
    Limit { rounds: 3, while_morale: None, while_odds: None },
    Limit { rounds: 9, while_morale: Some(2), while_odds: None },
];
/// The most units that attack one hex from one other hex.
const MOST_ATTACKERS: usize = 8;
/// The most attacks planned in a turn.
const MOST_STRIKES: usize = 12;
/// The chance, in percent, that an enemy city without visible defenders has a garrison.
const HIDDEN_GARRISON: i64 = 65;
/// The least expected gain of an attack.
const WORTH_IT: i32 = 8;

/// An attack as it would be made.
pub(super) struct Strike {
    pub(super) at: Spot,
    pub(super) from: Spot,
    /// The attackers in their order, and the morale that each is expected to lose.
    pub(super) men: Vec<usize>,
    worn: Vec<i32>,
    pub(super) hq: Option<usize>,
    pub(super) manner: Limit,
    /// Whether a unit that finds nobody there moves in.
    pub(super) enter: bool,
    score: i32,
}

/// A hex that could be attacked.
struct Target {
    at: Spot,
    defenders: Vec<Defender>,
    /// The assumed modifier of the defenders' headquarters.
    hq: i8,
    /// The worth of clearing it.
    prize: i64,
    /// Whether the defenders are only assumed.
    unseen: bool,
}

/// How some units would best attack a target one after the other.
#[derive(Clone)]
struct Assault {
    /// The expected gain.
    promise: i64,
    /// What is expected after each of them.
    outcomes: Vec<Estimate>,
    manner: Limit,
}

/// The assaults that were reckoned already: by target, the hex that they come from, the modifier of the headquarters there, and the units in their order.
type Assaults = BTreeMap<(Spot, Spot, i8, Vec<usize>), Option<Assault>>;

impl Search<'_> {
    /// The attacks to make, the best first; their pieces are fixed where they attack from.
    pub(super) fn strikes(&mut self, pieces: &[Piece]) -> Vec<Strike> {
        let mut targets = self.targets();
        let mut strikes: Vec<Strike> = Vec::new();
        let mut known = Assaults::new();
        while strikes.len() < MOST_STRIKES {
            let mut best: Option<Strike> = None;
            for target in &targets {
                for from in self.judge.board.near[target.at].clone() {
                    let least = best.as_ref().map_or(WORTH_IT - 1, |best| best.score);
                    if let Some(strike) = self.consider(target, from, pieces, least, &mut known) {
                        best = Some(strike);
                    }
                }
            }
            let Some(strike) = best else { break };
            let changes = self.changes(&strike);
            self.make(changes);
            for &man in strike.men.iter().chain(&strike.hq) {
                self.fixed[man] = true;
            }
            targets.retain(|target| target.at != strike.at);
            strikes.push(strike);
        }
        strikes
    }

    fn targets(&self) -> Vec<Target> {
        let board = self.judge.board;
        let prize = |at: Spot| {
            let prize = board.prizes.iter().find(|prize| prize.at == at);
            prize.map_or(5, |prize| i64::from(self.judge.gain(prize)))
        };
        let mut targets: Vec<Target> = board
            .enemies
            .iter()
            .map(|enemy| Target {
                at: enemy.at,
                defenders: self.defenders(enemy),
                hq: i8::from(enemy.units > 2),
                prize: prize(enemy.at),
                unseen: false,
            })
            .collect();
        for prize_city in &board.prizes {
            if board.theirs.has(prize_city.at) && board.enemy_at(prize_city.at).is_none() {
                targets.push(Target {
                    at: prize_city.at,
                    defenders: vec![Defender::garrison(Fighter { arm: Arm::Militia, morale: 2, fatigue: 0 })],
                    hq: 0,
                    prize: prize(prize_city.at),
                    unseen: true,
                });
            }
        }
        targets
    }

    /// The units that a stack is assumed to consist of.
    fn defenders(&self, enemy: &Enemy) -> Vec<Defender> {
        let most = |kind: UnitType| self.judge.board.rules.stats(kind).max_morale;
        let unit = |kind: UnitType| Fighter { arm: kind.arm, morale: most(kind), fatigue: 0 };
        let behind = if enemy.kind.arm == Arm::Militia { Arm::Militia } else { Arm::Infantry };
        let kinds = std::iter::once(enemy.kind).chain(std::iter::repeat(behind.into()));
        let count = usize::try_from(enemy.units.max(1)).unwrap_or(1).min(MOST_ATTACKERS);
        kinds.take(count).map(|kind| Defender::unit(unit(kind))).collect()
    }

    /// The best attack on a target from one hex, if its gain is more than `least`.
    fn consider(
        &mut self,
        target: &Target,
        from: Spot,
        pieces: &[Piece],
        least: i32,
        known: &mut Assaults,
    ) -> Option<Strike> {
        let ready = |man: usize| {
            let post = &self.posts[man];
            let left = self.marches[man].get(&from).map_or(0, |march| march.left);
            !self.fixed[man] && left > 0 && !(post.garrison && self.is_needed(man))
        };
        let men = &self.judge.men;
        let able: Vec<usize> = (0..men.len()).filter(|&man| ready(man)).collect();
        let hq = able.iter().copied().filter(|&man| !men[man].is_unit()).max_by_key(|&man| men[man].modifier);
        let there = (0..men.len()).filter(|&man| self.fixed[man] && self.posts[man].at == from);
        let there = there.map(|man| men[man].modifier).max().unwrap_or(0);
        let help = hq.map_or(0, |man| men[man].modifier).max(there);
        let hq = hq.filter(|&man| men[man].modifier > there);
        let help = i8::try_from(help).unwrap_or(0);
        let table = &self.judge.board.rules.numbers.combat;
        let mut attackers: Vec<(usize, Attacker)> = able
            .into_iter()
            .filter(|&man| men[man].is_unit() && men[man].morale > 0)
            .map(|man| (man, self.attacker(&pieces[man], from, target.at, help)))
            .collect();
        attackers.sort_by_key(|(man, attacker)| (-strength(table, attacker), *man));
        attackers.truncate(MOST_ATTACKERS);
        let key = (target.at, from, help, attackers.iter().map(|(man, _)| *man).collect());
        let assault = match known.get(&key) {
            Some(assault) => assault.clone(),
            None => known.entry(key).or_insert(assault(table, target, &attackers)).clone(),
        };
        let Assault { promise, outcomes, manner } = assault?;
        let promise = i32::try_from(promise).unwrap_or(i32::MAX);
        if promise < WORTH_IT {
            return None;
        }
        let men = attackers[..outcomes.len()].iter().map(|(man, _)| *man).collect();
        let before = std::iter::once(0).chain(outcomes.iter().map(|outcome| thousandths(outcome.own_morale)));
        let lost = outcomes
            .iter()
            .zip(before)
            .map(|(after, before)| (thousandths(after.own_morale) - before + 500) / 1000);
        let worn = lost.map(|morale| i32::try_from(morale).unwrap_or(0)).collect();
        let enter = target.unseen || target.prize > 5;
        let mut strike = Strike { at: target.at, from, men, worn, hq, manner, enter, score: 0 };
        let changes = self.changes(&strike);
        let worth = self.trial(&changes, self.worth + least - promise)?;
        strike.score = promise + worth - self.worth;
        Some(strike)
    }

    /// Whether a garrison can't be spared: its city would be open to the enemy.
    fn is_needed(&self, man: usize) -> bool {
        let board = self.judge.board;
        let at = self.posts[man].at;
        board.open_threat.visitors[at] > 0 && board.prizes.iter().any(|prize| prize.at == at)
    }

    fn changes(&self, strike: &Strike) -> Vec<(usize, Post)> {
        let men = strike.men.iter().zip(&strike.worn).chain(strike.hq.iter().zip(&[0]));
        men.filter_map(|(&man, &worn)| Some((man, Post { worn, ..self.post(man, strike.from, false)? })))
            .collect()
    }

    /// A unit as it would attack.
    fn attacker(&self, piece: &Piece, from: Spot, at: Spot, hq: i8) -> Attacker {
        let board = self.judge.board;
        let field = Field::between(&board.rules.map, board.hex(from), board.hex(at));
        Attacker { unit: piece.fighter(), hq, field, limit: MANNERS[0] }
    }
}

/// The best number of these units, and the best manner, to attack a target with; `None` without a unit.
fn assault(table: &Combat, target: &Target, attackers: &[(usize, Attacker)]) -> Option<Assault> {
    let mut best: Option<Assault> = None;
    for manner in MANNERS {
        let units = attackers.iter().map(|(_, unit)| Attacker { limit: manner, ..*unit });
        let outcomes = series(table, &units.collect::<Vec<_>>(), &target.defenders, target.hq);
        for (place, outcome) in outcomes.iter().enumerate() {
            let promise = promise(target, outcome);
            if best.as_ref().is_none_or(|best| promise > best.promise) {
                best = Some(Assault { promise, outcomes: outcomes[..=place].to_vec(), manner });
            }
        }
    }
    best
}

/// The expected gain of an attack.
fn promise(target: &Target, outcome: &Estimate) -> i64 {
    let fight = (thousandths(outcome.their_morale) - thousandths(outcome.own_morale)) * i64::from(BLOW)
        + (thousandths(outcome.their_units) - thousandths(outcome.own_units)) * i64::from(KILL)
        + thousandths(outcome.clear) * target.prize * 7 / 10;
    let fight = fight / 1000;
    if target.unseen {
        (fight * HIDDEN_GARRISON + target.prize * 8 / 10 * (100 - HIDDEN_GARRISON)) / 100
    } else {
        fight
    }
}
