//! Sieges (manual 5.7, ruling LGA-35).

use super::face;
use crate::numbers::Siege;

/// The morale that a face of the die takes from a garrison out of supply; no modifiers.
pub fn loss(table: &Siege, die: u32) -> i8 {
    table.loss.read(face(die)).1
}
