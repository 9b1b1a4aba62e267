//! The nouns of the rules: sides, units, types, classes, weapons, terrains, spells.

use musterd_engine::hex::Direction;
use musterd_kit::names::fold;
pub use musterd_kit::sides::{BadUnit, Side};
use musterd_kit::{named, numbered};
use serde::{Deserialize, Serialize};

/// What orders call everybody, and everybody whom no line above names: no unit is called so.
pub(crate) const ALL: [&str; 2] = ["ALL", "EVERYBODY"];
pub(crate) const REST: [&str; 2] = ["REST", "OTHERS"];

/// How far "near" is, in hexes: for checks, routs and rallies.
pub const NEAR: u32 = 3;

numbered! {
    /// A unit by its side's letter and its number: `A3`.
    pub struct UnitId: "" to 60, "write a letter and a number, such as A3";
}

named! {
    /// A type of unit (SA-40).
    pub enum UnitType: "type of unit" {
        /// Heavy infantry.
        Hi = "HI" => "heavy infantry",
        /// Light-heavy infantry.
        Lhi = "LHI" => "light-heavy infantry",
        /// Medium infantry.
        Mi = "MI" => "medium infantry",
        /// Light-medium infantry.
        Lmi = "LMI" => "light-medium infantry",
        /// Light infantry.
        Li = "LI" => "light infantry",
        /// Extra-heavy cavalry.
        Ehc = "EHC" => "extra-heavy cavalry",
        /// Heavy cavalry.
        Hc = "HC" => "heavy cavalry",
        /// Medium cavalry.
        Mc = "MC" => "medium cavalry",
        /// Light cavalry.
        Lc = "LC" => "light cavalry",
    }
}

impl UnitType {
    /// Whether it rides.
    pub const fn is_cavalry(self) -> bool {
        matches!(self, Self::Ehc | Self::Hc | Self::Mc | Self::Lc)
    }

    /// Whether missing shields cost it twice: MI and LMI.
    pub const fn needs_shields(self) -> bool {
        matches!(self, Self::Mi | Self::Lmi)
    }
}

named! {
    /// A training class; A is the best.
    #[expect(missing_docs, reason = "classes are letters")]
    pub enum Class: "training class" {
        A = "A",
        B = "B",
        C = "C",
        D = "D",
    }
}

impl Class {
    /// One grade better; A stays A (SA-29).
    pub const fn raised(self) -> Self {
        match self {
            Self::A | Self::B => Self::A,
            Self::C => Self::B,
            Self::D => Self::C,
        }
    }
}

named! {
    /// A weapon for melee.
    pub enum Weapon: "weapon" {
        /// Cavalry alone.
        Lance = "lance",
        /// Infantry alone.
        Pike = "pike",
        /// The long spear: infantry alone.
        LSpear = "lspear" => "long spear",
        /// The javelin as a spear.
        Javelin = "javelin",
        /// Two-handed weapons: infantry alone.
        TwoHand = "twohand" => "two-handed weapon",
        /// The sword, and whatever else.
        Sword = "sword",
    }
}

impl Weapon {
    /// Whether it leaves no hand for a shield (SA-39).
    pub const fn takes_both_hands(self) -> bool {
        matches!(self, Self::TwoHand)
    }
}

named! {
    /// A missile weapon.
    pub enum Missile: "missile weapon" {
        /// The javelin, thrown.
        Javelin = "javelin" => "javelins",
        /// Stones from slings: `Rks`.
        Rocks = "rocks" => "slings",
        /// The bow.
        Bow = "bow" => "bows",
    }

    /// What the ground of a hex is.
    pub enum Terrain {
        /// Open ground.
        Clear = "clear",
        /// Light woods.
        LightWoods = "light_woods" => "light woods",
        /// Heavy woods.
        HeavyWoods = "heavy_woods" => "heavy woods",
        /// Low hills.
        LowHills = "low_hills" => "low hills",
        /// High hills.
        HighHills = "high_hills" => "high hills",
        /// Mountain.
        Mountain = "mountain",
        /// Water: nobody may enter it, and it blocks no sight.
        Water = "water",
        /// A bridge: clear ground with water around it.
        Bridge = "bridge",
    }
}

impl Terrain {
    /// Its sign in files and on maps.
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

    /// The terrain with this sign.
    pub fn of_sign(sign: char) -> Option<Self> {
        Self::ALL.into_iter().find(|terrain| terrain.sign() == sign)
    }

    /// How much it takes off a melee (Melee Tactical Factor Chart).
    pub const fn hindrance(self) -> i32 {
        match self {
            Self::Clear | Self::Water | Self::Bridge => 0,
            Self::LowHills | Self::LightWoods => 1,
            Self::HighHills | Self::HeavyWoods => 2,
            Self::Mountain => 3,
        }
    }

    /// How much it takes off fire at whoever stands in it: woods alone (SA-27).
    pub const fn shelter(self) -> i32 {
        match self {
            Self::LightWoods => 1,
            Self::HeavyWoods => 2,
            _ => 0,
        }
    }

    /// Whether it is as open as clear ground for a line of sight.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Clear | Self::Water | Self::Bridge)
    }

    /// Whether one looks over all but other heights from it (SA-26).
    pub const fn is_high(self) -> bool {
        matches!(self, Self::HighHills | Self::Mountain)
    }
}

named! {
    /// A spell.
    pub enum Spell {
        /// Blade Enhancer: own combat factors.
        Blade = "blade" => "Blade Enhancer",
        /// Shield: the enemy's combat factors.
        Shield = "shield" => "Shield",
        /// Haste: the delay of the next move.
        Haste = "haste" => "Haste",
        /// Courage: morale.
        Courage = "courage" => "Courage",
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
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// The way that a word of orders means, in any case: `1`, `NE`, `North-East`, `northeast`.
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
