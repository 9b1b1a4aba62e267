//! The GM's changes of the position and rulings on orders to come.

use serde::{Deserialize, Serialize};

use super::model::{ArmyId, Ground, UnitId, Waiting};
use musterd_engine::hex::Hex;

/// One change of the position by the GM's hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what changes")]
pub enum Change {
    /// How many of a sort are left.
    Fighters { unit: UnitId, sort: u8, fighters: u16 },
    /// How many volleys a sort has left.
    Shots { unit: UnitId, sort: u8, shots: u16 },
    /// Where a unit stands.
    Place { unit: UnitId, to: Hex },
    /// Whether a unit is hidden.
    Hidden { unit: UnitId, hidden: bool },
    /// What a unit is called.
    Name { unit: UnitId, name: String },
    /// A unit comes.
    Added(Waiting),
    /// A unit is removed; it doesn't count as lost for anybody.
    Removed { unit: UnitId },
    /// A captive is free.
    Freed { unit: UnitId },
    /// A unit is the prisoner of an enemy, who needn't guard it in the next round.
    Captured { unit: UnitId, captor: UnitId },
    /// A unit is aboard the boat in a hex.
    Aboard { unit: UnitId, at: Hex },
    /// What a hex is.
    Ground { hex: Hex, ground: Ground },
    /// Whether there is a bridge.
    Bridge { hex: Hex, there: bool },
    /// Whether there is a bridge over the side between two neighbours, the smaller hex first.
    Crossing { a: Hex, b: Hex, there: bool },
    /// Whether there is a boat.
    Boat { hex: Hex, there: bool },
    /// A leader's leadership.
    Leadership { army: ArmyId, leadership: u32 },
    /// An army's loot.
    Loot { army: ArmyId, loot: u64 },
    /// In which order the armies act.
    Order { order: Vec<ArmyId> },
    /// A ruling on the orders to come.
    Ruled { ruling: Ruling },
}

/// A ruling of the GM on a unit's next orders, for one round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub enum Ruling {
    /// Its march is no flight, whichever units it leaves.
    Free { unit: UnitId },
    /// Its march is a flight from this enemy too.
    Flees { unit: UnitId, from: UnitId },
    /// It doesn't move.
    Stays { unit: UnitId },
    /// It doesn't strike.
    Holds { unit: UnitId },
}

impl Ruling {
    /// Whether it concerns a march rather than a strike.
    pub(super) const fn is_of_moves(self) -> bool {
        !matches!(self, Self::Holds { .. })
    }
}
