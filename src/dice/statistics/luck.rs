//! Each seat's luck: every roll that could have gone better or worse for the seat, against its chance.

use std::collections::BTreeMap;

use serde::Serialize;

use super::chance::Counts;
use super::verdict::{LEAST_DICE, Odds};
use crate::ids::Seat;

/// A roll from the view of one seat. It is a hit if it came out better for the seat than the average of its possible outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The seat.
    pub seat: Seat,
    /// The name of such rolls, in the plural: `musters`, `attacks`.
    pub what: &'static str,
    /// The number of outcomes that are hits…
    pub good: u32,
    /// … of this number of equally likely ones.
    pub of: u32,
    /// Whether this roll is a hit.
    pub hit: bool,
}

impl Trial {
    /// A roll whose equally likely outcomes have these values for the seat, more being better; its own value is `got`. `None` if all values are
    /// equal: then no luck is involved.
    #[must_use]
    pub fn graded(seat: &Seat, what: &'static str, worth: &[i32], got: i32) -> Option<Self> {
        let of = u32::try_from(worth.len()).ok()?;
        let sum: i64 = worth.iter().copied().map(i64::from).sum();
        let beats_average = |one: i32| i64::from(one) * i64::from(of) > sum;
        let good = u32::try_from(worth.iter().filter(|one| beats_average(**one)).count()).ok()?;
        (good > 0).then(|| Self { seat: seat.clone(), what, good, of, hit: beats_average(got) })
    }
}

/// The rolls of a game by seat and kind, each with its chance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Luck(BTreeMap<(Seat, &'static str), Tried>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tried {
    hits: u64,
    /// The number of rolls with each chance, given as hits and number of outcomes.
    chances: BTreeMap<(u32, u32), u64>,
}

impl Tried {
    fn and(mut self, other: &Self) -> Self {
        self.hits += other.hits;
        for (chance, rolls) in &other.chances {
            *self.chances.entry(*chance).or_default() += rolls;
        }
        self
    }

    fn rolls(&self) -> u64 {
        self.chances.values().sum()
    }
}

impl Extend<Trial> for Luck {
    fn extend<T: IntoIterator<Item = Trial>>(&mut self, trials: T) {
        for trial in trials {
            let tried = self.0.entry((trial.seat, trial.what)).or_default();
            tried.hits += u64::from(trial.hit);
            *tried.chances.entry((trial.good, trial.of)).or_default() += 1;
        }
    }
}

impl Luck {
    /// The luck of one seat alone.
    #[must_use]
    pub fn of(&self, seat: &Seat) -> Self {
        let own = self.0.iter().filter(|((whose, _), _)| whose == seat);
        Self(own.map(|(key, tried)| (key.clone(), tried.clone())).collect())
    }

    /// The number of rolls of a seat that are counted.
    #[must_use]
    pub fn rolls_of(&self, seat: &Seat) -> u64 {
        self.0.iter().filter(|((whose, _), _)| whose == seat).map(|(_, tried)| tried.rolls()).sum()
    }

    /// The results of each seat's rolls, all together and by kind. Groups of fewer than [`LEAST_DICE`] rolls are left out.
    #[must_use]
    pub fn fortunes(&self) -> Vec<Fortune> {
        let mut all: BTreeMap<&Seat, Tried> = BTreeMap::new();
        let mut kinds: BTreeMap<(&'static str, &Seat), &Tried> = BTreeMap::new();
        for ((seat, what), tried) in &self.0 {
            let sum = all.remove(seat).unwrap_or_default().and(tried);
            all.insert(seat, sum);
            kinds.insert((what, seat), tried);
        }
        let together = all.iter().map(|(seat, tried)| Fortune::of(seat, None, tried));
        let apart = kinds.iter().map(|((what, seat), tried)| Fortune::of(seat, Some(*what), tried));
        together.chain(apart).filter(|fortune| fortune.rolls >= LEAST_DICE).collect()
    }
}

/// The results of a seat's rolls, compared with the expected results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fortune {
    /// The seat.
    pub seat: Seat,
    /// The kind of rolls; all kinds if `None`.
    pub what: Option<&'static str>,
    /// The number of rolls.
    pub rolls: u64,
    /// The number of hits.
    pub hits: u64,
    /// The expected number of hits.
    pub expected: f64,
    /// The usual range: in 95 of 100 campaigns with these rolls the number of hits is at least this…
    pub low: u64,
    /// … and at most this.
    pub high: u64,
    /// The share of campaigns with these rolls in which there are fewer hits.
    pub luckier_than: Odds,
    /// The share of campaigns in which the number of hits is as far out, on either side.
    pub as_odd: Odds,
}

