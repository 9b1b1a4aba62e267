//! The nouns of the game: nations, sides, unit types, seasons, terrain, levels of victory.

use std::fmt;

use musterd_kit::word::{Letters, ShortWord};
use musterd_kit::{named, short_words};
use serde::{Deserialize, Serialize, Serializer};

short_words! {
    /// A major power (manual 7.0): the word for it in data files, events and published data, such as `austria`. Its name and what it may do stand in the
    /// [`Setting`](crate::setting::Setting).
    pub struct Nation: "a nation", Letters::Alone;
}

named! {
    /// A side, which takes a turn of its own (manual 2.7).
    pub enum Side: "side" {
        /// France.
        French = "french" => "French",
        /// All enemies of France.
        Allied = "allied" => "Allied",
        /// A neutral commander, where a scenario has one.
        Neutral = "neutral" => "Neutral",
    }

    /// An arm of service: what the rules distinguish units by (manual 3.3). Guard and artillery are one arm (ruling LGA-47). A headquarters is no unit
    /// (LGA-16).
    pub enum Arm: "arm" {
        /// Infantry.
        Infantry = "infantry",
        /// Guard or artillery.
        Guard = "guard",
        /// Militia.
        Militia = "militia",
        /// Cavalry.
        Cavalry = "cavalry",
        /// A headquarters.
        Hq = "hq" => "HQ",
    }
}

impl Arm {
    /// Whether such a unit can garrison a city (manual 3.6).
    pub const fn can_garrison(self) -> bool {
        matches!(self, Self::Infantry | Self::Guard | Self::Militia)
    }
}

/// A type of unit: one that is called as its arm, or one that the numbers of a game add. Its numbers are [`Kinds::stats`](crate::kinds::Kinds::stats).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitType {
    /// Its place among the types of the game; those that are called as their arms come first, in the order of the arms.
    pub(crate) place: u8,
    /// The word for it in data files, events and published data.
    pub(crate) word: ShortWord,
    /// The arm that it fights as.
    pub arm: Arm,
}

impl UnitType {
    /// The word for it in data files.
    pub fn word(&self) -> &str {
        self.word.as_str()
    }
}

impl From<Arm> for UnitType {
    /// The type that is called as the arm.
    fn from(arm: Arm) -> Self {
        #[expect(clippy::expect_used, reason = "tests hold the words of all arms to it")]
        let word = ShortWord::of(arm.word(), Letters::Dashed).expect("the word of an arm");
        Self { place: arm as u8, word, arm }
    }
}

impl fmt::Display for UnitType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.word() {
            "hq" => "HQ",
            word => word,
        })
    }
}

impl Serialize for UnitType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// A unit's number. It is fixed by the scenario and gives nothing away. Written `12`; `u12` in dice labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u16);

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

named! {
    /// A season (manual 2.6).
    pub enum Season: "season" {
        /// March to May.
        Spring = "spring" => "Spring",
        /// June to August.
        Summer = "summer" => "Summer",
        /// September to November.
        Autumn = "autumn" => "Autumn",
        /// December to February; it belongs to the year of its December (ruling LGA-2).
        Winter = "winter" => "Winter",
    }
}

/// A season of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
}

impl Date {
    /// The seasons since the year 0; the year changes after winter (manual 5.1).
    pub const fn seasons(self) -> u32 {
        self.year as u32 * 4 + self.season as u32
    }

    /// The season of this number.
    const fn of(seasons: u32) -> Self {
        Self { year: (seasons / 4) as u16, season: Season::ALL[(seasons % 4) as usize] }
    }

    /// The season after this one.
    pub const fn next(self) -> Self {
        Self::of(self.seasons() + 1)
    }

    /// The season before this one.
    pub const fn before(self) -> Self {
        Self::of(self.seasons() - 1)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.season, self.year)
    }
}

named! {
    /// Terrain (manual 2.3). Cities stand on clear ground or in mountains.
    pub enum Terrain {
        /// Open ground.
        Clear = "clear",
        /// Forest.
        Forest = "forest",
        /// Mountains.
        Mountain = "mountain" => "mountains",
        /// Marsh.
        Marsh = "marsh",
        /// Sea.
        Sea = "sea",
        /// Never in play.
        Prohibited = "prohibited" => "closed",
    }
}

impl Terrain {
    /// The words in data files for what an author's terrain can count as.
    pub(crate) const GROUNDS: [&str; 4] = ["clear", "forest", "mountain", "marsh"];
}

/// A terrain that the numbers of a game add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnTerrain {
    pub(crate) word: ShortWord,
    /// What it counts as wherever the rules ask for the terrain, but for the numbers below.
    pub like: Terrain,
    /// Its sign on maps.
    pub sign: char,
    /// The moves to enter it.
    pub moves: u8,
    /// What it adds at the muster; as the terrain that it counts as if there is none.
    pub muster: Option<i8>,
}

impl OwnTerrain {
    /// The word for it in data files and reports.
    pub fn word(&self) -> &str {
        self.word.as_str()
    }
}

named! {
    /// How big a city is (manual 2.3).
    pub enum CityRank: "rank" {
        /// A capital.
        Capital = "capital",
        /// A major city.
        Major = "major" => "major city",
        /// A minor city.
        Minor = "minor" => "minor city",
    }
}

impl CityRank {
    /// The sign on maps.
    pub const fn sign(self) -> char {
        ['*', '@', 'o'][self as usize]
    }
}

named! {
    /// A level of victory (manual 5.2), worst first.
    pub enum Level {
        /// Fewer points than a strategic defeat asks for.
        AbsoluteDefeat = "absolute-defeat" => "absolute defeat",
        /// Strategic defeat.
        StrategicDefeat = "strategic-defeat" => "strategic defeat",
        /// Tactical defeat.
        TacticalDefeat = "tactical-defeat" => "tactical defeat",
        /// Tactical victory.
        TacticalVictory = "tactical-victory" => "tactical victory",
        /// Strategic victory.
        StrategicVictory = "strategic-victory" => "strategic victory",
        /// Absolute victory.
        AbsoluteVictory = "absolute-victory" => "absolute victory",
    }
}

musterd_kit::words! {
    Terrain: "terrain of the rules" Self::GROUNDS;
}
