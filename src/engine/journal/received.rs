//! Mails in the journal.

use serde::{Deserialize, Serialize};

use musterd_dice::{Block, Digest, Seat, Word};

/// A mail for a game, and the verdict on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The open adjudication.
    pub t: u32,
    /// The seat that the mail is for, if that is known.
    pub seat: Option<Seat>,
    /// Name of the raw mail in the spool.
    pub mail: String,
    /// When the mail server took it, unix seconds.
    pub arrived: i64,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdict on a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The mail gives the seat's orders for `t`.
    Accepted {
        /// The orders.
        block: Block,
        /// The leaf, also in the receipt.
        leaf: Digest,
    },
    /// The mail withdrew the seat's orders for `t`: the seat counts as having sent none.
    Withdrawn {
        /// The leaf of a seat without orders.
        leaf: Digest,
    },
    /// The mail changed nothing.
    Refused {
        /// A word for the log: `late`, `wrong-secret`, `no-orders`.
        reason: Word,
        /// SHA-256 of the decoded text.
        text: Digest,
    },
}
