//! The few distributions that the battery needs.
//!
//! Only the operations that IEEE 754 fixes to the last bit are used, `+ - * /` and the square root, in a fixed order: `exp` and
//! its kin differ from one mathematical library to the next. So the same dice give the same words on every machine.

use std::collections::BTreeMap;

/// Two over the square root of pi.
const TWO_OVER_ROOT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;

/// `e^-x` for x >= 0.
fn exp_minus(x: f64) -> f64 {
    // Below the smallest positive number of the type.
    if x > 745.0 {
        return 0.0;
    }
    let halvings = (x / std::f64::consts::LN_2).floor();
    let rest = x - halvings * std::f64::consts::LN_2;
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..24 {
        term = term * rest / f64::from(n);
        sum += term;
    }
    (0..halvings as u32).fold(1.0 / sum, |value, _| value * 0.5)
}

/// The complementary error function for z >= 0.
fn erfc(z: f64) -> f64 {
    if z < 2.0 {
        // erf z = 2/sqrt(pi) e^(-z^2) sum 2^n z^(2n+1) / (1 3 5 … (2n+1)).
        let (mut term, mut sum) = (z, z);
        for n in 1..60 {
            term = term * 2.0 * z * z / f64::from(2 * n + 1);
            sum += term;
        }
        return 1.0 - TWO_OVER_ROOT_PI * exp_minus(z * z) * sum;
    }
    // Laplace's continued fraction, from its end.
    let tail = (1..=120).rev().fold(0.0, |tail, k| f64::from(k) * 0.5 / (z + tail));
    TWO_OVER_ROOT_PI * 0.5 * exp_minus(z * z) / (z + tail)
}

/// How often a normal deviate is at least this far from its mean, on either side.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// How often chi-square with this number of degrees of freedom is at least `x`: the regularised upper incomplete gamma function of half the degrees
/// and half of `x`, which is a finite sum for whole and half numbers.
pub(super) fn chi_square_at_least(degrees: u32, x: f64) -> f64 {
    let y = x * 0.5;
    let (mut sum, mut term) = if degrees.is_multiple_of(2) {
        (0.0, exp_minus(y))
    } else {
        (erfc(y.sqrt()), TWO_OVER_ROOT_PI * exp_minus(y) * y.sqrt())
    };
    let half = if degrees.is_multiple_of(2) { 0.0 } else { 0.5 };
    for j in 1..=degrees / 2 {
        sum += term;
        term = term * y / (f64::from(j) + half);
    }
    sum.min(1.0)
}

/// A distribution over whole numbers, without negligible tails.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    first: u64,
    /// The probability of `first`, and of each number after it.
    shares: Vec<f64>,
}

/// Outcomes that are rarer than this, compared with the most likely outcome, are left out.
const NEVER: f64 = 1e-25;

impl Counts {
    /// The number of successes in `tries`, if `good` of `of` equally likely outcomes are a success. Exact except for rounding: weights are computed
    /// from the most likely number outwards, each from the one before, and divided by their sum.
    pub(super) fn binomial(tries: u64, good: u64, of: u64) -> Self {
        let bad = of.saturating_sub(good);
        if good == 0 || bad == 0 {
            return Self { first: if good == 0 { 0 } else { tries }, shares: vec![1.0] };
        }
        let odds = good as f64 / bad as f64;
        let mode =
            u64::try_from((u128::from(tries) + 1) * u128::from(good) / u128::from(of)).unwrap_or(tries);
        let mode = mode.min(tries);
        let mut below = Vec::new();
        let (mut k, mut weight) = (mode, 1.0);
        while k > 0 && weight > NEVER {
            weight = weight * k as f64 / ((tries - k + 1) as f64 * odds);
            k -= 1;
            below.push(weight);
        }
        let first = k;
        below.reverse();
        let mut shares = below;
        let (mut k, mut weight) = (mode, 1.0);
        shares.push(weight);
        while k < tries && weight > NEVER {
            weight = weight * (tries - k) as f64 * odds / (k + 1) as f64;
            k += 1;
            shares.push(weight);
        }
        Self { first, shares }.normalised()
    }

    /// The number of successes in tries with different chances, given as `(good, of)` and the number of tries: the Poisson binomial distribution.
    pub(super) fn of_chances(chances: &BTreeMap<(u32, u32), u64>) -> Self {
        let none = Self { first: 0, shares: vec![1.0] };
        chances.iter().fold(none, |sum, (&(good, of), &tries)| {
            sum.and(&Self::binomial(tries, u64::from(good), u64::from(of)))
        })
    }

    /// The sum of two independent numbers.
    fn and(&self, other: &Self) -> Self {
        let mut shares = vec![0.0; self.shares.len() + other.shares.len() - 1];
        for (i, ours) in self.shares.iter().enumerate() {
            for (j, theirs) in other.shares.iter().enumerate() {
                shares[i + j] += ours * theirs;
            }
        }
        let most = shares.iter().copied().fold(0.0, f64::max);
        let seen = |share: &f64| *share > most * NEVER;
        let from = shares.iter().position(seen).unwrap_or_default();
        let upto = shares.iter().rposition(seen).map_or(shares.len(), |last| last + 1);
        Self { first: self.first + other.first + from as u64, shares: shares[from..upto].to_vec() }
            .normalised()
    }

