//! The loop: drain the mailboxes, deal with the mail, run what is due, send what is written, wait.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::drain::TICK;
pub use super::drain::{Draining, take_in};
use super::{Host, Options};
use crate::HostError;
use crate::books::tally::SharedCounters;
use crate::clock::{Patience, Watch};
use crate::control::{self, Call, Socket};
use crate::decisions::time::rounds::Trust;
use crate::notify;
use crate::outbound::Settled;
use crate::quiet::Quiet;
use crate::signals;
use crate::transit::Delivery;
use musterd_post::{Backoff, ImapWatch, Relay, Source, Wake};
use musterd_store::StoreError;

/// Seconds between two writings of the figures.
const FIGURES: i64 = 30;

/// What one pass did.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Worked {
    /// Mails dealt with.
    pub mails: usize,
    /// Turns run at their deadline.
    pub turns: usize,
    /// Mails sent, put off or refused.
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
    pass_while(host, sources, &mut |host| host.send_due(relay), &mut |_, _| true)
}

/// Called every second or so; whether more is to be begun.
type Meanwhile<'a> = dyn FnMut(&mut Host, Draining<'_>) -> bool + 'a;

/// Has the mails that are due sent, or begins to; how many were settled.
type Send<'a> = dyn FnMut(&mut Host) -> Result<usize, HostError> + 'a;

fn pass_while(
    host: &mut Host,
    sources: &mut [Box<dyn Source>],
    send: &mut Send<'_>,
    meanwhile: &mut Meanwhile<'_>,
) -> Result<Worked, HostError> {
    let begun = host.clock().now();
    let mails = take_in(host, sources, &mut |host, how| {
        let goes_on = meanwhile(host, how);
        if matches!(how, Draining::Failed(_)) {
            return Ok(());
        }
        if !goes_on {
            return Err(HostError::Store(StoreError::Poisoned));
        }
        // A mailbox that takes so long is as good as out of reach.
        if let Draining::Slow(since) = how {
            host.look_at_clock();
            let trust = match host.watch.is_doubted() {
                true => Trust::ClockJumped,
                false => host.unreached(since),
            };
            host.run_due(host.clock().now(), trust)?;
            send(host)?;
        }
        host.keep_sending()
    })?;
    // Of mail that a drain has left where it was, orders in time may be part.
    if host.stops() {
        return Ok(Worked { mails, ..Worked::default() });
    }
    let trust = host.trust();
    let turns = host.run_due(begun, trust)?;
    let sent = send(host)?;
    Ok(Worked { mails, turns, sent })
}

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
        let (games, next) = (self.games.names().len(), self.games.next_deadline());
        notify::standing(games, next, self.inbox.unreached().keys());
        notify::alive();
    }

    /// Whether it is sure that orders which are not here are missing.
    fn trust(&self) -> Trust {
        match (self.watch.is_doubted(), self.inbox.unreached_since()) {
            (true, _) => Trust::ClockJumped,
            (false, None) => Trust::Sure,
            (false, Some(since)) => self.unreached(since),
        }
    }

    /// A mailbox is out of reach since then. A process that looks once never knows for how long.
    fn unreached(&self, since: i64) -> Trust {
        Trust::Unreached(if self.looks_once { i64::MAX } else { since })
    }
}

/// What there is to do without a look at the mailboxes: mail from the pipe, and sending. No deadline is acted on, because
/// orders in time may lie in a mailbox.
fn between_polls(host: &mut Host) -> Result<Worked, HostError> {
    let mails = host.take_mail()?;
    let sent = host.send_on()?;
    Ok(Worked { mails, turns: 0, sent })
}

/// Passes until there is nothing left to do now, or the process is to stop: computer players' mails come back in.
///
/// # Errors
/// As [`pass`].
pub fn settle(host: &mut Host, sources: &mut [Box<dyn Source>], relay: &dyn Relay) -> Result<(), HostError> {
    while !pass(host, sources, relay)?.idle() && !host.stops() {}
    Ok(())
}

/// What wakes the loop.
enum Event {
    Mail,
    /// Something came of mails that the relay had.
    Sent,
    Call(Box<Call>),
    Stop,
}

