//! Mail out by SMTP.
//!
//! Each recipient is sent to by itself, so that each has an outcome of its own. The library's `tracing` feature must stay
//! off: it would write passwords into the log.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::pause::{Pause, now};
use super::server::Server;
use super::smtp_link::{Dial, Letter, SmtpLink, Trouble, Unreachable};
use super::{Outcome, PostError, Relay};
use crate::fault;

/// A letter may take this many times the longest silence: a server that drips one byte a minute is given up.
const LETTER_TIMEOUTS: u32 = 10;
/// How long a connection is kept for the next letter; servers close idle ones after some minutes.
const IDLE: Duration = Duration::from_secs(60);

/// An SMTP server that takes our mail.
pub struct SmtpRelay {
    dial: Arc<Dial>,
    timeout: Duration,
    connections: usize,
    /// Connections that wait for the next letter, and since when.
    idle: Mutex<Vec<(Instant, SmtpLink)>>,
    reach: Mutex<Reach>,
}

impl std::fmt::Debug for SmtpRelay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpRelay").field("connections", &self.connections).finish_non_exhaustive()
    }
}

/// Whether the server can be had.
struct Reach {
    /// The last letter got as far as a session. If not, one letter goes ahead, and the others wait for what becomes of it.
    open: bool,
    why: String,
    network: Pause,
    login: Pause,
}

impl Reach {
    fn note(&mut self, reached: Result<(), &Unreachable>) {
        self.open = reached.is_ok();
        match reached {
            Ok(()) => {
                self.network.end();
                self.login.end();
            }
            Err(fault) => {
                if fault.login {
                    self.login.begin();
                } else {
                    self.network.begin();
                }
                self.why.clone_from(&fault.why);
            }
        }
    }
}

impl SmtpRelay {
    /// A relay with up to `connections` connections kept open. Nothing is sent yet.
    ///
    /// # Errors
    /// The configuration cannot work: an unencrypted server elsewhere, an unreadable `tls_ca`.
    pub fn new(server: &Server, connections: u32) -> Result<Self, PostError> {
        let timeout = server.timeout;
        let reach = Reach {
            open: false,
            why: String::new(),
            // Mails themselves wait half a minute at first, and then find it over.
            network: Pause::new(timeout / 3, timeout * 5),
            login: Pause::after_login(timeout),
        };
        Ok(Self {
            dial: Arc::new(Dial::new(server)?),
            timeout,
            connections: connections.max(1) as usize,
            idle: Mutex::new(Vec::new()),
            reach: Mutex::new(reach),
        })
    }

    fn reach(&self) -> MutexGuard<'_, Reach> {
        self.reach.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send_one(&self, envelope_from: &str, to: &str, raw: &[u8]) -> Outcome {
        let letter = match Letter::new(envelope_from, to, raw) {
            Ok(letter) => letter,
            Err(reason) => return Outcome::Refused(reason),
        };
        if let Err(error) = fault::point("smtp.send") {
            return Outcome::Deferred(error.to_string());
        }
        let mut reach = self.reach();
        if reach.login.lasts() || reach.network.lasts() {
            return Outcome::Unreached(reach.why.clone());
        }
        let result = if reach.open {
            drop(reach);
            let result = self.exchange(letter);
            reach = self.reach();
            result
        } else {
            self.exchange(letter)
        };
        reach.note(result.as_ref().map(drop));
        result.unwrap_or_else(|fault| Outcome::Unreached(fault.why))
    }

