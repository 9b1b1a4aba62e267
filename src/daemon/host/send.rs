//! The mails that are due go to the relay, and what comes of each is noted.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Host;
use crate::HostError;
use crate::books::batch::Batch;
use crate::clock::Stopwatch;
use crate::notify;
use crate::outbound::Settled;
use crate::outbound::attempts::asked_again;
use crate::packet_id::PacketId;
use musterd_post::Relay;
use musterd_store::{Attempt, Outgoing, StoreError, Tried};

/// For how long the loop itself sends mails, in microseconds, before it looks at what came in meanwhile.
const AT_A_STRETCH: u64 = 1_000_000;

impl Host {
    /// Sends all that is due, and notes what became of it; returns how many mails were settled or put off. The daemon doesn't wait for its
    /// relay; this is for tests, benches and a run that is called once.
    ///
    /// # Errors
    /// The store, or a secret. A relay that can't be reached is no error: the mails wait.
    pub fn send_due(&mut self, relay: &dyn Relay) -> Result<usize, HostError> {
        self.send_for(relay, u64::MAX)
    }

    /// Hands over what is due, and notes what came of what was handed over before; returns how many mails that were. A relay over a network is
    /// not waited for.
    ///
    /// # Errors
    /// As [`Self::send_due`].
    pub(super) fn send_on(&mut self) -> Result<usize, HostError> {
        match self.outbound.relay_at_hand() {
            Some(relay) => self.send_for(&*relay, AT_A_STRETCH),
            None => Ok(self.note_settled()? + self.offer()?),
        }
    }

    fn send_for(&mut self, relay: &dyn Relay, at_most: u64) -> Result<usize, HostError> {
        let stopwatch = Stopwatch::start();
        let (stopping, workers) = (Arc::clone(&self.stopping), self.config.workers());
        let mut done = 0;
        loop {
            notify::alive();
            if self.stops() || stopwatch.micros() >= at_most {
                return Ok(done);
            }
            let stale = self.offer()?;
            if stale == 0 && !self.outbound.is_busy() {
                return Ok(done);
            }
            self.outbound.carry_all(relay, workers, &|| stopping.load(Ordering::Relaxed));
            done += stale + self.note_settled()?;
        }
    }

    /// Hands over what is due; returns how many mails were dropped because their time is over.
    fn offer(&mut self) -> Result<usize, HostError> {
        if self.stops() {
            return Ok(0);
        }
        self.keep_secrets()?;
        let stale = self.outbound.offer(self.clock.now())?;
        self.record(&stale)?;
        Ok(stale.len())
    }

    /// Notes what came of mails; returns how many. What can't be noted is kept.
    pub(super) fn note_settled(&mut self) -> Result<usize, HostError> {
        self.note_set_aside();
        let settled = self.outbound.settled(self.clock.now());
        self.note_or_keep(settled)
    }

    fn note_or_keep(&mut self, mut settled: Settled) -> Result<usize, HostError> {
        let many = settled.tried.len() + settled.unhappy.len();
        let noted = self.note(&mut settled, self.clock.now());
        if noted.is_err() {
            self.outbound.keep(settled);
        }
        noted.map(|()| many)
    }

    fn note(&mut self, settled: &mut Settled, now: i64) -> Result<(), HostError> {
        // First of all: whatever goes wrong with the rest, what was sent is not sent again.
        self.record(&settled.tried)?;
        settled.tried.clear();
        self.note_unhappy(&settled.unhappy, now)
    }

    /// Notes what the relay has taken, and hands over more, where threads of their own carry the mails and that is worth a write. What else came of
    /// mails changes games, and waits until no decision about them is being written.
    pub(super) fn keep_sending(&mut self) -> Result<(), HostError> {
        if self.outbound.has_news() {
            let taken = self.outbound.taken(self.clock.now());
            self.note_or_keep(taken)?;
            self.offer()?;
        }
        Ok(())
    }

    /// Notes what became of mails that were to be sent.
    fn record(&mut self, tried: &[Tried]) -> Result<(), StoreError> {
        if tried.is_empty() {
            return Ok(());
        }
        self.ledger.record(tried)?;
        self.outbound.recorded(tried.iter());
        self.note_set_aside();
        Ok(())
    }

    /// Notes what was refused, or waits for room in a mailbox. A game that can't go on stops neither the others nor its mails.
    fn note_unhappy(&mut self, unhappy: &[(Outgoing, Attempt)], now: i64) -> Result<(), HostError> {
        let mut batch = Batch::default();
        let mut tried = Vec::new();
        for (outgoing, attempt) in unhappy {
            let noted = match &attempt {
                Attempt::Refused { .. } => self.games.note_refused(outgoing, attempt.clone(), &mut batch),
                _ => self
                    .games
                    .pass_full_mailbox(outgoing, &mut batch)
                    .map(|()| Some(outgoing.tried(attempt.clone()))),
            };
            match noted {
                Ok(noted) => tried.extend(noted),
                Err(error) if error.is_of_one_game() => {
                    tracing::error!(
                        packet = outgoing.packet.id,
                        %error,
                        "what became of this mail can't be noted: its game can't go on until that is mended and musterd started again"
                    );
                    if let Some(game) = PacketId(&outgoing.packet.id).game() {
                        self.games.set_game_aside(&game, &error);
                    }
                    tried.push(outgoing.tried(asked_again(outgoing, attempt.clone(), now)));
                }
                Err(error) => return Err(error),
            }
        }
        self.commit(&batch)?;
        Ok(self.record(&tried)?)
    }

    /// Notes what another host of this process could not note.
    pub(super) fn take_over(&mut self, unnoted: Settled) -> Result<(), HostError> {
        self.outbound.carry_on(unnoted)?;
        self.note_settled().map(drop)
    }

    /// Has what waits for the relay offered at once, but for what the relay may have taken: whoever starts the daemon may have mended
    /// what it waits for.
    ///
    /// # Errors
    /// The store.
    pub(super) fn offer_again(&self) -> Result<(), HostError> {
        let now = self.clock.now();
        let again = self.ledger.waiting()?.into_iter().filter_map(|line| match line.last? {
            Attempt::Deferred { at, next, reason, since, unclear: 0 } if next > now => {
                let attempt = Attempt::Deferred { at, next: now, reason, since, unclear: 0 };
                Some(Tried { packet: line.packet, recipient: line.recipient, attempt })
            }
            _ => None,
        });
        // No try is counted: none was made.
        Ok(self.ledger.record(&again.collect::<Vec<_>>())?)
    }
}
