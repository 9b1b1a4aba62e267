//! What the daemon counts while it lives. Counters outlast a store that is opened anew, and start at nothing with the process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::books::ledger::BOUNCED;
use musterd_engine::journal::{Cause, Verdict};
use musterd_store::{Attempt, Step, Tried};

/// What was done since the process began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Mails dealt with, whatever came of them.
    pub mails: u64,
    /// Mails with orders that counted.
    pub accepted: u64,
    /// Mails for a game that changed nothing, by the word of the public log: `late`, `wrong-secret` …
    pub refused: BTreeMap<String, u64>,
    /// Mails that nobody wrote: bounces, answers from out of office, lists.
    pub automatic: u64,
    /// Adjudications.
    pub turns: u64,
    /// Mails put into the outbox, one a recipient.
    pub queued: u64,
    /// Mails that the relay took.
    pub sent: u64,
    /// Tries after which a mail waits for another.
    pub deferred: u64,
    /// Mails that the relay refused for good.
    pub refused_by_relay: u64,
    /// Mails dropped unsent, because their time was over.
    pub stale: u64,
    /// Mails that came back.
    pub bounced: u64,
    /// Commits to the store.
    pub commits: u64,
    /// The time that they took together, in microseconds.
    pub commit_micros: u64,
    /// Faults that stopped the daemon's work for a while.
    pub faults: u64,
}

/// Counters that several owners count on.
#[derive(Debug, Clone, Default)]
pub struct SharedCounters(Arc<Mutex<Counters>>);

impl SharedCounters {
    /// What was counted so far.
    pub fn read(&self) -> Counters {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn count(&self, count: impl FnOnce(&mut Counters)) {
        count(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Steps that were committed, and how long that took, in microseconds.
    pub(crate) fn committed(&self, steps: &[Step], micros: u64) {
        self.count(|counters| {
            counters.commits += 1;
            counters.commit_micros += micros;
            for step in steps {
                counters.mails += number(step.handled.len());
                counters.queued += step.packets.iter().map(|packet| number(packet.to.len())).sum::<u64>();
                step.entries.iter().for_each(|entry| counters.cause(&entry.cause));
            }
        });
    }

    /// What became of mails that were to be sent.
    pub(crate) fn tried<'a>(&self, tried: impl Iterator<Item = &'a Tried>) {
        self.count(|counters| {
            for Tried { attempt, .. } in tried {
                *match attempt {
                    Attempt::Sent { .. } => &mut counters.sent,
                    Attempt::Deferred { .. } => &mut counters.deferred,
                    Attempt::Refused { reason, .. } if reason.starts_with(BOUNCED) => &mut counters.bounced,
                    Attempt::Refused { .. } => &mut counters.refused_by_relay,
                    Attempt::Stale { .. } | Attempt::Withdrawn { .. } => &mut counters.stale,
                } += 1;
            }
        });
    }
}

impl Counters {
    fn cause(&mut self, cause: &Cause) {
        match cause {
            Cause::Received(mail) => match &mail.verdict {
                Verdict::Accepted { .. } | Verdict::Withdrawn { .. } => self.accepted += 1,
                Verdict::Refused { reason, .. } => *self.refused.entry(reason.to_string()).or_default() += 1,
            },
            Cause::Adjudicated { .. } => self.turns += 1,
            _ => {}
        }
    }
}

fn number(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
