//! What an adjudication anew needs besides the orders: the rules, what the GM changed, what befell the couriers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::edit::LineEdit;
use crate::ids::Seat;

/// The part of an audit file for whoever has the program: it plays the game again from the orders. Nothing that the dice
/// depend on is in it, and nothing of an adjudication that is not revealed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Replay {
    /// The ruleset.
    pub ruleset: String,
    /// The version of its verbs.
    pub version: u32,
    /// The rules, maps and scenario by their paths; the log's first entry holds their digest.
    pub founding: BTreeMap<String, String>,
    /// What came of each log entry that changed the position, in the order of the log.
    pub steps: Vec<Step>,
    /// What the GM changed by hand in what seats were told, in the order of the log. Files of games in which nothing was don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditStep>,
}

/// What the GM changed by hand in what a seat was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditStep {
    /// The index of its log entry.
    pub entry: u64,
    /// The change.
    pub edit: LineEdit,
}

/// What came of one log entry that changed the position: `rolls`, `rerun`, or a `gm` that amends.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Step {
    /// The index of that entry.
    pub entry: u64,
    /// Of an amendment, what the GM wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amend: Option<String>,
    /// Resulting events in canonical form.
    pub events: Vec<Value>,
    /// Of an adjudication, the couriers who passed an enemy, in the order in which they set out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub couriers: Vec<Courier>,
}

/// A courier who passed an enemy: from whom, to whom, and how many hexes of his way lay in the enemy's reach.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Courier(pub Seat, pub Seat, pub u32);
