//! Mails whose Message-IDs don't tell for which adjudication they are: servers change these, and a host can write what it likes into one.
//! The log tells, by the leaf that such a mail shows, or by the head at its end.

use std::collections::BTreeMap;

use super::book::Book;
use super::contradiction::Contradiction;
use super::evidence::{Kept, MOST, MailRef, Mails};
use super::mail::Unplaced;
use musterd_dice::{Digest, Seat, Verdict};

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
        // What the log ends before is in no log yet.
        let open = |upto: Option<u64>| book.open_at(upto.filter(|upto| *upto < book.entries as u64)?);
        for receipt in &mut self.receipts {
            // A Message-ID that names another adjudication changes nothing of what the mail says was taken.
            let what = &mut receipt.what;
            let place = found(&taken, what.leaf, Some(&what.seat), what.upto).map(|(t, _)| t);
            what.t = place.or_else(|| open(what.upto)).unwrap_or(what.t);
        }
        let mut rest = Vec::new();
        for Kept { mail, message_id, answers, what: Unplaced { seat, claim } } in
            std::mem::take(&mut self.unplaced)
        {
            let own = self.own.iter().find(|own| own.message_id.is_some() && own.message_id == answers);
            let seat = seat.or_else(|| own.map(|own| own.what.seat.clone()));
            let meant =
                || Some((own.and_then(|own| own.what.t).or_else(|| open(claim.upto))?, seat.clone()?));
            match found(&taken, claim.leaf, seat.as_ref(), claim.upto).or_else(meant) {
                Some((t, seat)) if self.receipts.len() < MOST => {
                    self.receipts.push(Kept { mail, message_id, answers, what: claim.placed(t, seat) });
                }
                None if open(claim.upto).is_some() => rest.push(Claimed { mail, leaf: claim.leaf }),
                _ => {}
            }
        }
        rest
    }
}

/// Where orders with this leaf were taken, of this seat if it is known, no later than this head.
fn found(taken: &Taken, leaf: Digest, seat: Option<&Seat>, head: Option<u64>) -> Option<(u32, Seat)> {
    let is_it = |(_, of, index): &&(u32, Seat, u64)| {
        seat.is_none_or(|seat| seat == of) && head.is_none_or(|head| *index <= head)
    };
    taken.get(&leaf)?.iter().find(is_it).map(|(t, seat, _)| (*t, seat.clone()))
}
