//! What a host keeps on its disk: the ledger of its games, the spool of their mail, and for which turn each mail was decided. One batch is
//! written by a thread of its own while the next is decided.
//!
//! **Architecture invariant:** whoever asks the store anything waits until what was handed over is written, so that nobody
//! reads half of it. The two questions that every mail asks are answered at once: whether it was dealt with, since no mail is
//! decided twice meanwhile, and whether a mark is known, since the marks handed over are at hand.

use std::collections::BTreeSet;
use std::io;
use std::ops::Deref;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::HostError;
use crate::books::decided::{Decision, Decisions};
use crate::books::logbook;
use crate::books::tally::SharedCounters;
use crate::clock::Stopwatch;
use musterd_disk::worker::Worker;
use musterd_post::{Arrived, Aside, KeepError, Pending, Spool};
use musterd_store::{Ledger, Records, Step, StoreError};

/// The only one who writes what must last. It knows nothing of rules.
pub(crate) struct Bookkeeper {
    books: Books,
    spool: Spool,
    /// Mail that is no game's, once it was dealt with.
    other: Aside,
    decisions: Decisions,
}

/// The ledger as whoever only reads it sees it: with all that was handed over.
#[derive(Clone)]
pub(crate) struct Books(Arc<Shared>);

struct Shared {
    store: Arc<dyn Ledger>,
    work: Mutex<Work>,
    thread: Worker,
}

/// What the bookkeeper is at.
enum Work {
    Nothing,
    Writing {
        outcome: Receiver<Result<(), HostError>>,
        /// The marks in what is being written.
        seen: BTreeSet<String>,
    },
    /// Written, or not, and nobody has asked yet.
    Done(Result<(), HostError>),
}

impl Bookkeeper {
    pub(crate) fn new(
        store: impl Ledger + 'static,
        spool: Spool,
        other: Aside,
        decisions: Decisions,
    ) -> Self {
        let (work, thread) = (Mutex::new(Work::Nothing), Worker::new("bookkeeper"));
        let books = Books(Arc::new(Shared { store: Arc::new(store), work, thread }));
        Self { books, spool, other, decisions }
    }

    /// What it keeps, for others to read.
    pub(crate) fn books(&self) -> Books {
        self.books.clone()
    }

    /// The spool: whoever drains a mailbox keeps mail there.
    pub(crate) fn spool(&mut self) -> &mut Spool {
        &mut self.spool
    }

    /// The mails that wait to be dealt with, and the names of files among them that are none.
    pub(crate) fn mails_waiting(&self) -> Result<(Vec<Pending>, Vec<String>), KeepError> {
        self.spool.waiting()
    }

    /// The mails that were dealt with.
    pub(crate) fn mails_dealt_with(&self) -> Result<Vec<Pending>, KeepError> {
        self.spool.dealt_with()
    }

    /// Has mails that arrived by a wrong clock count as arrived at another time; how many wait.
    pub(crate) fn redate(&self, until: i64, at: i64) -> Result<usize, KeepError> {
        self.spool.redate(until, at)
    }

    /// A mail as it arrived.
    pub(crate) fn mail(&self, mail: &Pending) -> Result<Arrived, KeepError> {
        self.spool.read(mail)
    }

    /// Writes for which turn mails were decided, before they leave `spool/new`.
    pub(crate) fn write_decisions(&mut self, decisions: &[Decision]) -> Result<(), HostError> {
        self.decisions.write(decisions)
    }

    /// Puts away the mails that are dealt with: those of games for good, others for a while.
    pub(crate) fn put_away(&mut self, kept: &[Pending], other: &[Pending]) -> Result<(), KeepError> {
        other.iter().try_for_each(|mail| self.other.take(&self.spool.place_of(mail), &mail.name))?;
        self.spool.done(kept)
    }

    /// Hands over steps with their marks: they are committed, and then the mails that they came of put away, while the caller
    /// does other things. [`Self::finish`] tells how it went.
    ///
    /// # Errors
    /// There can be no thread for it: nothing was written.
    pub(crate) fn begin(
        &self,
        (steps, seen): (Vec<Step>, BTreeSet<String>),
        mails: Vec<Pending>,
        tally: SharedCounters,
    ) -> io::Result<()> {
        let (store, spool) = (Arc::clone(&self.books.0.store), self.spool.clone());
        let write = move || {
            if !steps.is_empty() {
                let stopwatch = Stopwatch::start();
                store.commit(&steps)?;
                tally.committed(&steps, stopwatch.micros());
                logbook::committed(&steps);
            }
            Ok(spool.done(&mails)?)
        };
        let outcome = self.books.0.thread.begin(write)?;
        *self.books.work() = Work::Writing { outcome, seen };
        Ok(())
    }

    /// Waits until all that was handed over is written.
    ///
    /// # Errors
    /// The store or the spool.
    pub(crate) fn finish(&self) -> Result<(), HostError> {
        match self.books.waited().take() {
            Work::Done(outcome) => outcome,
            Work::Nothing | Work::Writing { .. } => Ok(()),
        }
    }
}

impl Books {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.0.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waited(&self) -> MutexGuard<'_, Work> {
        let mut work = self.work();
        *work = match work.take() {
            Work::Writing { outcome, .. } => Work::Done(outcome.recv().unwrap_or_else(|_| {
                self.0.thread.resume_panic();
                Err(HostError::usage("the bookkeeper ended before its work"))
            })),
            other => other,
        };
        work
    }

    /// As [`Records::seen`], with what is being written.
    pub(crate) fn seen(&self, key: &str) -> Result<bool, StoreError> {
        let handed_over = matches!(&*self.work(), Work::Writing { seen, .. } if seen.contains(key));
        Ok(handed_over || self.0.store.seen(key)?)
    }

    /// As [`Records::handled`], of a mail that is not being written.
    pub(crate) fn handled(&self, spool_name: &str) -> Result<bool, StoreError> {
        self.0.store.handled(spool_name)
    }
}

impl Work {
    fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Nothing)
    }
}

/// The ledger, once all that was handed over is written.
impl Deref for Books {
    type Target = dyn Records;
    fn deref(&self) -> &Self::Target {
        drop(self.waited());
        &*self.0.store
    }
}

/// The same, to be written.
impl Deref for Bookkeeper {
    type Target = dyn Ledger;
    fn deref(&self) -> &Self::Target {
        drop(self.books.waited());
        &*self.books.0.store
    }
}
