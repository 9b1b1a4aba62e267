//! The daemon: opens the store, goes round from pass to pass, and ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::calls::{Calls, CameIn, Woken};
use super::drain::TICK;
pub use super::drain::{Draining, take_in};
pub use super::pass::{Worked, pass, settle};
use super::pass::{between_polls, pass_while};
use super::{Host, Options};
use crate::HostError;
use crate::books::tally::SharedCounters;
use crate::clock::Watch;
use crate::control::{self, Socket};
use crate::notify;
use crate::outbound::Settled;
use crate::quiet::Quiet;
use crate::signals;
use musterd_post::{Backoff, ImapWatch, Relay, Wake};
use musterd_store::StoreError;

/// Seconds between two writings of the figures.
const FIGURES: i64 = 30;

impl Host {
    /// Whether it leaves anything that it could not deal with.
    fn ending(&self) -> Ending {
        let held = self.games.held_mails();
        let dealt_with =
            self.games.aside().is_empty() && self.inbox.all_set_aside().is_empty() && held.is_empty();
        let left = self.inbox.mailboxes().iter().any(|mailbox| !mailbox.left.is_empty());
        let reached = self.inbox.unreached().is_empty() && self.outbound.health().fault.is_none() && !left;
        match dealt_with && reached && !self.watch.is_doubted() {
            true => Ending::Well,
            false => Ending::LeftBehind,
        }
    }

    /// Tells the service manager how things stand, and that the loop is alive.
    fn tell_standing(&self) {
        let (games, next) = (self.games.current().len(), self.games.next_deadline());
        notify::standing(games, next, self.inbox.unreached().keys());
        notify::alive();
    }
}

/// How the daemon is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// Until it is told to stop.
    Forever,
    /// Until there is nothing left to do now.
    Once,
}

/// What lasts as long as the process, while stores are opened and fail.
struct Daemon<'a> {
    options: &'a dyn Fn() -> Options,
    run: Run,
    /// What is told to whoever called it once.
    say: &'a dyn Fn(&str),
    calls: Calls,
    /// When it began, unix seconds; none before the first store was opened.
    started: Option<i64>,
    socket: Option<Socket>,
    tally: SharedCounters,
    /// What the last host saw of the system's clock, and of mailboxes that can't be drained.
    watch: Watch,
    unreached: BTreeMap<String, i64>,
    /// What became of mails, and the last host could not note.
    unnoted: Settled,
    /// Set by the signal to stop, for whoever is in the middle of something.
    stopping: Arc<AtomicBool>,
}

/// How a daemon ended that found no fault of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left that it could not deal with.
    Well,
    /// A game or a mail waits for somebody, a mailbox, the relay or the clock: see the log.
    LeftBehind,
    /// It was told to stop, and the step in hand failed in a way that may pass: see the log.
    BrokenOff,
}

/// Runs the daemon. `options` is asked again whenever the store has to be opened anew; `say` is told what a run that is called once leaves
/// waiting.
///
/// # Errors
/// What keeps the daemon from starting. Later faults are logged, and tried again with growing pauses.
pub fn serve(options: &dyn Fn() -> Options, run: Run, say: &dyn Fn(&str)) -> Result<Ending, HostError> {
    let calls = Calls::new();
    let stopping = Arc::<AtomicBool>::default();
    signals::stop_on_them(&stopping, calls.on_stop())?;
    let tally = SharedCounters::default();
    let mut daemon = Daemon {
        options,
        run,
        say,
        calls,
        started: None,
        socket: None,
        tally,
        watch: Watch::default(),
        unreached: BTreeMap::new(),
        unnoted: Settled::default(),
        stopping,
    };
    let ended = daemon.sessions();
    daemon.note_at_last();
    ended
}

/// Whether the same may succeed later without anybody's doing here.
fn may_pass(error: &HostError) -> bool {
    match error {
        HostError::Store(error) => error.may_pass(),
        HostError::Lost { .. } | HostError::Keep(_) | HostError::Io { .. } | HostError::Post(_) => true,
        _ => false,
    }
}