    fn normalised(mut self) -> Self {
        let sum: f64 = self.shares.iter().sum();
        self.shares.iter_mut().for_each(|share| *share /= sum);
        self
    }

    /// The probability that the number is below `x`.
    pub(super) fn below(&self, x: u64) -> f64 {
        let upto = usize::try_from(x.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.shares.iter().take(upto).sum::<f64>().min(1.0)
    }

    /// The probability that the number is above `x`. It is summed from its own end, so that a small share keeps its digits.
    pub(super) fn above(&self, x: u64) -> f64 {
        let last = self.first + self.shares.len() as u64 - 1;
        let upto = usize::try_from(last.saturating_sub(x)).unwrap_or(usize::MAX);
        self.shares.iter().rev().take(upto).sum::<f64>().min(1.0)
    }

    /// The probability that a number is at least as far out as `x`, on either side: twice the smaller tail.
    pub(super) fn two_sided(&self, x: u64) -> f64 {
        let at_most = self.below(x.saturating_add(1));
        let at_least = if x == 0 { 1.0 } else { self.above(x - 1) };
        (2.0 * at_most.min(at_least)).min(1.0)
    }

    /// The usual range: the number is outside of it in at most 5 of 100 cases, at most half of them on either side.
    pub(super) fn usual(&self) -> (u64, u64) {
        let edge = |shares: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            let beyond = |share: &&f64| {
                sum += **share;
                sum <= 0.025
            };
            shares.take_while(beyond).count() as u64
        };
        let last = self.first + self.shares.len() as u64 - 1;
        (self.first + edge(&mut self.shares.iter()), last - edge(&mut self.shares.iter().rev()))
    }
}

/// The probability that `tosses` of a fair coin contain no `length` heads in a row.
pub(super) fn no_run(tosses: u64, length: u64) -> f64 {
    if length == 0 {
        return 0.0;
    }
    if tosses < length {
        return 1.0;
    }
    let power = (0..length.min(1100)).fold(1.0, |power, _| power * 0.5);
    if tosses > LONG {
        return many_tosses(tosses, length, power);
    }
    let (n, r) = (tosses as usize, length as usize);
    let mut without = vec![1.0; n + 1];
    without[r] = 1.0 - power;
    for i in r + 1..=n {
        without[i] = without[i - 1] - power * 0.5 * without[i - r - 1];
    }
    without[n].max(0.0)
}

/// From this number of tosses on, [`many_tosses`] is as good as counting.
const LONG: u64 = 10_000;

/// Feller's formula (An Introduction to Probability Theory and Its Applications, volume 1, XIII.7).
fn many_tosses(tosses: u64, length: u64, power: f64) -> f64 {
    if length < 6 {
        // The probability is already below one in 10^45.
        return 0.0;
    }
    // The root near 1 of 1 - x + q p^r x^(r+1).
    let root = (0..60).fold(1.0, |x, _| 1.0 + 0.5 * power * raised(x, length + 1));
    let r = length as f64;
    (1.0 - 0.5 * root) / ((r + 1.0 - r * root) * 0.5) / raised(root, tosses + 1)
}

fn raised(base: f64, mut exponent: u64) -> f64 {
    let (mut square, mut product) = (base, 1.0);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    product
}

