//! An army of a battle: its leader, its units, what it may hire.

use crate::model::{ArmyId, People, Sort, TroopId, UnitId};
use musterd_dice::Seat;
use musterd_engine::hex::{Hex, HexSet};

/// An army and its leader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Army {
    /// Its place in the file.
    pub id: ArmyId,
    /// Its leader's seat: `emperor`.
    pub seat: Seat,
    /// The letter of its units.
    pub letter: char,
    /// Its name: `Thunder Legions`.
    pub name: String,
    /// How its leader is addressed: `the Legate of the Thunder Legions`.
    pub leader: String,
    /// The alliance that it fights in; armies of one alliance are friends (ruling DOG-31).
    pub alliance: String,
    /// Its leader's leadership.
    pub leadership: u32,
    /// Where its units may stand at the start; the whole field if the file doesn't say.
    pub zone: HexSet,
    /// Money to hire units with; `None` if the file lists them.
    pub budget: Option<u32>,
    /// What the money can hire, in the order of table 1.
    pub hires: Vec<TroopId>,
    /// Whether elite troops can be hired.
    pub elite: bool,
    /// Peoples that may be chosen for any of its units (ruling DOG-6).
    pub peoples: Vec<People>,
    /// Its fixed units, by number.
    pub units: Vec<UnitSpec>,
}

/// A unit of a battle file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its letter and number.
    pub id: UnitId,
    /// Its name, if it has one: `Third Legion`.
    pub name: String,
    /// Who is in it; one sort unless the scale is strategic.
    pub sorts: Vec<Sort>,
    /// Where it starts; `None` if its leader chooses.
    pub at: Option<Hex>,
    /// Whether it starts hidden.
    pub hidden: bool,
}

impl Army {
    /// Whether its leader has to mail unit records.
    pub fn owes_records(&self) -> bool {
        self.budget.is_some() || self.units.iter().any(|unit| unit.at.is_none())
    }
}
