//! Exact odds of strikes, exchanges and series of rounds (manual 4.3): counted, never sampled.

use super::battle::{Ground, Switches};
use super::model::Sort;
use super::numbers::Numbers;
use super::scores;
use musterd_dice::odds::Distribution;

/// A side of an exchange: fighters and their ground.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fighters {
    /// The fighters.
    pub sorts: Vec<Sort>,
    /// Their ground.
    pub ground: Ground,
}

/// A possible result of a strike: fighters killed, hit points taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Harm {
    /// Fighters killed.
    pub killed: u16,
    /// Their hit points.
    pub hp: u32,
}

/// The odds of a strike of so much force on fighters (rulings DOG-1, DOG-2).
pub fn strike(numbers: &Numbers, switches: Switches, force: u32, on: &[Sort]) -> Distribution<Harm> {
    Distribution::certain(Harm { killed: 0, hp: 0 }).throw(6, |_| {
        Some(|die: u32| {
            let (killed, hp) = scores::deaths(numbers, on, scores::damage(switches, force, die));
            Harm { killed: killed.iter().sum(), hp }
        })
    })
}

/// Two units that fight each other round after round (manual 4.3).
#[derive(Debug, Clone)]
pub struct Duel<'a> {
    /// The numbers of the rules.
    pub numbers: &'a Numbers,
    /// The optional rules.
    pub switches: Switches,
    /// The attacker and the defender.
    pub sides: [&'a Fighters; 2],
    /// Whether the second side attacks too, first in every other round (manual 4.3); else it defends itself.
    pub both: bool,
    /// A side is beaten once it has lost so much of its fighters, in percent.
    pub breaks_at: u8,
}

/// How a duel stands: who is left, and since when it is over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Course {
    /// The fighters of each sort that are left on either side.
    pub left: [Vec<u16>; 2],
    /// The round after which it was over, from 1; none while it goes on.
    pub ended: Option<u16>,
}

impl Duel<'_> {
    /// The odds before the first round.
    pub fn start(&self) -> Distribution<Course> {
        let count = |side: &Fighters| side.sorts.iter().map(|sort| sort.fighters).collect();
        Distribution::certain(Course { left: self.sides.map(count), ended: None })
    }

    /// The odds after one more round, the `number`th.
    pub fn round(&self, odds: Distribution<Course>, number: u16) -> Distribution<Course> {
        // The first becomes the last.
        let first = usize::from(self.both && number.is_multiple_of(2));
        let odds = self.exchange(odds, first, number);
        if self.both { self.exchange(odds, 1 - first, number) } else { odds }
    }

    /// Whether a side is beaten.
    pub fn is_beaten(&self, side: usize, left: &[u16]) -> bool {
        let all = |counts: &mut dyn Iterator<Item = u16>| counts.map(u64::from).sum::<u64>();
        let first = all(&mut self.sides[side].sorts.iter().map(|sort| sort.fighters));
        let lost = first - all(&mut left.iter().copied()).min(first);
        lost * 100 >= first * u64::from(self.breaks_at)
    }

    /// Whether nobody can hurt anybody any more, so that it never ends.
    pub fn is_stuck(&self, course: &Course) -> bool {
        let hurts = |by: usize| {
            let (dead, fallen) = self.deaths(course, by, 6, 6);
            dead.iter().chain(&fallen).any(|dead| *dead > 0)
        };
        course.ended.is_none() && !hurts(0) && !(self.both && hurts(1))
    }

    /// An attack and its retaliation, at the same time (ruling DOG-16).
    fn exchange(&self, odds: Distribution<Course>, by: usize, number: u16) -> Distribution<Course> {
        // A strike is bad, medium or good, each by two faces of its die: both strikes are thrown for at once.
        odds.throw(9, |course| {
            let course = course.clone();
            course.ended.is_none().then_some(move |face: u32| {
                let (first, second) = (2 * ((face - 1) / 3 + 1), 2 * ((face - 1) % 3 + 1));
                let (dead, fallen) = self.deaths(&course, by, first, second);
                let less = |side: usize, dead: &[u16]| -> Vec<u16> {
                    course.left[side].iter().zip(dead).map(|(left, dead)| left - dead).collect()
                };
                let (own, other) = (less(by, &fallen), less(1 - by, &dead));
                let left = if by == 0 { [own, other] } else { [other, own] };
                let over = self.is_beaten(0, &left[0]) || self.is_beaten(1, &left[1]);
                Course { left, ended: over.then_some(number) }
            })
        })
    }

    /// The fighters killed by an attack with the die `first`, and by the retaliation with the die `second`.
    fn deaths(&self, course: &Course, by: usize, first: u32, second: u32) -> (Vec<u16>, Vec<u16>) {
        let of = |side: usize| -> Vec<Sort> {
            let sorts = self.sides[side].sorts.iter().zip(&course.left[side]);
            sorts.map(|(sort, fighters)| Sort { fighters: *fighters, ..sort.clone() }).collect()
        };
        let (ours, theirs) = (of(by), of(1 - by));
        let force = scores::attack_force(self.numbers, &ours, self.sides[by].ground);
        let back = scores::defence_force(self.numbers, self.switches, &theirs, self.sides[1 - by].ground);
        let (dead, _) = scores::deaths(self.numbers, &theirs, scores::damage(self.switches, force, first));
        let (fallen, _) = scores::deaths(self.numbers, &ours, scores::damage(self.switches, back, second));
        (dead, fallen)
    }
}
