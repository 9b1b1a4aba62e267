//! What leaves the host: the mails that are due, and what became of each.

use super::HostError;
use super::host::{Batch, Host};
use super::notify;
use crate::dice::GameId;
use crate::letter::Kind;
use crate::post::{Outcome, Parcel, Relay, send_many};
use crate::store::{Attempt, Outgoing, Step, Tried};

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
            self.relay_fault = fault_of(&outcomes).or(self.relay_fault.take().filter(|_| fresh.is_empty()));
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
                        tracing::debug!(packet = outgoing.packet.id, reason, next, "deferred");
                        if self.quiet.may_say(&reason, now) {
                            tracing::warn!(
                                reason,
                                "mail waits: the relay doesn't take it now; it is tried again"
                            );
                        }
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
            self.record(&tried)?;
            let mut batch = Batch::default();
            for (outgoing, reason) in refused {
                self.note_refused(outgoing, &reason, &mut batch)?;
            }
            self.commit(&batch)?;
        }
    }
}

impl Host {
    /// Takes back what still waits to be sent about turns from `back` on, dispatches and reminders, as part of a step; returns how many
    /// mails. `earlier` steps will be committed with it.
    pub(super) fn withdraw_mails(
        &self,
        game: &GameId,
        back: u32,
        earlier: &[Step],
        step: &mut Step,
    ) -> Result<usize, HostError> {
        let is_void = |packet: &str| {
            let mut parts = packet.split('/').skip(1);
            let t: Option<u32> = parts.next().and_then(|t| t.parse().ok());
            let kind = parts.nth(1);
            // A dispatch bears the number of the turn that it asks orders for.
            t.is_some_and(|t| t > back)
                && [Kind::Dispatch, Kind::Reminder].iter().any(|void| kind == Some(void.as_str()))
        };
        let waiting = self.store.ledger(Some(game))?.into_iter().filter(|line| line.next.is_some());
        let mut void: Vec<(String, String)> =
            waiting.filter(|line| is_void(&line.packet)).map(|line| (line.packet, line.recipient)).collect();
        for packet in earlier.iter().flat_map(|step| &step.packets).filter(|packet| is_void(&packet.id)) {
            void.extend(packet.to.iter().map(|to| (packet.id.clone(), to.clone())));
        }
        let before = step.packets.len();
        step.packets.retain(|packet| !is_void(&packet.id));
        let count = void.len() + before - step.packets.len();
        let reason = format!("rolled back to before {back}");
        let attempt = Attempt::Withdrawn { at: self.clock.now(), reason };
        step.tried.extend(void.into_iter().map(|(packet, recipient)| Tried {
            packet,
            recipient,
            attempt: attempt.clone(),
        }));
        Ok(count)
    }
}

/// Why no mail gets out, if none does.
fn fault_of(outcomes: &[Vec<(String, Outcome)>]) -> Option<String> {
    outcomes.iter().flatten().find_map(|(_, outcome)| match outcome {
        Outcome::Unreached(reason) => Some(reason.clone()),
        Outcome::Accepted(_) | Outcome::Deferred(_) | Outcome::Refused(_) => None,
    })
}

/// Seconds until the next try, doubling from half a minute.
fn backoff(attempts: u32) -> i64 {
    (30_i64 << attempts.min(16)).min(LONGEST_BACKOFF)
}
