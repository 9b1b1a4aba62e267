//! The nouns of the rules: sides, units, types, classes, weapons, terrains, spells.

use std::fmt;
use std::str::FromStr;

use musterd_engine::as_text;
use musterd_engine::hex::Direction;
use musterd_kit::names::fold;
use serde::{Deserialize, Serialize};

/// What orders call everybody, and everybody whom no line above names: no unit is called so.
pub(crate) const ALL: [&str; 2] = ["ALL", "EVERYBODY"];
pub(crate) const REST: [&str; 2] = ["REST", "OTHERS"];

/// How far "near" is, in hexes: for checks, routs and rallies.
pub const NEAR: u32 = 3;

/// One of the two sides of a battle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl Side {
    /// Both, in the order in which they act.
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
}

/// A unit by its side's letter and its number: `A3`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// Whose it is.
    pub side: Side,
    /// Its number, from 1.
    pub number: u8,
}

impl UnitId {
    /// The most units of a side.
    pub const MOST: u8 = 60;

    /// The unit in this place of its side's list; `None` if a side can't have so many.
    #[must_use]
    pub fn listed(side: Side, place: usize) -> Option<Self> {
        let number = u8::try_from(place + 1).ok().filter(|number| *number <= Self::MOST)?;
        Some(Self { side, number })
    }

    /// The unit of this side and number.
    #[must_use]
    pub const fn new(side: Side, number: u8) -> Self {
        Self { side, number }
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.side.letter(), self.number)
    }
}

/// A text that is no unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no unit: write a letter and a number, such as A3")]
pub struct BadUnit(String);

impl FromStr for UnitId {
    type Err = BadUnit;

    fn from_str(text: &str) -> Result<Self, BadUnit> {
        let bad = || BadUnit(text.chars().take(40).collect());
        let side = match text.as_bytes().first() {
            Some(b'A' | b'a') => Side::A,
            Some(b'B' | b'b') => Side::B,
            _ => return Err(bad()),
        };
        let digits = &text[1..];
        let plain = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|b| b.is_ascii_digit());
        let number: u8 = digits.parse().ok().filter(|_| plain).ok_or_else(bad)?;
        match number {
            1..=Self::MOST => Ok(Self { side, number }),
            _ => Err(bad()),
        }
    }
}

as_text!(UnitId);

/// A type of unit (SA-40).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum UnitType {
    /// Heavy infantry.
    Hi,
    /// Light-heavy infantry.
    Lhi,
    /// Medium infantry.
    Mi,
    /// Light-medium infantry.
    Lmi,
    /// Light infantry.
    Li,
    /// Extra-heavy cavalry.
    Ehc,
    /// Heavy cavalry.
    Hc,
    /// Medium cavalry.
    Mc,
    /// Light cavalry.
    Lc,
}

impl UnitType {
    /// All, in the order of the charts.
    pub const ALL: [Self; 9] =
        [Self::Hi, Self::Lhi, Self::Mi, Self::Lmi, Self::Li, Self::Ehc, Self::Hc, Self::Mc, Self::Lc];

    /// As the charts write it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Hi => "HI",
            Self::Lhi => "LHI",
            Self::Mi => "MI",
            Self::Lmi => "LMI",
            Self::Li => "LI",
            Self::Ehc => "EHC",
            Self::Hc => "HC",
            Self::Mc => "MC",
            Self::Lc => "LC",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Hi => "heavy infantry",
            Self::Lhi => "light-heavy infantry",
            Self::Mi => "medium infantry",
            Self::Lmi => "light-medium infantry",
            Self::Li => "light infantry",
            Self::Ehc => "extra-heavy cavalry",
            Self::Hc => "heavy cavalry",
            Self::Mc => "medium cavalry",
            Self::Lc => "light cavalry",
        }
    }

    /// Whether it rides.
    #[must_use]
    pub const fn is_cavalry(self) -> bool {
        matches!(self, Self::Ehc | Self::Hc | Self::Mc | Self::Lc)
    }

    /// Whether missing shields cost it twice: MI and LMI.
    #[must_use]
    pub const fn needs_shields(self) -> bool {
        matches!(self, Self::Mi | Self::Lmi)
    }
}

/// A training class; A is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "classes are letters")]
pub enum Class {
    A,
    B,
    C,
    D,
}

impl Class {
    /// All, the best first.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
            Self::C => 'C',
            Self::D => 'D',
        }
    }

    /// One grade better; A stays A (SA-29).
    #[must_use]
    pub const fn raised(self) -> Self {
        match self {
            Self::A | Self::B => Self::A,
            Self::C => Self::B,
            Self::D => Self::C,
        }
    }
}

/// A weapon for melee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weapon {
    /// Cavalry alone.
    Lance,
    /// Infantry alone.
    Pike,
    /// The long spear: infantry alone.
    LSpear,
    /// The javelin as a spear.
    Javelin,
    /// Two-handed weapons: infantry alone.
    TwoHand,
    /// The sword, and whatever else.
    Sword,
}

impl Weapon {
    /// All.
    pub const ALL: [Self; 6] =
        [Self::Lance, Self::Pike, Self::LSpear, Self::Javelin, Self::TwoHand, Self::Sword];

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lance => "lance",
            Self::Pike => "pike",
            Self::LSpear => "long spear",
            Self::Javelin => "javelin",
            Self::TwoHand => "two-handed weapon",
            Self::Sword => "sword",
        }
    }
}

