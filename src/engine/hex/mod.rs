//! Geometry of staggered hex rows: hexes, directions, neighbours, distances, lines. Pure.
//!
//! Rows are numbered from 1 at the top, columns from 1 at the left; every even row stands half a hex to the right.

mod line;
mod set;

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use set::HexSet;

/// A hex by column and row, both from 1; written as four digits, column first: `1204` is column 12, row 4.
/// Ordered by row, then column: the order in which a map is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hex {
    /// Column, 1 at the left.
    pub col: u8,
    /// Row, 1 at the top.
    pub row: u8,
}

/// A text that is not a hex number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a hex: write four digits, column then row, such as 1204")]
pub struct BadHex(String);

impl Hex {
    /// The hex in this column and row. Neither is checked against a map.
    #[must_use]
    pub const fn new(col: u8, row: u8) -> Self {
        Self { col, row }
    }

    /// The hex one step in this direction, if its column and row are between 1 and 99.
    #[must_use]
    pub fn step(self, direction: Direction) -> Option<Self> {
        let shifted = self.row.is_multiple_of(2);
        let (dc, dr): (i16, i16) = match (direction, shifted) {
            (Direction::East, _) => (1, 0),
            (Direction::West, _) => (-1, 0),
            (Direction::NorthEast, false) => (0, -1),
            (Direction::NorthEast, true) => (1, -1),
            (Direction::NorthWest, false) => (-1, -1),
            (Direction::NorthWest, true) => (0, -1),
            (Direction::SouthEast, false) => (0, 1),
            (Direction::SouthEast, true) => (1, 1),
            (Direction::SouthWest, false) => (-1, 1),
            (Direction::SouthWest, true) => (0, 1),
        };
        let (col, row) = (i16::from(self.col) + dc, i16::from(self.row) + dr);
        let fits = |n: i16| u8::try_from(n).ok().filter(|n| (1..=99).contains(n));
        Some(Self { col: fits(col)?, row: fits(row)? })
    }

    /// Whether it lies in the rectangle between two hexes, the upper left and the lower right one, these with it.
    #[must_use]
    pub const fn is_within(self, (first, last): (Self, Self)) -> bool {
        first.col <= self.col && self.col <= last.col && first.row <= self.row && self.row <= last.row
    }

    /// The least rectangle with all these hexes: its upper left and its lower right hex. `None` if there are none.
    pub fn least_rectangle(hexes: impl IntoIterator<Item = Self>) -> Option<(Self, Self)> {
        let wider = |(first, last), (other_first, other_last)| {
            (Self::rectangle(first, other_first).0, Self::rectangle(last, other_last).1)
        };
        hexes.into_iter().map(|hex| (hex, hex)).reduce(wider)
    }

    /// The rectangle that has two hexes for opposite corners: its upper left and its lower right hex.
    #[must_use]
    pub fn rectangle(a: Self, b: Self) -> (Self, Self) {
        (Self::new(a.col.min(b.col), a.row.min(b.row)), Self::new(a.col.max(b.col), a.row.max(b.row)))
    }

    /// The up to six hexes around this one, in the order of [`Direction::ALL`].
    pub fn around(self) -> impl Iterator<Item = Self> {
        Direction::ALL.into_iter().filter_map(move |d| self.step(d))
    }

    /// The direction of an adjacent hex; `None` if it is not adjacent.
    #[must_use]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&d| self.step(d) == Some(other))
    }

    /// The number of steps between two hexes on an unbounded map.
    #[must_use]
    pub fn distance(self, other: Self) -> u32 {
        let ((q1, r1), (q2, r2)) = (self.axial(), other.axial());
        let (dq, dr) = (q1 - q2, r1 - r2);
        (dq.unsigned_abs() + dr.unsigned_abs() + (dq + dr).unsigned_abs()) / 2
    }

    fn axial(self) -> (i32, i32) {
        let (col, row) = (i32::from(self.col), i32::from(self.row));
        (col - (row - 1) / 2, row)
    }
}

