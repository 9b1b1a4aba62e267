//! Mails in the journal.

use serde::{Deserialize, Serialize};

use musterd_dice::{Block, Digest, Seat, Word};

/// A mail for a game and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The open adjudication.
    pub t: u32,
    /// Whose seat it was for, where that could be told.
    pub seat: Option<Seat>,
    /// Name of the raw mail in the spool.
    pub mail: String,
    /// When the mail server took it, unix seconds.
    pub arrived: i64,
    /// What became of it.
    pub verdict: Verdict,
}

/// What became of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It is now the seat's orders for `t`.
    Accepted {
        /// The orders.
        block: Block,
        /// The leaf, also in the receipt.
        leaf: Digest,
    },
    /// It took the seat's orders for `t` back: the seat has sent none.
    Withdrawn {
        /// The leaf of its silence.
        leaf: Digest,
    },
    /// It changed nothing.
    Refused {
        /// A word for the log: `late`, `wrong-secret`, `no-orders`.
        reason: Word,
        /// SHA-256 of the decoded text.
        text: Digest,
    },
}
