//! What leaves the host: the mails that are due, and what became of each.
//!
//! A refusal loses a mail and marks an address, so only what says so of the address is one at once. What may pass is tried again for
//! days, and where a mailbox is full the player's next address gets the mail meanwhile; what may have been taken is tried again a few times.

use std::collections::BTreeSet;
use std::time::Duration;

use super::HostError;
use super::clock::DAY;
use super::clock::Stopwatch;
use super::host::{Batch, Host};
use super::notify;
use super::packet_id::PacketId;
use musterd_desk::mail;
use musterd_dice::GameId;
use musterd_letter as letter;
use musterd_post::{Outcome, Parcel, Relay, send_many};
use musterd_store::{Attempt, LedgerLine, Outgoing, Packet, Step, Tried};

/// How many packets are sent between two commits of what became of them.
const SENT_AT_ONCE: usize = 64;
/// For how long mails are sent, in microseconds, before the loop looks at what came in meanwhile: a relay may take minutes over each.
const AT_A_STRETCH: u64 = 10_000_000;
/// How long the letters that the relay has are waited for once the daemon is to stop. What the unit and the container file allow a
/// stop is more: killed before it is noted, a letter that may have been taken would be offered again as if it never was.
const STOPPING: Duration = Duration::from_secs(180);
/// After so long without an answer the relay holds the loop up, in seconds.
pub(super) const HOLDS_UP: i64 = 120;
/// The longest wait before a deferred mail is tried again, in seconds.
const LONGEST_BACKOFF: i64 = 4 * 3600;
/// The shortest wait before a mail is offered again that was refused by a rule that may pass, or may have been taken, in seconds.
const PATIENCE: i64 = 3600;
/// For how long a server that takes others may put off one mail, in seconds: then it counts as refused. RFC 5321, 4.5.4.1: four to five
/// days.
const PUT_OFF: i64 = 4 * DAY;
/// After so many tries that leave open whether the server has taken a mail, it counts as sent: each may have been a copy.
const UNCLEAR_TRIES: u32 = 3;
/// How a reply begins in the ledger that is none: the relay never said whether it took the mail.
const UNCLEAR: &str = "unclear: ";
/// How a refusal begins in the ledger that is none of the server's: it has only put the mail off for so long.
pub(super) const GIVEN_UP: &str = "put off for days: ";

impl Host {
    /// Sends all that is due, and notes what became of it; returns how many mails were settled or put off. The daemon sends some at a
    /// time; this is for tests and benches.
    ///
    /// # Errors
    /// The store, or a secret. A relay that can't be reached is no error: the mails wait.
    pub fn send_due(&mut self, relay: &dyn Relay) -> Result<usize, HostError> {
        let mut all = 0;
        loop {
            match self.send_some(relay, &mut |_| true)? {
                0 => return Ok(all),
                some => all += some,
            }
        }
    }

