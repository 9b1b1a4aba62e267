//! What comes of a line: the result of a throw, or a change of what the table keeps. Each line makes one event.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::unit::KeptUnit;
use crate::model::UnitId;

/// What came of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what happened")]
pub enum Event {
    /// A strike or volley, with its retaliation if there was one.
    Struck {
        /// The strike.
        strike: ThrownStrike,
        /// The retaliation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<ThrownStrike>,
        /// What it did to units that the table keeps.
        #[serde(flatten)]
        booked: Booked,
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
        /// What it did to units that the table keeps.
        #[serde(flatten)]
        booked: Booked,
    },
    /// Armies threw for their order, the first first, ties again; or the umpire said it, and nobody threw.
    Ordered { throws: Vec<(String, Vec<u32>)>, order: Vec<String> },
    /// A unit was written down, changed by hand or struck off.
    Kept {
        #[serde(flatten)]
        booked: Booked,
    },
    /// A round or a phase began; the phase is empty if it has no name yet. The armies stand in this round's order.
    Turned { round: u32, phase: String, order: Vec<String> },
    /// A side said its words for the dice; `None` if the table does without words.
    Said { side: Option<String>, words: String },
    /// A note for the record.
    Noted { text: String },
    /// A line was taken back, by its number: what it did to the table is undone, and its dice stay thrown.
    Voided { t: u32 },
    /// The line said nothing that can be thrown for, or that there was to do.
    Nothing,
}

impl Event {
    /// Whether dice fell for it.
    pub const fn has_dice(&self) -> bool {
        match self {
            Self::Struck { .. } | Self::Searched { .. } => true,
            Self::Ordered { throws, .. } => !throws.is_empty(),
            _ => false,
        }
    }

    /// The line that it makes void.
    pub const fn void(&self) -> Option<u32> {
        if let Self::Voided { t } = self { Some(*t) } else { None }
    }

    /// What it did to units that the table keeps, if it may do anything to them.
    pub const fn booked(&self) -> Option<&Booked> {
        match self {
            Self::Struck { booked, .. } | Self::Searched { booked, .. } | Self::Kept { booked } => {
                Some(booked)
            }
            _ => None,
        }
    }

    /// The line of a throw with fighters in the place of its units' names, where it names units.
    pub fn of(&self) -> Option<&str> {
        self.booked()?.of.as_deref()
    }
}

/// What a line did to units that the table keeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booked {
    /// The line of a throw with fighters in the place of its units' names; `None` if it names no unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The units that it changed, as they are after it; `None` of one that was struck off.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<UnitId, Option<KeptUnit>>,
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
