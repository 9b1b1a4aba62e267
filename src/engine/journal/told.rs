//! What was told to players about a deadline.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use musterd_dice::Seat;

/// Something told about a deadline, once to each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The open adjudication.
    pub t: u32,
    /// What it was about.
    pub matter: Matter,
    /// The seats concerned.
    pub seats: BTreeSet<Seat>,
    /// Which deadline, unix seconds: once it is moved, they can be told again.
    pub deadline: i64,
}

/// What players, or the GM, are told about a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// The seats' orders are missing, and the deadline comes near.
    Reminder,
    /// The deadline is over, the seats' orders are missing, and the turn waits a little: all are told.
    Late,
    /// The GM has to decide about the missing seats.
    Decision,
}
