//! What mails and files can say against each other.

use serde::Serialize;

use super::evidence::MailRef;

/// Two testimonies that can't both be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "contradiction", rename_all = "kebab-case")]
pub enum Contradiction {
    /// The host showed two logs.
    #[error(
        "entry {index} of the log was shown with two hashes: {one} in {mail}, and {other} in {other_mail}. The host keeps two logs"
    )]
    TwoHeads {
        /// Of which entry.
        index: u64,
        /// One hash.
        one: String,
        /// Where.
        mail: MailRef,
        /// The other.
        other: String,
        /// Where.
        other_mail: MailRef,
    },
    /// A head that the file's log has otherwise.
    #[error("{mail} {} {head} as the hash of entry {index}, and in {file} that entry has {logged}. Another log was shown there", if *.quoted { "quotes" } else { "shows" })]
    OtherLog {
        /// Of which entry.
        index: u64,
        /// The hash in the mail.
        head: String,
        /// The mail.
        mail: MailRef,
        /// Whether it stands in a quotation.
        quoted: bool,
        /// The hash in the file.
        logged: String,
        /// The file.
        file: String,
    },
    /// A head of an entry that the file's log doesn't have.
    #[error(
        "{mail} shows entry {index} of the log, and {file} ends with entry {last}. Ask for a newer file; if the game is over, its end was cut off"
    )]
    NotYet {
        /// Of which entry.
        index: u64,
        /// The mail.
        mail: MailRef,
        /// The file.
        file: String,
        /// The last entry there.
        last: u64,
    },
    /// Two audit files of one game with different logs.
    #[error(
        "{file} and {other_file} differ from entry {index} of the log on: one of them is not what happened"
    )]
    TwoLogs {
        /// The first entry that differs.
        index: u64,
        /// One file.
        file: String,
        /// The other.
        other_file: String,
    },
    /// Two anchors for one game.
    #[error(
        "{mail} fixes the host's secrets by the anchor {anchor}, and {other_place} by {other}: the host has two chains of secrets to choose from"
    )]
    TwoAnchors {
        /// One anchor.
        anchor: String,
        /// Where.
        mail: MailRef,
        /// The other.
        other: String,
        /// A mail, or a file's log.
        other_place: String,
    },
    /// Two closes of one adjudication.
    #[error("{mail} and {other_mail} say of t {t} that its dice were bound to different orders")]
    TwoCloses {
        /// Which.
        t: u32,
        /// One mail.
        mail: MailRef,
        /// The other.
        other_mail: MailRef,
    },
    /// A root that is not that of the leaves beside it.
    #[error("{mail} shows leaves of t {t} whose root is {found}, and says that it is {shown}")]
    WrongRoot {
        /// Which adjudication.
        t: u32,
        /// The mail.
        mail: MailRef,
        /// The root of its leaves.
        found: String,
        /// What it says.
        shown: String,
    },
    /// A root that the log has otherwise.
    #[error("{mail} says that t {t} was closed with the root {shown}, and in {file} {}", logged.as_ref().map_or_else(|| "it was never closed".to_owned(), |root| format!("the root is {root}")))]
    OtherClose {
        /// Which adjudication.
        t: u32,
        /// The mail.
        mail: MailRef,
        /// What it says.
        shown: String,
        /// What the log says.
        logged: Option<String>,
        /// The file.
        file: String,
    },
    /// A receipt whose attachment is not what it says.
    #[error("{mail} is a receipt whose attached orders have another SHA-256 than it says")]
    OtherAttachment {
        /// The receipt.
        mail: MailRef,
    },
    /// A receipt for orders that the log doesn't have.
    #[error(
        "{mail} is a receipt for orders of {seat} for t {t} with the leaf {leaf}, and {file} has no such mail: the host took these orders and dropped them"
    )]
    Dropped {
        /// The receipt.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
        /// Their leaf.
        leaf: String,
        /// The file.
        file: String,
    },
    /// A receipt whose leaf doesn't stand for the orders attached to it.
    #[error(
        "{mail} is a receipt whose leaf doesn't stand for the orders attached to it: the host logged other orders of {seat} for t {t} than it returned"
    )]
    OtherOrders {
        /// The receipt.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
    },
    /// What the last receipt says is not what counted, and no later mail explains it.
    #[error(
        "t {t}: {mail} is the last mail of {seat} in the log that was accepted, and the file shows other orders for it"
    )]
    Changed {
        /// The receipt.
        mail: MailRef,
        /// Whose orders.
        seat: String,
        /// For which adjudication.
        t: u32,
    },
}

impl Contradiction {
    /// Which entry of the log it is about, where it is about one: one forged entry makes all heads behind it differ.
    pub(super) const fn index(&self) -> Option<u64> {
        match self {
            Self::TwoHeads { index, .. } | Self::OtherLog { index, .. } | Self::NotYet { index, .. } => {
                Some(*index)
            }
            _ => None,
        }
    }
}
