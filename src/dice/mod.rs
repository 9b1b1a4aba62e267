//! The dice protocol `pbemdice/1`: dice that nobody has to trust. Pure: no clock, no file, no ambient randomness.

mod ids;
mod label;

pub use ids::{BadId, GameId, Seat};
pub use label::{BadLabel, Label, Roll, Roller};
