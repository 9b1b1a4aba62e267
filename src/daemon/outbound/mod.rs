//! What leaves the host: the mails that the relay has, and what became of each. A slow relay holds nothing else up: threads of their own carry the
//! mails, and the loop looks now and then what came of them.

pub(crate) mod attempts;
pub(crate) mod gms;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::books::bookkeeper::Books;
use crate::books::tally::SharedCounters;
use crate::outbound::attempts::{PutOff, UNCLEAR, attempt, is_a_no, is_full_mailbox, put_off_of, trouble_of};
use crate::outbound::gms::FailingGms;
use crate::packet_id::PacketId;
use crate::quiet::Quiet;
use crate::transit::{Delivery, Transit};
use serde::{Deserialize, Serialize};

use musterd_desk::mail::{self, HostAddress};
use musterd_letter as letter;
use musterd_post::{Load, Outcome, Outcomes, Parcel, Relay};
use musterd_store::{Attempt, LedgerLine, Outgoing, StoreError, Tried};

/// How many mails the relay is given at a time, and how many are sent between two commits of what became of them.
const SENT_AT_ONCE: usize = 64;
/// How long the letters that the relay has are waited for once the daemon is to stop. What the unit and the container file allow a
/// stop is more: killed before it is noted, a letter that may have been taken would be offered again as if it never was.
const STOPPING: Duration = Duration::from_secs(180);
/// How often something else is looked at while a letter is waited for.
const TICK: Duration = Duration::from_secs(1);
/// After so long without an answer somebody should look at the relay, in seconds.
pub(crate) const SLOW: i64 = 120;

/// The way out.
pub(crate) struct Outbound {
    books: Books,
    tally: SharedCounters,
    address: HostAddress,
    transit: Arc<Transit>,
    /// What was handed over to the relay, and how it stood before.
    offered: BTreeMap<Delivery, Offered>,
    /// Who carries the mails, where that is no work of the loop's own.
    relay: Option<Arc<dyn Relay>>,
    carriers: Vec<JoinHandle<()>>,
    /// What the relay is not to get, since somebody waits to take it back.
    held_back: Vec<Vec<Delivery>>,
    /// What could not be noted when it was tried.
    unnoted: Settled,
    way_out: WayOut,
    /// GMs whose mail comes back, once somebody has asked.
    failing_gms: Option<FailingGms>,
    quiet: Quiet,
}

/// A mail that was handed over.
struct Offered {
    outgoing: Outgoing,
    /// Asked before it is sent: what comes of it is noted whatever else fails.
    before: PutOff,
}

/// What became of mails, until it is noted.
#[derive(Default)]
pub(crate) struct Settled {
    /// What is only to be noted.
    pub(crate) tried: Vec<Tried>,
    /// What a player or a GM must hear of, or what goes to another address.
    pub(crate) unhappy: Vec<(Outgoing, Attempt)>,
}

impl Settled {
    /// Whether there is nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.tried.is_empty() && self.unhappy.is_empty()
    }

    /// Which mails these are.
    fn deliveries(&self) -> impl Iterator<Item = Delivery> {
        let tried = self.tried.iter().map(|tried| Delivery::of(&tried.packet, &tried.recipient));
        let unhappy = self.unhappy.iter();
        tried.chain(unhappy.map(|(outgoing, _)| Delivery::of(&outgoing.packet.id, &outgoing.recipient)))
    }

    /// Their packets' ids, for the log.
    pub(crate) fn names(&self) -> String {
        self.deliveries().map(|delivery| delivery.packet).collect::<Vec<_>>().join(", ")
    }
}

impl Outbound {
    pub(crate) fn new(
        books: Books,
        tally: SharedCounters,
        address: HostAddress,
        transit: Arc<Transit>,
    ) -> Self {
        Self {
            books,
            tally,
            address,
            transit,
            offered: BTreeMap::new(),
            relay: None,
            carriers: Vec::new(),
            held_back: Vec::new(),
            unnoted: Settled::default(),
            way_out: WayOut::default(),
            failing_gms: None,
            quiet: Quiet::default(),
        }
    }

