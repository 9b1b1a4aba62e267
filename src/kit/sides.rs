//! Battles of two sides, whose units are numbered within each: `A7`.

use serde::{Deserialize, Serialize};

/// One of the two sides of a battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The first of the scenario.
    A,
    /// The second.
    B,
}

impl Side {
    /// Both, in their order.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Its place in lists of two.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its letter before the numbers of its units.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
        }
    }

    /// The side and the number of a unit as it is written: the side's letter in any case, `mark`, and a number from 1 to `most`, which has two digits.
    #[must_use]
    pub fn numbered(text: &str, mark: &str, most: u8) -> Option<(Self, u8)> {
        let upper = text.to_ascii_uppercase();
        let side = Self::ALL.into_iter().find(|side| upper.starts_with(side.letter()))?;
        let digits = upper[1..].strip_prefix(mark)?;
        let plain = matches!(digits.len(), 1 | 2) && digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|number| plain && (1..=most).contains(number))?;
        Some((side, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_its_sides_letter_a_mark_and_a_number_of_two_digits_at_most() {
        assert_eq!(Side::numbered("b7", "", 60), Some((Side::B, 7)));
        assert_eq!(Side::numbered("AH2", "H", 40), Some((Side::A, 2)));
        for bad in ["", "A", "A0", "A61", "A007", "C7", "A+7", "AH7", "\u{e9}7", "A\u{665}"] {
            assert_eq!(Side::numbered(bad, "", 60), None, "{bad}");
        }
        assert_eq!(Side::numbered("A2", "H", 40), None);
    }
}
