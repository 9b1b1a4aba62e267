//! Messages between the code that sends them and a relay that may take minutes for each: they are handed over, tried by separate threads, and settled
//! with an outcome.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::{Outcome, Relay};

/// How often a caller who sends many messages can do other work.
const TICK: Duration = Duration::from_secs(1);

/// One message to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The envelope's sender, empty for the null sender.
    pub from: String,
    /// The recipients.
    pub to: Vec<String>,
    /// The message.
    pub raw: Vec<u8>,
}

/// The result of a message, by recipient.
pub type Outcomes = Vec<(String, Outcome)>;

/// The messages that a relay has or is to get, each under its own key. Threads [carry](Self::carry) them to the relay. Other threads hand them over,
/// call them back, and take their outcomes, and never wait for the relay.
#[derive(Debug)]
pub struct Transit<K> {
    state: Mutex<State<K>>,
    /// Held by the one thread that may try a message while it is unknown whether the relay can be reached.
    gate: Mutex<()>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<K> {
    /// Messages that no thread has begun.
    waiting: VecDeque<(K, Parcel)>,
    /// Messages that the relay is being given.
    begun: BTreeSet<K>,
    /// Messages with their outcomes, until somebody takes these.
    settled: Vec<(K, Outcomes)>,
    /// Whether no more messages will be handed over.
    closed: bool,
}

/// The number of messages in each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Not begun.
    pub waiting: usize,
    /// Being given to the relay.
    pub begun: usize,
    /// Settled, with outcomes that nobody has taken yet.
    pub settled: usize,
}

impl<K> State<K> {
    fn load(&self) -> Load {
        Load { waiting: self.waiting.len(), begun: self.begun.len(), settled: self.settled.len() }
    }
}

impl Load {
    /// The number of messages without an outcome.
    pub fn unsettled(self) -> usize {
        self.waiting + self.begun
    }
}

impl<K> Default for Transit<K> {
    fn default() -> Self {
        let state =
            State { waiting: VecDeque::new(), begun: BTreeSet::new(), settled: Vec::new(), closed: false };
        Self { state: Mutex::new(state), gate: Mutex::new(()), changed: Condvar::new() }
    }
}

impl<K: Ord + Clone> Transit<K> {
    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands messages over, to be tried in this order.
    pub fn hand_over(&self, parcels: impl IntoIterator<Item = (K, Parcel)>) {
        self.state().waiting.extend(parcels);
        self.changed.notify_all();
    }

    /// Removes the messages with such keys that no relay has been given yet.
    pub fn call_back(&self, is_wanted: impl Fn(&K) -> bool) {
        self.state().waiting.retain(|(key, _)| !is_wanted(key));
        self.changed.notify_all();
    }

    /// No more messages will be handed over: carrying threads end after the last message.
    pub fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Whether this message was handed over and its outcome was not yet taken.
    pub fn has(&self, key: &K) -> bool {
        let state = self.state();
        state.begun.contains(key)
            || state.waiting.iter().any(|(other, _)| other == key)
            || state.settled.iter().any(|(other, _)| other == key)
    }

    /// The number of messages in each state.
    pub fn load(&self) -> Load {
        self.state().load()
    }

    /// Takes the messages whose outcomes `is_wanted` accepts.
    pub fn take_settled(&self, is_wanted: impl Fn(&Outcomes) -> bool) -> Vec<(K, Outcomes)> {
        let mut state = self.state();
        let settled = std::mem::take(&mut state.settled).into_iter();
        let (wanted, rest) = settled.partition(|(_, outcomes)| is_wanted(outcomes));
        state.settled = rest;
        wanted
    }

