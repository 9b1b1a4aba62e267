//! What can become of a mail, and what can count as a seat's orders, in words.

use serde::Serialize;

/// What became of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "fate", rename_all = "kebab-case")]
pub enum Fate {
    /// Its orders were adjudicated.
    #[error("taken as log entry {entry}, and it is what counted")]
    Counted {
        /// Its place in the log.
        entry: u64,
    },
    /// It was taken, and a later mail took its place.
    #[error("taken as log entry {entry}, and replaced by a later one, entry {by}")]
    Replaced {
        /// Its place in the log.
        entry: u64,
        /// The place of the last accepted mail.
        by: u64,
    },
    /// It was taken, and its turn has not run.
    #[error("taken as log entry {entry}; the turn was not closed when the file was written")]
    Taken {
        /// Its place in the log.
        entry: u64,
    },
    /// It took back the orders that stood.
    #[error("taken as log entry {entry}: it took back the orders that stood")]
    TookBack {
        /// Its place in the log.
        entry: u64,
    },
    /// It consented to a roll being thrown again.
    #[error("taken as log entry {entry}: it consented to a roll being thrown again")]
    Consented {
        /// Its place in the log.
        entry: u64,
    },
    /// It was refused.
    #[error("refused as log entry {entry}: {}", reason_in_words(.reason))]
    Refused {
        /// Its place in the log.
        entry: u64,
        /// The word for it in the log.
        reason: String,
    },
    /// It was refused, and the mail is not there that tells its player so.
    #[error(
        "REFUSED, AND YOU WEREN'T TOLD? It is log entry {entry}: {}. Whoever is refused is told by a mail at once, and none is here. If you \
         lost it, nothing is wrong; if you got none, ask the host",
        reason_in_words(.reason)
    )]
    RefusedUntold {
        /// Its place in the log.
        entry: u64,
        /// The word for it in the log.
        reason: String,
    },
    /// It was refused as a mail without orders, and there are orders in it.
    #[error(
        "REFUSED as log entry {entry}, because no orders were found in it; but there are orders in it, by these rules. Ask the host why"
    )]
    RefusedAsEmpty {
        /// Its place in the log.
        entry: u64,
    },
    /// The host answered that it was refused; where in the log can't be told.
    #[error("the host answered that it changed nothing")]
    RefusedSomewhere,
    /// The host gave a receipt, and there is no log to compare it with.
    #[error("the host gave a receipt; without an audit file nobody can tell whether the log has it")]
    Acknowledged,
    /// The host gave a receipt, and the file was written before the turn closed.
    #[error("the host gave a receipt; the file was written before the turn closed, and doesn't have it yet")]
    NotYet,
    /// The host gave a receipt, and its log doesn't have the mail.
    #[error(
        "DROPPED: the host gave a receipt for it, and the log doesn't have it. It is proof if the receipt is the host's own"
    )]
    Dropped,
    /// The host took other orders than the mail holds.
    #[error(
        "CHANGED: the orders that the host returned in its receipt, or that its log has for it, are not those in this mail"
    )]
    Changed,
    /// The log doesn't have it, and there is no receipt.
    #[error(
        "NOT IN THE LOG, and no receipt for it is here. Either it never reached the host, or the host kept it back: a mail that \
         arrived is answered within minutes, so one without a receipt should be sent again"
    )]
    NotInLog,
    /// The host answered it, and the log doesn't have its orders.
    #[error(
        "NOT IN THE LOG, though the host answered this mail: so it had the mail, and no entry of its log has the orders in it. Ask the host \
         why"
    )]
    PassedOver,
    /// The log doesn't have its orders, and they may be no more than the lines that the form had when it was mailed.
    #[error(
        "NOT IN THE LOG? There are orders in it, and no entry of the log has them. If they are just the lines that stood in the order form \
         when it was mailed, they order nothing, and nothing is wrong: that can't be told here without the dispatch that brought the form. If \
         you wrote any of them, ask the host"
    )]
    OrdersOrForm,
    /// No receipt, and the leaves in the log are still blinded.
    #[error(
        "no receipt for it is here, and its turn is not revealed: whether the log has it can't be told yet"
    )]
    Hidden,
    /// No receipt and no audit file.
    #[error("no receipt for it is here; without an audit file nothing more can be told")]
    Unanswered,
    /// Not sent to the host.
    #[error("it is to none of the host's addresses, and the host didn't answer it: so it is in no log")]
    NotToHost,
    /// No orders in it.
    #[error("no orders in it, so it is in no log")]
    NoOrders,
    /// No marks in it, and no rules at hand to tell orders from prose.
    #[error(
        "no receipt for it is here, and without BEGIN ORDERS and END ORDERS nobody can tell what it ordered"
    )]
    Unmarked,
}

