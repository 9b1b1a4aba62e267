//! What the log has of a seat and no mail of its player's explains: what he is to be asked about, and what not.

use serde::Serialize;

use super::book::Recv;
use super::fate::{Counted, reason_in_words};
use super::teller::Teller;
use musterd_dice::LoggedVerdict;

/// A log entry of the seat that no kept mail explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unexplained {
    /// Its place in the log.
    pub entry: u64,
    /// Whether it was accepted.
    pub accepted: bool,
    /// The word beside it in the log, unless what is revealed belies it.
    pub reason: Option<String>,
    /// Whether these are orders of the computer's that were fixed at the opening: the seal, or the mail that says the same.
    pub sealed: bool,
    /// Whether it made what counted as the player's own orders, or took them back, though these mails hold what the host wrote to the
    /// seat from before it on: the answer to it should be among them.
    pub foreign: bool,
    /// Where all that the host wrote to the seat, as far as these mails hold it, was to somebody else than had it then: the log entry that
    /// gave it to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handed_over: Option<u64>,
    /// Where these mails hold what the host wrote to the seat before and after it, and nothing of its being another's in between, which the
    /// log has: the entry that gave it away, and the one that gave it back, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lent: Option<(u64, Option<u64>)>,
}

impl Unexplained {
    /// The same in words.
    pub fn in_words(&self) -> String {
        format!("log entry {}: {}", self.entry, self.what_it_is())
    }

    fn what_it_is(&self) -> String {
        if let Some((from, to)) = self.lent {
            let to = to.map_or_else(|| "on".to_owned(), |to| format!("to {to}"));
            return format!(
                "NOT YOURS? It counted, and no mail here explains it. By the log another had your seat from entry {from} \
                 {to}, and no mail here tells of that. If you were told, nothing is wrong; if you weren't, ask the host"
            );
        }
        let reason = self.reason.as_deref();
        let what = match (reason, self.handed_over) {
            _ if self.sealed => "the computer's orders, sealed when the turn opened",
            _ if !self.accepted => {
                let why = reason_in_words(reason.unwrap_or("-"));
                return format!("a mail that is not among these was refused: {why}");
            }
            (Some("stand-in"), _) => "the computer gave orders, because none had come",
            (Some("consent"), _) if self.foreign => {
                "NOT YOURS? A consent to throw a roll again was taken, and no mail here gives it or answers it. If you gave \
                 one and deleted the mails, nothing is wrong; if you gave none, ask the host"
            }
            (Some("consent"), _) => "consent to throw a roll again",
            (Some("withdrawn"), _) if self.foreign => {
                "NOT YOURS? The orders were taken back, and no mail here asks for that or answers it. If you did and \
                 deleted the mails, nothing is wrong; if you didn't, ask the host"
            }
            (Some("withdrawn"), _) => "orders taken back",
            _ if self.foreign => {
                "NOT YOURS? Orders were taken that are not among these mails, and no receipt is, and they counted. If you \
                 sent them and deleted the mails, nothing is wrong; if you sent none, ask the host"
            }
            (_, Some(by)) => {
                return format!("orders of whoever had the seat then (log entry {by} gave it to another)");
            }
            _ => "orders were taken that are not among these mails",
        };
        what.to_owned()
    }
}

impl Teller<'_> {
    /// What the log has of the seat for an adjudication and no mail explains, in its order.
    pub(super) fn unexplained(&self, t: u32) -> Vec<Unexplained> {
        let counted = self.made_what_counted(t);
        let logged = self.book.map_or(&[][..], |book| book.mails_of(t, self.seat)).iter();
        let unexplained = logged.filter(|recv| !self.is_explained(recv.index));
        unexplained.map(|recv| self.to_ask(recv, counted == Some(recv.index))).collect()
    }

    fn to_ask(&self, recv: &Recv, counted: bool) -> Unexplained {
        let (is_written_to, handed_over) = self.written_to(recv);
        // What the computer sealed at the opening, or the mail that says the same.
        let mut of_t = self.book.map_or(&[][..], |book| book.mails_of(recv.t, self.seat)).iter();
        let sealed = of_t.any(|seal| seal.sealed && seal.digest == recv.digest);
        // Of what the computer sealed he has no mail; of its having the seat he was told.
        let lent = self.lent(recv.index).filter(|_| counted && (sealed || !is_written_to));
        Unexplained {
            entry: recv.index,
            accepted: recv.verdict == LoggedVerdict::Accepted,
            reason: self.word_of(recv).map(str::to_owned),
            sealed,
            foreign: counted && (is_written_to && !sealed || lent.is_some()),
            handed_over: handed_over.filter(|_| !is_written_to),
            lent,
        }
    }

    /// The entry that made what counted as the seat's orders, if no mail explains it: mostly the last accepted one. Behind it, if a mail of
    /// the player's said no more than `READY`, stands the set that this was said of; behind a stand-in the withdrawal that let it in; and
    /// behind a copy the first of its kind.
    fn made_what_counted(&self, t: u32) -> Option<u64> {
        if !matches!(
            self.counted(t),
            Counted::Entry { .. } | Counted::StandIn { .. } | Counted::Withdrawn { .. }
        ) {
            return None;
        }
        let of_t = self.book?.mails_of(t, self.seat).iter();
        let mut rest = of_t.rev().filter(|recv| recv.verdict == LoggedVerdict::Accepted).peekable();
        while let Some(recv) = rest.next() {
            let before = rest.peek().copied();
            let word = before.and_then(|before| self.word_of(before));
            match self.word_of(recv) {
                Some("stand-in") if word == Some("withdrawn") => {}
                Some("stand-in") => return None,
                _ if self.is_explained(recv.index) => {
                    let is_upon = before.is_some() && !matches!(word, Some("withdrawn" | "stand-in"));
                    if !self.is_lone(recv.index) || !is_upon {
                        return None;
                    }
                }
                _ if before.is_some_and(|before| before.digest == recv.digest) => {}
                _ => return Some(recv.index),
            }
        }
        None
    }

    /// The log entry that gave the seat to another before entry `index`, and the last one that did behind it, if these mails hold what was
    /// written to the seat before and after them, and nothing that tells of it: whoever has them had the seat before and after.
    fn lent(&self, index: u64) -> Option<(u64, Option<u64>)> {
        let book = self.book?;
        let (last, _) = book.last_handed_over(self.seat, index)?;
        let before = *self.written_to.range(..last).next_back()?;
        let after = *self.written_to.range(index..).next()?;
        let from = book.handed_over(self.seat, before, index).next()?;
        let to = book.handed_over(self.seat, index, after).next_back();
        let is_told = self.handed_over.range(from..=after).next().is_some();
        (!is_told).then_some((from, to))
    }
}
