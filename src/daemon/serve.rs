//! The loop: drain the mailboxes, deal with the mail, run what is due, send what is written, wait.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::clock::Patience;
use super::control::{self, Call, Socket};
use super::quiet::Quiet;
use super::rounds::Trust;
use super::tally::Tally;
use super::{Host, HostError, Options, metrics, notify};
use crate::post::{
    Arrived, Backoff, Drained, ImapWatch, Keep, KeepError, PostError, Relay, Source, Spool, Wake,
};
use crate::store::StoreError;

/// How often local mailboxes and the spool are looked at: a look costs one directory listing.
const TICK: Duration = Duration::from_secs(1);
/// Seconds between two writings of the figures.
const FIGURES: i64 = 30;

/// What one pass did.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Worked {
    /// Mails dealt with.
    pub mails: usize,
    /// Turns run at their deadline.
    pub turns: usize,
    /// Mails sent.
    pub sent: usize,
}

impl Worked {
    /// Whether there was nothing to do.
    #[must_use]
    pub fn idle(self) -> bool {
        self == Self::default()
    }
}

/// One pass: takes in the mail, runs what is due, sends what is due. A source that can't be reached holds the turns that
/// are due.
///
/// # Errors
/// The store or the spool.
pub fn pass(
    host: &mut Host,
    sources: &mut [Box<dyn Source>],
    relay: &dyn Relay,
) -> Result<Worked, HostError> {
    let begun = host.clock().now();
    let mails = take_in(host, sources)?;
    let trust = match (host.watch.is_doubted(), host.unreached.is_empty()) {
        (true, _) => Trust::ClockJumped,
        (false, true) => Trust::Sure,
        (false, false) => Trust::Unreached,
    };
    let turns = host.run_due(begun, trust)?;
    let sent = host.send_due(relay)?;
    Ok(Worked { mails, turns, sent })
}

/// Drains every source and deals with the mail; returns how many were dealt with. A source that can't be reached is logged.
///
/// # Errors
/// The store or the spool.
pub fn take_in(host: &mut Host, sources: &mut [Box<dyn Source>]) -> Result<usize, HostError> {
    match sources {
        [only] if only.is_remote() => drain_and_decide(host, &mut **only),
        // Of two mailboxes, the later mail of one could otherwise be dealt with before the earlier of another.
        several => {
            for (n, source) in several.iter_mut().enumerate() {
                let begun = host.clock().now();
                let drained = source.drain(&mut notify::Pulse(host.spool()));
                note_drained(host, n, source.name(), begun, drained);
            }
            host.take_mail()
        }
    }
}