    /// Sends on a thread of its own, as only the network ends the library's wait for a server that drips.
    fn exchange(&self, letter: Letter) -> Result<Outcome, Unreachable> {
        let fault = |why: &str| Unreachable { login: false, why: why.to_owned() };
        // Every exchange under way has a hold on the dial.
        if Arc::strong_count(&self.dial) > 2 * self.connections {
            return Err(fault("the server leaves too many letters without an answer"));
        }
        let (told, outcome) = mpsc::channel();
        let (dial, link) = (Arc::clone(&self.dial), self.idle_link());
        let work = move || {
            let outcome = exchange(&dial, link, &letter);
            drop(dial);
            // Nobody listens any more where it took too long.
            let _ = told.send(outcome);
        };
        let spawned = thread::Builder::new().name("smtp".to_owned()).spawn(work);
        spawned.map_err(|e| fault(&e.to_string()))?;
        match outcome.recv_timeout(self.timeout * LETTER_TIMEOUTS) {
            Ok(Ok((outcome, link))) => {
                let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
                idle.extend(link.map(|link| (now(), link)));
                Ok(outcome)
            }
            Ok(Err(fault)) => Err(fault),
            Err(RecvTimeoutError::Timeout) => Err(fault("the server takes too long over its answers")),
            Err(RecvTimeoutError::Disconnected) => {
                Ok(Outcome::Deferred("the server's answer broke the mail library".to_owned()))
            }
        }
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

/// What becomes of one letter, and the connection if it can be used again.
fn exchange(
    dial: &Dial,
    idle: Option<SmtpLink>,
    letter: &Letter,
) -> Result<(Outcome, Option<SmtpLink>), Unreachable> {
    let (kept, mut first) = (idle.is_some(), true);
    let mut link = idle.map_or_else(|| dial.connect(), Ok)?;
    loop {
        let done = |outcome, link: SmtpLink| Ok((outcome, link.is_usable().then_some(link)));
        match link.send(letter) {
            Ok(reply) => return done(Outcome::Accepted(reply), link),
            Err(Trouble::Refused(why)) => return done(Outcome::Refused(why), link),
            Err(Trouble::Deferred(why)) => return done(Outcome::Deferred(why), link),
            // A connection kept from an earlier letter may have died since. Should the mail have been taken after all, its
            // second copy bears the same Message-ID.
            Err(Trouble::Broken(_)) if first => {}
            Err(Trouble::Silence(_) | Trouble::Closing(_)) if first && kept => {}
            Err(Trouble::Broken(why) | Trouble::Silence(why)) => return Ok((Outcome::Deferred(why), None)),
            Err(Trouble::Closing(why)) => return Err(Unreachable { login: false, why }),
            Err(Trouble::Login(why)) => return Err(Unreachable { login: true, why }),
        }
        first = false;
        link = dial.connect()?;
    }
}

impl Relay for SmtpRelay {
    fn send(&self, envelope_from: &str, to: &[String], raw: &[u8]) -> Vec<(String, Outcome)> {
        to.iter().map(|to| (to.clone(), self.send_one(envelope_from, to, raw))).collect()
    }
}

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

/// Sends parcels by this many workers at once; the outcomes are in the order of the parcels. Once the relay can't be
/// reached the rest waits too: each try may last as long as the longest silence to bear, and the loop waits for all of them.
#[must_use]
pub fn send_many(relay: &dyn Relay, parcels: &[Parcel], workers: usize) -> Vec<Vec<(String, Outcome)>> {
    let next = AtomicUsize::new(0);
    let unreached = OnceLock::new();
    let outcomes = Mutex::new(vec![Vec::new(); parcels.len()]);
    let send = |parcel: &Parcel| match unreached.get() {
        Some(outcome) => parcel.to.iter().map(|to| (to.clone(), Outcome::clone(outcome))).collect(),
        None => relay.send(&parcel.from, &parcel.to, &parcel.raw),
    };
    let work = || {
        while let Some((at, parcel)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, parcels.get(at)?)))
        {
            let outcome = send(parcel);
            if let Some((_, fault)) = outcome.iter().find(|(_, o)| matches!(o, Outcome::Unreached(_))) {
                unreached.get_or_init(|| fault.clone());
            }
            if let Some(place) = outcomes.lock().unwrap_or_else(PoisonError::into_inner).get_mut(at) {
                *place = outcome;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers.min(parcels.len()) {
            scope.spawn(work);
        }
        work();
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner)
}