    /// Sends what is due, for a while: the rest is for the next time. Every second or so `meanwhile` is called, which must take
    /// nothing back that waits to be sent; once it says no, nothing more is begun.
    ///
    /// # Errors
    /// As [`Self::send_due`].
    pub(super) fn send_some(
        &mut self,
        relay: &dyn Relay,
        meanwhile: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Result<usize, HostError> {
        self.keep_secrets()?;
        let stopwatch = Stopwatch::start();
        let mut goes_on = true;
        let mut done = 0;
        loop {
            notify::alive();
            let now = self.clock.now();
            let due = self.ledger.due(now, SENT_AT_ONCE)?;
            if due.is_empty() || !goes_on || self.stops() {
                return Ok(done);
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
            // Asked before anything is sent: what comes of that is noted whatever else fails.
            let stood: Vec<PutOff> =
                fresh.iter().map(|o| self.put_off_of(o, now)).collect::<Result<_, _>>()?;
            self.way_out.busy_since = Some(now);
            let outcomes = send_many(relay, &parcels, self.config.workers(), &mut || {
                notify::alive();
                if self.stops() {
                    relay.stop_within(STOPPING);
                }
                self.tell_of_waiting(now);
                goes_on = meanwhile(self) && goes_on && !self.stops() && stopwatch.micros() < AT_A_STRETCH;
                goes_on
            });
            self.way_out.busy_since = None;
            // A relay may repeat an address, and a reply address holds a seat's secret.
            let outcomes: Vec<_> = outcomes.into_iter().map(|of_one| of_one.into_iter().next()).collect();
            let outcomes = outcomes.into_iter().map(|outcome| Some(outcome?.1.map(mail::without_secrets)));
            let outcomes: Vec<Option<Outcome>> = outcomes.collect();
            self.way_out.fault =
                fault_of(&outcomes).or(self.way_out.fault.take().filter(|_| fresh.is_empty()));
            // What a player or a GM must hear of, or what goes to another address.
            let mut unhappy = Vec::new();
            for ((outgoing, outcome), before) in fresh.iter().zip(outcomes).zip(stood) {
                let Some(outcome) = outcome else { continue };
                let is_own = self.mailroom.address.is_own(&outgoing.recipient);
                self.way_out.note(&outgoing.recipient, is_own, &outcome);
                let is_full = is_full_mailbox(&outcome);
                let attempt = attempt(outgoing, outcome, before, now);
                self.tell_of(outgoing, &attempt);
                match attempt {
                    Attempt::Refused { .. } => unhappy.push((outgoing, attempt)),
                    Attempt::Deferred { .. } if is_full => unhappy.push((outgoing, attempt)),
                    _ => tried.push(outgoing.tried(attempt)),
                }
            }
            done += tried.len() + unhappy.len();
            // First of all: whatever goes wrong with the rest, what was sent is not sent again.
            self.record(&tried)?;
            self.note_unhappy(unhappy, now)?;
        }
    }

    /// Notes what was refused, or waits for room in a mailbox. A game that can't go on stops neither the others nor its mails.
    fn note_unhappy(&mut self, unhappy: Vec<(&Outgoing, Attempt)>, now: i64) -> Result<(), HostError> {
        let mut batch = Batch::default();
        let mut tried = Vec::new();
        for (outgoing, attempt) in unhappy {
            let noted = match &attempt {
                Attempt::Refused { .. } => self.note_refused(outgoing, attempt.clone(), &mut batch),
                _ => self
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
                        self.set_game_aside(&game, &error);
                    }
                    tried.push(outgoing.tried(asked_again(outgoing, attempt, now)));
                }
                Err(error) => return Err(error),
            }
        }
        self.commit(&batch)?;
        batch.steps.iter().for_each(|step| self.recorded(&step.tried));
        Ok(self.record(&tried)?)
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

    /// Says that the loop stands still, where the relay has given no answer since then.
    fn tell_of_waiting(&mut self, since: i64) {
        let now = self.clock.now();
        let seconds = now - since;
        if seconds > HOLDS_UP && self.quiet.may_say("the relay holds the loop up", now) {
            tracing::warn!(
                seconds,
                "the relay has mails and doesn't say whether it takes them: until it does or they are given up no mailbox is read, no \
                 turn is run, and commands that change something wait"
            );
        }
    }

    /// Says what became of a try to send, where somebody may have to do something about it.
    fn tell_of(&mut self, Outgoing { packet, recipient, .. }: &Outgoing, attempt: &Attempt) {
        let packet = &packet.id;
        let recipient = mail::without_secrets(recipient.clone());
        match attempt {
            Attempt::Refused { reason, .. } => tracing::warn!(packet, recipient, reason, "refused"),
            Attempt::Deferred { next, reason, at, .. } => {
                tracing::debug!(packet, reason, next, "deferred");
                if self.quiet.may_say(&trouble_of(reason), *at) {
                    tracing::warn!(reason, "mail waits: the relay doesn't take it now; it is tried again");
                }
            }
            Attempt::Sent { reply, .. } if reply.starts_with(UNCLEAR) => {
                tracing::warn!(
                    packet,
                    recipient,
                    reply,
                    "the relay never says whether it takes this mail: it is offered no more"
                );
            }
            Attempt::Sent { .. } | Attempt::Stale { .. } | Attempt::Withdrawn { .. } => {}
        }
    }
}

/// An attempt whose consequences can't be drawn now: the relay is asked again later, so that they are drawn then.
fn asked_again(outgoing: &Outgoing, attempt: Attempt, now: i64) -> Attempt {
    match attempt {
        Attempt::Refused { reason, .. } => {
            let (since, unclear) = put_off_before(outgoing, now);
            Attempt::Deferred { at: now, next: now + LONGEST_BACKOFF, reason, since, unclear }
        }
        other => other,
    }
}

/// How a mail stood that was put off, before it was tried again.
#[derive(Clone, Copy)]
struct PutOff {
    /// Since when it is.
    since: Option<i64>,
    /// How many tries left it open whether it was taken.
    unclear: u32,
    /// Whether it was so for days, and this recipient's alone.
    is_over: bool,
}

/// Since when a mail is put off, and how many tries left it open whether it was taken. Time in which nobody asked doesn't count.
fn put_off_before(outgoing: &Outgoing, now: i64) -> (Option<i64>, u32) {
    match outgoing.last {
        Some(Attempt::Deferred { next, since, unclear, .. }) => {
            // Who has the host started once a day asks each time.
            let unasked = (now - next - DAY).max(0);
            (since.map(|since| since + unasked), unclear)
        }
        _ => (None, 0),
    }
}

impl Host {
    /// How a mail that is tried at `now` stands before that. What is said of everybody's mail is held against none: days in which the relay
    /// took nobody else's don't count, and whether it does now shows in what it took since this one's last try.
    fn put_off_of(&self, outgoing: &Outgoing, now: i64) -> Result<PutOff, HostError> {
        let (since, unclear) = put_off_before(outgoing, now);
        let standing = |since, is_over| PutOff { since, unclear, is_over };
        let (Some(first), Some(Attempt::Deferred { at, .. })) = (since, &outgoing.last) else {
            return Ok(standing(since, false));
        };
        if now - first < PUT_OFF {
            return Ok(standing(since, false));
        }
        let taken = |line: LedgerLine| match line.last {
            Some(Attempt::Sent { at, reply })
                if line.recipient != outgoing.recipient && !reply.starts_with(UNCLEAR) =>
            {
                Some(at)
            }
            _ => None,
        };
        let taken = self.ledger.ledger_of("")?.into_iter().filter_map(taken).max();
        Ok(match taken {
            Some(taken) if taken >= *at => standing(since, true),
            Some(taken) if taken >= first => standing(since, false),
            _ => standing(None, false),
        })
    }
}

/// What a try to send comes to at `now`, after those before it.
fn attempt(outgoing: &Outgoing, outcome: Outcome, before: PutOff, now: i64) -> Attempt {
    let PutOff { since, unclear, is_over } = before;
    // A no waits longer, whatever it is said of.
    let wait_after = |reason: &str| match is_a_no(reason) {
        true => backoff(outgoing.attempts).max(PATIENCE),
        false => backoff(outgoing.attempts),
    };
    // Only what a server says of a mail is held against it, not a connection that broke or a disk that was full, nor what it says of
    // everybody's mail.
    let put_off = |reason: String| {
        let said = letter::read_reply(&reason).0.is_some();
        let since = since.or(said.then_some(now));
        if said && is_over {
            return Attempt::Refused { at: now, reason: format!("{GIVEN_UP}{reason}") };
        }
        Attempt::Deferred { at: now, next: now + wait_after(&reason), reason, since, unclear }
    };
    match outcome {
        Outcome::Accepted(reply) => Attempt::Sent { at: now, reply },
        Outcome::Unclear(reason) if unclear + 1 >= UNCLEAR_TRIES => {
            Attempt::Sent { at: now, reply: format!("{UNCLEAR}{reason}") }
        }
        Outcome::Unclear(reason) => {
            let next = now + backoff(outgoing.attempts).max(PATIENCE << (2 * unclear));
            Attempt::Deferred { at: now, next, reason, since, unclear: unclear + 1 }
        }
        // Nobody could be asked, or it is we who are to log in, whatever letter it was said over: that loses none.
        Outcome::Unreached(reason) => {
            let next = now + backoff(outgoing.attempts);
            Attempt::Deferred { at: now, next, reason, since: None, unclear }
        }
        Outcome::Login(reason) => {
            Attempt::Deferred { at: now, next: now + wait_after(&reason), reason, since: None, unclear }
        }
        Outcome::Deferred(reason) => put_off(reason),
        // Said for good, and yet a rule, a quota, a fault of the relay's that passes: it says nothing of the address.
        Outcome::Refused(reason) if !letter::read_reply(&reason).1 => put_off(reason),
        Outcome::Refused(reason) => Attempt::Refused { at: now, reason },
    }
}

/// What is one and the same trouble to the log: a reply's code and status, as its words may bear an id of their own.
fn trouble_of(reason: &str) -> String {
    let code = reason.split(|c: char| !c.is_ascii_digit()).find(|digits| digits.len() == 3);
    match letter::read_reply(reason).0 {
        Some(status) => format!("{} {status}", code.unwrap_or_default()),
        None => reason.to_owned(),
    }
}

/// Whether a server has refused for good what it was asked.
fn is_a_no(reason: &str) -> bool {
    letter::read_reply(reason).0.is_some_and(|status| status.starts_with('5'))
}

/// Whether a server says that the recipient's mailbox is full (RFC 3463: x.2.2), for good or for the moment.
fn is_full_mailbox(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Deferred(reason) | Outcome::Refused(reason) => {
            letter::read_reply(reason).0.is_some_and(|status| status.ends_with(".2.2"))
        }
        Outcome::Accepted(_) | Outcome::Unreached(_) | Outcome::Login(_) | Outcome::Unclear(_) => false,
    }
}

