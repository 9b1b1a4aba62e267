//! What a commander learns of one event: made by `fog.rs` and by nobody else.

use musterd_engine::hex::Hex;
use serde::Serialize;

use crate::event::Event;
use crate::model::UnitId;

/// What a commander learns of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// All of it. Both sides see the whole field.
    Seen(Event),
    /// The wizard stands in two hexes, and nobody but his side knows in which.
    Likened {
        /// The one that was there.
        unit: UnitId,
        /// The one that was not.
        likeness: UnitId,
        /// Where that one stands.
        at: Hex,
        /// The spell points that it took.
        points: u32,
    },
}