impl Fortune {
    fn of(seat: &Seat, what: Option<&'static str>, tried: &Tried) -> Self {
        let counts = Counts::of_chances(&tried.chances);
        let expected =
            tried.chances.iter().map(|(&(good, of), &rolls)| rolls as f64 * f64::from(good) / f64::from(of));
        let (low, high) = counts.usual();
        Self {
            seat: seat.clone(),
            what,
            rolls: tried.rolls(),
            hits: tried.hits,
            expected: expected.sum(),
            low,
            high,
            luckier_than: Odds(counts.below(tried.hits)),
            as_odd: Odds(counts.two_sided(tried.hits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(name: &str) -> Seat {
        name.parse().unwrap()
    }

    fn rolls(name: &str, what: &'static str, good: u32, of: u32, hits: usize, misses: usize) -> Vec<Trial> {
        let trial = |hit| Trial { seat: seat(name), what, good, of, hit };
        [vec![trial(true); hits], vec![trial(false); misses]].concat()
    }

    #[test]
    fn a_hit_is_better_than_the_average_of_what_could_have_been() {
        let red = seat("red");
        let of = |worth: &[i32], got| Trial::graded(&red, "rolls", worth, got).map(|t| (t.good, t.of, t.hit));
        // Losses of 2, 2, 1, 1, 0, 0: the average is 1, and losing exactly that is no hit.
        let losses = [-2, -2, -1, -1, 0, 0];
        assert_eq!(of(&losses, 0), Some((2, 6, true)));
        assert_eq!(of(&losses, -1), Some((2, 6, false)));
        assert_eq!(of(&[-2, -2, -2, -2, -1, -1], -1), Some((2, 6, true)));
        assert_eq!(of(&[-1, 0, 0, 0, 0, 0], 0), Some((5, 6, true)));
        // All outcomes have the same value: no luck.
        assert_eq!(of(&[0; 6], 0), None);
        assert_eq!(of(&[], 0), None);
    }

    #[test]
    fn a_hundred_rolls_are_told_as_a_player_reads_them() {
        let mut luck = Luck::default();
        luck.extend(rolls("french", "attacks", 35, 100, 27, 73));
        let [all, attacks] = &luck.fortunes()[..] else { panic!() };
        assert_eq!((all.rolls, all.hits, all.low, all.high), (100, 27, 26, 44));
        assert_eq!(format!("{:.1}", all.expected), "35.0");
        assert_eq!(all.luckier_than.in_hundred(), "4");
        assert_eq!((attacks.what, all.what), (Some("attacks"), None));
    }

    #[test]
    fn both_sides_stand_together_and_few_rolls_are_not_told() {
        let mut luck = Luck::default();
        luck.extend(rolls("red", "attacks", 1, 2, 14, 15));
        luck.extend(rolls("blue", "attacks", 1, 2, 20, 20));
        luck.extend(rolls("red", "musters", 1, 3, 10, 20));
        let told: Vec<_> =
            luck.fortunes().iter().map(|f| format!("{} {:?} {}", f.seat, f.what, f.rolls)).collect();
        let attacks = "Some(\"attacks\")";
        assert_eq!(
            told,
            [
                "blue None 40".to_owned(),
                "red None 59".to_owned(),
                format!("blue {attacks} 40"),
                "red Some(\"musters\") 30".to_owned()
            ]
        );
        assert_eq!(luck.rolls_of(&seat("red")), 59);
        let own = luck.of(&seat("red"));
        assert!(own.fortunes().iter().all(|fortune| fortune.seat == seat("red")));
        assert_eq!(own.rolls_of(&seat("blue")), 0);
    }

    #[test]
    fn the_same_hits_of_better_chances_are_worse_luck() {
        let told = |good| {
            let mut luck = Luck::default();
            luck.extend(rolls("red", "rolls", good, 6, 30, 30));
            luck.fortunes().remove(0).luckier_than.0
        };
        assert!(told(2) > 0.99 && told(4) < 0.01 && (0.4..0.5).contains(&told(3)));
    }
}
