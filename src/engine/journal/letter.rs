//! Letters between players, as the journal keeps them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Ride;
use musterd_dice::{Digest, Seat};

/// A player's letter to other players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressLetter {
    /// The open adjudication.
    pub t: u32,
    /// The sender's seat.
    pub from: Seat,
    /// The seats that it went to.
    pub to: BTreeSet<Seat>,
    /// Name of the raw mail in the spool.
    pub mail: String,
    /// When the mail server took it, unix seconds.
    pub arrived: i64,
    /// The text: lines ended by LF.
    pub text: String,
    /// The commitment to the text. Only this goes into the log.
    pub commit: Digest,
    /// Whether the sender is hidden from the readers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anonymous: bool,
    /// How the letter is delivered.
    #[serde(default, skip_serializing_if = "Carriage::is_usual")]
    pub carriage: Carriage,
}

/// The ways to deliver a letter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Carriage {
    /// The letter is forwarded at once, and stands in the next dispatch.
    #[default]
    AtOnce,
    /// The letter stays sealed.
    Sealed {
        /// When it is opened.
        until: Seal,
    },
    /// A courier rides to each reader, and arrives with a dispatch or not at all.
    Courier {
        /// The couriers' ways, as they were when the letter was written.
        rides: BTreeMap<Seat, Ride>,
    },
}

impl Carriage {
    fn is_usual(&self) -> bool {
        *self == Self::AtOnce
    }
}

/// When a sealed letter is opened. All sealed letters are opened when the game ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "seal", rename_all = "snake_case")]
pub enum Seal {
    /// When the window of this adjudication opens.
    Turn {
        /// The adjudication.
        t: u32,
    },
    /// When a window opens whose name in the log has this beginning: `1806-spring`.
    Named {
        /// The beginning of the name.
        name: String,
    },
    /// At this time.
    Time {
        /// The time, unix seconds.
        at: i64,
    },
}
