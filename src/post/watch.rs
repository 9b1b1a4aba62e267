//! Waits for new mail in an IMAP folder, on a thread and a connection of its own, so that the daemon's loop doesn't have to.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use imap::extensions::idle::{WaitOutcome, stop_on_any};

use super::link::{Cutter, Link};
use super::server::Server;
use super::{Backoff, PostError, Stop};

/// How often IDLE is renewed, because servers and address translators forget quiet connections.
const IDLE: Duration = Duration::from_secs(9 * 60);
/// The first wait after a fault.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// The shortest time between two messages of the server that wake the owner.
const BREATH: Duration = Duration::from_secs(1);
/// No message is fetched on this connection.
const LITERAL_LIMIT: u64 = 0;

/// Why the folder should be drained now, or cannot be watched.
#[derive(Debug)]
pub enum Wake {
    /// The server says that the folder has changed.
    Changed,
    /// It is time to look: the server was silent for a while, or the connection is new and mail may have come meanwhile.
    Poll,
    /// The watch was interrupted; it will try again.
    Fault(PostError),
}

/// A running watch; dropping it ends it.
#[derive(Debug)]
pub struct ImapWatch {
    // The thread stops when this channel closes.
    stop: Option<Sender<()>>,
    cutter: Arc<Mutex<Option<Cutter>>>,
}

impl ImapWatch {
    /// Watches the folder and calls `wake` from the watching thread. If the server offers no IDLE, or IDLE fails, the call comes every `poll`
    /// instead. `seed` varies the waits between attempts (see [`Backoff`]).
    ///
    /// # Errors
    /// The system can't start a thread.
    pub fn start(
        server: Server,
        folder: String,
        poll: Duration,
        seed: u64,
        wake: impl FnMut(Wake) + Send + 'static,
    ) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let cutter = Arc::new(Mutex::new(None));
        let watcher = Watcher { server, folder, poll, stopped, cutter: Arc::clone(&cutter), wake };
        thread::Builder::new().name("imap-watch".to_owned()).spawn(move || watcher.run(seed))?;
        Ok(Self { stop: Some(stop), cutter })
    }
}

impl Drop for ImapWatch {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(cutter) = self.cutter.lock().unwrap_or_else(PoisonError::into_inner).take() {
            cutter.cut();
        }
    }
}

struct Watcher<W> {
    server: Server,
    folder: String,
    poll: Duration,
    stopped: Receiver<()>,
    cutter: Arc<Mutex<Option<Cutter>>>,
    wake: W,
}

/// The watch was ended.
struct Stopped;

impl<W: FnMut(Wake)> Watcher<W> {
    fn run(mut self, seed: u64) {
        let mut backoff = Backoff::new(FIRST_WAIT.min(self.poll), self.poll, seed);
        // Repeated tries with a wrong password would get the account locked.
        let timeout = self.server.timeout;
        let mut logins = Backoff::new(timeout, timeout * 60, seed);
        loop {
            let fault = match self.watch(&mut backoff) {
                Ok(Stopped) => return,
                Err(fault) => fault,
            };
            let wait = match &fault {
                PostError::Login { .. } => logins.after_failure(),
                _ => {
                    logins.reset();
                    backoff.after_failure()
                }
            };
            // A folder that can't be watched must still be drained, which may work.
            if self.tell(Wake::Fault(fault)).is_err()
                || self.pause(wait).is_err()
                || self.tell(Wake::Poll).is_err()
            {
                return;
            }
        }
    }

    /// Watches on one connection until it breaks or the watch is ended.
    fn watch(&mut self, backoff: &mut Backoff) -> Result<Stopped, PostError> {
        let mut link = Link::open(&self.server, LITERAL_LIMIT, &Stop::default())?;
        let cutter =
            link.cutter().map_err(|error| PostError::Connect { server: self.server.to_string(), error })?;
        *self.cutter.lock().unwrap_or_else(PoisonError::into_inner) = Some(cutter);
        let idle = link.call("asking for capabilities", |s| Ok(s.capabilities()?.has_str("IDLE")))?;
        if !idle {
            drop(link);
            return Ok(self.poll_for_ever());
        }
        link.call("opening the folder", |s| s.examine(&self.folder).map(drop))?;
        // The server doesn't announce mail that came before this session.
        if self.tell(Wake::Poll).is_err() {
            return Ok(Stopped);
        }
        loop {
            let outcome = link.call("waiting for mail", |session| {
                let mut idle = session.idle();
                idle.keepalive(false).timeout(IDLE);
                idle.wait_while(stop_on_any)
            })?;
            backoff.reset();
            let wake = match outcome {
                WaitOutcome::MailboxChanged => Wake::Changed,
                WaitOutcome::TimedOut => Wake::Poll,
            };
            if self.tell(wake).is_err() || self.pause(BREATH).is_err() {
                return Ok(Stopped);
            }
        }
    }

    fn poll_for_ever(&mut self) -> Stopped {
        while self.tell(Wake::Poll).is_ok() && self.pause(self.poll).is_ok() {}
        Stopped
    }

    /// Wakes the owner, unless the watch was ended.
    fn tell(&mut self, wake: Wake) -> Result<(), Stopped> {
        if matches!(self.stopped.try_recv(), Err(mpsc::TryRecvError::Disconnected)) {
            return Err(Stopped);
        }
        (self.wake)(wake);
        Ok(())
    }

    fn pause(&self, wait: Duration) -> Result<(), Stopped> {
        match self.stopped.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => Ok(()),
            _ => Err(Stopped),
        }
    }
}
