//! Sieges (manual 5.7, ruling LGA-35).

use super::face;
use crate::numbers::{Siege, read};

/// The morale that a face of the die takes from a garrison out of supply; no modifiers.
pub fn loss(table: &Siege, die: u32) -> i8 {
    read(&table.loss, face(die)).1
}
