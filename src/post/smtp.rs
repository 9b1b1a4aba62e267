//! Sends mail by SMTP.
//!
//! Mail is sent to each recipient separately, so that each has its own outcome. The library's `tracing` feature must stay off: it would write
//! passwords into the log.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::pause::{Pause, now};
use super::server::Server;
use super::smtp_link::{Dial, Posting, SmtpLink, Trouble, Unreachable};
use super::{Outcome, PostError, Relay};
use musterd_disk::fault;

/// A letter may take this many times the longest silence, besides the time that the server has to accept it: a server that sends one byte a minute is
/// given up.
const LETTER_TIMEOUTS: u32 = 10;
/// How long a server has to accept a letter that it has received: RFC 5321, 4.5.3.2.6. Giving up earlier would mean sending the letter to it again.
const ACCEPTANCE: Duration = Duration::from_secs(600);
/// After this number of recipients in a row whose letters got no answer, the server counts as unreachable. A single one may be a problem of the
/// recipient's own server, which the relay waits for or whose answer it repeats.
const SILENCES: usize = 3;
/// The most recipients for whom it is remembered that their mail waits.
const MOST_HELD: usize = 1000;
/// How often a wait for a letter checks whether to go on.
const TICK: Duration = Duration::from_secs(1);
/// How long a connection is kept for the next letter; servers close idle ones after some minutes.
const IDLE: Duration = Duration::from_secs(60);

/// An SMTP server that accepts our mail.
pub struct SmtpRelay {
    dial: Arc<Dial>,
    timeout: Duration,
    acceptance: Duration,
    connections: usize,
    /// Connections that wait for the next letter, with the time since when they wait.
    idle: Mutex<Vec<(Instant, SmtpLink)>>,
    reach: Mutex<Reach>,
    /// Until when letters under way are waited for, once the program is to stop.
    end: OnceLock<Instant>,
}

impl std::fmt::Debug for SmtpRelay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpRelay").field("connections", &self.connections).finish_non_exhaustive()
    }
}

/// Whether the server can be reached.
struct Reach {
    /// Whether the last letter got as far as a session. If not, one letter is sent first, and the others wait for its result.
    open: bool,
    /// The recipients of the last letters in a row that the server gave no answer to.
    silences: BTreeSet<String>,
    /// The recipients whose letters wait, because one of their letters got no answer lately.
    held: BTreeMap<String, Pause>,
    why: String,
    timeout: Duration,
    network: Pause,
    login: Pause,
}

impl Reach {
    fn new(timeout: Duration) -> Self {
        Self {
            open: false,
            silences: BTreeSet::new(),
            held: BTreeMap::new(),
            why: String::new(),
            timeout,
            // A mail is tried again after half a minute at first; by then this pause is over.
            network: Pause::new(timeout / 3, timeout * 5),
            login: Pause::after_login(timeout),
        }
    }

    /// Why no letter to this recipient may be tried now; `None` if it may.
    fn forbids(&self, to: &str) -> Option<Outcome> {
        if self.login.lasts() || self.network.lasts() {
            return Some(Outcome::Unreached(self.why.clone()));
        }
        let held = self.held.get(to).is_some_and(Pause::lasts);
        held.then(|| {
            Outcome::Deferred("another mail to the same address has just failed at the relay".to_owned())
        })
    }

    /// Notes the result of a letter to this recipient. Returns whether the server is unreachable.
    fn note(&mut self, to: &str, tried: &Result<Tried, Unreachable>) -> bool {
        let (why, login) = match tried {
            Ok(Tried { unanswered: None, .. }) => {
                self.open = true;
                self.silences.clear();
                self.held.remove(to);
                self.network.end();
                self.login.end();
                return false;
            }
            Ok(Tried { unanswered: Some(Unreachable { login, why }), .. }) => {
                if self.held.len() >= MOST_HELD {
                    self.held.clear();
                }
                let timeout = self.timeout;
                let held = self.held.entry(to.to_owned());
                held.or_insert_with(|| Pause::new(timeout / 3, timeout * 60)).begin();
                self.silences.insert(to.to_owned());
                if self.silences.len() < SILENCES {
                    return false;
                }
                // After the pause several recipients are needed again: the first one tried may be the one with the problem.
                self.silences.clear();
                (why, *login)
            }
            Err(Unreachable { login, why }) => (why, *login),
        };
        if login {
            self.login.begin();
        } else {
            self.network.begin();
        }
        self.open = false;
        self.why.clone_from(why);
        true
    }
}