impl Fate {
    /// Whether it is something to ask the host about.
    pub const fn is_trouble(&self) -> bool {
        matches!(
            self,
            Self::Dropped
                | Self::Changed
                | Self::NotInLog
                | Self::PassedOver
                | Self::OrdersOrForm
                | Self::RefusedUntold { .. }
                | Self::RefusedAsEmpty { .. }
        )
    }

    /// Whether nobody can tell from what is here whether the log has it as it was sent.
    pub(super) const fn is_open(&self) -> bool {
        matches!(
            self,
            Self::Acknowledged
                | Self::NotYet
                | Self::Hidden
                | Self::Unanswered
                | Self::Unmarked
                | Self::RefusedSomewhere
        )
    }

    pub(super) const fn entry(&self) -> Option<u64> {
        match self {
            Self::Counted { entry }
            | Self::Replaced { entry, .. }
            | Self::Taken { entry }
            | Self::TookBack { entry }
            | Self::Consented { entry }
            | Self::Refused { entry, .. }
            | Self::RefusedUntold { entry, .. }
            | Self::RefusedAsEmpty { entry } => Some(*entry),
            _ => None,
        }
    }
}

/// What counted as a seat's orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "counted", rename_all = "kebab-case")]
pub enum Counted {
    /// The last accepted mail.
    #[error("the orders of log entry {entry} counted")]
    Entry {
        /// Its place in the log.
        entry: u64,
    },
    /// The computer's.
    #[error("the computer's orders counted (log entry {entry})")]
    StandIn {
        /// Their place in the log.
        entry: u64,
    },
    /// None: they were taken back.
    #[error("nothing counted: the orders were taken back (log entry {entry})")]
    Withdrawn {
        /// The place in the log.
        entry: u64,
    },
    /// None.
    #[error("nothing counted: the log has no accepted mail")]
    Nothing,
    /// It has not closed.
    #[error("nothing counts yet: the turn was not closed when the file was written")]
    Open,
    /// It became void.
    #[error("nothing counted: the turn was rolled back")]
    Void,
    /// There is no log.
    #[error("nobody can tell what counted without an audit file")]
    Unknown,
}

/// A word of the log for why a mail was refused, in words.
pub(super) fn reason_in_words(word: &str) -> String {
    let words = match word {
        "late" => "it came too late",
        "other-turn" => "it answered a mail about another turn",
        "no-orders" => "no orders were found in it",
        "no-secret" | "wrong-secret" => "it didn't bring the seat's secret",
        "wrong-sender" => "it came from an address that is not registered",
        "not-authenticated" => "no mail server vouched for its sender",
        "not-as-sealed" => "the seat's orders were sealed at the opening",
        "other-seat" => "its orders were another seat's",
        "too-large" => "it was too large",
        "unread" => "no orders that can be read were found in it",
        "unreadable" => "it could not be read",
        "between-turns" => "no orders were being taken",
        "game-over" => "the game was over",
        "letter" => "its letter was not sent on",
        other => return format!("`{other}`"),
    };
    format!("{words} (`{word}`)")
}
