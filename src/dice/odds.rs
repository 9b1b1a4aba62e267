//! Exact odds: the possible results of dice that have not been thrown, counted and never sampled.
//!
//! A [`Distribution`] begins with a [certain](Distribution::certain) value. Every die [thrown](Distribution::throw) divides each case into as many
//! equally likely cases as the die has sides, and cases with the same value are counted together. All counts are integers of any size, so no series
//! of dice is too long, and chances are fractions.

mod count;

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use num_bigint::BigUint;
use num_rational::Ratio;

use count::Count;

/// An exact number that is not negative: a probability, or an expected value. Displays as a fraction in lowest terms, `91/216`; a whole number has no
/// denominator.
#[derive(Debug, Clone)]
pub struct Exact {
    // Most chances are only ever rounded, and reducing to lowest terms is slow, so it is done only when they are shown or compared.
    good: Count,
    of: Count,
}

impl Exact {
    /// The chance of so many of equally likely cases.
    ///
    /// # Panics
    /// There are no cases.
    #[must_use]
    pub fn share(good: u32, of: u32) -> Self {
        assert!(of > 0, "a chance is one of some cases");
        Self { good: good.into(), of: of.into() }
    }

    /// The decimal number with this number of places, rounded half up: `0.421296`.
    #[must_use]
    pub fn decimal(&self, places: u32) -> String {
        let digits = self.rounded_count(&Count::power_of_ten(places)).to_string();
        let places = places as usize;
        if places == 0 {
            return digits;
        }
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, part) = digits.split_at(digits.len() - places);
        format!("{whole}.{part}")
    }

    /// As a percentage: `42.1%`. A chance that is neither impossible nor certain is never shown as 0% or 100% but as `<0.1%` or `>99.9%`.
    #[must_use]
    pub fn percent(&self) -> String {
        match self.rounded(1000) {
            0 if !self.good.is_zero() => "<0.1%".to_owned(),
            1000 if self.good < self.of => ">99.9%".to_owned(),
            tenths => {
                let mut percent = (tenths / 10).to_string();
                percent.push('.');
                percent.extend(char::from_digit(tenths % 10, 10));
                percent.push('%');
                percent
            }
        }
    }

    /// Its share of `whole`, rounded half up, where an integer is needed: per thousand, for example.
    #[must_use]
    pub fn rounded(&self, whole: u32) -> u32 {
        self.rounded_count(&whole.into()).to_u32().unwrap_or(u32::MAX)
    }

    fn rounded_count(&self, whole: &Count) -> Count {
        let two = &Count::from(2);
        (self.good.times(whole).times(two).plus(&self.of)).whole_times(&self.of.times(two))
    }

    fn ratio(&self) -> Ratio<BigUint> {
        Ratio::new_raw(self.good.big().into_owned(), self.of.big().into_owned())
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        self.good.times(&other.of).cmp(&other.good.times(&self.of))
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.ratio().reduced(), f)
    }
}

impl From<u32> for Exact {
    fn from(whole: u32) -> Self {
        Self { good: whole.into(), of: 1.into() }
    }
}

impl Add for Exact {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        if self.of == other.of {
            return Self { good: self.good.plus(&other.good), of: self.of };
        }
        let good = self.good.times(&other.of).plus(&other.good.times(&self.of));
        Self { good, of: self.of.times(&other.of) }
    }
}

impl Sum for Exact {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::from(0), Add::add)
    }
}

/// The possible values, each with its number of equally likely cases.
#[derive(Debug, Clone)]
pub struct Distribution<T> {
    // In the order of the values, each once.
    cases: Vec<(T, Count)>,
    of: Count,
}

impl<T: Ord> Distribution<T> {
    /// The distribution with one certain value.
    #[must_use]
    pub fn certain(value: T) -> Self {
        Self { cases: vec![(value, 1.into())], of: 1.into() }
    }

