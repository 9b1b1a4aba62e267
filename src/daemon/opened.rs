//! Mails of the spool, read and taken apart: the part of every decision that needs to know nothing of any game. Of a burst it is
//! done a few mails ahead, on a thread of its own.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, Builder};

use super::incoming::TakenApart;
use crate::letter::{self, Limits, Unreadable};
use crate::post::{KeepError, Pending, Raw, Spool};

/// How many mails are open and not yet decided at most: each may be as large as a mail can be.
const AHEAD: usize = 16;

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
            let (opened, letters) = sync_channel(AHEAD);
            let open = move || self.open_all(mails, &opened);
            match Builder::new().name("opener".to_owned()).spawn_scoped(scope, open) {
                Ok(_) => decide(&mut letters.into_iter()),
                // No thread can be had.
                Err(_) => decide(&mut mails.iter().map(|mail| self.open(mail))),
            }
        })
    }

    fn open_all(&self, mails: &[Pending], opened: &SyncSender<Result<TakenApart, KeepError>>) {
        for mail in mails {
            // Nobody takes them any more after a decision that failed.
            if opened.send(self.open(mail)).is_err() {
                return;
            }
        }
    }
}
