//! Exact odds of melees, fire and morale checks: counted, never sampled. Each is asked either by figures or of units as they stand.
//!
//! A [`Distribution`] is for readers. Computer commanders ask thousands of times: for them there are sums of the same cases in integers.

use std::sync::LazyLock;

use musterd_dice::odds::Distribution;

use crate::data::Sa;
use crate::event::Nerve;
use crate::law;
use crate::model::Class;
use crate::state::Position;

/// Equally likely cases of a random factor: two average dice in melee; the three faces of a fire's die have twelve each.
pub const CASES: u32 = 36;
/// Equally likely cases of the three average dice of a check.
pub const CHECKS: u32 = 216;
/// The least and the greatest random factor.
const WIDEST: (i32, i32) = (-3, 3);

/// What is thrown for a unit in a fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throw {
    /// A melee, by the class (SA-10).
    Melee(Class),
    /// Fire: -1, 0 or +1.
    Fire,
}

impl Throw {
    /// The random factor of one of the [`CASES`], from 1.
    pub(crate) fn random(self, case: u32) -> i32 {
        let case = case - 1;
        match self {
            Self::Melee(class) => law::random(class, [case / 6 + 1, case % 6 + 1]),
            Self::Fire => case as i32 / 12 - 1,
        }
    }

    /// How many of the [`CASES`] give each random factor, from -3 on.
    fn weights(self) -> &'static [u32; 7] {
        static TABLE: LazyLock<[[u32; 7]; 5]> = LazyLock::new(|| {
            let mut table = [[0; 7]; 5];
            let all = Class::ALL.map(Throw::Melee).into_iter().chain([Throw::Fire]);
            for (row, dice) in table.iter_mut().zip(all) {
                for case in 1..=CASES {
                    row[(dice.random(case) - WIDEST.0).unsigned_abs() as usize] += 1;
                }
            }
            table
        });
        match self {
            Self::Melee(class) => &TABLE[class as usize],
            Self::Fire => &TABLE[4],
        }
    }
}

/// One of the two in a fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fighter {
    /// Its men.
    pub men: u32,
    /// Its combat total without the random factor; `None` if it can't strike back.
    pub total: Option<i32>,
    /// What is thrown for it.
    pub throw: Throw,
    /// Whether it routs: then it can't win (SA-19).
    pub routing: bool,
}

impl Fighter {
    /// The men that it fells of so many with this random factor.
    fn fells(&self, of: u32, random: i32) -> u32 {
        self.total.map_or(0, |total| law::felled(self.men, total + random, of))
    }

    /// The same with the number of cases of each.
    fn cases(&self, of: u32) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        let weights = (WIDEST.0..=WIDEST.1).zip(self.throw.weights());
        weights
            .filter(|(_, weight)| **weight > 0)
            .map(move |(random, weight)| (self.fells(of, random), *weight))
    }
}

/// How a fight comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bout {
    /// The men that each loses: the attacker first.
    pub lost: [u32; 2],
    /// Which of the two wins, if one does.
    pub won: Option<usize>,
}

impl Bout {
    fn of(sides: &[Fighter; 2], lost: [u32; 2]) -> Self {
        let [one, other] = sides;
        Self { lost, won: law::decided([one.men, other.men], lost, [one.routing, other.routing]) }
    }
}

/// The odds of a fight of two, the attacker first.
pub fn fight(sides: &[Fighter; 2]) -> Distribution<Bout> {
    let harm = |side: usize| {
        let (own, foe) = (sides[side], sides[1 - side].men);
        Distribution::certain(0).throw(CASES, |_| Some(move |case| own.fells(foe, own.throw.random(case))))
    };
    harm(0).and(&harm(1), |fallen, own| Bout::of(sides, [*own, *fallen]))
}

/// What a fight promises, in sums over all its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forecast {
    /// In how many of [`Forecast::ALL`] cases each wins.
    pub wins: [u32; 2],
    /// The men that each loses on average, rounded down.
    pub lost: [u32; 2],
}