    /// Throws one die in every case for which `next` returns a function. The function gives the new value for each face, from 1 to `sides`. The other
    /// cases stay as they are.
    #[must_use]
    pub fn throw<F: FnMut(u32) -> T>(self, sides: u32, mut next: impl FnMut(&T) -> Option<F>) -> Self {
        let mut cases = Cases::new();
        let sides_each = Count::from(sides);
        for (value, weight) in self.cases {
            match next(&value) {
                None => cases.add(value, weight.times(&sides_each)),
                Some(made_of) => {
                    for (made, faces) in runs((1..=sides).map(made_of)) {
                        cases.add(made, weight.times(&faces.into()));
                    }
                }
            }
        }
        Self { cases: cases.counted(), of: self.of.times(&sides_each) }
    }

    /// The distribution of `look` applied to the values; cases with equal results are counted together.
    #[must_use]
    pub fn map<U: Ord>(&self, mut look: impl FnMut(&T) -> U) -> Distribution<U> {
        let mut cases = Cases::new();
        for (value, weight) in &self.cases {
            cases.add(look(value), weight.clone());
        }
        Distribution { cases: cases.counted(), of: self.of.clone() }
    }

    /// The joint distribution of this and another one that is independent of it.
    #[must_use]
    pub fn and<U: Ord, V: Ord>(
        &self,
        other: &Distribution<U>,
        mut both: impl FnMut(&T, &U) -> V,
    ) -> Distribution<V> {
        let mut cases = Cases::new();
        for (ours, weight) in &self.cases {
            for (theirs, times) in &other.cases {
                cases.add(both(ours, theirs), weight.times(times));
            }
        }
        Distribution { cases: cases.counted(), of: self.of.times(&other.of) }
    }

    /// All possible values, in their order.
    pub fn outcomes(&self) -> impl Iterator<Item = &T> {
        self.cases.iter().map(|(value, _)| value)
    }

    /// Every value with its probability, in the order of the values.
    pub fn iter(&self) -> impl Iterator<Item = (&T, Exact)> {
        self.cases.iter().map(|(value, weight)| (value, self.share(weight.clone())))
    }

    /// The probability that `so` holds.
    #[must_use]
    pub fn probability(&self, mut so: impl FnMut(&T) -> bool) -> Exact {
        let good = self.cases.iter().filter(|(value, _)| so(value)).map(|(_, weight)| weight);
        self.share(good.fold(0.into(), |sum, weight| sum.plus(weight)))
    }

    /// The expected value of a count.
    #[must_use]
    pub fn expected(&self, mut count: impl FnMut(&T) -> u32) -> Exact {
        let counted = self.cases.iter().map(|(value, weight)| weight.times(&count(value).into()));
        self.share(counted.fold(0.into(), |sum: Count, all| sum.plus(&all)))
    }

    fn share(&self, good: Count) -> Exact {
        Exact { good, of: self.of.clone() }
    }
}

/// Runs of equal values, each with its length. Neighbouring faces of a die mostly give the same value, and comparing two values is quicker than
/// looking each up.
fn runs<T: Eq>(values: impl Iterator<Item = T>) -> impl Iterator<Item = (T, u32)> {
    let mut values = values.peekable();
    std::iter::from_fn(move || {
        let value = values.next()?;
        let mut many = 1;
        while values.next_if_eq(&value).is_some() {
            many += 1;
        }
        Some((value, many))
    })
}

/// Cases on their way into a distribution. Equal ones are looked for one by one while there are few, and found by sorting once there are many.
struct Cases<T> {
    cases: Vec<(T, Count)>,
    /// How many may be there before equal ones are counted together, so that memory is bounded by the different values.
    most: usize,
}

/// Up to how many cases it is quicker to look at each than to sort them.
const FEW: usize = 32;

impl<T: Ord> Cases<T> {
    const fn new() -> Self {
        Self { cases: Vec::new(), most: 1024 }
    }