/// What the loop was woken for.
enum Woken {
    ByMail,
    ToStop,
    Otherwise,
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
    events: Sender<Event>,
    inbox: Receiver<Event>,
    /// When it began, unix seconds; none before the first store was opened.
    started: Option<i64>,
    socket: Option<Socket>,
    tally: SharedCounters,
    /// What the last host saw of the system's clock, and of mailboxes that can't be drained.
    watch: Watch,
    unreached: BTreeMap<String, i64>,
    /// What became of mails, and the last host could not note.
    unnoted: Settled,
    /// Commands that take back what the relay has just now: they are taken up again when it has answered.
    postponed: RefCell<Vec<(Call, Vec<Delivery>)>>,
    /// Set by the signal to stop, for whoever is in the middle of something.
    stopping: Arc<AtomicBool>,
    /// Whether [`Event::Mail`] is on its way: a server that tells of mail without end fills no queue.
    mail_waits: Arc<AtomicBool>,
    /// Whether [`Event::Sent`] is.
    sent_waits: Arc<AtomicBool>,
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
    let (events, inbox) = channel();
    let stopping = Arc::<AtomicBool>::default();
    let to_loop = events.clone();
    signals::stop_on_them(&stopping, move || to_loop.send(Event::Stop).is_ok())?;
    let tally = SharedCounters::default();
    let mut daemon = Daemon {
        options,
        run,
        say,
        events,
        inbox,
        started: None,
        socket: None,
        tally,
        watch: Watch::default(),
        unreached: BTreeMap::new(),
        unnoted: Settled::default(),
        postponed: RefCell::default(),
        stopping,
        mail_waits: Arc::default(),
        sent_waits: Arc::default(),
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
                    if self.wait_out(&said, wait) {
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

    /// Waits for trouble to pass; who calls meanwhile is told of it. Whether the daemon is to stop.
    fn wait_out(&self, trouble: &str, wait: Duration) -> bool {
        let patience = Patience::of(wait);
        loop {
            notify::alive();
            match self.inbox.recv_timeout(patience.left()) {
                Ok(Event::Call(call)) => call.answer(Err(HostError::Waiting(trouble.to_owned()))),
                Ok(Event::Mail) => self.mail_waits.store(false, Ordering::Release),
                Ok(Event::Sent) => self.sent_waits.store(false, Ordering::Release),
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
        let mut host = Host::open_counting((self.options)(), self.tally.clone())?;
        host.stopping = Arc::clone(&self.stopping);
        host.looks_once = self.run == Run::Once;
        host.watch.carry_on(self.watch);
        host.inbox.carry_on(std::mem::take(&mut self.unreached), |_| true);
        let unnoted = std::mem::take(&mut self.unnoted);
        let worked = host.take_over(unnoted).and_then(|()| self.work(&mut host));
        for (call, deliveries) in self.postponed.take() {
            call.refuse(&HostError::InTransit(deliveries));
        }
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
            if self.answer_postponed(host) {
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
            let mut meanwhile = |host: &mut Host, how: Draining<'_>| self.answer_calls(host, how, &mut asked);
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
            match self.await_event(host, wait)? {
                Woken::ByMail => next_poll = host.clock().now(),
                Woken::ToStop => return Ok(()),
                Woken::Otherwise => {}
            }
        }
    }

    /// Waits until something happens, but no longer than this; a command is carried out.
    fn await_event(&self, host: &mut Host, wait: Duration) -> Result<Woken, HostError> {
        match self.inbox.recv_timeout(wait) {
            Ok(Event::Mail) => {
                self.mail_waits.store(false, Ordering::Release);
                return Ok(Woken::ByMail);
            }
            Ok(Event::Sent) => self.sent_waits.store(false, Ordering::Release),
            Ok(Event::Call(call)) => {
                if self.answer(host, *call) {
                    return Err(HostError::Store(StoreError::Poisoned));
                }
            }
            Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return Ok(Woken::ToStop),
            Err(RecvTimeoutError::Timeout) => {}
        }
        Ok(Woken::Otherwise)
    }

    /// Has the folders on servers watched.
    fn watch(&self, host: &Host) -> Result<Vec<ImapWatch>, HostError> {
        let poll = Duration::from_secs(host.config().poll_seconds);
        let mut watches = Vec::new();
        for (index, (server, folder)) in host.config().watched(host.dir())?.into_iter().enumerate() {
            let (events, waits) = (self.events.clone(), Arc::clone(&self.mail_waits));
            let name = server.to_string();
            let (mut quiet, clock) = (Quiet::default(), host.clock().clone());
            let wake = move |wake| {
                if let Wake::Fault(error) = &wake
                    && quiet.may_say(&error.to_string(), clock.now())
                {
                    tracing::warn!(server = name, %error, "the watch on this mailbox was interrupted");
                }
                if !waits.swap(true, Ordering::AcqRel) {
                    // The loop has ended where nobody listens.
                    let _ = events.send(Event::Mail);
                }
            };
            let seed = u64::from(std::process::id()) + index as u64;
            let watch = ImapWatch::start(server, folder, poll, seed, wake);
            watches.push(watch.map_err(|e| HostError::io(host.dir(), e))?);
        }
        Ok(watches)
    }

    /// Has mails go to the relay from now on, by threads of their own where that may take long.
    fn begin_sending(&self, host: &mut Host, relay: Arc<dyn Relay>) -> Result<(), HostError> {
        let (events, waits) = (self.events.clone(), Arc::clone(&self.sent_waits));
        let wake = move || {
            if !waits.swap(true, Ordering::AcqRel) {
                // The loop has ended where nobody listens.
                let _ = events.send(Event::Sent);
            }
        };
        let workers = host.config.workers();
        host.outbound.start(relay, workers, wake).map_err(|error| HostError::io(&host.dir, error))
    }

    /// Waits for the relay's answers, and notes them: whatever else has failed, what was sent is not to be sent again.
    fn end_sending(&self, host: &mut Host) -> Result<(), HostError> {
        // One may hold what was never committed.
        host.games.evict_all();
        host.outbound.end(&mut || self.turn_away());
        host.note_settled().map(drop)
    }

    /// Tells whoever calls meanwhile that nothing is done any more until the relay has answered.
    fn turn_away(&self) {
        while let Ok(event) = self.inbox.try_recv() {
            match event {
                Event::Mail => self.mail_waits.store(false, Ordering::Release),
                Event::Sent => self.sent_waits.store(false, Ordering::Release),
                Event::Call(call) => call.answer(Err(HostError::Waiting(
                    "the relay is to answer about mails that it has".to_owned(),
                ))),
                // The flag says so already.
                Event::Stop => {}
            }
        }
    }

    /// Carries out a command; whether it found the store broken. One that takes back what the relay has just now is postponed.
    fn answer(&self, host: &mut Host, call: Call) -> bool {
        if !call.take_up() {
            return false;
        }
        loop {
            let outcome = host.execute(call.request.clone());
            let Err(HostError::InTransit(deliveries)) = outcome else {
                let broken = matches!(&outcome, Err(HostError::Store(error)) if error.may_pass());
                call.answer(outcome);
                return broken;
            };
            if host.outbound.hold_back(&deliveries) {
                tracing::info!(
                    "a command takes back what the relay has just now: it waits for the relay's answer"
                );
                call.put_back();
                self.postponed.borrow_mut().push((call, deliveries));
                return false;
            }
            // The relay had begun none: all were called back, so it is decided again.
            host.outbound.let_go(&deliveries);
        }
    }

    /// Carries out the commands that waited for the relay, where it has answered; whether one found the store broken.
    fn answer_postponed(&self, host: &mut Host) -> bool {
        let mut broken = false;
        for (call, deliveries) in self.postponed.take() {
            if broken || host.outbound.has_any(&deliveries) {
                self.postponed.borrow_mut().push((call, deliveries));
            } else {
                host.outbound.let_go(&deliveries);
                broken = self.answer(host, call);
            }
        }
        broken
    }

    /// Answers who calls meanwhile, until the store fails. Whether more is to be begun.
    fn answer_calls(&self, host: &mut Host, how: Draining<'_>, asked: &mut CameIn) -> bool {
        let trouble = match how {
            Draining::Failed(error) => Some(error),
            Draining::InTime | Draining::Slow(_) => None,
        };
        if trouble.is_none() {
            asked.broken |= self.answer_postponed(host);
        }
        while (!asked.broken || trouble.is_some())
            && let Ok(event) = self.inbox.try_recv()
        {
            match event {
                Event::Mail => {
                    self.mail_waits.store(false, Ordering::Release);
                    asked.mail = true;
                }
                Event::Sent => self.sent_waits.store(false, Ordering::Release),
                Event::Call(call) => match trouble {
                    Some(error) => call.refuse(error),
                    None => asked.broken = self.answer(host, *call),
                },
                // The flag says so already.
                Event::Stop => {}
            }
        }
        !asked.broken
    }
}

/// What came in while the loop was at something.
#[derive(Default)]
struct CameIn {
    /// Something says that there is mail.
    mail: bool,
    /// A command found the store broken.
    broken: bool,
}