/// Drains on a thread of its own while the mail that is safe already is dealt with here. The spool is the queue between the
/// two: however much waits in the mailbox, memory holds one batch of each.
fn drain_and_decide(host: &mut Host, source: &mut dyn Source) -> Result<usize, HostError> {
    let (name, begun) = (source.name().to_owned(), host.clock().now());
    let (kept, arrivals) = sync_channel(1);
    let mut spool = Announcing { spool: host.spool().clone(), kept };
    thread::scope(|scope| {
        let drain = scope.spawn(move || source.drain(&mut spool));
        let mut taken = Ok(0);
        while let Ok(before) = taken {
            taken = match arrivals.recv_timeout(TICK) {
                Ok(()) => host.take_mail().map(|more| before + more),
                // The server lets us wait; how long it may is the source's affair.
                Err(RecvTimeoutError::Timeout) => {
                    notify::alive();
                    Ok(before)
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
        }
        let drained = drain.join().unwrap_or_else(|panic| resume_unwind(panic));
        note_drained(host, 0, &name, begun, drained);
        Ok(taken? + host.take_mail()?)
    })
}

/// Keeps mail in the spool and tells the loop of it.
struct Announcing {
    spool: Spool,
    kept: SyncSender<()>,
}

impl Keep for Announcing {
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
        self.spool.keep(batch)?;
        // Full: the loop knows already. Closed: it has failed, and the mail is safe.
        let _ = self.kept.try_send(());
        Ok(())
    }
}

/// Says what became of a drain of the `n`th source that began at this second.
fn note_drained(host: &mut Host, n: usize, source: &str, begun: i64, drained: Result<Drained, PostError>) {
    host.note_drain(n, begun, &drained);
    match drained {
        Ok(drained) => {
            if host.unreached.remove(source) {
                tracing::info!(source, "this mailbox can be drained again");
            }
            for left in drained.left.into_iter().filter(|left| host.quiet.may_say(left, begun)) {
                tracing::warn!(source, left, "this stays in its mailbox");
            }
        }
        // Said once: it is tried again every second or so, and a log can fill a disk too.
        Err(error) => {
            if host.unreached.insert(source.to_owned()) {
                tracing::warn!(source, %error, "this mailbox can't be drained now");
            }
        }
    }
}

impl Host {
    /// Whether it leaves anything that it could not deal with.
    fn ending(&self) -> Ending {
        let held = self.held_mails();
        let dealt_with = self.aside.is_empty() && self.set_aside.is_empty() && held.is_empty();
        let reached = self.unreached.is_empty() && self.relay_fault.is_none();
        match dealt_with && reached && !self.watch.is_doubted() {
            true => Ending::Well,
            false => Ending::LeftBehind,
        }
    }

    /// Looks at the clock; one that has jumped, or stands before what was written last, is told of and doubted.
    pub fn look_at_clock(&mut self) {
        let now = self.clock().now();
        if let Some(jump) = self.watch.look_at(now) {
            tracing::warn!(
                seconds = jump,
                "the clock has jumped: no turn is run at its deadline for a quarter of an hour"
            );
        }
        if let Some(seconds) = self.watch.behind()
            && self.quiet.may_say("the clock is behind", now)
        {
            tracing::error!(
                seconds,
                "the clock stands before the last entry of a journal: set it right; no turn is run at its deadline until then, and mails \
                 wait"
            );
        }
    }
}

/// What there is to do without a look at the mailboxes: mail from the pipe, and sending. No deadline is acted on, because
/// orders in time may lie in a mailbox.
fn between_polls(host: &mut Host, relay: &dyn Relay) -> Result<Worked, HostError> {
    let mails = host.take_mail()?;
    let sent = host.send_due(relay)?;
    Ok(Worked { mails, turns: 0, sent })
}

/// Passes until there is nothing left to do now: computer players' mails come back in.
///
/// # Errors
/// As [`pass`].
pub fn settle(host: &mut Host, sources: &mut [Box<dyn Source>], relay: &dyn Relay) -> Result<(), HostError> {
    while !pass(host, sources, relay)?.idle() {}
    Ok(())
}

/// What wakes the loop.
enum Event {
    Mail,
    Call(Box<Call>),
    Stop,
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
    events: Sender<Event>,
    inbox: Receiver<Event>,
    /// When it began, unix seconds; none before the first store was opened.
    started: Option<i64>,
    socket: Option<Socket>,
    tally: Tally,
}

/// How a daemon ended that found no fault of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is left that it could not deal with.
    Well,
    /// A game or a mail waits for somebody, a mailbox, the relay or the clock: see the log.
    LeftBehind,
}