    /// Waits until `is_enough` holds, at most for `at_most`.
    pub fn wait(&self, at_most: Duration, is_enough: impl Fn(Load) -> bool) {
        let waits = |state: &mut State<K>| !is_enough(state.load());
        let waited = self.changed.wait_timeout_while(self.state(), at_most, waits);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Tries one message after the other, and waits for more until the transit is closed and none is left. `settled` is called each time a message
    /// has been settled.
    pub fn carry(&self, relay: &dyn Relay, settled: &dyn Fn(Load)) {
        while self.has_more() {
            let alone = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
            let alone = (!relay.is_open()).then_some(alone);
            // Another thread may have taken the last message, and this one may have waited for the gate for minutes.
            if self.carry_one(relay) {
                drop(alone);
                settled(self.load());
            }
        }
    }

    /// Waits until there is a message to be tried. Returns false if there will be none.
    fn has_more(&self) -> bool {
        let waits = |state: &mut State<K>| state.waiting.is_empty() && !state.closed;
        let state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        !state.waiting.is_empty()
    }

    /// Tries all messages that were handed over; over a network, with `workers` threads at once. `meanwhile` is called about every second, and when
    /// messages were settled. Once it returns false, no other message is begun.
    pub fn carry_all(&self, relay: &dyn Relay, workers: usize, meanwhile: &mut dyn FnMut() -> bool)
    where
        K: Send,
    {
        if !relay.is_remote() {
            while meanwhile() && self.carry_one(relay) {}
            return self.call_back(|_| true);
        }
        self.close();
        let workers = workers.clamp(1, self.load().waiting.max(1));
        thread::scope(|scope| {
            (0..workers).for_each(|_| drop(scope.spawn(|| self.carry(relay, &|_| ()))));
            while self.load().unsettled() > 0 {
                let Load { settled, .. } = self.load();
                self.wait(TICK, |load| load.settled > settled || load.unsettled() == 0);
                if !meanwhile() {
                    self.call_back(|_| true);
                }
            }
        });
        self.state().closed = false;
    }

    /// Tries the message that has waited longest. Returns whether there was one. Once the relay can't be reached, the rest isn't tried, since each
    /// try may last until the timeout. If the program panics over a message, it is unknown whether the relay has the message, and the next one is
    /// tried.
    fn carry_one(&self, relay: &dyn Relay) -> bool {
        let (key, parcel) = {
            let mut state = self.state();
            let Some((key, parcel)) = state.waiting.pop_front() else { return false };
            state.begun.insert(key.clone());
            (key, parcel)
        };
        let sent = catch_unwind(AssertUnwindSafe(|| relay.send(&parcel.from, &parcel.to, &parcel.raw)));
        let outcomes = sent.unwrap_or_else(|_| {
            let unclear = Outcome::Unclear("the program failed over it".to_owned());
            parcel.to.iter().map(|to| (to.clone(), unclear.clone())).collect()
        });
        let unreached = outcomes.iter().find(|(_, outcome)| matches!(outcome, Outcome::Unreached(_)));
        let unreached = unreached.map(|(_, outcome)| outcome.clone());
        let mut state = self.state();
        state.begun.remove(&key);
        state.settled.push((key, outcomes));
        if let Some(unreached) = unreached {
            let rest = std::mem::take(&mut state.waiting);
            let rest = rest.into_iter().map(|(key, parcel)| {
                (key, parcel.to.into_iter().map(|to| (to, unreached.clone())).collect())
            });
            state.settled.extend(rest);
        }
        drop(state);
        self.changed.notify_all();
        true
    }
}

/// Sends parcels; over a network, with `workers` threads at once. The outcomes are in the order of the parcels. Once the relay can't be reached, the
/// rest is not tried. While it is unknown whether it can be reached, one parcel is tried first. `meanwhile` is called about every second, and when
/// parcels are done. Once it returns false, no other parcel is begun, and the remaining parcels have no outcomes.
pub fn send_many(
    relay: &dyn Relay,
    parcels: &[Parcel],
    workers: usize,
    meanwhile: &mut dyn FnMut() -> bool,
) -> Vec<Outcomes> {
    let transit = Transit::default();
    transit.hand_over(parcels.iter().cloned().enumerate());
    transit.carry_all(relay, workers, meanwhile);
    let mut outcomes = vec![Outcomes::new(); parcels.len()];
    for (at, outcome) in transit.take_settled(|_| true) {
        if let Some(place) = outcomes.get_mut(at) {
            *place = outcome;
        }
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// A relay that answers when it is told to.
    struct Slow {
        asked: Mutex<Sender<String>>,
        answers: Mutex<Receiver<Outcome>>,
    }

    impl Relay for Slow {
        fn is_remote(&self) -> bool {
            true
        }

        fn send(&self, _: &str, to: &[String], _: &[u8]) -> Outcomes {
            self.asked.lock().unwrap().send(to[0].clone()).unwrap();
            let answer = self.answers.lock().unwrap().recv().unwrap();
            vec![(to[0].clone(), answer)]
        }
    }

    fn parcel(to: &str) -> (String, Parcel) {
        (to.to_owned(), Parcel { from: String::new(), to: vec![to.to_owned()], raw: Vec::new() })
    }

    #[test]
    fn what_the_relay_has_is_known_and_the_rest_can_be_called_back() {
        let (asked, requests) = channel();
        let (answer, answers) = channel();
        let relay = Slow { asked: Mutex::new(asked), answers: Mutex::new(answers) };
        let transit = Arc::new(Transit::default());
        let carrier = {
            let transit = Arc::clone(&transit);
            thread::spawn(move || transit.carry(&relay, &|_| ()))
        };
        transit.hand_over(["a", "b", "c"].map(parcel));
        assert_eq!(requests.recv().unwrap(), "a");
        let key = |name: &str| name.to_owned();
        assert_eq!(transit.load(), Load { waiting: 2, begun: 1, settled: 0 });
        assert!(["a", "b", "c"].iter().all(|name| transit.has(&key(name))));
        transit.call_back(|name| name == "b");
        assert!(!transit.has(&key("b")));
        answer.send(Outcome::Accepted("250".to_owned())).unwrap();
        assert_eq!(requests.recv().unwrap(), "c");
        assert!(transit.has(&key("a")), "nobody has asked yet what came of it");
        assert_eq!(transit.take_settled(|_| false), []);
        assert_eq!(
            transit.take_settled(|_| true),
            [(key("a"), vec![(key("a"), Outcome::Accepted("250".to_owned()))])]
        );
        assert!(!transit.has(&key("a")));
        // A message that waits behind one which shows that the relay is unreachable isn't tried.
        transit.hand_over([parcel("d")]);
        let gone = Outcome::Unreached("no route".to_owned());
        answer.send(gone.clone()).unwrap();
        transit.close();
        carrier.join().unwrap();
        let settled = ["c", "d"].map(|name| (key(name), vec![(key(name), gone.clone())]));
        assert_eq!(transit.take_settled(|_| true), settled);
        assert!(requests.try_recv().is_err());
    }

    /// A relay that accepts every message but one, at which the program panics.
    struct Failing;

    impl Relay for Failing {
        fn is_remote(&self) -> bool {
            true
        }

        fn send(&self, _: &str, to: &[String], _: &[u8]) -> Outcomes {
            assert_ne!(to[0], "b", "the program fails over it");
            vec![(to[0].clone(), Outcome::Accepted("250".to_owned()))]
        }
    }

    #[test]
    fn a_message_that_the_program_fails_over_holds_up_no_other_and_nobody_knows_whether_it_was_taken() {
        let parcels = ["a", "b", "c"].map(|to| parcel(to).1);
        let outcomes = send_many(&Failing, &parcels, 1, &mut || true);
        let taken = |to: &str| vec![(to.to_owned(), Outcome::Accepted("250".to_owned()))];
        assert_eq!(outcomes[0], taken("a"));
        assert!(matches!(outcomes[1][..], [(_, Outcome::Unclear(_))]), "{:?}", outcomes[1]);
        assert_eq!(outcomes[2], taken("c"));
    }
}
