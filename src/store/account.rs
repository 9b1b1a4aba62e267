//! The state of each mail: the outbox and the ledger consist of these accounts.

use serde::{Deserialize, Serialize};

use super::step::{Attempt, LedgerLine, Outgoing, Packet};

/// The place of an entry or a packet in a mirror journal: its line, and the bytes in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Span {
    pub(super) line: u64,
    pub(super) start: u64,
    pub(super) len: u64,
}

/// The state of a packet for one recipient; `P` is the type of the packet's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Account<P = Span> {
    /// The place of the packet.
    at: P,
    /// Since when it may be sent, unix seconds.
    since: i64,
    attempts: u32,
    next: Option<i64>,
    last: Option<Attempt>,
}

impl<P: Copy> Account<P> {
    /// The account of a packet that nobody has tried to send yet.
    pub(super) fn new(at: P, not_before: i64) -> Self {
        Self { at, since: not_before, attempts: 0, next: Some(not_before), last: None }
    }

    pub(super) fn at(&self) -> P {
        self.at
    }

    /// When the next try is due; `None` if the account is settled.
    pub(super) fn next(&self) -> Option<i64> {
        self.next
    }

    pub(super) fn since(&self) -> i64 {
        self.since
    }

    pub(super) fn into_outgoing(self, packet: Packet, recipient: String) -> Outgoing {
        Outgoing { packet, recipient, attempts: self.attempts, last: self.last }
    }

    pub(super) fn into_line(self, packet: String, recipient: String) -> LedgerLine {
        let Self { attempts, next, last, .. } = self;
        LedgerLine { packet, recipient, attempts, next, last }
    }

    /// The account after one more attempt; `None` if this one is settled. A bounce may still follow a success.
    pub(super) fn after(&self, attempt: &Attempt) -> Option<Self> {
        let pending = self.next.is_some();
        let bounced = matches!((&self.last, attempt), (Some(Attempt::Sent { .. }), Attempt::Refused { .. }));
        let next = match attempt {
            Attempt::Deferred { next, .. } => Some(*next),
            Attempt::Sent { .. }
            | Attempt::Refused { .. }
            | Attempt::Stale { .. }
            | Attempt::Withdrawn { .. } => None,
        };
        // The same attempt again, with another time for the next one.
        let again = matches!(
            (&self.last, attempt),
            (Some(Attempt::Deferred { at: before, .. }), Attempt::Deferred { at, .. }) if before == at
        );
        let tried =
            pending && !again && !matches!(attempt, Attempt::Stale { .. } | Attempt::Withdrawn { .. });
        let attempts = self.attempts.saturating_add(u32::from(tried));
        (pending || bounced).then(|| Self { attempts, next, last: Some(attempt.clone()), ..*self })
    }
}
