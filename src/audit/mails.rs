//! What was read of the mails of one game: the mails, each once, and their claims. What one copy of a mail lacks another may bring, in any
//! order.

use std::collections::BTreeMap;

use super::book::{Book, Recv};
use super::claims::{Claim, Claims, Subject, Weight};
use super::contradiction::Contradiction;
use super::mail::{MOST_SIGNATURES, Mail, Receipt};
use super::place::MailRef;
use musterd_desk::mail::Kind;
use musterd_dice::{Block, Digest, Seat};

/// The most mails that are kept of a game.
const MOST_MAILS: usize = 1_000_000;
/// The most bytes of what is in them: players' mails quote what they answer.
const MOST_BYTES: usize = 320 * 1024 * 1024;
/// The most signatures that are kept of a game, since each is checked.
const MOST_SIGNED: usize = 20_000;

/// What mails say of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mails {
    /// In the order in which they came.
    pub(super) all: Vec<Mail>,
    pub(super) claims: Claims,
    /// Where the mail stands that has this print.
    prints: BTreeMap<Digest, usize>,
    /// Where the first of the players' mails stands that has this Message-ID.
    own: BTreeMap<String, usize>,
    /// How many bytes of them are kept.
    bytes: usize,
    /// How many signatures.
    signatures: usize,
}

impl Mails {
    /// Takes a mail; says whether there was room for all that it says.
    pub(super) fn take(&mut self, mut mail: Mail) -> bool {
        let known = self.prints.get(&mail.print).copied();
        let (mut room, first) =
            (true, known.and_then(|known| self.all.get(known)).unwrap_or(&mail).at.clone());
        for claim in std::mem::take(&mut mail.claims) {
            // A copy may have more attached.
            if known.is_none() || claim.subject == Subject::Key {
                room &= self.claims.add(claim, Weight::STATED, &mail.at);
            }
        }
        // What a form was filled in with, its player was shown.
        for (index, head) in mail.blocks().filter_map(Block::seen) {
            room &= self.claims.add(Claim::head(index, head), Weight::QUOTED, &first);
        }
        if self.bytes + mail.bytes() > MOST_BYTES || known.is_none() && self.all.len() >= MOST_MAILS {
            return false;
        }
        mail.keep_signed();
        let signature = mail.signatures.pop();
        let at = known.unwrap_or(self.all.len());
        match self.all.get_mut(at) {
            Some(first) => {
                let before = first.bytes();
                first.take_copy(mail);
                self.bytes += first.bytes().saturating_sub(before);
            }
            None => {
                self.bytes += mail.bytes();
                self.prints.insert(mail.print, at);
                if let (Some(id), Some(_)) = (&mail.message_id, &mail.own) {
                    self.own.entry(id.clone()).or_insert(at);
                }
                self.all.push(mail);
            }
        }
        room && signature.is_none_or(|(copy, signature)| self.sign(at, copy, signature))
    }

    /// Takes a signature that a copy of a mail brings; says whether there was room for it.
    fn sign(&mut self, at: usize, copy: MailRef, signature: String) -> bool {
        let Some(mail) = self.all.get_mut(at) else { return false };
        if mail.signatures.iter().any(|(_, known)| *known == signature) {
            return true;
        }
        let room = mail.signatures.len() < MOST_SIGNATURES && self.signatures < MOST_SIGNED;
        if room {
            self.signatures += 1;
            self.bytes += copy.bytes() + signature.len();
            mail.signatures.push((copy, signature));
        } else {
            mail.lacks_signatures = true;
        }
        room
    }

    /// How many the host wrote.
    pub(super) fn of_host(&self) -> usize {
        self.all.iter().filter(|mail| mail.is_hosts).count()
    }

    /// The receipts: first those that say themselves what they are.
    pub(super) fn receipts(&self) -> Vec<Receipt<'_>> {
        let receipts = self.all.iter().filter_map(Mail::receipt);
        let (mut named, others): (Vec<_>, Vec<_>) =
            receipts.partition(|receipt| receipt.mail.is_sent_as(Kind::Receipt));
        named.extend(others);
        named
    }

    /// The player's mail that a mail answers.
    pub(super) fn answered_by(&self, mail: &Mail) -> Option<&Mail> {
        self.all.get(*self.own.get(mail.answers.as_ref()?)?)
    }

    /// Gives each mail that says of orders that they were taken its place in the game whose log this is: servers change Message-IDs, and a
    /// host can write what it likes into one. The log tells, by the leaf that such a mail shows, or by the head at its end. What is left are
    /// orders that the log doesn't have, and nothing tells whose they were and for which adjudication.
    pub(super) fn place(&mut self, book: &Book) -> Vec<Contradiction> {
        let mut taken = Taken::new();
        for recv in book.accepted() {
            taken.entry(recv.digest).or_default().push(recv);
        }
        for mail in &mut self.all {
            mail.index = mail.index.or_else(|| mail.open.and_then(|(t, head)| book.open_head(t, head)));
        }
        // What the log ends before is in no log yet.
        let open = |mail: &Mail| match (mail.index, mail.open) {
            (Some(index), _) => book.open_at(Some(index).filter(|index| *index < book.entries as u64)?),
            (None, Some((t, _))) => Some(t).filter(|t| book.is_decided(*t)),
            (None, None) => None,
        };
        let mut rest = Vec::new();
        for at in 0..self.all.len() {
            let mail = &self.all[at];
            let Some(taking) = &mail.taking else { continue };
            let place = match &taking.place {
                // A Message-ID that names another adjudication changes nothing of what the mail says was taken.
                Some((t, seat)) => {
                    let found = found(&taken, taking.leaf, Some(seat), mail.index).map(|(t, _)| t);
                    Some((found.or_else(|| open(mail)).unwrap_or(*t), seat.clone()))
                }
                None => {
                    let own = self.answered_by(mail);
                    let seat = mail.seat.clone().or_else(|| own?.seat.clone());
                    let t = own.and_then(|own| own.t).or_else(|| open(mail));
                    found(&taken, taking.leaf, seat.as_ref(), mail.index).or_else(|| t.zip(seat))
                }
            };
            if place.is_none() && open(mail).is_some() {
                let (leaf, file) = (taking.leaf, book.path.clone());
                rest.push(Contradiction::NeverTaken { mail: mail.at.clone(), leaf, file });
            }
            if let Some(taking) = &mut self.all[at].taking {
                taking.place = place;
            }
        }
        rest
    }
}

/// Where orders with a leaf were taken.
type Taken<'a> = BTreeMap<Digest, Vec<&'a Recv>>;

/// Where orders with this leaf were taken, of this seat if it is known, no later than this head.
fn found(taken: &Taken<'_>, leaf: Digest, seat: Option<&Seat>, head: Option<u64>) -> Option<(u32, Seat)> {
    let is_it = |recv: &&&Recv| {
        seat.is_none_or(|seat| *seat == recv.seat) && head.is_none_or(|head| recv.index <= head)
    };
    taken.get(&leaf)?.iter().find(is_it).map(|recv| (recv.t, recv.seat.clone()))
}
