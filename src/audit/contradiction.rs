//! What mails and files can say against each other.

use serde::Serialize;

use super::evidence::MailRef;
use super::place::short;

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
    #[error("{mail} {} {head} as the hash of entry {index}, and in {} that entry has {logged}. Another log was shown there", if *.quoted { "quotes" } else { "shows" }, short(file))]
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
        "{mail} shows entry {index} of the log, and {} ends with entry {last}. Ask for a newer file; if the game is over, its end was cut off",
        short(file)
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
        "{} and {} differ from entry {index} of the log on: one of them is not what happened",
        short(file),
        short(other_file)
    )]
    TwoLogs {
        /// The first entry that differs.
        index: u64,
        /// One file.
        file: String,
        /// The other.
        other_file: String,
    },
    /// Two audit files with one log that say different things beside it.
    #[error(
        "{} and {} have the same log and are not the same: they differ in {what}. What is wrong in either is told of it by itself",
        short(file),
        short(other_file)
    )]
    TwoContents {
        /// In what they differ: `t 3`.
        what: String,
        /// One file.
        file: String,
        /// The other.
        other_file: String,
    },
    /// Proofs that stand on another log.
    #[error(
        "{} prove the dice of {seat} for t {t} by a log in which entry {index} has the hash {shown}, and in {} it has {known}. Another log was shown there",
        short(proofs),
        short(place)
    )]
    OtherProofs {
        /// The file of proofs.
        proofs: String,
        /// Whose dice.
        seat: String,
        /// Of which adjudication.
        t: u32,
        /// The first entry that differs.
        index: u64,
        /// The hash in the proofs.
        shown: String,
        /// An audit file, a mail, or other proofs.
        place: String,
        /// The hash there.
        known: String,
    },
    /// Secrets of an escrow that are not those of the game.
    #[error(
        "the secrets of the escrow lead to the anchor {escrowed}, and {} has {anchor}: they don't open this game's dice",
        short(place)
    )]
    OtherEscrow {
        /// The anchor of the escrow.
        escrowed: String,
        /// The anchor of the game.
        anchor: String,
        /// An audit file, or a mail.
        place: String,
    },
    /// Two anchors for one game.
    #[error(
        "{mail} fixes the host's secrets by the anchor {anchor}, and {} by {other}: the host has two chains of secrets to choose from",
        short(other_place)
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
    #[error("{mail} says that t {t} was closed with the root {shown}, and in {} {}", short(file), logged.as_ref().map_or_else(|| "it was never closed".to_owned(), |root| format!("the root is {root}")))]
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
        "{mail} is a receipt for orders of {seat} for t {t} with the leaf {leaf}, and {} has no such mail: the host took these orders and dropped them",
        short(file)
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