/// How the relay is, as far as the last mails tell.
#[derive(Debug, Clone, Default)]
pub(super) struct WayOut {
    /// Why it can't be reached.
    pub(super) fault: Option<String>,
    /// Since when it has had mails without an answer, unix seconds.
    pub(super) busy_since: Option<i64>,
    /// The recipients that it refused since it took a mail of anybody's.
    refused: BTreeSet<String>,
    /// The status of the last.
    status: String,
    /// The status with which it refused the last mail to an address of ours.
    pub(super) refuses_own: Option<String>,
}

impl WayOut {
    /// So many recipients that are refused in a row are the relay's affair, or ours, not their own.
    const MOST: usize = 2;

    fn note(&mut self, recipient: &str, is_own: bool, outcome: &Outcome) {
        let (reason, is_a_no) = match outcome {
            Outcome::Accepted(_) => {
                self.refused.clear();
                if is_own {
                    self.refuses_own = None;
                }
                return;
            }
            Outcome::Unreached(_) | Outcome::Unclear(_) => return,
            Outcome::Refused(reason) => (reason, true),
            Outcome::Deferred(reason) | Outcome::Login(reason) => (reason, is_a_no(reason)),
        };
        if is_a_no {
            self.status = letter::read_reply(reason).0.unwrap_or_else(|| "no status".to_owned());
            if is_own {
                self.refuses_own = Some(self.status.clone());
            }
            if self.refused.len() < Self::MOST {
                self.refused.insert(recipient.to_owned());
            }
        }
    }

