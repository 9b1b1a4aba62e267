//! Letters between players, as the journal keeps them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::Ride;
use musterd_dice::{Digest, Seat};

/// A player's letter to other players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The open adjudication.
    pub t: u32,
    /// Whose it is.
    pub from: Seat,
    /// Whom it went to.
    pub to: BTreeSet<Seat>,
    /// Name of the raw mail in the spool.
    pub mail: String,
    /// When the mail server took it, unix seconds.
    pub arrived: i64,
    /// What it says: lines ended by LF.
    pub text: String,
    /// The commitment to it, which alone goes into the log.
    pub commit: Digest,
    /// Whether its readers are not told whose it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anonymous: bool,
    /// How it travels.
    #[serde(default, skip_serializing_if = "Carriage::is_usual")]
    pub carriage: Carriage,
}

/// How a letter travels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Carriage {
    /// It is passed on at once, and stands in the next dispatch.
    #[default]
    AtOnce,
    /// It stays sealed.
    Sealed {
        /// Until when.
        until: Seal,
    },
    /// A courier rides to each reader, and comes with a dispatch or not at all.
    Courier {
        /// Their ways, as they were when the letter was written.
        rides: BTreeMap<Seat, Ride>,
    },
}

impl Carriage {
    fn is_usual(&self) -> bool {
        *self == Self::AtOnce
    }
}

/// When a sealed letter is opened. At the game's end all are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "seal", rename_all = "snake_case")]
pub enum Seal {
    /// When the window of this adjudication opens.
    Turn {
        /// Which.
        t: u32,
    },
    /// When a window opens whose name in the log begins so: `1806-spring`.
    Named {
        /// How.
        name: String,
    },
    /// At this instant, unix seconds.
    Time {
        /// Which.
        at: i64,
    },
}