/// The result of a try to send a letter on a connection.
struct Tried {
    outcome: Outcome,
    /// The connection, if it can be used again.
    link: Option<SmtpLink>,
    /// Why the letter got no answer, or one that may apply to every letter; `None` if it got an answer of its own.
    unanswered: Option<Unreachable>,
}

impl Tried {
    fn answered(outcome: Outcome, link: SmtpLink) -> Self {
        Self { outcome, link: link.is_usable().then_some(link), unanswered: None }
    }

    fn unanswered(outcome: fn(String) -> Outcome, why: String) -> Self {
        Self::doubtful(outcome, Unreachable { login: false, why })
    }

    fn doubtful(outcome: fn(String) -> Outcome, unanswered: Unreachable) -> Self {
        Self { outcome: outcome(unanswered.why.clone()), link: None, unanswered: Some(unanswered) }
    }
}

impl SmtpRelay {
    /// A relay with up to `connections` connections kept open. Nothing is sent yet.
    ///
    /// # Errors
    /// The configuration can't work: an unencrypted server on another machine, an unreadable `tls_ca`.
    pub fn new(server: &Server, connections: u32) -> Result<Self, PostError> {
        let timeout = server.timeout;
        Ok(Self {
            dial: Arc::new(Dial::new(server)?),
            timeout,
            acceptance: ACCEPTANCE.max(timeout),
            connections: connections.max(1) as usize,
            idle: Mutex::new(Vec::new()),
            reach: Mutex::new(Reach::new(timeout)),
            end: OnceLock::new(),
        })
    }

    /// Changes the time that the server has to accept a letter that it has received, from ten minutes.
    pub fn accepting_within(mut self, acceptance: Duration) -> Self {
        self.acceptance = acceptance;
        self
    }

    fn reach(&self) -> MutexGuard<'_, Reach> {
        self.reach.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send_one(&self, envelope_from: &str, to: &str, raw: &[u8]) -> Outcome {
        let letter = match Posting::new(envelope_from, to, raw) {
            Ok(letter) => letter,
            Err(error) => return Outcome::Refused(error.to_string()),
        };
        if let Err(error) = fault::point("smtp.send") {
            return Outcome::Deferred(error.to_string());
        }
        if let Some(outcome) = self.reach().forbids(to) {
            return outcome;
        }
        let tried = self.exchange(letter);
        let out_of_reach = self.reach().note(to, &tried);
        match tried {
            // By now this answer applies to every letter.
            Ok(Tried {
                outcome: Outcome::Deferred(why) | Outcome::Login(why), unanswered: Some(_), ..
            }) if out_of_reach => Outcome::Unreached(why),
            Ok(Tried { outcome, link, .. }) => {
                let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
                idle.extend(link.map(|link| (now(), link)));
                outcome
            }
            Err(fault) => Outcome::Unreached(fault.why),
        }
    }