    /// Mails go to this relay from now on; over a network so many at once, by threads that call `wake` when something came of them.
    ///
    /// # Errors
    /// There can be no thread.
    pub(crate) fn start(
        &mut self,
        relay: Arc<dyn Relay>,
        workers: usize,
        wake: impl Fn() + Clone + Send + 'static,
    ) -> io::Result<()> {
        let workers = if relay.is_remote() { workers } else { 0 };
        for _ in 0..workers {
            let (relay, transit, wake) = (Arc::clone(&relay), Arc::clone(&self.transit), wake.clone());
            let carry = move || {
                transit.carry(&*relay, &|load| {
                    if load.settled >= SENT_AT_ONCE / 2 || load.unsettled() == 0 {
                        wake();
                    }
                });
            };
            self.carriers.push(Builder::new().name("relay".to_owned()).spawn(carry)?);
        }
        self.relay = Some(relay);
        Ok(())
    }

    /// The relay, where the loop itself carries the mails there.
    pub(crate) fn relay_at_hand(&self) -> Option<Arc<dyn Relay>> {
        self.relay.clone().filter(|relay| !relay.is_remote())
    }

    /// Hands mails over that are due at `now` (unix seconds), as many as the relay is to have at a time. Gives those whose time is over.
    ///
    /// # Errors
    /// The store.
    pub(crate) fn offer(&mut self, now: i64) -> Result<Vec<Tried>, StoreError> {
        // What was sent is due, as the store has it, until that is noted.
        if !self.unnoted.is_empty() {
            return Ok(Vec::new());
        }
        // A slow relay may take hours over those before it.
        self.transit.call_back(|delivery| {
            self.offered.get(delivery).is_some_and(|offered| offered.outgoing.is_stale(now))
        });
        self.offered.retain(|delivery, _| self.transit.has(delivery));
        let Load { waiting, begun, .. } = self.transit.load();
        // Few are left: what is handed over then is worth a look into the store.
        if waiting + begun > SENT_AT_ONCE / 2 {
            return Ok(Vec::new());
        }
        let held_back: usize = self.held_back.iter().map(Vec::len).sum();
        let due = self.books.due(now, SENT_AT_ONCE + self.offered.len() + held_back)?;
        let (mut stale, mut parcels, mut offered) = (Vec::new(), Vec::new(), Vec::new());
        for outgoing in due {
            let delivery = Delivery::of(&outgoing.packet.id, &outgoing.recipient);
            if self.offered.contains_key(&delivery) || self.is_held_back(&delivery) {
                continue;
            }
            if outgoing.is_stale(now) {
                stale.push(outgoing.tried(Attempt::Stale { at: now }));
            } else if waiting + begun + parcels.len() < SENT_AT_ONCE {
                let parcel = Parcel {
                    from: outgoing.packet.from.clone(),
                    to: vec![outgoing.recipient.clone()],
                    raw: outgoing.packet.raw.clone().into_bytes(),
                };
                let before = put_off_of(&self.books, &outgoing, now)?;
                parcels.push((delivery.clone(), parcel));
                offered.push((delivery, Offered { outgoing, before }));
            }
        }
        if waiting + begun == 0 && !parcels.is_empty() {
            self.way_out.busy_since = Some(now);
        }
        self.offered.extend(offered);
        self.transit.hand_over(parcels);
        Ok(stale)
    }

    /// Whether the relay has mails, or what came of some is not noted yet. Mails that were called back count until [`Self::offer`] is called again.
    pub(crate) fn is_busy(&self) -> bool {
        !self.offered.is_empty()
    }

    /// Carries all that was handed over to this relay, and waits for what comes of it. Once `stops` says so nothing more is begun.
    pub(crate) fn carry_all(&self, relay: &dyn Relay, workers: usize, stops: &dyn Fn() -> bool) {
        self.transit.carry_all(relay, workers, &mut || {
            crate::notify::alive();
            let stops = stops();
            if stops {
                relay.stop_within(STOPPING);
            }
            !stops
        });
    }

    /// What came of mails since this was last asked, at `now` (unix seconds).
    pub(crate) fn settled(&mut self, now: i64) -> Settled {
        self.settled_if(now, |_| true)
    }