    /// The status of the last refusal, where the relay refuses everybody.
    pub(super) fn refuses_all(&self) -> Option<String> {
        (self.refused.len() >= Self::MOST).then(|| self.status.clone())
    }
}

impl Host {
    /// Takes back what has not left of the mails that `is_void` says are, by packet and recipient, as part of a step; returns them, one a
    /// recipient. `earlier` steps will be committed with it.
    pub(super) fn take_back(
        &self,
        game: &GameId,
        earlier: &[Step],
        step: &mut Step,
        reason: &str,
        is_void: impl Fn(PacketId<'_>, &str) -> bool,
    ) -> Result<Vec<Packet>, HostError> {
        let mut taken = Vec::new();
        // What this very step would send isn't sent.
        for packet in &mut step.packets {
            let (void, to) = std::mem::take(&mut packet.to)
                .into_iter()
                .partition::<Vec<String>, _>(|to| is_void(PacketId(&packet.id), to));
            packet.to = to;
            taken.extend(void.iter().map(|_| packet.clone()));
        }
        step.packets.retain(|packet| !packet.to.is_empty());
        // What is in the store, or will be, is settled, but for what is taken back already.
        let settled: BTreeSet<(&str, &str)> = earlier
            .iter()
            .chain([&*step])
            .flat_map(|step| &step.tried)
            .map(|tried| (tried.packet.as_str(), tried.recipient.as_str()))
            .collect();
        let is_void = |id: &str, to: &str| is_void(PacketId(id), to) && !settled.contains(&(id, to));
        let mut waiting = Vec::new();
        for line in self.ledger.ledger(Some(game))? {
            if line.next.is_some() && is_void(&line.packet, &line.recipient) {
                waiting.extend(self.ledger.packet(&line.packet)?.map(|packet| (packet, line.recipient)));
            }
        }
        for packet in earlier.iter().flat_map(|step| &step.packets) {
            let void = packet.to.iter().filter(|to| is_void(&packet.id, to));
            waiting.extend(void.map(|to| (packet.clone(), to.clone())));
        }
        let attempt = Attempt::Withdrawn { at: self.clock.now(), reason: reason.to_owned() };
        for (packet, recipient) in waiting {
            let tried = Tried { packet: packet.id.clone(), recipient, attempt: attempt.clone() };
            step.tried.push(tried);
            taken.push(packet);
        }
        Ok(taken)
    }
}

/// Why no mail gets out, if none does.
fn fault_of(outcomes: &[Option<Outcome>]) -> Option<String> {
    outcomes.iter().flatten().find_map(|outcome| match outcome {
        Outcome::Unreached(reason) => Some(reason.clone()),
        Outcome::Accepted(_)
        | Outcome::Deferred(_)
        | Outcome::Login(_)
        | Outcome::Unclear(_)
        | Outcome::Refused(_) => None,
    })
}

/// Seconds until the next try, doubling from half a minute.
fn backoff(attempts: u32) -> i64 {
    (30_i64 << attempts.min(16)).min(LONGEST_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_differs_by_an_id_alone_is_the_same_trouble() {
        let reply = |code: u16, text: &str| trouble_of(&format!("transient error ({code}): {text}"));
        assert_eq!(
            reply(450, "4.2.0 try later, id x00001-si"),
            reply(450, "4.2.0 try later, id 450.7.1-x00002-si")
        );
        assert_eq!(reply(450, "wait 300 s"), reply(450, "wait 299 s"));
        assert_ne!(reply(450, "4.2.0 try later"), reply(450, "4.7.1 try later"));
        assert_ne!(reply(450, "4.2.0 try later"), reply(451, "4.2.0 try later"));
        assert_ne!(trouble_of("no route"), trouble_of("timed out"), "no reply at all");
    }
}
