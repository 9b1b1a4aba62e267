//! Mail in the spool: it is decided about in batches, and one batch is written while the next is decided.

use super::{Host, founded_in, refused_in};
use crate::HostError;
use crate::books::batch::Batch;
use crate::decisions::mail::consider::Disposal;
use crate::notify;
use musterd_letter::Limits;
use musterd_post::Pending;
use musterd_store::Tried;

/// How many mails share one commit. While one is written, the database keeps all that it replaces: with four times as many the memory
/// of a long drain grows by 40 MB, and nothing is faster (`benches/drain.rs`).
pub(super) const COMMITTED_TOGETHER: usize = 64;

/// What was decided about some mails, and is to be written.
pub(super) struct Decided {
    batch: Batch,
    kept: Vec<Pending>,
    leftovers: Leftovers,
}

/// What is done with mails once the decisions about them are committed.
#[derive(Default)]
struct Leftovers {
    /// Mails that nothing came of.
    other: Vec<Pending>,
    /// Mails that stay in the spool, for a game that can't go on.
    waiting: Vec<Pending>,
    /// How many were automatic.
    automatic: u64,
}

/// Mails whose decisions the bookkeeper is writing.
#[derive(Default)]
struct HandedOver<'a> {
    mails: &'a [Pending],
    leftovers: Leftovers,
    /// Mails that were refused, by these decisions.
    refused: Vec<Tried>,
}

impl Host {
    /// Deals with everything that waits in the spool; returns how many mails. Of a burst one batch is decided while the one
    /// before is written; all is written before this returns.
    ///
    /// # Errors
    /// The store or the spool; the mails not dealt with stay in the spool.
    pub fn take_mail(&mut self) -> Result<usize, HostError> {
        if let Some((now, floor)) = self.watch.behind_what() {
            self.let_wait(now, floor)?;
            return Ok(0);
        }
        if self.taken_back.iter().any(|deliveries| self.outbound.has_any(deliveries)) {
            return Ok(0);
        }
        let mut taken = 0;
        loop {
            match self.take_all(&mut taken) {
                Err(HostError::InTransit(deliveries)) => {
                    // What the relay has not begun is called back: these mails are then decided anew, at once.
                    let waits = self.outbound.hold_back(&deliveries);
                    self.taken_back.push(deliveries);
                    if waits {
                        tracing::info!(
                            "a mail takes back what the relay has just now: mail and turns wait for its answer"
                        );
                        return Ok(taken);
                    }
                }
                ended => {
                    for deliveries in self.taken_back.drain(..) {
                        self.outbound.let_go(&deliveries);
                    }
                    ended?;
                    self.tell_who_waits()?;
                    return Ok(taken);
                }
            }
        }
    }

    /// Whether a mail takes back what the relay has just now, so that all mail and all turns wait for the relay's answer. [`Self::take_mail`] finds out
    /// whether it has come.
    pub(super) fn waits_for_relay(&self) -> bool {
        !self.taken_back.is_empty()
    }

    /// As [`Self::take_mail`]; counts those that are dealt with.
    fn take_all(&mut self, taken: &mut usize) -> Result<(), HostError> {
        *taken += self.take_up_held()?;
        let (mut pending, strays) = self.ledger.mails_waiting()?;
        let now = self.clock.now();
        for stray in strays {
            let path = self.dir.join("spool/new").join(stray);
            if self.quiet.may_say(&path.display().to_string(), now) {
                tracing::warn!(path = %path.display(), "this is no mail of the spool's and is left alone: move it away");
            }
        }
        pending.retain(|mail| !self.inbox.is_set_aside(&mail.name));
        let mut batches = pending.chunks(COMMITTED_TOGETHER);
        let Some(last) = batches.next_back() else { return Ok(()) };
        let mut handed_over = HandedOver::default();
        for mails in batches {
            if self.stops() {
                return self.decide_upon(handed_over, &[], taken)?.map(drop);
            }
            let decided = self.decide_upon(std::mem::take(&mut handed_over), mails, taken)?;
            match decided.and_then(|decided| self.hand_over(mails, decided)) {
                Ok(writing) => {
                    handed_over = writing;
                    self.keep_sending()?;
                }
                Err(error) => self.take_without(error, mails, taken)?,
            }
        }
        let decided = self.decide_upon(handed_over, last, taken)?;
        self.write_or_take_without(decided, last, taken)
    }

    /// Writes what was decided about these mails, or deals with each of them alone.
    pub(super) fn write_or_take_without(
        &mut self,
        decided: Result<Decided, HostError>,
        mails: &[Pending],
        taken: &mut usize,
    ) -> Result<(), HostError> {
        match decided.and_then(|decided| self.write(decided)) {
            Ok(()) => *taken += mails.len(),
            Err(error) => self.take_without(error, mails, taken)?,
        }
        Ok(())
    }

    /// Does what is left to do with mails, now that the decisions about them are committed.
    fn put_away(&mut self, kept: &[Pending], leftovers: Leftovers) -> Result<(), HostError> {
        let Leftovers { other, waiting, automatic } = leftovers;
        waiting.iter().for_each(|mail| self.inbox.waits(mail));
        self.tally.count(|counters| counters.automatic += automatic);
        Ok(self.ledger.put_away(kept, &other)?)
    }

    /// Leaves the mail in the spool until the clock is right: by a clock that is behind, orders seem to come before the turn that they
    /// are for. What arrived by it counts as arrived when the last entry was made, which is the earliest that can be true.
    fn let_wait(&mut self, now: i64, floor: i64) -> Result<(), HostError> {
        let waiting = self.ledger.redate(now, floor)?;
        if waiting > 0 {
            tracing::warn!(mails = waiting, "these mails wait until the clock is right");
        }
        Ok(())
    }

