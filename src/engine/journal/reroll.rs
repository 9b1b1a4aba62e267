//! A roll thrown again, with everybody's consent (dice.md, "Re-rolls").

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Sealed;
use musterd_dice::{Digest, Label, Roll, Word};

/// A roll thrown again: an adjudication of its own, whose orders are the consent of all players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reroll {
    /// The number of this adjudication.
    pub t: u32,
    /// Its name in the log.
    pub name: Word,
    /// The adjudication that made the roll. The new events replace the events of that adjudication.
    pub of: u32,
    /// The label of the roll.
    pub label: Label,
    /// The consents of computer players.
    pub house: Vec<Sealed>,
    /// The consents of all other players.
    pub consents: Vec<Sealed>,
    /// The root over the consents, to which the dice are bound.
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