/// Runs the daemon. `options` is asked again whenever the store has to be opened anew.
///
/// # Errors
/// What keeps the daemon from starting. Later faults are logged, and tried again with growing pauses.
pub fn serve(options: &dyn Fn() -> Options, run: Run) -> Result<Ending, HostError> {
    let (events, inbox) = channel();
    stop_on_signals(&events)?;
    let tally = Tally::default();
    let mut daemon = Daemon { options, run, events, inbox, started: None, socket: None, tally };
    let mut backoff =
        Backoff::new(Duration::from_secs(1), Duration::from_secs(60), u64::from(std::process::id()));
    let mut quiet = Quiet::default();
    loop {
        match daemon.session() {
            Ok(ending) => return Ok(ending),
            Err(error) if daemon.started.is_none() || run == Run::Once || !may_pass(&error) => {
                return Err(error);
            }
            Err(error) => {
                let (wait, said) = (backoff.after_failure(), error.to_string());
                daemon.tally.count(|counters| counters.faults += 1);
                if quiet.may_say(&said, options().clock.now()) {
                    tracing::error!(error = said, "trying again until this passes");
                }
                if daemon.wait_out(&said, wait) {
                    return Ok(Ending::Well);
                }
            }
        }
    }
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
    /// Waits for trouble to pass; who calls meanwhile is told of it. Whether the daemon is to stop.
    fn wait_out(&self, trouble: &str, wait: Duration) -> bool {
        let patience = Patience::of(wait);
        loop {
            notify::alive();
            match self.inbox.recv_timeout(patience.left()) {
                Ok(Event::Call(call)) => call.answer(Err(HostError::Waiting(trouble.to_owned()))),
                Ok(Event::Mail) => {}
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    /// Listens for commands, unless it does already; again where the socket's file has gone. Whoever holds the store is the only one to
    /// do so.
    fn listen(&mut self, dir: &Path) -> Result<(), HostError> {
        if self.socket.as_ref().is_none_or(|socket| !socket.stands()) {
            self.socket = None;
            let to_loop = self.events.clone();
            self.socket = Some(control::listen(dir, move |call| {
                // The loop may be ending; the caller then runs into its time limit.
                let _ = to_loop.send(Event::Call(Box::new(call)));
            })?);
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
        let mut host = Host::open((self.options)())?;
        host.tally = self.tally.clone();
        host.look_at_clock();
        host.tell_of_templates()?;
        host.config().metrics_path(host.dir())?;
        let mut sources = host.config().sources(host.dir())?;
        let relay = host.config().relay(host.dir(), host.clock())?;
        if self.run == Run::Once {
            settle(&mut host, &mut sources, &*relay)?;
            return Ok(host.ending());
        }
        self.listen(host.dir())?;
        let _watches = watch(&host, &self.events)?;
        host.started = Some(*self.started.get_or_insert_with(|| host.clock().now()));
        notify::ready();
        tracing::info!(dir = %host.dir().display(), address = host.config().address, "musterd serves");
        let poll = i64::try_from(host.config().poll_seconds).unwrap_or(i64::MAX);
        // A mailbox on a server is looked at when it wakes us, and every so often anyway.
        let mut next_poll = host.clock().now();
        let mut next_figures = next_poll;
        loop {
            host.look_at_clock();
            let now = host.clock().now();
            let due = host.next_due()?.is_some_and(|at| at <= now);
            // A turn that is held for a mailbox waits for the next poll: a server in trouble isn't asked every second.
            let due = due && host.unreached.is_empty() && !host.watch.is_doubted();
            // A clock that was set back must not make us wait for what it said before.
            let polled = now >= next_poll || next_poll - now > poll;
            if due || polled || host.config().mails_locally() {
                settle(&mut host, &mut sources, &*relay)?;
                next_poll = now.saturating_add(poll);
            } else {
                while !between_polls(&mut host, &*relay)?.idle() {}
            }
            host.prove_secrets();
            self.keep_listening(&mut host);
            if now >= next_figures || next_figures - now > FIGURES {
                write_figures(&mut host)?;
                next_figures = now.saturating_add(FIGURES);
            }
            notify::standing(&host);
            notify::alive();
            match self.inbox.recv_timeout(TICK) {
                Ok(Event::Mail) => next_poll = host.clock().now(),
                Ok(Event::Call(call)) => {
                    let outcome = host.execute(call.request.clone());
                    let broken = matches!(&outcome, Err(HostError::Store(error)) if error.may_pass());
                    call.answer(outcome);
                    if broken {
                        return Err(HostError::Store(StoreError::Poisoned));
                    }
                }
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => {
                    notify::stopping();
                    tracing::info!("stopping: the step in hand is finished");
                    // While the store is still held: the next daemon's socket is another.
                    self.socket = None;
                    return Ok(host.ending());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Writes the figures where the operator wants them. A disk that has no room for them stops nothing.
fn write_figures(host: &mut Host) -> Result<(), HostError> {
    let Some(path) = host.config().metrics_path(host.dir())? else { return Ok(()) };
    if let Err(error) = metrics::write_file(&path, &host.vitals()?)
        && host.quiet.may_say("metrics_file", host.clock().now())
    {
        tracing::warn!(path = %path.display(), %error, "the figures can't be written: see metrics_file");
    }
    Ok(())
}

fn watch(host: &Host, events: &Sender<Event>) -> Result<Vec<ImapWatch>, HostError> {
    let poll = Duration::from_secs(host.config().poll_seconds);
    let mut watches = Vec::new();
    for (index, (server, folder)) in host.config().watched(host.dir())?.into_iter().enumerate() {
        let events = events.clone();
        let name = server.to_string();
        let (mut quiet, clock) = (Quiet::default(), host.clock().clone());
        let wake = move |wake| {
            if let Wake::Fault(error) = &wake
                && quiet.may_say(&error.to_string(), clock.now())
            {
                tracing::warn!(server = name, %error, "the watch on this mailbox was interrupted");
            }
            // The loop has ended where nobody listens.
            let _ = events.send(Event::Mail);
        };
        let seed = u64::from(std::process::id()) + index as u64;
        let watch = ImapWatch::start(server, folder, poll, seed, wake);
        watches.push(watch.map_err(|e| HostError::io(host.dir(), e))?);
    }
    Ok(watches)
}

fn stop_on_signals(events: &Sender<Event>) -> Result<(), HostError> {
    let fault = |e| HostError::io(Path::new("signals"), e);
    let mut signals = Signals::new([SIGTERM, SIGINT]).map_err(fault)?;
    let events = events.clone();
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for _ in signals.forever() {
                if events.send(Event::Stop).is_err() {
                    return;
                }
            }
        })
        .map_err(fault)?;
    Ok(())
}
