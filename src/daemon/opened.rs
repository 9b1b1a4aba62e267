//! Mails of the spool, read and taken apart: the part of every decision that needs to know nothing of any game. Of a burst it is
//! done a few mails ahead, on a thread of its own.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, Builder};

use super::incoming::TakenApart;
use crate::letter::{self, Limits, Unreadable};
use crate::post::{KeepError, Pending, Raw, Spool};

/// How many mails are handed over at once, so that neither thread wakes the other for each. Three times as many are open and not yet
/// decided at most: each may be as large as a mail can be.
const TOGETHER: usize = 8;

/// Where mails are read, and how large one may be.
pub(super) struct Opener {
    pub(super) spool: Spool,
    pub(super) limits: Limits,
}

impl Opener {
    /// Opens one mail.
    ///
    /// # Errors
    /// It can't be read, or isn't what was kept.
    pub(super) fn open(&self, mail: &Pending) -> Result<TakenApart, KeepError> {
        let letter = match self.spool.read(mail)?.raw {
            Raw::Whole(bytes) => letter::open(&bytes, &self.limits),
            Raw::Oversize { head, size } => {
                let why = Unreadable::TooLarge { bytes: size, limit: self.limits.bytes };
                letter::open_head(&head, why)
            }
        };
        Ok(TakenApart::of(letter))
    }

    /// Opens mails in their order while `decide` takes them one by one.
    pub(super) fn open_ahead<T>(
        &self,
        mails: &[Pending],
        decide: impl FnOnce(&mut dyn Iterator<Item = Result<TakenApart, KeepError>>) -> T,
    ) -> T {
        if let [_] = mails {
            return decide(&mut mails.iter().map(|mail| self.open(mail)));
        }
        thread::scope(|scope| {
            let (opened, letters) = sync_channel(1);
            let open = move || self.open_all(mails, &opened);
            match Builder::new().name("opener".to_owned()).spawn_scoped(scope, open) {
                Ok(_) => decide(&mut letters.into_iter().flatten()),
                // No thread can be had.
                Err(_) => decide(&mut mails.iter().map(|mail| self.open(mail))),
            }
        })
    }

    fn open_all(&self, mails: &[Pending], opened: &SyncSender<Vec<Result<TakenApart, KeepError>>>) {
        for some in mails.chunks(TOGETHER) {
            // Nobody takes them any more after a decision that failed.
            if opened.send(some.iter().map(|mail| self.open(mail)).collect()).is_err() {
                return;
            }
        }
    }
}
