//! A count of equally likely cases: a machine integer if it fits into one, otherwise an integer of any size.
//!
//! Six to the power of 49 fits. So nearly every count in a receipt is added and multiplied without allocating memory, and a series of a hundred dice
//! can be counted too.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

/// The number of cases.
#[derive(Debug, Clone)]
pub(super) enum Count {
    /// A number that fits into a machine integer.
    Small(u128),
    /// A number that may be too large for a machine integer. It may also be small.
    Large(BigUint),
}

impl Count {
    pub(super) fn power_of_ten(exponent: u32) -> Self {
        10_u128
            .checked_pow(exponent)
            .map_or_else(|| Self::Large(BigUint::from(10_u32).pow(exponent)), Self::Small)
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        self.with(other, u128::checked_add, |one, other| one + other)
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        self.with(other, u128::checked_mul, |one, other| one * other)
    }

    /// The quotient of the two numbers, rounded down. The other is not zero.
    pub(super) fn whole_times(&self, other: &Self) -> Self {
        self.with(other, u128::checked_div, |one, other| one / other)
    }

    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Small(count) => *count == 0,
            Self::Large(count) => *count == BigUint::ZERO,
        }
    }

    /// The number as `u32`, if it is small enough.
    pub(super) fn to_u32(&self) -> Option<u32> {
        match self {
            Self::Small(count) => u32::try_from(*count).ok(),
            Self::Large(count) => u32::try_from(count).ok(),
        }
    }

    pub(super) fn big(&self) -> Cow<'_, BigUint> {
        match self {
            Self::Small(count) => Cow::Owned(BigUint::from(*count)),
            Self::Large(count) => Cow::Borrowed(count),
        }
    }

    fn with(
        &self,
        other: &Self,
        small: impl Fn(u128, u128) -> Option<u128>,
        large: impl Fn(&BigUint, &BigUint) -> BigUint,
    ) -> Self {
        if let (Self::Small(one), Self::Small(other)) = (self, other)
            && let Some(count) = small(*one, *other)
        {
            return Self::Small(count);
        }
        Self::Large(large(&self.big(), &other.big()))
    }
}

impl From<u32> for Count {
    fn from(count: u32) -> Self {
        Self::Small(count.into())
    }
}

impl PartialEq for Count {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Count {}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(one), Self::Small(other)) => one.cmp(other),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(count) => fmt::Display::fmt(count, f),
            Self::Large(count) => fmt::Display::fmt(count, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_for_the_machine_is_counted_all_the_same() {
        let largest = Count::Small(u128::MAX);
        let one = Count::from(1);
        let next = largest.plus(&one);
        assert_eq!(next.to_string(), "340282366920938463463374607431768211456");
        assert!(next > largest && !next.is_zero() && next.to_u32().is_none());
        assert_eq!(next.times(&next).whole_times(&next), next);
        assert_eq!(next.whole_times(&next), one, "a large number may have a small one's value");
        assert_eq!(Count::power_of_ten(40).whole_times(&Count::power_of_ten(39)).to_u32(), Some(10));
    }
}