impl Weapon {
    /// Whether it leaves no hand for a shield (SA-39).
    #[must_use]
    pub const fn takes_both_hands(self) -> bool {
        matches!(self, Self::TwoHand)
    }
}

/// A missile weapon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missile {
    /// The javelin, thrown.
    Javelin,
    /// Stones from slings: `Rks`.
    Rocks,
    /// The bow.
    Bow,
}

impl Missile {
    /// All.
    pub const ALL: [Self; 3] = [Self::Javelin, Self::Rocks, Self::Bow];

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Javelin => "javelins",
            Self::Rocks => "slings",
            Self::Bow => "bows",
        }
    }
}

/// What the ground of a hex is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Terrain {
    /// Open ground.
    Clear,
    /// Light woods.
    LightWoods,
    /// Heavy woods.
    HeavyWoods,
    /// Low hills.
    LowHills,
    /// High hills.
    HighHills,
    /// Mountain.
    Mountain,
    /// Water: nobody may enter it, and it blocks no sight.
    Water,
    /// A bridge: clear ground with water around it.
    Bridge,
}

impl Terrain {
    /// All.
    pub const ALL: [Self; 8] = [
        Self::Clear,
        Self::LightWoods,
        Self::HeavyWoods,
        Self::LowHills,
        Self::HighHills,
        Self::Mountain,
        Self::Water,
        Self::Bridge,
    ];

    /// Its sign in files and on maps.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Clear => '.',
            Self::LightWoods => 'f',
            Self::HeavyWoods => 'F',
            Self::LowHills => 'n',
            Self::HighHills => 'N',
            Self::Mountain => '^',
            Self::Water => '~',
            Self::Bridge => 'H',
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::LightWoods => "light woods",
            Self::HeavyWoods => "heavy woods",
            Self::LowHills => "low hills",
            Self::HighHills => "high hills",
            Self::Mountain => "mountain",
            Self::Water => "water",
            Self::Bridge => "bridge",
        }
    }

    /// The terrain with this sign.
    #[must_use]
    pub fn of_sign(sign: char) -> Option<Self> {
        Self::ALL.into_iter().find(|terrain| terrain.sign() == sign)
    }

    /// How much it takes off a melee (Melee Tactical Factor Chart).
    #[must_use]
    pub const fn hindrance(self) -> i32 {
        match self {
            Self::Clear | Self::Water | Self::Bridge => 0,
            Self::LowHills | Self::LightWoods => 1,
            Self::HighHills | Self::HeavyWoods => 2,
            Self::Mountain => 3,
        }
    }

    /// How much it takes off fire at whoever stands in it: woods alone (SA-27).
    #[must_use]
    pub const fn shelter(self) -> i32 {
        match self {
            Self::LightWoods => 1,
            Self::HeavyWoods => 2,
            _ => 0,
        }
    }

    /// Whether it is as open as clear ground for a line of sight.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Clear | Self::Water | Self::Bridge)
    }

    /// Whether one looks over all but other heights from it (SA-26).
    #[must_use]
    pub const fn is_high(self) -> bool {
        matches!(self, Self::HighHills | Self::Mountain)
    }
}

/// A spell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spell {
    /// Blade Enhancer: own combat factors.
    Blade,
    /// Shield: the enemy's combat factors.
    Shield,
    /// Haste: the delay of the next move.
    Haste,
    /// Courage: morale.
    Courage,
}

impl Spell {
    /// All, by their keys.
    pub const ALL: [Self; 4] = [Self::Blade, Self::Shield, Self::Haste, Self::Courage];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blade => "Blade Enhancer",
            Self::Shield => "Shield",
            Self::Haste => "Haste",
            Self::Courage => "Courage",
        }
    }
}

/// A way out of a hex by its number on the direction guide: 1 is up and to the right, and so on with the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way(pub Direction);

impl Way {
    /// All six, from 1.
    pub const ALL: [Self; 6] = [
        Self(Direction::NorthEast),
        Self(Direction::East),
        Self(Direction::SouthEast),
        Self(Direction::SouthWest),
        Self(Direction::West),
        Self(Direction::NorthWest),
    ];

    /// Its number, 1 to 6.
    #[must_use]
    pub fn number(self) -> u8 {
        match self.0 {
            Direction::NorthEast => 1,
            Direction::East => 2,
            Direction::SouthEast => 3,
            Direction::SouthWest => 4,
            Direction::West => 5,
            Direction::NorthWest => 6,
        }
    }

    /// The way with this number.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// The way that a word of orders means, in any case: `1`, `NE`, `North-East`, `northeast`.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        const WORDS: [&str; 6] = ["northeast", "east", "southeast", "southwest", "west", "northwest"];
        const LONGEST: usize = 9;
        let in_words = || {
            let letters = word.chars().filter(|c| !matches!(c, '-' | '_'));
            let letters = fold(&letters.take(LONGEST + 1).collect::<String>());
            Self::ALL.into_iter().zip(WORDS).find(|(_, name)| *name == letters).map(|(way, _)| way)
        };
        let by_abbreviation = || Direction::from_abbreviation(word).map(Self);
        word.parse().ok().and_then(Self::of).or_else(by_abbreviation).or_else(in_words)
    }
}

impl Serialize for Way {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Way {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(from)?;
        Self::of(number).ok_or_else(|| serde::de::Error::custom("a direction is a number from 1 to 6"))
    }
}
