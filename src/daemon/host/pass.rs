//! One pass of the loop: drain the mailboxes, deal with the mail, run what is due, send what is written.

use super::Host;
use super::drain::{Draining, take_in};
use crate::HostError;
use crate::decisions::time::rounds::Trust;
use musterd_post::{Relay, Source};
use musterd_store::StoreError;

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
pub(super) type Meanwhile<'a> = dyn FnMut(&mut Host, Draining<'_>) -> bool + 'a;

/// Has the mails that are due sent, or begins to; how many were settled.
pub(super) type Send<'a> = dyn FnMut(&mut Host) -> Result<usize, HostError> + 'a;

pub(super) fn pass_while(
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
pub(super) fn between_polls(host: &mut Host) -> Result<Worked, HostError> {
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