    /// Sends on a separate thread, because the library's wait for a slowly dripping server can't be interrupted.
    fn exchange(&self, letter: Posting) -> Result<Tried, Unreachable> {
        let fault = |why: &str| Unreachable { login: false, why: why.to_owned() };
        // Every exchange under way holds a reference to the dial.
        if Arc::strong_count(&self.dial) > 2 * self.connections {
            return Err(fault("the server leaves too many letters without an answer"));
        }
        let (told, outcome) = mpsc::channel();
        let (dial, link) = (Arc::clone(&self.dial), self.idle_link());
        let (letter, acceptance) = (Arc::new(letter), self.acceptance);
        let kept = Arc::clone(&letter);
        let work = move || {
            let tried = exchange(&dial, link, &letter, acceptance);
            drop(dial);
            // If it took too long, nobody listens any more.
            let _ = told.send(tried);
        };
        let spawned = thread::Builder::new().name("smtp".to_owned()).spawn(work);
        spawned.map_err(|e| fault(&e.to_string()))?;
        // Used if the letter made the library panic, or if the server drips.
        let given_up = |why: &str| {
            let outcome = if kept.give_up() { Outcome::Unclear } else { Outcome::Deferred };
            Ok(Tried::unanswered(outcome, why.to_owned()))
        };
        let begun = now();
        loop {
            let left = self.patience(begun, kept.was_offered());
            if left.is_zero() {
                let stopped = self.end.get().is_some_and(|end| *end <= now());
                return given_up(match stopped {
                    true => "musterd stopped before the server had answered",
                    false => "the server takes too long over its answers",
                });
            }
            match outcome.recv_timeout(left.min(TICK)) {
                Ok(tried) => return tried,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return given_up("the server's answer broke the mail library");
                }
            }
        }
    }

    /// How much longer to wait for a letter that was begun at `begun`.
    fn patience(&self, begun: Instant, was_offered: bool) -> Duration {
        let acceptance = if was_offered { self.acceptance } else { Duration::ZERO };
        let until = begun + self.timeout * LETTER_TIMEOUTS + acceptance;
        self.end.get().map_or(until, |end| until.min(*end)).saturating_duration_since(now())
    }

    fn idle_link(&self) -> Option<SmtpLink> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(since, _)| since.elapsed() < IDLE);
        idle.pop().map(|(_, link)| link)
    }
}

impl Drop for SmtpRelay {
    fn drop(&mut self) {
        let idle = std::mem::take(self.idle.get_mut().unwrap_or_else(PoisonError::into_inner));
        idle.into_iter().for_each(|(_, link)| link.quit());
    }
}

/// Sends one letter. Once a server has all of it, it is not sent again here.
fn exchange(
    dial: &Dial,
    idle: Option<SmtpLink>,
    letter: &Posting,
    acceptance: Duration,
) -> Result<Tried, Unreachable> {
    let (kept, mut first) = (idle.is_some(), true);
    let tries_again = |may: bool| may && !letter.is_given_up();
    let mut link = idle.map_or_else(|| dial.connect(), Ok)?;
    loop {
        match link.send(letter, acceptance) {
            Ok(reply) => return Ok(Tried::answered(Outcome::Accepted(reply), link)),
            Err(Trouble::Refused(why)) => return Ok(Tried::answered(Outcome::Refused(why), link)),
            Err(Trouble::Deferred(why)) => return Ok(Tried::answered(Outcome::Deferred(why), link)),
            Err(Trouble::Unclear { why, silent: true }) => {
                return Ok(Tried::unanswered(Outcome::Unclear, why));
            }
            Err(Trouble::Unclear { why, silent: false }) => {
                return Ok(Tried::answered(Outcome::Unclear(why), link));
            }
            // A connection that was kept from an earlier letter may have died since.
            Err(Trouble::Broken(_)) if tries_again(first) => {}
            Err(Trouble::Silence(_) | Trouble::Closing(_) | Trouble::OverALetter { login: false, .. })
                if tries_again(first && kept) => {}
            Err(Trouble::Broken(why)) => return Ok(Tried::answered(Outcome::Deferred(why), link)),
            Err(Trouble::Silence(why)) => return Ok(Tried::unanswered(Outcome::Deferred, why)),
            // This may be the answer of one recipient's server, repeated by the relay. If it comes for several recipients, it is the relay's own.
            Err(Trouble::OverALetter { why, login }) => {
                let outcome = if login { Outcome::Login } else { Outcome::Deferred };
                return Ok(Tried::doubtful(outcome, Unreachable { login, why }));
            }
            Err(Trouble::Closing(why)) => return Err(Unreachable { login: false, why }),
            Err(Trouble::Login(why)) => return Err(Unreachable { login: true, why }),
        }
        first = false;
        link = dial.connect()?;
    }
}

impl Relay for SmtpRelay {
    fn is_remote(&self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        self.reach().open
    }

    fn stop_within(&self, patience: Duration) {
        self.end.get_or_init(|| now() + patience);
    }

    fn send(&self, envelope_from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        to.iter().map(|to| (to.clone(), self.send_one(envelope_from, to, raw))).collect()
    }
}
