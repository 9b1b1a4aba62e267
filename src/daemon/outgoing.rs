//! What leaves the host: the mails that are due, and what became of each.

use super::HostError;
use super::host::{Batch, Host};
use super::notify;
use crate::post::{Outcome, Parcel, Relay, send_many};
use crate::store::{Attempt, Outgoing};

/// How many packets are sent between two commits of what became of them.
const SENT_AT_ONCE: usize = 64;
/// The longest wait before a deferred mail is tried again, in seconds.
const LONGEST_BACKOFF: i64 = 4 * 3600;

impl Host {
    /// Sends what is due, and notes what became of it; returns how many mails were taken by the relay.
    ///
    /// # Errors
    /// The store, or a secret. A relay that can't be reached is no error: the mails wait.
    pub fn send_due(&mut self, relay: &dyn Relay) -> Result<usize, HostError> {
        self.vault.keep_founded()?;
        let mut sent = 0;
        loop {
            notify::alive();
            let now = self.clock.now();
            let due = self.store.due(now, SENT_AT_ONCE)?;
            if due.is_empty() {
                return Ok(sent);
            }
            let (stale, fresh): (Vec<Outgoing>, Vec<Outgoing>) =
                due.into_iter().partition(|o| o.is_stale(now));
            let mut tried: Vec<_> = stale.iter().map(|o| o.tried(Attempt::Stale { at: now })).collect();
            let parcels: Vec<Parcel> = fresh
                .iter()
                .map(|o| Parcel {
                    from: o.packet.from.clone(),
                    to: vec![o.recipient.clone()],
                    raw: o.packet.raw.clone().into_bytes(),
                })
                .collect();
            let outcomes = send_many(relay, &parcels, self.config.workers());
            let mut refused = Vec::new();
            for (outgoing, outcomes) in fresh.iter().zip(outcomes) {
                let outcome = outcomes.into_iter().next().map(|(_, outcome)| outcome);
                let attempt = match outcome {
                    Some(Outcome::Accepted(reply)) => {
                        sent += 1;
                        Attempt::Sent { at: now, reply }
                    }
                    Some(Outcome::Refused(reason)) => {
                        tracing::warn!(
                            packet = outgoing.packet.id,
                            recipient = outgoing.recipient,
                            reason,
                            "refused"
                        );
                        refused.push((outgoing, reason.clone()));
                        Attempt::Refused { at: now, reason }
                    }
                    Some(Outcome::Deferred(reason) | Outcome::Unreached(reason)) => {
                        let next = now + backoff(outgoing.attempts);
                        tracing::warn!(packet = outgoing.packet.id, reason, next, "deferred");
                        Attempt::Deferred { at: now, next, reason }
                    }
                    None => Attempt::Deferred {
                        at: now,
                        next: now + backoff(outgoing.attempts),
                        reason: "the relay said nothing".to_owned(),
                    },
                };
                tried.push(outgoing.tried(attempt));
            }
            self.store.record(&tried)?;
            let mut batch = Batch::default();
            for (outgoing, reason) in refused {
                self.note_refused(outgoing, &reason, &mut batch)?;
            }
            self.commit(&batch)?;
        }
    }
}

/// Seconds until the next try, doubling from half a minute.
fn backoff(attempts: u32) -> i64 {
    (30_i64 << attempts.min(16)).min(LONGEST_BACKOFF)
}
