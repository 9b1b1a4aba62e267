//! Mails whose Message-IDs don't tell for which adjudication they are: servers change these, and a host can write what it likes into one.
//! The log tells, by the leaf that such a mail shows, or by the head at its end.

use std::collections::BTreeMap;

use super::book::Book;
use super::contradiction::Contradiction;
use super::evidence::{Kept, MOST, MailRef, Mails};
use super::mail::{Receipt, Unplaced};
use crate::dice::{Digest, Seat, Verdict};
use crate::letter::Kind;

/// Where orders with a leaf were taken.
type Taken = BTreeMap<Digest, Vec<(u32, Seat, u64)>>;

/// Orders that a mail says were taken, and the log doesn't have; whose they were, and for which adjudication, nothing tells.
pub(super) struct Claimed {
    mail: MailRef,
    leaf: Digest,
}

impl Claimed {
    /// What that is against the file with this path.
    pub(super) fn contradiction(self, path: &str) -> Contradiction {
        let (leaf, file) = (self.leaf.to_string(), path.to_owned());
        Contradiction::NeverTaken { mail: self.mail, leaf, file }
    }
}

impl Mails {
    /// Gives each mail its place in the game whose log this is. What is left are orders that were taken for nobody knows whom.
    pub(super) fn place(&mut self, book: &Book) -> Vec<Claimed> {
        let mut taken = Taken::new();
        for ((t, seat), mails) in &book.mails {
            for recv in mails.iter().filter(|recv| recv.verdict == Verdict::Accepted) {
                taken.entry(recv.digest).or_default().push((*t, seat.clone(), recv.index));
            }
        }
        for receipt in &mut self.receipts {
            // A Message-ID that names another adjudication changes nothing of what the mail says was taken.
            let what = &mut receipt.what;
            let open =
                || what.head.filter(|head| *head < book.entries as u64).and_then(|head| book.open_at(head));
            let place = found(&taken, what.leaf, Some(&what.seat), what.head).map(|(t, _)| t);
            what.t = place.or_else(open).unwrap_or(what.t);
        }
        let mut rest = Vec::new();
        for kept in std::mem::take(&mut self.unplaced) {
            self.place_one(book, &taken, kept, &mut rest);
        }
        rest
    }

    fn place_one(&mut self, book: &Book, taken: &Taken, kept: Kept<Unplaced>, rest: &mut Vec<Claimed>) {
        let Kept { mail, message_id, answers, what: Unplaced { seat, kind, head, takes_back, claim } } = kept;
        let open = head.and_then(|head| book.open_at(head));
        if let (Some(seat), Some(kind), Some(head), Some(t)) = (&seat, kind, head, open) {
            // Of other kinds there are mails to somebody who has the seat no more, or not yet.
            if kind == Kind::Invitation {
                let shown = self.also_shown.entry(seat.clone()).or_default();
                if shown.len() < MOST {
                    shown.insert(head);
                }
            } else if matches!(kind, Kind::Dispatch | Kind::Receipt | Kind::Reminder) {
                let shown = self.written_to.entry(seat.clone()).or_default();
                if shown.len() < MOST {
                    let first = shown.entry(head).or_insert(t);
                    *first = t.min(*first);
                }
            }
            if takes_back && self.taken_back.len() < MOST {
                self.taken_back.insert((t, seat.clone()));
            }
        }
        let Some(claim) = claim else { return };
        let own = self.own.iter().find(|own| own.message_id.is_some() && own.message_id == answers);
        let seat = seat.or_else(|| own.map(|own| own.what.seat.clone()));
        let place = found(taken, claim.leaf, seat.as_ref(), head);
        let meant = || Some((own.and_then(|own| own.what.t).or(open)?, seat.clone()?));
        match place.or_else(meant) {
            Some((t, seat)) if self.receipts.len() < MOST => {
                let what: Receipt = claim.placed(t, seat, head);
                self.receipts.push(Kept { mail, message_id, answers, what });
            }
            Some(_) => {}
            None if head.is_some_and(|head| head < book.entries as u64) => {
                rest.push(Claimed { mail, leaf: claim.leaf });
            }
            None => {}
        }
    }
}

/// Where orders with this leaf were taken, of this seat if it is known, no later than this head.
fn found(taken: &Taken, leaf: Digest, seat: Option<&Seat>, head: Option<u64>) -> Option<(u32, Seat)> {
    let is_it = |(_, of, index): &&(u32, Seat, u64)| {
        seat.is_none_or(|seat| seat == of) && head.is_none_or(|head| *index <= head)
    };
    taken.get(&leaf)?.iter().find(is_it).map(|(t, seat, _)| (*t, seat.clone()))
}