/// The distribution of the sum of the squares of the counts, if `dice` fall into `classes` equally likely classes, found by counting every case: the
/// probabilities that it is at most `sum`, and at least `sum`.
pub(super) fn sums_of_squares(dice: u32, classes: u32, sum: u64) -> (f64, f64) {
    let n = dice as usize;
    // weights[j][s]: for j dice with the sum s in the classes so far, the product of 1 / count!.
    let empty = || (0..=n).map(|j| vec![0.0; j * j + 1]).collect::<Vec<Vec<f64>>>();
    let mut weights = empty();
    weights[0][0] = 1.0;
    for _ in 0..classes {
        let mut next = empty();
        for (j, sums) in weights.iter().enumerate() {
            for (s, &weight) in sums.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let mut share = weight;
                for c in 0..=n - j {
                    if c > 0 {
                        share /= c as f64;
                    }
                    next[j + c][s + c * c] += share;
                }
            }
        }
        weights = next;
    }
    let all = &weights[n];
    let total: f64 = all.iter().sum();
    let at = usize::try_from(sum).unwrap_or(usize::MAX);
    let at_most: f64 = all.iter().take(at.saturating_add(1)).sum();
    let at_least: f64 = all.iter().skip(at).sum();
    (at_most / total, at_least / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        let error = (found - expected).abs() / expected;
        assert!(error < 1e-9, "{found:e} is not {expected:e}");
    }

    #[test]
    fn tails_are_those_of_published_tables() {
        // Critical values of chi-square for 0.05 (Abramowitz and Stegun, table 26.8) and of the normal deviate (table 26.5).
        for (degrees, critical) in
            [(1, 3.841), (2, 5.991), (5, 11.070), (9, 16.919), (19, 30.144), (35, 49.802), (99, 123.225)]
        {
            let tail = chi_square_at_least(degrees, critical);
            assert!((tail - 0.05).abs() < 2e-5, "{degrees} degrees: {tail}");
        }
        for (z, tail) in [(0.0, 1.0), (0.674_49, 0.5), (1.959_96, 0.05), (2.575_83, 0.01), (3.290_53, 0.001)]
        {
            assert!((normal_two_sided(z) - tail).abs() < 1e-5, "{z}");
        }
        assert_eq!(normal_two_sided(-1.5), normal_two_sided(1.5));
    }

    #[test]
    fn tails_agree_with_a_library_of_many_digits() {
        for (z, expected) in [
            (0.5, 0.479_500_122_186_953),
            (1.0, 0.157_299_207_050_285),
            (1.9999, 0.004_679_802_092_970_61),
            (2.0, 0.004_677_734_981_047_27),
            (3.0, 2.209_049_699_858_54e-5),
            (5.0, 1.537_459_794_428_03e-12),
        ] {
            close(erfc(z), expected);
        }
        for (degrees, x, expected) in [
            (2, 3.0, 0.223_130_160_148_43),
            (5, 40.0, 1.493_367_900_050_4e-7),
            (35, 49.802, 0.049_998_531_499_489_9),
            (99, 50.0, 0.999_990_054_546_812),
        ] {
            close(chi_square_at_least(degrees, x), expected);
        }
        assert_eq!(chi_square_at_least(5, 0.0), 1.0);
        assert_eq!(chi_square_at_least(9, 5000.0), 0.0);
    }

    #[test]
    fn a_binomial_is_exact_at_any_size() {
        let hundred = Counts::binomial(100, 35, 100);
        close(hundred.below(27), 0.035_143_676_482_906_7);
        close(hundred.above(44), 0.024_602_560_96);
        assert_eq!(hundred.usual(), (26, 44));
        let ten = Counts::binomial(10, 1, 2);
        close(ten.below(1), 1.0 / 1024.0);
        close(ten.two_sided(1), 22.0 / 1024.0);
        close(ten.two_sided(9), 22.0 / 1024.0);
        assert_eq!(ten.two_sided(5), 1.0);
        assert_eq!(ten.below(11), 1.0);
        // One standard deviation of a thousand million tosses; Laplace's correction makes the normal tail as good as exact.
        let many = Counts::binomial(1_000_000_000, 1, 2);
        let z = (500_015_811.0 - 0.5 - 5e8) / 250_000_000_f64.sqrt();
        assert!((many.two_sided(500_015_811) - normal_two_sided(z)).abs() < 1e-7);
    }

    #[test]
    fn what_is_certain_or_impossible_stays_so() {
        let (never, always) = (Counts::binomial(40, 0, 6), Counts::binomial(40, 6, 6));
        assert_eq!((never.usual(), always.usual()), ((0, 0), (40, 40)));
        assert_eq!((never.two_sided(0), always.two_sided(40)), (1.0, 1.0));
        assert_eq!((never.two_sided(1), always.two_sided(39)), (0.0, 0.0));
    }

    #[test]
    fn tries_with_different_chances_are_convolved() {
        let mixed = Counts::of_chances(&BTreeMap::from([((1, 6), 10), ((1, 2), 20), ((2, 3), 5)]));
        close(mixed.below(12), 0.099_500_005_562_909_22);
        close(mixed.above(18), 0.100_465_965_231_830_48);
        assert_eq!(mixed.usual(), (10, 20));
    }

    #[test]
    fn runs_are_counted_exactly_and_by_fellers_formula_alike() {
        close(no_run(10, 3), 0.492_187_5);
        close(no_run(100, 7), 0.682_479_612_503_394);
        assert_eq!((no_run(5, 6), no_run(5, 0)), (1.0, 0.0));
        close(no_run(20_000, 14), 0.543_212_139_227_637);
        close(no_run(20_000, 6), 2.641_704_317_267_68e-72);
    }

    #[test]
    fn all_ways_in_which_five_dice_can_fall_are_counted() {
        // Of 6^5 = 7776: all different 720, one pair 3600, and so on; sums of squares 5, 7, 9, 11, 13, 17, 25.
        let (at_most, at_least) = sums_of_squares(5, 6, 9);
        close(at_most, (720.0 + 3600.0 + 1800.0) / 7776.0);
        close(at_least, (1800.0 + 1200.0 + 300.0 + 150.0 + 6.0) / 7776.0);
        close(sums_of_squares(5, 6, 25).1, 6.0 / 7776.0);
    }
}