    /// Of that the mails that were taken. The others stay until all is asked for.
    pub(crate) fn taken(&mut self, now: i64) -> Settled {
        self.settled_if(now, |outcomes| {
            outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Accepted(_)))
        })
    }

    fn settled_if(&mut self, now: i64, is_wanted: impl Fn(&Outcomes) -> bool) -> Settled {
        let landed = self.transit.take_settled(is_wanted);
        let unsettled = self.transit.load().unsettled();
        if !landed.is_empty() || unsettled == 0 {
            self.way_out.busy_since = (unsettled > 0).then_some(now);
        }
        self.tell_of_waiting(now);
        let mut settled = std::mem::take(&mut self.unnoted);
        // A relay may repeat an address, and a reply address holds a seat's secret.
        let outcome = |outcomes: Outcomes| Some(outcomes.into_iter().next()?.1.map(mail::without_secrets));
        let landed: Vec<(Delivery, Option<Outcome>)> =
            landed.into_iter().map(|(delivery, outcomes)| (delivery, outcome(outcomes))).collect();
        match fault_of(landed.iter().filter_map(|(_, outcome)| outcome.as_ref())) {
            Some(fault) => self.way_out.fault = Some(fault),
            // What waited behind a letter that didn't get through may be told of after it.
            None if landed.is_empty() || self.relay.as_ref().is_some_and(|relay| !relay.is_open()) => {}
            None => self.way_out.fault = None,
        }
        for (delivery, outcome) in landed {
            let (Some(Offered { outgoing, before }), Some(outcome)) =
                (self.offered.remove(&delivery), outcome)
            else {
                continue;
            };
            self.way_out.note(&outgoing.recipient, self.address.is_own(&outgoing.recipient), &outcome);
            let is_full = is_full_mailbox(&outcome);
            let attempt = attempt(&outgoing, outcome, before, now);
            self.tell_of(&outgoing, &attempt);
            match attempt {
                Attempt::Refused { .. } => settled.unhappy.push((outgoing, attempt)),
                Attempt::Deferred { .. } if is_full => settled.unhappy.push((outgoing, attempt)),
                _ => settled.tried.push(outgoing.tried(attempt)),
            }
        }
        settled
    }

    /// Keeps what could not be noted, for the next time.
    pub(crate) fn keep(&mut self, settled: Settled) {
        self.unnoted = settled;
    }

    /// What could not be noted, for another host of this process.
    pub(crate) fn unnoted(&mut self) -> Settled {
        std::mem::take(&mut self.unnoted)
    }

    /// Takes over what another host of this process could not note, as far as it can be noted and the ledger waits for it still.
    ///
    /// # Errors
    /// The store: nothing is lost of it.
    pub(crate) fn carry_on(&mut self, unnoted: Settled) -> Result<(), StoreError> {
        self.unnoted = unnoted;
        let mut waiting = BTreeSet::new();
        for delivery in self.unnoted.deliveries() {
            if self.waits(&delivery)? {
                waiting.insert(delivery);
            }
        }
        let waits = |packet: &str, recipient: &str| waiting.contains(&Delivery::of(packet, recipient));
        self.unnoted.tried.retain(|tried| waits(&tried.packet, &tried.recipient));
        self.unnoted.unhappy.retain(|(outgoing, _)| waits(&outgoing.packet.id, &outgoing.recipient));
        Ok(())
    }

    /// Whether a mail waits to be sent, as the ledger has it, and what became of it can be noted.
    fn waits(&self, Delivery { packet, recipient }: &Delivery) -> Result<bool, StoreError> {
        if PacketId(packet).game().is_some_and(|game| self.books.set_aside(&game).is_some()) {
            tracing::error!(packet, "what became of this mail can't be noted: its game is set aside");
            return Ok(false);
        }
        let lines = self.books.ledger_of(packet)?;
        let is_its = |line: &LedgerLine| line.packet == *packet && line.recipient == *recipient;
        Ok(lines.iter().any(|line| is_its(line) && line.next.is_some()))
    }

    /// Whether threads of their own carry the mails, and so much has come of them that it should be noted.
    pub(crate) fn has_news(&self) -> bool {
        let load = self.transit.load();
        !self.carriers.is_empty()
            && (load.settled >= SENT_AT_ONCE / 2 || load.settled > 0 && load.unsettled() == 0)
    }

    /// Calls back what the relay has not begun of these mails, and gives it none of them until they are [let go](Self::let_go) as often as they were
    /// held back. Whether it [has any](Self::has_any) still.
    pub(crate) fn hold_back(&mut self, deliveries: &[Delivery]) -> bool {
        self.held_back.push(deliveries.to_vec());
        self.transit.call_back(|delivery| deliveries.contains(delivery));
        self.has_any(deliveries)
    }

    /// Whether the relay has any of these mails, or what came of one was not asked for yet.
    pub(crate) fn has_any(&self, deliveries: &[Delivery]) -> bool {
        deliveries.iter().any(|delivery| self.transit.has(delivery))
    }

    /// Somebody waits no more to take these mails back.
    pub(crate) fn let_go(&mut self, deliveries: &[Delivery]) {
        let held = self.held_back.iter().position(|held| held == deliveries);
        if let Some(held) = held {
            self.held_back.swap_remove(held);
        }
    }

    fn is_held_back(&self, delivery: &Delivery) -> bool {
        self.held_back.iter().any(|held| held.contains(delivery))
    }

    /// Gives the relay nothing more, waits for its answers about what it has no longer than the daemon may take to stop, and lets the threads go.
    /// `meanwhile` is called every second or so. What came of the mails is told once more by [`Self::settled`].
    pub(crate) fn end(&mut self, meanwhile: &mut dyn FnMut()) {
        self.transit.call_back(|_| true);
        while self.transit.load().begun > 0 {
            if let Some(relay) = &self.relay {
                relay.stop_within(STOPPING);
            }
            crate::notify::alive();
            meanwhile();
            self.transit.wait(TICK, |load| load.begun == 0);
        }
        self.transit.close();
        self.relay = None;
        for carrier in self.carriers.drain(..) {
            carrier.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    }

    /// What became of these mails is in the store.
    pub(crate) fn recorded<'a>(&mut self, tried: impl Iterator<Item = &'a Tried> + Clone) {
        self.tally.tried(tried.clone());
        if let Some(failing) = &mut self.failing_gms {
            tried.for_each(|tried| failing.note(tried));
        }
    }

    /// GMs whose mail comes back, where somebody has asked before.
    pub(crate) fn failing_gms(&mut self) -> &mut Option<FailingGms> {
        &mut self.failing_gms
    }

    /// How the relay is.
    pub(crate) fn health(&self) -> RelayHealth {
        self.way_out.health()
    }

    /// Says that the relay is slow, where it has given no answer for long.
    fn tell_of_waiting(&mut self, now: i64) {
        let seconds = self.way_out.busy_since.map_or(0, |since| now - since);
        if seconds > SLOW && self.quiet.may_say("the relay is slow", now) {
            tracing::warn!(
                seconds,
                "the relay has mails and doesn't say whether it takes them: until it does or they are given up other mails wait"
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

impl Drop for Outbound {
    /// Nobody would note what comes of more.
    fn drop(&mut self) {
        self.transit.call_back(|_| true);
        self.transit.close();
    }
}

/// How the relay is, as far as the last mails tell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayHealth {
    /// Why it can't be reached now.
    #[serde(rename = "relay_fault")]
    pub fault: Option<String>,
    /// Since when it has had mails without saying whether it takes them, unix seconds; none where it has none.
    #[serde(default, rename = "relay_busy_since")]
    pub busy_since: Option<i64>,
    /// The status with which it refused the last mail to one of the host's own addresses, which players' mails go to as well.
    #[serde(default, rename = "relay_refuses_own")]
    pub refuses_own: Option<String>,
    /// Where it has refused several recipients and taken no mail since: the status of the last refusal.
    #[serde(default, rename = "relay_refuses")]
    pub refuses: Option<String>,
}

/// What the last mails tell of the relay.
#[derive(Debug, Clone, Default)]
struct WayOut {
    /// Why it can't be reached.
    fault: Option<String>,
    /// Since when it has had mails without an answer, unix seconds.
    busy_since: Option<i64>,
    /// The recipients that it refused since it took a mail of anybody's.
    refused: BTreeSet<String>,
    /// The status of the last.
    status: String,
    /// The status with which it refused the last mail to an address of ours.
    refuses_own: Option<String>,
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

    fn health(&self) -> RelayHealth {
        RelayHealth {
            fault: self.fault.clone(),
            busy_since: self.busy_since,
            refuses_own: self.refuses_own.clone(),
            refuses: (self.refused.len() >= Self::MOST).then(|| self.status.clone()),
        }
    }
}

/// Why no mail gets out, if none does.
fn fault_of<'a>(mut outcomes: impl Iterator<Item = &'a Outcome>) -> Option<String> {
    outcomes.find_map(|outcome| match outcome {
        Outcome::Unreached(reason) => Some(reason.clone()),
        Outcome::Accepted(_)
        | Outcome::Deferred(_)
        | Outcome::Login(_)
        | Outcome::Unclear(_)
        | Outcome::Refused(_) => None,
    })
}
