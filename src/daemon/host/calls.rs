//! What wakes the loop, or comes in while it is at something: word of mail, of answers of the relay, commands, and the wish that it stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::Host;
use super::drain::Draining;
use crate::HostError;
use crate::clock::Patience;
use crate::control::Call;
use crate::notify;
use crate::transit::Delivery;
use musterd_store::StoreError;

/// What wakes the loop.
enum Event {
    Mail,
    /// Something came of mails that the relay had.
    Sent,
    Call(Box<Call>),
    Stop,
}

/// What the loop was woken for.
pub(super) enum Woken {
    ByMail,
    ToStop,
    Otherwise,
}

/// What came in while the loop was at something.
#[derive(Default)]
pub(super) struct CameIn {
    /// Something says that there is mail.
    pub(super) mail: bool,
    /// A command found the store broken.
    pub(super) broken: bool,
}

/// What comes in, in order, and the commands that wait for the relay.
pub(super) struct Calls {
    events: Sender<Event>,
    inbox: Receiver<Event>,
    /// Commands that take back what the relay has just now: they are taken up again when it has answered.
    postponed: Vec<(Call, Vec<Delivery>)>,
    mail_waits: Flag,
    sent_waits: Flag,
}

/// Whether an event of a kind is on its way: who tells of the same without end fills no queue.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

impl Flag {
    /// Whether it was not set before.
    fn raise(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }

    fn lower(&self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Calls {
    pub(super) fn new() -> Self {
        let (events, inbox) = channel();
        Self {
            events,
            inbox,
            postponed: Vec::new(),
            mail_waits: Flag::default(),
            sent_waits: Flag::default(),
        }
    }

    /// To be called by whoever knows of mail.
    pub(super) fn on_mail(&self) -> impl Fn() + Clone + Send + 'static + use<> {
        self.on(&self.mail_waits, || Event::Mail)
    }

    /// To be called by whoever carries mails, when something came of them.
    pub(super) fn on_sent(&self) -> impl Fn() + Clone + Send + 'static + use<> {
        self.on(&self.sent_waits, || Event::Sent)
    }

    fn on(&self, flag: &Flag, event: fn() -> Event) -> impl Fn() + Clone + Send + 'static + use<> {
        let (events, flag) = (self.events.clone(), flag.clone());
        move || {
            if flag.raise() {
                // The loop has ended where nobody listens.
                let _ = events.send(event());
            }
        }
    }

    /// To be called with each command.
    pub(super) fn on_call(&self) -> impl Fn(Call) + Send + Sync + Clone + 'static + use<> {
        let events = self.events.clone();
        move |call| {
            // The loop may be ending; the caller then runs into its time limit.
            let _ = events.send(Event::Call(Box::new(call)));
        }
    }

    /// To be called when the loop is to stop; whether it still listens.
    pub(super) fn on_stop(&self) -> impl Fn() -> bool + Send + 'static + use<> {
        let events = self.events.clone();
        move || events.send(Event::Stop).is_ok()
    }

    /// Waits for trouble to pass; who calls meanwhile is told of it. Whether the daemon is to stop.
    pub(super) fn wait_out(&self, trouble: &str, wait: Duration) -> bool {
        let patience = Patience::of(wait);
        loop {
            notify::alive();
            match self.inbox.recv_timeout(patience.left()) {
                Ok(Event::Call(call)) => call.answer(Err(HostError::Waiting(trouble.to_owned()))),
                Ok(Event::Mail) => self.mail_waits.lower(),
                Ok(Event::Sent) => self.sent_waits.lower(),
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    /// Waits until something happens, but no longer than this; a command is carried out.
    ///
    /// # Errors
    /// A command found the store broken.
    pub(super) fn await_event(&mut self, host: &mut Host, wait: Duration) -> Result<Woken, HostError> {
        match self.inbox.recv_timeout(wait) {
            Ok(Event::Mail) => {
                self.mail_waits.lower();
                return Ok(Woken::ByMail);
            }
            Ok(Event::Sent) => self.sent_waits.lower(),
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

    /// Tells whoever calls meanwhile that nothing is done any more until the relay has answered.
    pub(super) fn turn_away(&self) {
        while let Ok(event) = self.inbox.try_recv() {
            match event {
                Event::Mail => self.mail_waits.lower(),
                Event::Sent => self.sent_waits.lower(),
                Event::Call(call) => call.answer(Err(HostError::Waiting(
                    "the relay is to answer about mails that it has".to_owned(),
                ))),
                // The flag says so already.
                Event::Stop => {}
            }
        }
    }

    /// Refuses the commands that wait for the relay.
    pub(super) fn refuse_postponed(&mut self) {
        for (call, deliveries) in self.postponed.drain(..) {
            call.refuse(&HostError::InTransit(deliveries));
        }
    }

    /// Carries out a command; whether it found the store broken. One that takes back what the relay has just now is postponed.
    fn answer(&mut self, host: &mut Host, call: Call) -> bool {
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
                self.postponed.push((call, deliveries));
                return false;
            }
            // The relay had begun none: all were called back, so it is decided again.
            host.outbound.let_go(&deliveries);
        }
    }

    /// Carries out the commands that waited for the relay, where it has answered; whether one found the store broken.
    pub(super) fn answer_postponed(&mut self, host: &mut Host) -> bool {
        let mut broken = false;
        for (call, deliveries) in std::mem::take(&mut self.postponed) {
            if broken || host.outbound.has_any(&deliveries) {
                self.postponed.push((call, deliveries));
            } else {
                host.outbound.let_go(&deliveries);
                broken = self.answer(host, call);
            }
        }
        broken
    }

    /// Answers who calls meanwhile, until the store fails. Whether more is to be begun.
    pub(super) fn answer_calls(&mut self, host: &mut Host, how: Draining<'_>, asked: &mut CameIn) -> bool {
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
                    self.mail_waits.lower();
                    asked.mail = true;
                }
                Event::Sent => self.sent_waits.lower(),
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
