//! The nouns of the rules: sides, units, types, terrain, water, weather, light, profiles.

use std::fmt;

use musterd_engine::hex::Direction;
pub use musterd_kit::sides::{BadUnit, Side};
use musterd_kit::{named, numbered};
use serde::{Deserialize, Serialize};

numbered! {
    /// A brigade, by its side and its number from 1 in the order of the scenario: `A7`.
    pub struct BrigadeId: "" to 90, "write A7 for a brigade, AH2 for a headquarters";

    /// A headquarters, by its side and its number from 1 in the order of the scenario: `AH2`. The army's is number 1.
    pub struct HqId: "H" to 40, "write A7 for a brigade, AH2 for a headquarters";
}

impl HqId {
    /// The army's.
    pub const fn army(side: Side) -> Self {
        Self { side, number: 1 }
    }

    /// Whether it is the army's.
    pub const fn is_army(self) -> bool {
        self.number == 1
    }
}

/// Any unit: a brigade or a headquarters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitId {
    /// A brigade.
    Brigade(BrigadeId),
    /// A headquarters.
    Hq(HqId),
}

impl UnitId {
    /// Whose it is.
    pub const fn side(self) -> Side {
        match self {
            Self::Brigade(id) => id.side,
            Self::Hq(id) => id.side,
        }
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Brigade(id) => id.fmt(f),
            Self::Hq(id) => id.fmt(f),
        }
    }
}

/// The strength points of so many men: a hundred each, half up, at least 1 (ACW-50).
pub fn strength(men: u32) -> i32 {
    #[expect(clippy::expect_used, reason = "a hundredth of a u32 fits")]
    let points = i32::try_from((men + 50) / 100).expect("a hundredth of the men");
    points.max(1)
}

named! {
    /// A type of brigade.
    pub enum Arm: "type of brigade" {
        /// Infantry.
        Infantry = "infantry",
        /// Mounted infantry: it rides in column and fights on foot.
        MountedInfantry = "mounted-infantry" => "mounted infantry",
        /// Cavalry.
        Cavalry = "cavalry",
        /// Artillery.
        Artillery = "artillery",
    }
}

impl Arm {
    /// How its formations are called: in line, and in column.
    pub const fn formation(self, formation: Formation) -> &'static str {
        match (self, formation) {
            (Self::Infantry, Formation::Line) => "in line",
            (Self::Infantry, Formation::Column) => "in column",
            (Self::Cavalry | Self::MountedInfantry, Formation::Line) => "dismounted",
            (Self::Cavalry | Self::MountedInfantry, Formation::Column) => "mounted",
            (Self::Artillery, Formation::Line) => "unlimbered",
            (Self::Artillery, Formation::Column) => "limbered",
        }
    }
}

/// How a brigade stands: deployed or on the march.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formation {
    /// In line, dismounted, unlimbered.
    Line,
    /// In column, mounted, limbered (ACW-9).
    Column,
}

named! {
    /// What a headquarters leads.
    pub enum Echelon {
        /// An army.
        Army = "army",
        /// A corps.
        Corps = "corps",
        /// A division.
        Division = "division",
    }

    /// Of what troops a corps or a division is.
    pub enum Branch: "kind of troops" {
        /// Infantry.
        Infantry = "infantry",
        /// Cavalry.
        Cavalry = "cavalry",
    }

    /// An edge of the map.
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Edge: "edge of the map" {
        North = "north",
        South = "south",
        East = "east",
        West = "west",
    }

    /// Water along a hex side.
    pub enum Water: "kind of water" {
        /// It is crossed at crossings only.
        River = "river",
        /// It is crossed anywhere, at a cost.
        Stream = "stream",
    }

    /// A crossing of a hex side with water (ACW-48).
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Crossing: "kind of crossing" {
        Bridge = "bridge",
        Ford = "ford",
        Pontoon = "pontoon" => "pontoon bridge",
    }

    /// The weather of a turn.
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Weather: "weather" {
        Clear = "clear",
        Overcast = "overcast",
        Drizzle = "drizzle",
        Rain = "rain",
        Snow = "snow",
        LightFog = "light-fog" => "light fog",
        HeavyFog = "heavy-fog" => "heavy fog",
    }
}

impl Weather {
    /// Rain, snow or heavy fog: drizzle is none of them (ACW-60).
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Rain | Self::Snow | Self::HeavyFog)
    }
}

named! {
    /// The light of a turn.
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Light {
        Dawn = "dawn",
        Day = "day" => "daylight",
        Dusk = "dusk",
        Night = "night",
    }

    /// How much danger the army's commander takes upon himself (Menu 6).
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Profile {
        Heroic = "heroic",
        Bold = "bold",
        Sensible = "sensible",
        Cautious = "cautious",
    }

    /// What became of a leader (ACW-37).
    #[expect(missing_docs, reason = "named after what they are")]
    pub enum Fate {
        Killed = "killed",
        Wounded = "wounded",
        Captured = "captured",
    }
}

/// An objective, by its place from 0 in the scenario's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectiveId(pub u8);

impl ObjectiveId {
    /// Its place in the list.
    pub const fn place(self) -> usize {
        self.0 as usize
    }
}

/// How a direction is called by readers.
pub const fn compass(direction: Direction) -> &'static str {
    match direction {
        Direction::East => "east",
        Direction::West => "west",
        Direction::NorthEast => "northeast",
        Direction::NorthWest => "northwest",
        Direction::SouthEast => "southeast",
        Direction::SouthWest => "southwest",
    }
}
