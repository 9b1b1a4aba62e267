//! Notices to players about a deadline.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use musterd_dice::Seat;

/// A notice about a deadline; each seat gets it once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The open adjudication.
    pub t: u32,
    /// The subject of the notice.
    pub matter: Matter,
    /// The seats concerned.
    pub seats: BTreeSet<Seat>,
    /// The deadline, unix seconds. Once it is moved, the seats can get the notice again.
    pub deadline: i64,
}

/// The notices to players, or to the GM, about a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matter {
    /// The seats' orders are missing, and the deadline comes near.
    Reminder,
    /// The deadline has passed and the orders of these seats are missing. The turn waits a little longer; all are told.
    Late,
    /// The GM has to decide about the missing seats.
    Decision,
}