impl Daemon<'_> {
    /// Opens the store again after each fault that may pass, until the daemon's end.
    fn sessions(&mut self) -> Result<Ending, HostError> {
        let mut backoff =
            Backoff::new(Duration::from_secs(1), Duration::from_secs(60), u64::from(std::process::id()));
        let mut quiet = Quiet::default();
        loop {
            match self.session() {
                Ok(ending) => return Ok(ending),
                Err(error) if self.is_stopped_over(&error) => {
                    tracing::error!(%error, "told to stop, and the step in hand failed: the next start takes it up again");
                    return Ok(Ending::BrokenOff);
                }
                Err(error) if self.started.is_none() || self.run == Run::Once || !may_pass(&error) => {
                    return Err(error);
                }
                Err(error) => {
                    let (wait, said) = (backoff.after_failure(), error.to_string());
                    self.tally.count(|counters| counters.faults += 1);
                    if quiet.may_say(&said, (self.options)().clock.now()) {
                        tracing::error!(error = said, "trying again until this passes");
                    }
                    if self.calls.wait_out(&said, wait) {
                        return Ok(Ending::LeftBehind);
                    }
                }
            }
        }
    }

    /// Whether this fault befell it while it was to stop anyway, and may be gone at the next start.
    fn is_stopped_over(&self, error: &HostError) -> bool {
        self.started.is_some() && self.stopping.load(Ordering::Relaxed) && may_pass(error)
    }

    /// Listens for commands, unless it does already; again where the socket's file has gone. Whoever holds the store is the only one to
    /// do so.
    fn listen(&mut self, dir: &Path) -> Result<(), HostError> {
        if self.socket.as_ref().is_none_or(|socket| !socket.stands()) {
            self.socket = None;
            self.socket = Some(control::listen(dir, self.calls.on_call())?);
        }
        Ok(())
    }

    /// Makes the socket anew where somebody has removed it. Where it can't be, the games go on: without it the daemon only can't be asked.
    fn keep_listening(&mut self, host: &mut Host) {
        let had_gone = self.socket.as_ref().is_some_and(|socket| !socket.stands());
        match self.listen(host.dir()) {
            Ok(()) if had_gone => {
                tracing::warn!("somebody has removed the control socket: it was made anew");
            }
            Ok(()) => {}
            Err(error) => {
                if host.quiet.may_say("control.sock", host.clock().now()) {
                    tracing::error!(%error, "no command reaches the daemon: mails and turns go on");
                }
            }
        }
    }

    /// From an opened store to the daemon's end or a fault.
    fn session(&mut self) -> Result<Ending, HostError> {
        notify::opening();
        let mut host = Host::open_counting((self.options)(), self.tally.clone())?;
        host.stopping = Arc::clone(&self.stopping);
        host.looks_once = self.run == Run::Once;
        host.watch.carry_on(self.watch);
        host.inbox.carry_on(std::mem::take(&mut self.unreached), |_| true);
        let unnoted = std::mem::take(&mut self.unnoted);
        let worked = host.take_over(unnoted).and_then(|()| self.work(&mut host));
        self.calls.refuse_postponed();
        let noted = self.end_sending(&mut host);
        self.unnoted = host.outbound.unnoted();
        (self.watch, self.unreached) = (host.watch, host.inbox.unreached().clone());
        if let (Err(error), Err(_)) = (&noted, &worked) {
            tracing::error!(%error, "what became of mails can't be noted now: it is tried once more when the store is opened again");
        }
        worked.and(noted)?;
        // While the store is still held: the next daemon's socket is another.
        self.socket = None;
        Ok(match self.run {
            Run::Once if host.stops() => Ending::LeftBehind,
            Run::Once | Run::Forever => host.ending(),
        })
    }

    /// Opens the store once more, where the last could not note what became of mails: what is not noted now is sent again.
    fn note_at_last(&mut self) {
        let unnoted = std::mem::take(&mut self.unnoted);
        if unnoted.is_empty() {
            return;
        }
        let mails = unnoted.names();
        notify::opening();
        let noted = Host::open_counting((self.options)(), self.tally.clone());
        if let Err(error) = noted.and_then(|mut host| host.take_over(unnoted)) {
            tracing::error!(%error, mails, "what became of these mails can't be noted: the next start offers them again, even those that were taken");
        }
    }

    /// Works with an opened host until the daemon's end or a fault.
    fn work(&mut self, host: &mut Host) -> Result<(), HostError> {
        host.look_at_clock();
        host.tell_of_templates()?;
        host.config().metrics_path(host.dir())?;
        let mut sources = host.config().sources(host.dir())?;
        // The configuration may have been changed since another host found them out of reach.
        let unreached = host.inbox.unreached().clone();
        host.inbox.carry_on(unreached, |name| sources.iter().any(|source| source.name() == name));
        let relay: Arc<dyn Relay> = host.config().relay(host.dir(), host.clock())?.into();
        if self.run == Run::Once {
            settle(host, &mut sources, &*relay)?;
            host.games.recalls_in_words()?.iter().for_each(|line| (self.say)(line));
            return Ok(());
        }
        self.listen(host.dir())?;
        let _watches = self.watch(host)?;
        self.begin_sending(host, relay)?;
        let first = self.started.is_none();
        host.started = Some(*self.started.get_or_insert_with(|| host.clock().now()));
        notify::ready();
        tracing::info!(dir = %host.dir().display(), address = host.config().address, "musterd serves");
        if first {
            host.offer_again()?;
        }
        let poll = i64::try_from(host.config().poll_seconds).unwrap_or(i64::MAX);
        // A mailbox on a server is looked at when it wakes us, and every so often anyway.
        let mut next_poll = host.clock().now();
        let mut next_figures = next_poll;
        // Whether the last drain brought something: the computer players' own mails may lie there now.
        let mut unsettled = false;
        loop {
            if self.calls.answer_postponed(host) {
                return Err(HostError::Store(StoreError::Poisoned));
            }
            host.look_at_clock();
            let now = host.clock().now();
            let due = host.is_due(now)?;
            // A turn that is held for a mailbox waits for the next poll: a server in trouble isn't asked every second.
            let due = due
                && host.inbox.unreached().is_empty()
                && !host.watch.is_doubted()
                && !host.waits_for_relay();
            // A clock that was set back must not make us wait for what it said before.
            let polled = now >= next_poll || next_poll - now > poll;
            let drains = unsettled || due || polled || host.config().mails_locally();
            let mut asked = CameIn::default();
            let mut meanwhile =
                |host: &mut Host, how: Draining<'_>| self.calls.answer_calls(host, how, &mut asked);
            let worked = match drains {
                true => pass_while(host, &mut sources, &mut Host::send_on, &mut meanwhile)?,
                false => between_polls(host)?,
            };
            unsettled = drains && !worked.idle();
            if asked.mail {
                next_poll = now;
            } else if drains {
                next_poll = now.saturating_add(poll);
            }
            if asked.broken {
                return Err(HostError::Store(StoreError::Poisoned));
            }
            if host.stops() {
                return Ok(());
            }
            host.games.prove_secrets();
            self.keep_listening(host);
            if now >= next_figures || next_figures - now > FIGURES {
                host.write_figures()?;
                next_figures = now.saturating_add(FIGURES);
            }
            host.tell_standing();
            let wait = if worked.idle() { TICK } else { Duration::ZERO };
            match self.calls.await_event(host, wait)? {
                Woken::ByMail => next_poll = host.clock().now(),
                Woken::ToStop => return Ok(()),
                Woken::Otherwise => {}
            }
        }
    }

    /// Has the folders on servers watched.
    fn watch(&self, host: &Host) -> Result<Vec<ImapWatch>, HostError> {
        let poll = Duration::from_secs(host.config().poll_seconds);
        let mut watches = Vec::new();
        for (index, (server, folder)) in host.config().watched(host.dir())?.into_iter().enumerate() {
            let tell = self.calls.on_mail();
            let name = server.to_string();
            let (mut quiet, clock) = (Quiet::default(), host.clock().clone());
            let wake = move |wake| {
                if let Wake::Fault(error) = &wake
                    && quiet.may_say(&error.to_string(), clock.now())
                {
                    tracing::warn!(server = name, %error, "the watch on this mailbox was interrupted");
                }
                tell();
            };
            let seed = u64::from(std::process::id()) + index as u64;
            let watch = ImapWatch::start(server, folder, poll, seed, wake);
            watches.push(watch.map_err(|e| HostError::io(host.dir(), e))?);
        }
        Ok(watches)
    }

    /// Has mails go to the relay from now on, by threads of their own where that may take long.
    fn begin_sending(&self, host: &mut Host, relay: Arc<dyn Relay>) -> Result<(), HostError> {
        let workers = host.config.workers();
        host.outbound
            .start(relay, workers, self.calls.on_sent())
            .map_err(|error| HostError::io(&host.dir, error))
    }

    /// Waits for the relay's answers, and notes them: whatever else has failed, what was sent is not to be sent again.
    fn end_sending(&self, host: &mut Host) -> Result<(), HostError> {
        // One may hold what was never committed.
        host.games.evict_all();
        host.outbound.end(&mut || self.calls.turn_away());
        host.note_settled().map(drop)
    }
}
