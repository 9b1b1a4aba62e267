//! One search for the orders of computer players: a plan is one choice for each unit, and is improved step by step against a ruleset's [`Judge`].
//!
//! The units act at once, or one after another, against enemies whose orders nobody knows. So a plan is judged on samples: in each the enemy answers
//! and the dice fall in a way that the number of the sample fixes. Plans are compared on the same samples. The search counts evaluations and never looks
//! at a clock, so the same judge, effort and seed give the same plan on every machine. A level of play is a judge and an effort.

/// A ruleset's judgement of plans on what one player knows.
pub trait Judge {
    /// What one unit does.
    type Choice: Clone + PartialEq;
    /// A place where a plan can be changed: a unit, a stack, an enemy who could be surrounded.
    type Step;

    /// Whole plans to begin with: one choice for each unit, all of the same length. Empty if there is nothing to plan.
    fn openings(&self) -> Vec<Vec<Self::Choice>>;

    /// The steps of a pass over a plan, in the order in which they are taken.
    fn steps(&self, plan: &[Self::Choice]) -> Vec<Self::Step>;

    /// The changes that a step may make: each gives some units other choices, and no unit two. Of all the best is made, if it is good enough.
    fn changes(&self, step: &Self::Step, plan: &[Self::Choice]) -> Vec<Vec<(usize, Self::Choice)>>;

    /// The worth of a plan in a sample: of the position that is believed to come of it, in whole numbers.
    fn worth(&self, plan: &[Self::Choice], sample: u32) -> i64;

    /// The same, if it is more than `least`. A judge that sees early that it isn't can save the rest of its work.
    fn worth_above(&self, plan: &[Self::Choice], sample: u32, least: i64) -> Option<i64> {
        Some(self.worth(plan, sample)).filter(|worth| *worth > least)
    }
}

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The most evaluations of a plan in a sample. The openings are compared whatever they cost.
    pub evaluations: u32,
    /// The samples on which plans are compared.
    pub samples: u32,
    /// How often every step is taken at most.
    pub passes: u32,
    /// What a change has to bring at least: by [`Judge::worth`], summed over all samples.
    pub gain: i64,
}

/// The best plan that is found with this effort. Of equal openings the seed chooses; a plan is changed only for a better one.
pub fn search<J: Judge>(judge: &J, effort: Effort, seed: u64) -> Vec<J::Choice> {
    let mut openings = judge.openings();
    if openings.len() < 2 && effort.passes == 0 {
        return openings.pop().unwrap_or_default();
    }
    let mut left = effort.evaluations;
    let mut best: Option<Trial<J::Choice>> = None;
    let turn = mixed(seed) % openings.len().max(1) as u64;
    openings.rotate_left(usize::try_from(turn).unwrap_or(0));
    for plan in openings {
        let trial = Trial::of(judge, plan, effort.samples, &mut left);
        if best.as_ref().is_none_or(|best| trial.sum() > best.sum()) {
            best = Some(trial);
        }
    }
    let Some(mut best) = best else { return Vec::new() };
    for _ in 0..effort.passes {
        let before = best.sum();
        for step in judge.steps(&best.plan) {
            if left == 0 {
                return best.plan;
            }
            best.take(judge, judge.changes(&step, &best.plan), effort.gain, &mut left);
        }
        if best.sum() == before {
            break;
        }
    }
    best.plan
}

/// A plan with its worth in each sample.
struct Trial<C> {
    plan: Vec<C>,
    /// While a step is taken: of the plan with the best change so far.
    worths: Vec<i64>,
}

impl<C: Clone + PartialEq> Trial<C> {
    fn of(judge: &impl Judge<Choice = C>, plan: Vec<C>, samples: u32, left: &mut u32) -> Self {
        *left = left.saturating_sub(samples);
        let worths = (0..samples.max(1)).map(|sample| judge.worth(&plan, sample)).collect();
        Self { plan, worths }
    }

    fn sum(&self) -> i64 {
        self.worths.iter().sum()
    }

