//! What a throw came to, with its outcome.

use serde::{Deserialize, Serialize};

/// What a throw came to.
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
        /// By how full the unit is.
        factor: i32,
        /// Taken off it.
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
        /// What each threw, ties again.
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
    /// What it did to those who were struck, where somebody was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toll: Option<Toll>,
}

/// What a strike did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toll {
    /// Who fell, of each sort.
    pub killed: Vec<u16>,
    /// Their hit points, for the ledgers (ruling DOG-2).
    pub hp: u32,
    /// Who is left, of each sort.
    pub left: Vec<u16>,
}