    fn add(&mut self, value: T, weight: Count) {
        if self.cases.len() <= FEW
            && let Some((_, sum)) = self.cases.iter_mut().find(|(known, _)| *known == value)
        {
            *sum = sum.plus(&weight);
            return;
        }
        self.cases.push((value, weight));
        if self.cases.len() >= self.most {
            self.count();
            self.most = 1024 + 2 * self.cases.len();
        }
    }

    /// Sorts the cases and counts those with the same value together.
    fn count(&mut self) {
        self.cases.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        self.cases.dedup_by(|(next, weight), (value, sum)| {
            let same = next == value;
            if same {
                *sum = sum.plus(weight);
            }
            same
        });
    }

    fn counted(mut self) -> Vec<(T, Count)> {
        self.count();
        self.cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of `count` dice.
    fn dice(count: u32, sides: u32) -> Distribution<u32> {
        (0..count)
            .fold(Distribution::certain(0), |sum, _| sum.throw(sides, |&sum| Some(move |face| sum + face)))
    }

    #[test]
    fn three_dice_are_counted_in_216_cases() {
        let sum = dice(3, 6);
        assert_eq!(sum.probability(|sum| *sum >= 11).to_string(), "1/2");
        assert_eq!(sum.probability(|sum| *sum == 10).to_string(), "1/8");
        assert_eq!(sum.probability(|_| true), Exact::from(1));
        assert_eq!(sum.expected(|sum| *sum).to_string(), "21/2");
        assert_eq!(sum.iter().map(|(_, chance)| chance).sum::<Exact>(), Exact::from(1));
    }

    #[test]
    fn a_case_that_throws_no_die_keeps_its_share() {
        // The second die is thrown only after a six, the third only after two.
        let sixes = (0..3).fold(Distribution::certain(0), |sixes, round| {
            sixes.throw(6, |&n| (n == round).then_some(move |face| if face == 6 { n + 1 } else { n }))
        });
        let chances: Vec<_> = sixes.iter().map(|(n, chance)| format!("{n}: {chance}")).collect();
        assert_eq!(chances, ["0: 5/6", "1: 5/36", "2: 5/216", "3: 1/216"]);
    }

    #[test]
    fn chances_are_compared_by_their_values() {
        let at_most = |face| dice(1, 6).probability(|thrown| *thrown <= face);
        assert!(at_most(2) < at_most(3) && at_most(3) > at_most(2) && at_most(2) >= at_most(2));
    }

    #[test]
    fn what_is_independent_multiplies() {
        let both = dice(1, 6).and(&dice(1, 10), |six, ten| six.max(ten) == &1);
        assert_eq!(both.probability(|both_one| *both_one).to_string(), "1/60");
    }

    #[test]
    fn a_hundred_dice_are_still_exact() {
        let sum = dice(100, 6);
        assert_eq!(sum.expected(|sum| *sum), Exact::from(350));
        assert!(
            sum.probability(|sum| *sum == 600)
                .to_string()
                .starts_with("1/6533186235000709060966902671580578")
        );
    }

    #[test]
    fn decimals_are_rounded_and_never_lie_about_certainty() {
        let sum = dice(3, 6);
        assert_eq!(sum.probability(|sum| *sum > 12).decimal(6), "0.259259");
        assert_eq!(sum.expected(|sum| *sum).decimal(0), "11");
        assert_eq!(sum.expected(|sum| *sum).decimal(2), "10.50");
        assert_eq!(sum.probability(|sum| *sum == 3).percent(), "0.5%");
        assert_eq!(sum.probability(|sum| *sum == 2).percent(), "0.0%");
        assert_eq!(sum.probability(|_| true).percent(), "100.0%");
        let rare = dice(6, 6);
        assert_eq!(rare.probability(|sum| *sum == 6).percent(), "<0.1%");
        assert_eq!(rare.probability(|sum| *sum > 6).percent(), ">99.9%");
        assert_eq!(Exact::share(1, 8).percent(), "12.5%");
        assert_eq!(rare.probability(|sum| *sum > 6).rounded(1000), 1000);
    }
}
