//! What is committed: steps, the mails they send, and what became of each mail.

use serde::{Deserialize, Serialize};

use musterd_engine::GameId;
use musterd_engine::journal::Entry;

/// The part of a packet's id before its first `/` where the packet belongs to no game; no game can be called so.
pub const HOST: &str = "_host";

/// Everything that one decision changes; it becomes durable as a whole or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    /// The game; none for the mail of strangers and other doings of the host, which have no entries.
    pub game: Option<GameId>,
    /// How many entries the game had when the step was decided: where `entries` go. Ignored without a game.
    pub position: u64,
    /// New entries of the game's journal, in order.
    pub entries: Vec<Entry>,
    /// Marks that a mail with this seat, Message-ID and content has had its effect.
    pub seen: Vec<String>,
    /// Names of mails in the spool that are done with.
    pub handled: Vec<String>,
    /// Mails to send.
    pub packets: Vec<Packet>,
    /// What became of earlier mails by this decision: those that it takes back unsent.
    pub tried: Vec<Tried>,
}

/// A mail to be sent to one or more recipients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Its name for ever, made from what it is: `game/t/seat/kind[/n]`, or `_host/…` ([`HOST`]) without a game.
    /// Printable ASCII without spaces, at most 200 bytes.
    pub id: String,
    /// Envelope recipients; each is tried and accounted for alone.
    pub to: Vec<String>,
    /// Envelope sender.
    pub from: String,
    /// The Message-ID header, made from `id`, so that a mail sent twice is recognised as one.
    pub message_id: String,
    /// The whole mail, header and body: ASCII, less than [`Packet::LARGEST`] bytes.
    pub raw: String,
    /// Not to be sent before this: unix seconds.
    pub not_before: i64,
    /// Not worth sending after this: unix seconds.
    pub stale_after: Option<i64>,
}

impl Packet {
    /// The size that a mail must stay below: 256 KiB.
    pub const LARGEST: usize = 256 * 1024;
}

/// How one try to send a packet to one recipient went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Attempt {
    /// The next server took it.
    Sent {
        /// Unix seconds.
        at: i64,
        /// What that server said.
        reply: String,
    },
    /// Not now.
    Deferred {
        /// Unix seconds.
        at: i64,
        /// When to try again, unix seconds.
        next: i64,
        /// Why, in the server's words.
        reason: String,
        /// Since when the server has put off this very mail, unix seconds; none where it could not be had.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<i64>,
        /// How many of the tries left it open whether the server has taken the mail.
        #[serde(default, skip_serializing_if = "is_none_of_them")]
        unclear: u32,
    },
    /// Never: refused by the server, or, after [`Attempt::Sent`], come back as a bounce.
    Refused {
        /// Unix seconds.
        at: i64,
        /// Why, in the server's words.
        reason: String,
    },
    /// Dropped unsent: its time was over.
    Stale {
        /// Unix seconds.
        at: i64,
    },
    /// Taken back unsent: what it says is void.
    Withdrawn {
        /// Unix seconds.
        at: i64,
        /// Why, for whoever reads the ledger.
        reason: String,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_none_of_them(count: &u32) -> bool {
    *count == 0
}

/// An [`Attempt`] and whose it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Id of the packet.
    pub packet: String,
    /// Envelope recipient.
    pub recipient: String,
    /// How it went.
    #[serde(flatten)]
    pub attempt: Attempt,
}

/// A packet that is due for one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The mail.
    pub packet: Packet,
    /// Whom to send it to now.
    pub recipient: String,
    /// Tries so far.
    pub attempts: u32,
    /// How the last try went; none before the first.
    pub last: Option<Attempt>,
}

impl Outgoing {
    /// Whether the mail is no longer worth sending at `now` (unix seconds).
    #[must_use]
    pub fn is_stale(&self, now: i64) -> bool {
        self.packet.stale_after.is_some_and(|last| now > last)
    }

    /// This try, for [`Ledger::record`](super::Ledger::record).
    #[must_use]
    pub fn tried(&self, attempt: Attempt) -> Tried {
        Tried { packet: self.packet.id.clone(), recipient: self.recipient.clone(), attempt }
    }
}

/// What waits to be sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outbox {
    /// Mails, one a recipient.
    pub waiting: u64,
    /// Since when the oldest of them may be sent, unix seconds.
    pub oldest: Option<i64>,
}

/// Where a packet stands with one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// Id of the packet.
    pub packet: String,
    /// Envelope recipient.
    pub recipient: String,
    /// Tries so far.
    pub attempts: u32,
    /// When it is tried next, unix seconds; none once it is settled.
    pub next: Option<i64>,
    /// How the last try went; none before the first.
    pub last: Option<Attempt>,
}
