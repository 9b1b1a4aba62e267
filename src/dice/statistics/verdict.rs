//! The verdict of a test: its odds, and the word for them.

use std::fmt;

use serde::{Serialize, Serializer};

/// The least number of dice of a size, or of rolls of a seat, about which anything is said.
pub const LEAST_DICE: u64 = 30;

/// A probability.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Odds(pub f64);

impl Odds {
    /// In the form for players, so many in a hundred: `4`; `fewer than 1` and `more than 99` at the ends.
    #[must_use]
    pub fn in_hundred(self) -> String {
        match (self.0 * 100.0).round() {
            share if share < 1.0 => "fewer than 1".to_owned(),
            share if share > 99.0 => "more than 99".to_owned(),
            share => format!("{share}"),
        }
    }
}

/// With four places, `0.0417`; a smaller number is shown as `<0.0001`.
impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0.0001 { f.pad("<0.0001") } else { f.pad(&format!("{:.4}", self.0)) }
    }
}

impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.0)
    }
}

/// The verdict of the whole battery, with every test's chance corrected for the number of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Oddness {
    /// Too few dice for any test.
    TooFew,
    /// Fair dice fall like this.
    Usual,
    /// Fair dice look so odd in fewer than one game of twenty.
    Unusual,
    /// Fair dice look so odd in fewer than one game of a thousand.
    Suspect,
}

impl Oddness {
    /// The corrected chance below which a test is unusual.
    pub const UNUSUAL: f64 = 0.05;
    /// The corrected chance below which a test is suspect.
    pub const SUSPECT: f64 = 0.001;

    /// The verdict on tests with these odds, corrected for their number.
    pub(super) fn of(odds: impl Iterator<Item = Odds>) -> Self {
        match odds.map(|odds| odds.0).reduce(f64::min) {
            None => Self::TooFew,
            Some(least) if least < Self::SUSPECT => Self::Suspect,
            Some(least) if least < Self::UNUSUAL => Self::Unusual,
            Some(_) => Self::Usual,
        }
    }

    /// The verdict in words, a sentence or two.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::TooFew => "There are too few dice to say anything of them.",
            Self::Usual => "Nothing unusual: fair dice look like this.",
            Self::Unusual => {
                "Unusual: fair dice look as odd as this in fewer than one game of twenty. So will one game of twenty \
                 with fair dice."
            }
            Self::Suspect => {
                "Fair dice look as odd as this in fewer than one game of a thousand. Check every die by the audit: it \
                 decides what statistics can't."
            }
        }
    }
}
