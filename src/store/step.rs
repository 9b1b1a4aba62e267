//! The unit of commit: steps, the mails they send, and the results of sending each mail.

use serde::{Deserialize, Serialize};

use musterd_engine::GameId;
use musterd_engine::journal::Entry;

/// The part of a packet's id before its first `/` if the packet belongs to no game; no game can have this name.
pub const HOST: &str = "_host";

/// Everything that one decision changes; it becomes durable as a whole or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    /// The game; `None` for mail of strangers and other work of the host, which has no entries.
    pub game: Option<GameId>,
    /// The number of entries that the game had when the step was decided: `entries` are added there. Ignored without a game.
    pub position: u64,
    /// New entries of the game's journal, in order.
    pub entries: Vec<Entry>,
    /// Marks of mails, by seat, Message-ID and content, that have had their effect.
    pub seen: Vec<String>,
    /// Names of mails in the spool that are handled.
    pub handled: Vec<String>,
    /// Mails to be sent.
    pub packets: Vec<Packet>,
    /// Results for earlier mails that this decision causes: the mails that it withdraws before they are sent, those
    /// that were refused, and those that came back.
    pub tried: Vec<Tried>,
}

/// A mail to be sent to one or more recipients.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Its permanent name, made from its contents: `game/t/seat/kind[/n]`, or `_host/…` ([`HOST`]) without a game. Printable ASCII without spaces, at
    /// most 200 bytes.
    pub id: String,
    /// Envelope recipients; each is tried and recorded separately.
    pub to: Vec<String>,
    /// Envelope sender.
    pub from: String,
    /// The Message-ID header, made from `id`, so that a mail that is sent twice is recognised as one.
    pub message_id: String,
    /// The whole mail, header and body: ASCII, less than [`Packet::LARGEST`] bytes.
    pub raw: String,
    /// The mail is not sent before this time: unix seconds.
    pub not_before: i64,
    /// The mail is not worth sending after this time: unix seconds.
    pub stale_after: Option<i64>,
}

impl Packet {
    /// The size that a mail must stay below: 256 KiB.
    pub const LARGEST: usize = 256 * 1024;
}

/// The result of one try to send a packet to one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Attempt {
    /// The next server accepted it.
    Sent {
        /// Unix seconds.
        at: i64,
        /// The server's reply.
        reply: String,
    },
    /// The mail can't be sent now.
    Deferred {
        /// Unix seconds.
        at: i64,
        /// When to try again, unix seconds.
        next: i64,
        /// Why, in the server's words.
        reason: String,
        /// Since when the server has deferred this very mail, unix seconds; `None` if no server could be reached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        since: Option<i64>,
        /// The number of tries after which it is unknown whether the server accepted the mail.
        #[serde(default, skip_serializing_if = "is_none_of_them")]
        unclear: u32,
    },
    /// The mail can't be sent at all: the server refused it, or it came back as a bounce after [`Attempt::Sent`].
    Refused {
        /// Unix seconds.
        at: i64,
        /// Why, in the server's words.
        reason: String,
    },
    /// The mail was dropped unsent because it came too late to be of use.
    Stale {
        /// Unix seconds.
        at: i64,
    },
    /// The mail was withdrawn before it was sent, because what it says is void.
    Withdrawn {
        /// Unix seconds.
        at: i64,
        /// Why, for readers of the ledger.
        reason: String,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_none_of_them(count: &u32) -> bool {
    *count == 0
}

/// An [`Attempt`] with its packet and recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Id of the packet.
    pub packet: String,
    /// Envelope recipient.
    pub recipient: String,
    /// The result.
    #[serde(flatten)]
    pub attempt: Attempt,
}

/// A packet that is due for one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The mail.
    pub packet: Packet,
    /// The recipient to whom it is due now.
    pub recipient: String,
    /// The number of tries so far.
    pub attempts: u32,
    /// The result of the last try; `None` before the first.
    pub last: Option<Attempt>,
}

impl Outgoing {
    /// Whether the mail is no longer worth sending at `now` (unix seconds).
    pub fn is_stale(&self, now: i64) -> bool {
        self.packet.stale_after.is_some_and(|last| now > last)
    }

    /// The result of this try, for [`Ledger::record`](super::Ledger::record).
    pub fn tried(&self, attempt: Attempt) -> Tried {
        Tried { packet: self.packet.id.clone(), recipient: self.recipient.clone(), attempt }
    }
}

/// The mails that wait to be sent, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outbox {
    /// The number of mails, counted once for each recipient.
    pub waiting: u64,
    /// Since when the oldest of them may be sent, unix seconds.
    pub oldest: Option<i64>,
}

/// The state of a packet for one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLine {
    /// Id of the packet.
    pub packet: String,
    /// Envelope recipient.
    pub recipient: String,
    /// The number of tries so far.
    pub attempts: u32,
    /// When it is tried next, unix seconds; `None` once it is settled.
    pub next: Option<i64>,
    /// The result of the last try; `None` before the first.
    pub last: Option<Attempt>,
}