impl Forecast {
    /// All cases.
    pub const ALL: u32 = CASES * CASES;

    /// That of a fight of two, the attacker first.
    pub fn of(sides: &[Fighter; 2]) -> Self {
        let mut wins = [0; 2];
        let (first, second) = (sides[0].cases(sides[1].men), sides[1].cases(sides[0].men));
        for (fallen, weight) in first.clone() {
            for (own, times) in second.clone() {
                if let Some(winner) = Bout::of(sides, [own, fallen]).won {
                    wins[winner] += weight * times;
                }
            }
        }
        let mean = |cases: &mut dyn Iterator<Item = (u32, u32)>| {
            let sum: u64 = cases.map(|(men, weight)| u64::from(men) * u64::from(weight)).sum();
            u32::try_from(sum / u64::from(CASES)).unwrap_or(u32::MAX)
        };
        Self { wins, lost: [mean(&mut second.clone()), mean(&mut first.clone())] }
    }
}

/// Two units as they stand, in melee: the attacker first.
pub fn melee(rules: &Sa, position: &Position, attacker: usize, defender: usize) -> [Fighter; 2] {
    [(attacker, defender, true), (defender, attacker, false)].map(|(own, foe, attacks)| Fighter {
        men: position.units[own].men,
        total: Some(law::melee(rules, position, own, foe, attacks).total()),
        throw: Throw::Melee(rules.battle().units[own].class),
        routing: position.units[own].routing,
    })
}

/// Two units as they stand, in fire combat: who fires first. The target answers if its missiles fly so far (SA-34).
pub fn fire(rules: &Sa, position: &Position, firer: usize, target: usize) -> [Fighter; 2] {
    let answers = law::answers(rules, position, target, firer);
    [(firer, target, true), (target, firer, answers)].map(|(own, foe, shoots)| {
        let moved = law::moved_last(position, foe);
        Fighter {
            men: position.units[own].men,
            total: shoots.then(|| law::volley(rules, position, own, foe, moved).total()),
            throw: Throw::Fire,
            routing: position.units[own].routing,
        }
    })
}

/// Whether a unit routs if it loses its next melee (SA-17).
pub fn breaks(rules: &Sa, position: &Position, place: usize) -> bool {
    law::breaks(rules, position, place, position.units[place].losing.saturating_add(1))
}

/// The odds of a check with these modifiers: the total and the result (SA-11).
pub fn check(rules: &Sa, class: Class, modifiers: i32) -> Distribution<(i32, Nerve)> {
    let die = |sum: Distribution<u32>| {
        sum.throw(6, |sum| {
            let sum = *sum;
            Some(move |face: u32| sum + law::AVERAGE[face as usize - 1])
        })
    };
    let dice = die(die(die(Distribution::certain(0))));
    dice.map(|sum| {
        let total = *sum as i32 + modifiers;
        (total, law::nerve(rules, class, total))
    })
}

/// In how many of [`CHECKS`] cases a check with these modifiers ends in rout, halt and orders.
pub fn nerves(rules: &Sa, class: Class, modifiers: i32) -> [u32; 3] {
    static SUMS: LazyLock<[u32; 16]> = LazyLock::new(|| {
        let mut sums = [0; 16];
        for (one, two) in law::AVERAGE.into_iter().flat_map(|one| law::AVERAGE.map(|two| (one, two))) {
            for three in law::AVERAGE {
                sums[(one + two + three) as usize] += 1;
            }
        }
        sums
    });
    let mut cases = [0; 3];
    for (sum, weight) in (0..).zip(SUMS.iter()) {
        cases[law::nerve(rules, class, sum + modifiers) as usize] += weight;
    }
    cases
}

/// What is added to the dice of a unit's check as it stands (SA-9, SA-12, SA-13).
pub fn modifiers(rules: &Sa, position: &Position, place: usize) -> i32 {
    law::check(rules, position, place, [0; 3]).modifiers()
}
