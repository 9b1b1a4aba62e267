//! Battles of two sides, whose units are numbered within each: `A7`.

use serde::{Deserialize, Serialize};

/// What the macro names.
#[doc(hidden)]
pub use musterd_engine::as_text;

/// Characters of a text that is no unit which are told.
const LONGEST: usize = 40;

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

/// A text that is no unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no unit: {hint}")]
pub struct BadUnit {
    text: String,
    hint: &'static str,
}

impl BadUnit {
    /// That this text is none; `hint` is what to write.
    #[must_use]
    pub fn of(text: &str, hint: &'static str) -> Self {
        Self { text: text.chars().take(LONGEST).collect(), hint }
    }
}

/// Declares units that are numbered from 1 within each side. They are written, read and stored as the side's letter, a mark between the two that may be
/// empty, and the number. Behind the mark stand the most of a side, and what to write where a text is no such unit:
/// `numbered! { /// A brigade: `A7`. pub struct BrigadeId: "" to 90, "write A7 for a brigade"; }`.
#[macro_export]
macro_rules! numbered {
    ($($(#[doc = $doc:literal])+ $visible:vis struct $name:ident: $mark:literal to $most:literal, $hint:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visible struct $name {
            /// Whose it is.
            $visible side: $crate::sides::Side,
            /// Its number, from 1.
            $visible number: u8,
        }

        impl $name {
            /// The most of a side.
            $visible const MOST: u8 = $most;

            /// The one of this side and number.
            $visible const fn new(side: $crate::sides::Side, number: u8) -> Self {
                Self { side, number }
            }

            /// The one in this place of its side's list, from 0; `None` if a side can't have so many.
            $visible fn listed(side: $crate::sides::Side, place: usize) -> Option<Self> {
                let number = u8::try_from(place + 1).ok().filter(|number| *number <= Self::MOST)?;
                Some(Self { side, number })
            }

            /// Its place in its side's list, from 0.
            $visible const fn place(self) -> usize {
                self.number as usize - 1
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!("{}", $mark, "{}"), self.side.letter(), self.number)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::sides::BadUnit;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let read = $crate::sides::Side::numbered(text, $mark, Self::MOST);
                let (side, number) = read.ok_or_else(|| $crate::sides::BadUnit::of(text, $hint))?;
                Ok(Self { side, number })
            }
        }

        $crate::sides::as_text!($name);
    )+};
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

    numbered! {
        /// A headquarters.
        struct Hq: "H" to 40, "write AH2";
    }

    #[test]
    fn a_declared_unit_is_written_read_and_stored_alike() {
        let second = Hq::new(Side::A, 2);
        assert_eq!((second.to_string().as_str(), "ah2".parse()), ("AH2", Ok(second)));
        assert_eq!(serde_json::from_str::<Hq>(&serde_json::to_string(&second).unwrap()).unwrap(), second);
        assert_eq!((Hq::listed(Side::A, second.place()), Hq::listed(Side::B, 40)), (Some(second), None));
        assert_eq!("A2".parse::<Hq>().unwrap_err().to_string(), "`A2` is no unit: write AH2");
        let long = "x".repeat(60).parse::<Hq>().unwrap_err().to_string();
        assert_eq!(long, format!("`{}` is no unit: write AH2", "x".repeat(40)));
    }
}
