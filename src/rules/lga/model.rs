//! The nouns of the game: nations, sides, unit types, seasons, terrain, levels of victory.

use std::borrow::Cow;
use std::fmt;

use musterd_engine::yaml::short;
use musterd_kit::data::{Data, Node, Noun, Range, Reader, Value, like};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A major power (manual 7.0): the word for it in data files, events and published data, such as `austria`. Its name and what it may do stand in the
/// [`Setting`](crate::setting::Setting).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nation([u8; Nation::LONGEST]);

impl Nation {
    /// The most letters of a nation's word.
    pub const LONGEST: usize = 16;

    /// The nation of a word of 2 to 16 small letters.
    #[must_use]
    pub const fn of(word: &str) -> Option<Self> {
        let (letters, mut padded) = (word.as_bytes(), [0; Self::LONGEST]);
        if letters.len() < 2 || letters.len() > Self::LONGEST {
            return None;
        }
        let mut place = 0;
        while place < letters.len() {
            if !letters[place].is_ascii_lowercase() {
                return None;
            }
            padded[place] = letters[place];
            place += 1;
        }
        Some(Self(padded))
    }

    /// The word.
    #[must_use]
    pub fn word(&self) -> &str {
        let length = self.0.iter().position(|letter| *letter == 0).unwrap_or(Self::LONGEST);
        #[expect(clippy::expect_used, reason = "`of` takes small letters alone")]
        std::str::from_utf8(&self.0[..length]).expect("a word is ASCII")
    }
}

impl fmt::Debug for Nation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for Nation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Nation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        Self::of(&word).ok_or_else(|| D::Error::custom(format!("`{word}` is no word for a nation")))
    }
}

/// A side, which takes a turn of its own (manual 2.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// France.
    French,
    /// All enemies of France.
    Allied,
    /// A neutral commander, where a scenario has one.
    Neutral,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::French => "French",
            Self::Allied => "Allied",
            Self::Neutral => "Neutral",
        })
    }
}

/// Unit types (manual 3.3). Guard and artillery are one type (ruling LGA-47). A headquarters is no unit (LGA-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnitType {
    /// Infantry.
    Infantry,
    /// Guard or artillery.
    Guard,
    /// Militia.
    Militia,
    /// Cavalry.
    Cavalry,
    /// A headquarters.
    Hq,
}

impl UnitType {
    /// All types, in the order in which they are declared.
    pub const ALL: [Self; 5] = [Self::Infantry, Self::Guard, Self::Militia, Self::Cavalry, Self::Hq];

    /// Whether such a unit can garrison a city (manual 3.6).
    #[must_use]
    pub const fn can_garrison(self) -> bool {
        matches!(self, Self::Infantry | Self::Guard | Self::Militia)
    }
}

impl fmt::Display for UnitType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Infantry => "infantry",
            Self::Guard => "guard",
            Self::Militia => "militia",
            Self::Cavalry => "cavalry",
            Self::Hq => "HQ",
        })
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

/// A season (manual 2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Season {
    /// March to May.
    Spring,
    /// June to August.
    Summer,
    /// September to November.
    Autumn,
    /// December to February; it belongs to the year of its December (ruling LGA-2).
    Winter,
}

impl Season {
    /// The season in lower case, for the log.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Spring => "spring",
            Self::Summer => "summer",
            Self::Autumn => "autumn",
            Self::Winter => "winter",
        }
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Spring => "Spring",
            Self::Summer => "Summer",
            Self::Autumn => "Autumn",
            Self::Winter => "Winter",
        })
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
    /// The season after this one; the year changes after winter (manual 5.1).
    #[must_use]
    pub const fn next(self) -> Self {
        match self.season {
            Season::Spring => Self { season: Season::Summer, ..self },
            Season::Summer => Self { season: Season::Autumn, ..self },
            Season::Autumn => Self { season: Season::Winter, ..self },
            Season::Winter => Self { season: Season::Spring, year: self.year + 1 },
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.season, self.year)
    }
}

/// Terrain (manual 2.3). Cities stand on clear ground or in mountains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Terrain {
    /// Open ground.
    Clear,
    /// Forest.
    Forest,
    /// Mountains.
    Mountain,
    /// Marsh.
    Marsh,
    /// Sea.
    Sea,
    /// Never in play.
    Prohibited,
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Clear => "clear",
            Self::Forest => "forest",
            Self::Mountain => "mountains",
            Self::Marsh => "marsh",
            Self::Sea => "sea",
            Self::Prohibited => "closed",
        })
    }
}

/// How big a city is (manual 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CityRank {
    /// A capital.
    Capital,
    /// A major city.
    Major,
    /// A minor city.
    Minor,
}

impl CityRank {
    /// The sign on maps.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Capital => '*',
            Self::Major => '@',
            Self::Minor => 'o',
        }
    }
}

/// A level of victory (manual 5.2), worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Fewer points than a strategic defeat asks for.
    AbsoluteDefeat,
    /// Strategic defeat.
    StrategicDefeat,
    /// Tactical defeat.
    TacticalDefeat,
    /// Tactical victory.
    TacticalVictory,
    /// Strategic victory.
    StrategicVictory,
    /// Absolute victory.
    AbsoluteVictory,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::AbsoluteDefeat => "absolute defeat",
            Self::StrategicDefeat => "strategic defeat",
            Self::TacticalDefeat => "tactical defeat",
            Self::TacticalVictory => "tactical victory",
            Self::StrategicVictory => "strategic victory",
            Self::AbsoluteVictory => "absolute victory",
        })
    }
}

musterd_kit::words! {
    Side: "side" ["french", "allied", "neutral"];
    UnitType: "type" ["infantry", "guard", "militia", "cavalry", "hq"];
    Season: "season" ["spring", "summer", "autumn", "winter"];
    CityRank: "rank" ["capital", "major", "minor"];
}

impl Data for Nation {
    fn read(reader: &mut Reader, node: &Node, _: Noun<'_>, _: &Range) -> Option<Self> {
        let word = reader.text(node, "a nation's word")?;
        if let Some(nation) = Self::of(word) {
            return Some(nation);
        }
        let small = word.to_lowercase();
        let meant = Self::of(&small);
        let hint = match meant {
            Some(_) => format!("; did you mean `{small}`?"),
            None => format!(": write 2 to {} small letters", Self::LONGEST),
        };
        reader.fault(node.at, format!("`{}` is no word for a nation{hint}", short(word)));
        meant
    }

    /// Of no letter.
    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self([0; Self::LONGEST]))
    }

    fn schema(_: &Range) -> Value {
        like("^[a-z]{2,16}$")
    }
}
