//! Mail in: every mailbox is drained into the spool, and what lies there is dealt with.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::Host;
use crate::HostError;
use crate::clock::Stopwatch;
use crate::notify;
use musterd_post::{Arrived, Drained, Keep, KeepError, PostError, Source, Spool, Stop};

/// How often local mailboxes and the spool are looked at: a look costs one directory listing.
pub(super) const TICK: Duration = Duration::from_secs(1);

/// How long other mail waits for a mailbox that is slow, in microseconds.
const PATIENCE: u64 = 120_000_000;

/// How it stands while mailboxes on servers are drained.
#[derive(Debug, Clone, Copy)]
pub enum Draining<'a> {
    /// They are drained.
    InTime,
    /// That takes so long that nothing waits for it any more, and a mailbox is out of reach since this time, by [`Clock::passed`].
    ///
    /// [`Clock::passed`]: crate::clock::Clock::passed
    Slow(i64),
    /// The host has failed, and only waits for the servers; what it is told then is of no effect.
    Failed(&'a HostError),
}

/// Called every second or so.
type Meanwhile<'a> = dyn FnMut(&mut Host, Draining<'_>) -> Result<(), HostError> + 'a;

/// Drains every source and deals with the mail; returns how many were dealt with. A source that can't be reached is logged.
/// While servers are drained, `meanwhile` is called every second or so.
///
/// # Errors
/// The store or the spool; what `meanwhile` says.
pub fn take_in(
    host: &mut Host,
    sources: &mut [Box<dyn Source>],
    meanwhile: &mut Meanwhile<'_>,
) -> Result<usize, HostError> {
    if sources.iter().any(|source| source.is_remote()) {
        return drain_and_decide(host, sources, meanwhile);
    }
    for (n, source) in sources.iter_mut().enumerate() {
        if host.stops() {
            break;
        }
        let begun = host.clock().now();
        let drained = source.drain(&mut notify::Pulse(host.spool()));
        note_drained(host, n, source.name(), begun, drained);
    }
    host.take_mail()
}

/// Drains on a thread of its own while the mail that is safe already is dealt with here. The spool is the queue between the
/// two: however much waits in the mailbox, memory holds one batch of each.
fn drain_and_decide(
    host: &mut Host,
    sources: &mut [Box<dyn Source>],
    meanwhile: &mut Meanwhile<'_>,
) -> Result<usize, HostError> {
    let clock = host.clock().clone();
    let stopwatch = Stopwatch::start();
    // Which of them takes so long isn't known: where it may be one that was well, that is out of reach from now on.
    let known = sources.iter().all(|source| host.inbox.unreached().contains_key(source.name()));
    let unreached = host.inbox.unreached_since().filter(|_| known).unwrap_or_else(|| clock.passed());
    let (kept, arrivals) = sync_channel(1);
    let failed = Arc::new(AtomicBool::new(false));
    let stop = Stop::when(Arc::clone(&host.stopping));
    let mut spool = Announcing { spool: host.spool().clone(), kept, stop, failed: Arc::clone(&failed) };
    let alone = sources.len() == 1;
    thread::scope(|scope| {
        let drain = scope.spawn(move || {
            let mut drained = Vec::new();
            for source in sources {
                if spool.has_ended() {
                    break;
                }
                let begun = clock.now();
                drained.push((source.name().to_owned(), begun, source.drain(&mut spool)));
            }
            drained
        });
        let mut taken = Ok(0);
        loop {
            let has_arrived = match arrivals.recv_timeout(TICK) {
                Ok(()) => true,
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            notify::alive();
            let before = match &taken {
                Ok(before) => *before,
                Err(error) => {
                    let _ = meanwhile(host, Draining::Failed(error));
                    continue;
                }
            };
            let (slow, how) = match stopwatch.micros() > PATIENCE {
                true => (true, Draining::Slow(unreached)),
                false => (false, Draining::InTime),
            };
            // Of two mailboxes, the later mail of one could otherwise be dealt with before the earlier of another.
            let decides = alone && has_arrived || slow;
            let more = if decides { host.take_mail() } else { Ok(0) };
            taken = more.and_then(|more| meanwhile(host, how).map(|()| before + more));
            // The drain ends with the batch that it is at.
            failed.store(taken.is_err(), Ordering::Relaxed);
        }
        let drained = drain.join().unwrap_or_else(|panic| resume_unwind(panic));
        for (n, (name, begun, drained)) in drained.into_iter().enumerate() {
            note_drained(host, n, &name, begun, drained);
        }
        Ok(taken? + host.take_mail()?)
    })
}

/// Keeps mail in the spool and tells the loop of it.
struct Announcing {
    spool: Spool,
    kept: SyncSender<()>,
    stop: Stop,
    /// Whether the host has failed.
    failed: Arc<AtomicBool>,
}

impl Announcing {
    /// Whether no more mail is kept.
    fn has_ended(&self) -> bool {
        self.stop.is_set() || self.failed.load(Ordering::Relaxed)
    }
}

impl Keep for Announcing {
    fn keep(&mut self, batch: &[Arrived]) -> Result<(), KeepError> {
        if self.has_ended() {
            return Err(KeepError::Stopping);
        }
        self.spool.keep(batch)?;
        // Full: the loop knows already. Closed: it has failed, and the mail is safe.
        let _ = self.kept.try_send(());
        Ok(())
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

/// Says what became of a drain of the `n`th source that began at this second.
fn note_drained(host: &mut Host, n: usize, source: &str, begun: i64, drained: Result<Drained, PostError>) {
    if matches!(drained, Err(PostError::Keep(KeepError::Stopping))) {
        return;
    }
    let passed = host.clock().passed();
    let is_another = host.inbox.note_drain((n, source), (begun, passed), &drained);
    match drained {
        Ok(drained) => {
            if is_another {
                tracing::info!(source, "this mailbox can be drained again");
            }
            for left in drained.left.into_iter().filter(|left| host.quiet.may_say(left, begun)) {
                tracing::warn!(source, left, "this stays in its mailbox");
            }
        }
        // Not each time: it is tried again every second or so, and a log can fill a disk too.
        Err(error) => {
            if host.quiet.may_say(&format!("{source}: {error}"), begun) || is_another {
                tracing::warn!(source, %error, "this mailbox can't be drained now");
            }
        }
    }
}
