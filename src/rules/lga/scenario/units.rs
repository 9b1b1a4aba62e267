//! The order of battle of a scenario: its units, where they start, and who is called away.

use crate::model::{Date, Nation, Side, UnitId, UnitType};
use musterd_engine::hex::Hex;

/// A unit of the order of battle, or of the build pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its number.
    pub id: UnitId,
    /// Its name: `III Davout`.
    pub name: String,
    /// Its name with its number: `III Davout (3)`.
    pub called: String,
    /// The nation that it belongs to.
    pub nation: Nation,
    /// The side that it fights for.
    pub side: Side,
    /// Its type.
    pub kind: UnitType,
    /// The combat modifier of a headquarters; 0 for other units.
    pub modifier: i8,
    /// First year in which it can be built (ruling LGA-6).
    pub from_year: u16,
    /// Its start; `None` in the build pool.
    pub start: Option<Start>,
}

/// How a unit starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The hex.
    pub hex: Hex,
    /// Whether as the city's garrison.
    pub garrison: bool,
    /// Morale.
    pub morale: i8,
    /// Fatigue.
    pub fatigue: u8,
}

/// A unit that is called away for good (ruling LGA-41).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recall {
    /// The unit.
    pub unit: UnitId,
    /// The city that it goes to.
    pub to: Hex,
    /// At the start of its side's turn in this season.
    pub when: Date,
}