    /// Makes the best of some changes, if one brings so much.
    fn take(
        &mut self,
        judge: &impl Judge<Choice = C>,
        changes: Vec<Vec<(usize, C)>>,
        gain: i64,
        left: &mut u32,
    ) {
        let swap = |plan: &mut [C], change: &mut [(usize, C)]| {
            change.iter_mut().for_each(|(unit, choice)| std::mem::swap(&mut plan[*unit], choice));
        };
        let mut best: Option<Vec<(usize, C)>> = None;
        for mut change in changes {
            debug_assert!(
                (1..change.len()).all(|n| change[..n].iter().all(|(unit, _)| *unit != change[n].0)),
                "a change gives no unit two choices"
            );
            if change.iter().all(|(unit, choice)| self.plan[*unit] == *choice) {
                continue;
            }
            if *left == 0 {
                break;
            }
            // A second one has to be better than the first only.
            let gain = if best.is_some() { 1 } else { gain };
            swap(&mut self.plan, &mut change);
            let better = self.better(judge, gain, left);
            swap(&mut self.plan, &mut change);
            if let Some(worths) = better {
                (self.worths, best) = (worths, Some(change));
            }
        }
        if let Some(mut change) = best {
            swap(&mut self.plan, &mut change);
        }
    }

    /// The worths of the plan as it is now, if they are so much more than those that were found. It is given up when it is behind after half of the samples.
    fn better(&self, judge: &impl Judge<Choice = C>, gain: i64, left: &mut u32) -> Option<Vec<i64>> {
        let all = self.worths.len();
        let mut worths = Vec::with_capacity(all);
        let mut ahead = 0;
        for (sample, own) in (0..).zip(&self.worths) {
            if worths.len() * 2 >= all && ahead < 0 {
                return None;
            }
            *left = left.saturating_sub(1);
            // All that counts in the last sample is whether it brings what is still missing.
            let least = if worths.len() + 1 == all { own + gain - 1 - ahead } else { i64::MIN };
            let worth = judge.worth_above(&self.plan, sample, least)?;
            ahead += worth - own;
            worths.push(worth);
        }
        Some(worths)
    }
}

/// A number made of another, the same on every machine: for ties, and for the dice of samples.
#[must_use]
pub const fn mixed(number: u64) -> u64 {
    let a = (number ^ (number >> 30)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ (b >> 31)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Three units that choose numbers: the nearer to their goals the better, and two that choose alike are worth something. In odd samples the enemy
    /// takes the first unit's choice away.
    struct Marks {
        goals: [i64; 3],
        asked: Cell<u32>,
    }

    impl Judge for Marks {
        type Choice = i64;
        type Step = usize;

        fn openings(&self) -> Vec<Vec<i64>> {
            vec![vec![0; 3], vec![10; 3]]
        }

        fn steps(&self, plan: &[i64]) -> Vec<usize> {
            (0..plan.len()).collect()
        }

        fn changes(&self, unit: &usize, _: &[i64]) -> Vec<Vec<(usize, i64)>> {
            (0..10).map(|choice| vec![(*unit, choice)]).collect()
        }

        fn worth(&self, plan: &[i64], sample: u32) -> i64 {
            self.asked.set(self.asked.get() + 1);
            let first = usize::from(sample % 2 == 1);
            let off: i64 = plan.iter().zip(&self.goals).skip(first).map(|(a, b)| (a - b).abs()).sum();
            i64::from(plan[1] == plan[2]) * 2 - off
        }
    }

    fn found(evaluations: u32, seed: u64) -> (Vec<i64>, u32) {
        let judge = Marks { goals: [3, 5, 6], asked: Cell::new(0) };
        let plan = search(&judge, Effort { evaluations, samples: 4, passes: 9, gain: 1 }, seed);
        (plan, judge.asked.get())
    }

    #[test]
    fn each_unit_gets_its_best_choice_beside_the_others() {
        let (plan, _) = found(10_000, 1);
        assert_eq!(plan[0], 3);
        assert!(plan == [3, 5, 5] || plan == [3, 6, 6], "{plan:?}");
    }

    #[test]
    fn the_search_stops_when_its_effort_is_spent() {
        let (plan, asked) = found(30, 1);
        assert!((8..=34).contains(&asked), "{asked}");
        assert_ne!(plan, found(10_000, 1).0);
    }

    #[test]
    fn the_seed_chooses_between_equal_openings_and_no_others() {
        let opening = |goals, seed| {
            let judge = Marks { goals, asked: Cell::new(0) };
            search(&judge, Effort { evaluations: 0, samples: 1, passes: 0, gain: 1 }, seed)
        };
        let even: Vec<_> = (0..20).map(|seed| opening([5; 3], seed)).collect();
        assert!(even.contains(&vec![0; 3]) && even.contains(&vec![10; 3]), "{even:?}");
        assert!((0..20).all(|seed| opening([4; 3], seed) == [0; 3]));
    }
}