impl Ord for Hex {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.row, self.col).cmp(&(other.row, other.col))
    }
}

impl PartialOrd for Hex {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Hex {
    type Err = BadHex;
    fn from_str(text: &str) -> Result<Self, BadHex> {
        let bad = || BadHex(text.chars().take(40).collect());
        if text.len() != 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(bad());
        }
        let number = |digits: &str| digits.parse().ok().filter(|&n: &u8| n > 0);
        Ok(Self { col: number(&text[..2]).ok_or_else(bad)?, row: number(&text[2..]).ok_or_else(bad)? })
    }
}

impl TryFrom<String> for Hex {
    type Error = BadHex;
    fn try_from(text: String) -> Result<Self, BadHex> {
        text.parse()
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Most lines of a report name hexes; writing digit by digit is far quicker than `{:02}`.
        for number in [self.col, self.row] {
            if number > 99 {
                write!(f, "{number}")?;
            } else {
                f.write_char(char::from(b'0' + number / 10))?;
                f.write_char(char::from(b'0' + number % 10))?;
            }
        }
        Ok(())
    }
}

crate::as_text!(Hex);

/// One of the six ways out of a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Right in the row.
    #[serde(rename = "e")]
    East,
    /// Left in the row.
    #[serde(rename = "w")]
    West,
    /// Up and right.
    #[serde(rename = "ne")]
    NorthEast,
    /// Up and left.
    #[serde(rename = "nw")]
    NorthWest,
    /// Down and right.
    #[serde(rename = "se")]
    SouthEast,
    /// Down and left.
    #[serde(rename = "sw")]
    SouthWest,
}

impl Direction {
    /// All six, in the fixed order that breaks ties.
    pub const ALL: [Self; 6] =
        [Self::East, Self::West, Self::NorthEast, Self::NorthWest, Self::SouthEast, Self::SouthWest];

    /// The abbreviation that players write: `E W NE NW SE SW`.
    #[must_use]
    pub const fn abbreviation(self) -> &'static str {
        match self {
            Self::East => "E",
            Self::West => "W",
            Self::NorthEast => "NE",
            Self::NorthWest => "NW",
            Self::SouthEast => "SE",
            Self::SouthWest => "SW",
        }
    }

    /// The direction with this abbreviation, in any case.
    #[must_use]
    pub fn from_abbreviation(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.abbreviation().eq_ignore_ascii_case(text))
    }

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::East => Self::West,
            Self::West => Self::East,
            Self::NorthEast => Self::SouthWest,
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_mutual_and_at_distance_one() {
        for row in 2..9 {
            for col in 2..29 {
                let here = Hex::new(col, row);
                for direction in Direction::ALL {
                    let there = here.step(direction).unwrap();
                    assert_eq!(there.step(direction.opposite()), Some(here), "{here} {direction:?}");
                    assert_eq!(here.distance(there), 1, "{here} {there}");
                    assert_eq!(here.direction_to(there), Some(direction));
                }
            }
        }
    }

    #[test]
    fn distance_is_the_length_of_the_shortest_walk() {
        let start = Hex::new(10, 5);
        let mut ring = vec![start];
        let mut seen = std::collections::BTreeSet::from([start]);
        for steps in 1..4 {
            ring = ring.iter().flat_map(|h| h.around()).filter(|h| seen.insert(*h)).collect();
            assert!(ring.iter().all(|h| start.distance(*h) == steps), "{steps}: {ring:?}");
        }
    }

    #[test]
    fn a_hex_reads_as_it_is_written() {
        assert_eq!("1204".parse(), Ok(Hex::new(12, 4)));
        assert_eq!(Hex::new(1, 10).to_string(), "0110");
        for bad in ["", "124", "12045", "12 4", "0004", "1200", "ab04", "+120", "１２"] {
            assert!(bad.parse::<Hex>().is_err(), "{bad}");
        }
    }
}