    /// Decides about mails while those handed over are written, and counts these; what was decided.
    fn decide_upon(
        &mut self,
        handed_over: HandedOver<'_>,
        mails: &[Pending],
        taken: &mut usize,
    ) -> Result<Result<Decided, HostError>, HostError> {
        notify::alive();
        let decided = self.decide(mails);
        let HandedOver { mails: before, leftovers, refused } = handed_over;
        match self.ledger.finish() {
            Ok(()) => {
                self.outbound.recorded(refused.iter());
                self.note_set_aside();
                self.put_away(&[], leftovers)?;
                *taken += before.len();
                Ok(decided)
            }
            // What was decided upon these rests on what the store has refused.
            Err(error) => {
                self.games.evict_all();
                self.take_without(error, before, taken)?;
                Ok(self.decide(mails))
            }
        }
    }

    /// Decides about mails.
    ///
    /// # Errors
    /// The store, the spool or a game; [`HostError::InTransit`] where one takes back what the relay has just now. Nothing is kept of any of them.
    pub(super) fn decide(&mut self, mails: &[Pending]) -> Result<Decided, HostError> {
        let limits = Limits { bytes: self.config.max_mail_bytes };
        let opener = self.inbox.opener();
        opener.open_ahead(mails, limits, |opened| {
            let mut decided =
                Decided { batch: Batch::default(), kept: Vec::new(), leftovers: Leftovers::default() };
            for (mail, opened) in mails.iter().zip(opened) {
                let fate = match self.ledger.handled(&mail.name)? && !self.games.held().has(&mail.name) {
                    true => Ok(Disposal::Kept),
                    false => opened
                        .map_err(HostError::from)
                        .and_then(|apart| self.games.consider(mail, &apart, &mut decided.batch)),
                };
                match fate.inspect_err(|_| self.games.evict_all())? {
                    Disposal::Kept => decided.kept.push(mail.clone()),
                    Disposal::Other => decided.leftovers.other.push(mail.clone()),
                    Disposal::Automatic => {
                        decided.leftovers.automatic += 1;
                        decided.leftovers.other.push(mail.clone());
                    }
                    Disposal::Waits => decided.leftovers.waiting.push(mail.clone()),
                }
            }
            self.ledger.write_decisions(&decided.batch.decisions)?;
            Ok(decided)
        })
    }

    /// Lets the bookkeeper write what was decided.
    fn hand_over<'a>(&mut self, mails: &'a [Pending], decided: Decided) -> Result<HandedOver<'a>, HostError> {
        // The secret of a new game has its name before a mail of the game leaves.
        if founded_in(&decided.batch.steps).next().is_some() {
            self.write(decided)?;
            return Ok(HandedOver { mails, ..HandedOver::default() });
        }
        let Decided { batch: Batch { steps, seen, .. }, kept, leftovers } = decided;
        let refused = refused_in(&steps).cloned().collect();
        self.decided_upon(&steps);
        let begun = self.ledger.begin((steps, seen), kept, self.tally.clone());
        begun.map_err(|error| {
            self.games.evict_all();
            HostError::io(&self.dir, error)
        })?;
        Ok(HandedOver { mails, leftovers, refused })
    }

    /// Writes what was decided.
    fn write(&mut self, Decided { batch, kept, leftovers }: Decided) -> Result<(), HostError> {
        self.commit(&batch)?;
        self.put_away(&kept, leftovers)
    }

    /// Deals with each of these mails alone, where they failed together by one's own fault, and counts them. One that can't be dealt with must
    /// not stop the others: it waits in the spool for the next start of the program.
    fn take_without(
        &mut self,
        error: HostError,
        mails: &[Pending],
        taken: &mut usize,
    ) -> Result<(), HostError> {
        if !error.is_of_one_game() {
            return Err(error);
        }
        for mail in mails {
            let decided = self.decide(std::slice::from_ref(mail));
            match decided.and_then(|decided| self.write(decided)) {
                Ok(()) => *taken += 1,
                Err(error) if error.is_of_one_game() => {
                    // Of a game that is set aside there may be many.
                    if self.quiet.may_say(&error.to_string(), self.clock.now()) {
                        tracing::error!(mail = mail.name, %error, "this mail can't be dealt with: it stays in the spool");
                    }
                    self.inbox.waits(mail);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Tells the senders of mails that wait for a game that can't go on so, in commits of their own: nothing else hangs on these.
    fn tell_who_waits(&mut self) -> Result<(), HostError> {
        let limits = Limits { bytes: self.config.max_mail_bytes };
        let opener = self.inbox.opener();
        for mails in self.inbox.take_untold().chunks(COMMITTED_TOGETHER) {
            notify::alive();
            let batch = opener.open_ahead(mails, limits, |opened| {
                let mut batch = Batch::default();
                for (mail, apart) in mails.iter().zip(opened) {
                    // One that can't be opened tells of no sender.
                    if let Ok(apart) = apart {
                        self.games.tell_it_waits(mail, &apart.letter, &mut batch)?;
                    }
                }
                Ok::<_, HostError>(batch)
            })?;
            match self.commit(&batch) {
                // The journal of what is no game's can't be written either: nobody is told.
                Err(error) if error.is_of_one_game() => {
                    tracing::error!(%error, "nobody is told that mails wait");
                }
                told => told?,
            }
        }
        Ok(())
    }
}
