//! Mails whose Message-IDs don't tell for which adjudication they are: servers change these, and a host can write what it likes into one.
//! The log tells, by the leaf that such a mail shows, or by the head at its end.

use std::collections::BTreeMap;

use super::book::Book;
use super::claims::MOST;
use super::contradiction::Contradiction;
use super::mail::Unplaced;
use super::mails::{Kept, Mails};
use musterd_dice::{Digest, Seat, Verdict};

/// Where orders with a leaf were taken.
type Taken = BTreeMap<Digest, Vec<(u32, Seat, u64)>>;

impl Mails {
    /// Gives each mail its place in the game whose log this is. What is left are orders that the log doesn't have, and nothing tells whose
    /// they were and for which adjudication.
    pub(super) fn place(&mut self, book: &Book, path: &str) -> Vec<Contradiction> {
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
        for Kept { mail, message_id, answers, what: Unplaced { seat, taking } } in
            std::mem::take(&mut self.unplaced)
        {
            let own = self.own.iter().find(|own| own.message_id.is_some() && own.message_id == answers);
            let seat = seat.or_else(|| own.map(|own| own.what.seat.clone()));
            let meant =
                || Some((own.and_then(|own| own.what.t).or_else(|| open(taking.upto))?, seat.clone()?));
            match found(&taken, taking.leaf, seat.as_ref(), taking.upto).or_else(meant) {
                Some((t, seat)) if self.receipts.len() < MOST => {
                    self.receipts.push(Kept { mail, message_id, answers, what: taking.placed(t, seat) });
                }
                None if open(taking.upto).is_some() => {
                    let (leaf, file) = (taking.leaf.to_string(), path.to_owned());
                    rest.push(Contradiction::NeverTaken { mail, leaf, file });
                }
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
