//! A roll thrown again, with everybody's consent (dice.md, "Re-rolls").

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Sealed;
use musterd_dice::{Digest, Label, Roll, Word};

/// A roll thrown again: an adjudication of its own, whose orders are everybody's consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reroll {
    /// Which.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// The adjudication that made the roll. What it comes to now takes the place of what it came to.
    pub of: u32,
    /// The label of the roll.
    pub label: Label,
    /// The consent of computer players.
    pub house: Vec<Sealed>,
    /// The consent of everybody else.
    pub consents: Vec<Sealed>,
    /// What the dice are bound to.
    pub root: Digest,
    /// Resulting events in canonical form.
    pub events: Vec<Value>,
    /// The roll.
    pub rolls: Vec<Roll>,
    /// Merkle root over it.
    pub rolls_root: Digest,
    /// Commitment to the events.
    pub result_commit: Digest,
}
