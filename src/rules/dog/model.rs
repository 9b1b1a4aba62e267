//! The nouns of the game: armies, units, peoples, terrain, relief, fortifications, scales.

use std::fmt;
use std::str::FromStr;

use musterd_engine::as_text;
use musterd_engine::hex::Hex;
use musterd_kit::word::Letters;
use musterd_kit::{named, short_words};
use serde::{Deserialize, Serialize};

/// An army of the battle, by its place in the battle file; each has one leader, who has one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ArmyId(pub u8);

/// A unit: the letter of its army, the number on its record, and, of what split off it, a letter more: `E3`, `E3b`.
///
/// What splits off is named after its origin, not after how many units there are: so a name says nothing of hidden ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// The letter of its army, `A` to `Z`.
    pub army: char,
    /// Its number, 1 to 99.
    pub number: u8,
    /// 0 for the unit itself, 1 for the first part that split off (`b`).
    pub part: u8,
}

impl UnitId {
    /// The highest number on a record.
    pub const MOST: u8 = 99;
    /// The most parts that split off one unit.
    pub const PARTS: u8 = 25;

    /// The unit with this record.
    pub const fn new(army: char, number: u8) -> Self {
        Self { army, number, part: 0 }
    }

    /// Whether orders would read a name as a unit's number or a hex: `7`, `B7`, `0405`.
    pub(crate) fn is_like(name: &str) -> bool {
        name.bytes().all(|byte| byte.is_ascii_digit()) || name.parse::<Self>().is_ok()
    }

    /// As its leader writes it: `3`, and a part that has split off `E3b`, since its number is another unit's.
    pub(crate) fn in_orders(self) -> String {
        if self.part == 0 { self.number.to_string() } else { self.to_string() }
    }

    /// How a label of the dice names it: `e3b`.
    pub fn label(self) -> String {
        self.to_string().to_ascii_lowercase()
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.army, self.number)?;
        match self.part {
            0 => Ok(()),
            part => {
                assert!(part <= Self::PARTS, "{part} is no part of a unit");
                write!(f, "{}", char::from(b'a' + part))
            }
        }
    }
}

/// A text that names no unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no unit: write its army's letter and its number, such as E3")]
pub struct BadUnit(String);

impl FromStr for UnitId {
    type Err = BadUnit;
    /// Reads it in any case; what no unit can be called is refused.
    fn from_str(text: &str) -> Result<Self, BadUnit> {
        let bad = || BadUnit(text.chars().take(20).collect());
        let mut chars = text.chars();
        let army = chars.next().filter(char::is_ascii_alphabetic).ok_or_else(bad)?.to_ascii_uppercase();
        let rest = chars.as_str();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, part) = rest.split_at(digits);
        let number = number.parse().ok().filter(|n| (1..=Self::MOST).contains(n)).ok_or_else(bad)?;
        let part = match part.as_bytes() {
            [] => 0,
            [letter] if letter.is_ascii_alphabetic() && !letter.eq_ignore_ascii_case(&b'a') => {
                letter.to_ascii_lowercase() - b'a'
            }
            _ => return Err(bad()),
        };
        Ok(Self { army, number, part })
    }
}

as_text!(UnitId);

/// A type of troops, by its place in table 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TroopId(pub u8);

named! {
    /// Where somebody is at home: no penalties there (manual 3.1, ruling DOG-6).
    pub enum People: "people" {
        /// Bushes.
        Sanva = "sanva",
        /// Forests.
        Forest = "forest",
        /// Sand.
        Desert = "desert",
        /// Snow.
        Arctic = "arctic",
        /// Swamps.
        Swamp = "swamp",
        /// Water.
        Water = "water",
        /// Hills and mountains.
        Dwarf = "dwarf",
    }
}

short_words! {
    /// What a hex is covered with (manual 3.1): the name of a terrain of `ruleset.yaml`, such as `forest`.
    pub struct Terrain: "a terrain", Letters::Dashed;
}

impl Terrain {
    /// Ground with nothing special about it: bridges, boats and the inside of walls count as such. Every file has it.
    pub const CLEAR: Self = Self::known("clear");
    /// A road; what a bridge costs, too (ruling DOG-35). Every file has it.
    pub const ROAD: Self = Self::known("road");

    const fn known(word: &str) -> Self {
        #[expect(clippy::expect_used, reason = "evaluated by the compiler")]
        Self::of(word).expect("a word")
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

named! {
    /// How high a hex is (manual 3.2).
    #[derive(Default)]
    pub enum Relief: "relief" {
        /// Flat.
        #[default]
        Plains = "plains",
        /// Hills.
        Hills = "hills",
        /// Rocks or mountains.
        Mountains = "mountains",
    }

    /// What is built on a hex (manual 3.3).
    pub enum Fortification: "fortification" {
        /// A simple fortification.
        Earthwork = "earthwork",
        /// A fortress or castle.
        Castle = "castle",
        /// A stronghold or king's palace.
        Stronghold = "stronghold",
    }

    /// How large a unit may be (manual 1).
    pub enum Scale: "scale" {
        /// 200 men-sized fighters; units may be mixed, and shoot at neighbours only (ruling DOG-33).
        Strategic = "strategic",
        /// 20 men-sized fighters.
        Tactical = "tactical",
        /// Single fighters.
        Personal = "personal",
    }
}

/// A hex of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    /// What it is covered with.
    pub terrain: Terrain,
    /// How high it is.
    pub relief: Relief,
    /// What is built on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<Fortification>,
}

impl Ground {
    /// Ground with nothing special about it.
    pub const OPEN: Self = Self { terrain: Terrain::CLEAR, relief: Relief::Plains, walls: None };
}

/// In words: `forest hills`, `clear castle`.
impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.terrain)?;
        if self.relief != Relief::Plains {
            write!(f, " {}", self.relief)?;
        }
        self.walls.map_or(Ok(()), |walls| write!(f, " {walls}"))
    }
}

/// A sort of fighters in a unit. A tactical unit has one sort; a chariot's crew is part of its sort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    /// The type.
    pub troop: TroopId,
    /// Whether they are elite (ruling DOG-8).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elite: bool,
    /// A people besides those of the type (ruling DOG-6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// The type that each chariot carries one of (ruling DOG-26).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crew: Option<TroopId>,
    /// The size of a fighter whose type leaves it open (ruling DOG-10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u16>,
    /// How many.
    pub fighters: u16,
}

impl Sort {
    /// So many fighters of a type, with nothing special about them.
    pub const fn of(troop: TroopId, fighters: u16) -> Self {
        Self { troop, elite: false, people: None, crew: None, size: None, fighters }
    }
}

/// A unit that is recorded, and not on the field yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Its letter and number.
    pub unit: UnitId,
    /// Its name; may be empty.
    pub name: String,
    /// The fighters in it.
    pub sorts: Vec<Sort>,
    /// The hex in which it was to stand.
    pub at: Hex,
    /// Whether hidden.
    pub hidden: bool,
}

/// How many fighters there are in all.
pub fn fighters(sorts: &[Sort]) -> u16 {
    sorts.iter().map(|sort| sort.fighters).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_reads_as_it_is_written() {
        for text in ["E3", "A99", "B12b", "Z1z"] {
            assert_eq!(text.parse::<UnitId>().unwrap().to_string(), text);
        }
        assert_eq!("e3B".parse(), Ok(UnitId { army: 'E', number: 3, part: 1 }));
        for bad in ["", "3", "E", "E0", "E100", "E3a", "E3bb", "E-3", "É3", "E3 "] {
            assert!(bad.parse::<UnitId>().is_err(), "{bad}");
        }
    }
}
