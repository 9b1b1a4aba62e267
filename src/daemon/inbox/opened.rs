//! Mails of the spool, read and taken apart: the part of every decision that needs to know nothing of any game. Of a burst it is
//! done a few mails ahead, on a thread of its own.

use std::borrow::Cow;
use std::sync::mpsc::{SyncSender, sync_channel};

use musterd_desk::mail;
use musterd_disk::worker::Worker;
use musterd_letter::{Letter, Limits};
use musterd_post::{KeepError, Pending, Raw, Spool};

/// How many mails are handed over at once, so that neither thread wakes the other for each. Three times as many are open and not yet
/// decided at most: each may be as large as a mail can be.
const TOGETHER: usize = 8;

/// A letter and what is in it, each for itself.
pub(crate) struct TakenApart {
    pub(crate) letter: Letter,
    /// The commands, the letters to other players, and the rest.
    pub(crate) parts: mail::Parts,
}

impl TakenApart {
    pub(crate) fn of(letter: Letter) -> Self {
        let parts = letter.body.as_ref().map(mail::Parts::of).unwrap_or_default();
        Self { parts: with_subject(parts, &letter), letter }
    }

    /// What is in it, where it is known whether a line that can't be read as a command is an order.
    pub(crate) fn beside(&self, is_order: impl Fn(&str) -> bool) -> Cow<'_, mail::Parts> {
        match &self.letter.body {
            Ok(body) if self.parts.is_doubtful => {
                Cow::Owned(with_subject(mail::Parts::beside(body, &is_order), &self.letter))
            }
            _ => Cow::Borrowed(&self.parts),
        }
    }
}

/// The parts of a letter; without a command in its text it may have one in its subject.
fn with_subject(mut parts: mail::Parts, letter: &Letter) -> mail::Parts {
    if parts.commands.is_empty() {
        parts.commands.extend(mail::leave_in_subject(&letter.subject));
    }
    parts
}

/// A mail that was taken apart, or why it can't be.
type Opened = Result<TakenApart, KeepError>;

/// Opens mails, and several of them on a thread of its own.
pub(crate) struct Opener {
    spool: Spool,
    thread: Worker,
}

impl Opener {
    pub(crate) const fn new(spool: Spool) -> Self {
        Self { spool, thread: Worker::new("opener") }
    }

    /// Opens mails in their order while `decide` takes them one by one. A mail can't be opened where it can't be read, or isn't what was
    /// kept.
    pub(crate) fn open_ahead<T>(
        &self,
        mails: &[Pending],
        limits: Limits,
        decide: impl FnOnce(&mut dyn Iterator<Item = Opened>) -> T,
    ) -> T {
        let mut one_by_one = mails.iter().map(|mail| open(&self.spool, mail, limits));
        if let [_] = mails {
            return decide(&mut one_by_one);
        }
        let (opened, letters) = sync_channel(1);
        let (spool, all) = (self.spool.clone(), mails.to_vec());
        match self.thread.begin(move || open_all(&spool, &all, limits, &opened)) {
            Ok(_) => {
                let mut letters = letters.into_iter().flatten();
                let missing = || {
                    self.thread.resume_panic();
                    None
                };
                decide(&mut mails.iter().map_while(|_| letters.next().or_else(missing)))
            }
            // No thread can be had.
            Err(_) => decide(&mut one_by_one),
        }
    }
}

fn open_all(spool: &Spool, mails: &[Pending], limits: Limits, opened: &SyncSender<Vec<Opened>>) {
    for some in mails.chunks(TOGETHER) {
        // Nobody takes them any more after a decision that failed.
        if opened.send(some.iter().map(|mail| open(spool, mail, limits)).collect()).is_err() {
            return;
        }
    }
}

fn open(spool: &Spool, mail: &Pending, limits: Limits) -> Opened {
    let letter = match spool.read(mail)?.raw {
        Raw::Whole(bytes) => mail::open(&bytes, &limits),
        Raw::Oversize { head, size } => mail::open_beginning(&head, size, &limits),
    };
    Ok(TakenApart::of(letter))
}
