//! The results of throws.

use serde::{Deserialize, Serialize};

/// The result of a throw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A strike or volley, with its retaliation if there was one.
    Struck {
        /// The strike.
        strike: ThrownStrike,
        /// The retaliation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<ThrownStrike>,
    },
    /// Somebody looked for a hidden unit.
    Searched {
        /// The factor, by how full the unit is.
        factor: i32,
        /// The visibility, which is subtracted from it.
        visibility: i32,
        /// Found if the die is not above it.
        chance: i32,
        /// The die.
        die: u32,
        /// Whether it is found.
        found: bool,
    },
    /// Armies threw for their order.
    Ordered {
        /// The throws of each; ties are thrown again.
        throws: Vec<(String, Vec<u32>)>,
        /// The first first.
        order: Vec<String>,
    },
    /// The line said nothing that can be thrown for.
    Nothing,
}

/// A strike that fell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThrownStrike {
    /// Its force.
    pub force: u32,
    /// The die.
    pub die: u32,
    /// The hit points that it takes if there are so many to take.
    pub damage: u32,
    /// The effect on the target, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toll: Option<Toll>,
}

/// The effect of a strike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toll {
    /// The number of dead, by sort.
    pub killed: Vec<u16>,
    /// Their hit points, for the ledgers (ruling DOG-2).
    pub hp: u32,
    /// The number of survivors, by sort.
    pub left: Vec<u16>,
}
