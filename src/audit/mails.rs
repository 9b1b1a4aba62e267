//! What was read of the mails of one game: their claims, and of receipts, answers and players' mails what tells of orders. What one copy of
//! a mail lacks another may bring, in any order.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{Claim, Claims, MOST, Weight};
use super::mail::{Content, Lack, Own, Receipt, Testimony, Unplaced};
use super::returned::MOST_BLOCKS;
use super::witness::MailRef;
use musterd_desk::mail::Kind;
use musterd_dice::{Block, Digest, Label, Seat, Witness};

/// The most bytes of orders that are kept for a game.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;
/// The most bytes of players' mails that are kept for a game: they quote what they answer.
const MOST_TEXTS: usize = 256 * 1024 * 1024;
/// The most order forms to one seat that are kept.
const MOST_FORMS: usize = 10_000;
/// The most signatures that are kept for a game.
const MOST_SIGNATURES: usize = 20_000;
/// How many of a mail's heads a signature in it may be of.
const MOST_SIGNED: usize = 4;

/// How the seats of those begin who have none, and are written to all the same.
pub(super) const GUEST: &str = "guest.";

/// A refusal of the host's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) seat: Seat,
    /// The last log entry when it was written: what it refused is there, or shortly before.
    pub(super) index: Option<u64>,
    /// When it was written, by its own word, in Unix seconds.
    pub(super) written: Option<i64>,
}

/// The host's answer to commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) seat: Seat,
    /// The last log entry when it was written.
    pub(super) index: Option<u64>,
    /// Whether it says that the orders are taken back.
    pub(super) takes_back: bool,
    /// The rolls that it says the player consents to be thrown again.
    pub(super) consents: BTreeSet<Label>,
}

/// The order form of a dispatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// The adjudication that it asks for the orders of, where its Message-ID tells.
    pub(super) t: Option<u32>,
    /// The last log entry when it was written.
    pub(super) index: Option<u64>,
    /// Its lines, without comments.
    pub(super) lines: Block,
}

/// A signature that a mail brings, and the heads in the mail that it may be of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) mail: MailRef,
    pub(super) message_id: Option<String>,
    pub(super) heads: Vec<Witness>,
    pub(super) armoured: String,
}

/// A mail with what was read of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept<T> {
    pub(super) mail: MailRef,
    /// Its Message-ID, of a player's mail.
    pub(super) message_id: Option<String>,
    /// The Message-ID of the mail that it answers.
    pub(super) answers: Option<String>,
    pub(super) what: T,
}

impl<T> Kept<T> {
    /// Whether it answers this mail.
    pub(super) fn is_answer_to<U>(&self, mail: &Kept<U>) -> bool {
        mail.message_id.is_some() && self.answers == mail.message_id
    }
}

/// The first copy of a mail, and where its content was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
struct First {
    mail: MailRef,
    place: Option<Place>,
}

/// A place among the receipts, among those that only the log can place, or among the players' mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Receipt(usize),
    Unplaced(usize),
    Own(usize),
}

/// What mails say of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mails {
    pub(super) of_host: usize,
    pub(super) of_players: usize,
    pub(super) claims: Claims<MailRef>,
    pub(super) signatures: Vec<Signed>,
    /// Mails of the host's to seats in which something can't be read that each of their kind has.
    pub(super) lacking: Vec<(MailRef, Lack)>,
    /// Mails of the host's to seats that bring no signature, with their Message-IDs.
    pub(super) unsigned: BTreeMap<MailRef, Option<String>>,
    pub(super) receipts: Vec<Kept<Receipt>>,
    pub(super) refusals: Vec<Kept<Refusal>>,
    pub(super) own: Vec<Kept<Own>>,
    pub(super) answers: Vec<Kept<Answer>>,
    /// The order forms in the dispatches to each seat.
    pub(super) forms: BTreeMap<Seat, Vec<Form>>,
    /// What mails say of orders that were taken, and only the log can place.
    pub(super) unplaced: Vec<Kept<Unplaced>>,
    /// By which a second copy of a mail is known.
    prints: BTreeMap<Digest, First>,
    /// The different signatures of each mail, by its print.
    signed: BTreeMap<Digest, BTreeSet<Digest>>,
    /// How many bytes of orders are kept.
    bytes: usize,
    /// How many bytes of what players wrote.
    texts: usize,
}

impl Mails {
    /// Takes what a mail says; says whether there was room for all of it.
    pub(super) fn take(&mut self, mail: MailRef, mut testimony: Testimony) -> bool {
        let first = self.prints.get(&testimony.print).cloned();
        let mut room = self.take_signature(&testimony, &mail);
        for (claim, weight) in std::mem::take(&mut testimony.claims) {
            if first.is_none() || claim.is_of_each_copy() {
                room &= self.claims.add(claim, weight, &mail);
            }
        }
        match first {
            Some(first) => room & self.take_copy(&first, testimony),
            None if self.prints.len() >= 10 * MOST => false,
            None => room & self.take_first(mail, testimony),
        }
    }

    /// Takes the signature that a copy of a mail brings, each once; says whether there was room for it.
    fn take_signature(&mut self, testimony: &Testimony, mail: &MailRef) -> bool {
        let Some(armoured) = &testimony.signature else { return true };
        if self.signatures.len() >= MOST_SIGNATURES {
            return false;
        }
        if self.signed.entry(testimony.print).or_default().insert(Digest::of(armoured.as_bytes())) {
            // A mail's own chain lines stand at its end.
            let heads = testimony.heads.iter().rev().take(MOST_SIGNED);
            let heads = heads.map(|head| head.witness.clone()).collect();
            let message_id = testimony.message_id.clone();
            self.signatures.push(Signed {
                mail: mail.clone(),
                message_id,
                heads,
                armoured: armoured.clone(),
            });
        }
        true
    }

    /// Takes the first copy of a mail; says whether there was room for all of it.
    fn take_first(&mut self, mail: MailRef, mut testimony: Testimony) -> bool {
        let mut room = true;
        match testimony.is_hosts {
            true => self.of_host += 1,
            false => self.of_players += 1,
        }
        if let Some(lack) = testimony.lack {
            room &= push(&mut self.lacking, (mail.clone(), lack));
        }
        let seat = testimony.to_seat.as_ref().filter(|_| testimony.is_to_player()).map(|(_, seat)| seat);
        let has_to_sign = seat.is_some_and(|seat| !seat.as_str().starts_with(GUEST));
        if has_to_sign && !self.signed.contains_key(&testimony.print) {
            room &= self.unsigned.len() < MOST;
            self.unsigned.extend(room.then(|| (mail.clone(), testimony.message_id.clone())));
        }
        room &= self.take_words_to_seat(&mail, &testimony);
        let place = testimony.content.take().and_then(|content| {
            room &= self.show(&content, &mail);
            self.bytes += content.bytes();
            self.texts += content.texts();
            room &= self.bytes <= MOST_BYTES && self.texts <= MOST_TEXTS;
            let place = if room { self.keep(&mail, &testimony, content) } else { None };
            room &= place.is_some();
            place
        });
        self.prints.insert(testimony.print, First { mail, place });
        room
    }

    /// Takes the order form and the answers in a mail of the host's to a seat.
    fn take_words_to_seat(&mut self, mail: &MailRef, testimony: &Testimony) -> bool {
        let Some((kind, seat)) = testimony.to_seat.clone() else { return true };
        let index = testimony.index();
        let mut room = true;
        if let Some(lines) = testimony.form.clone() {
            self.bytes += lines.as_str().len();
            let forms = self.forms.entry(seat.clone()).or_default();
            room = self.bytes <= MOST_BYTES && forms.len() < MOST_FORMS;
            let t = testimony.sent.as_ref().map(|sent| sent.t);
            forms.extend(room.then_some(Form { t, index, lines }));
        }
        let answers = testimony.answers.clone();
        match kind {
            Kind::Answer => {
                let (takes_back, consents) = (testimony.takes_back, testimony.consents.clone());
                let what = Answer { seat, index, takes_back, consents };
                push(&mut self.answers, Kept { mail: mail.clone(), message_id: None, answers, what });
            }
            Kind::Refusal => {
                let what = Refusal { seat, index, written: testimony.times.written };
                push(&mut self.refusals, Kept { mail: mail.clone(), message_id: None, answers, what });
            }
            _ => {}
        }
        room
    }

    /// Keeps the content of a mail; says where, if there was room for it.
    fn keep(&mut self, mail: &MailRef, testimony: &Testimony, content: Content) -> Option<Place> {
        let (mail, answers) = (mail.clone(), testimony.answers.clone());
        let (room, place) = match content {
            Content::Receipt(what) => {
                let place = Place::Receipt(self.receipts.len());
                (push(&mut self.receipts, Kept { mail, message_id: None, answers, what }), place)
            }
            Content::Unplaced(what) => {
                let place = Place::Unplaced(self.unplaced.len());
                (push(&mut self.unplaced, Kept { mail, message_id: None, answers, what }), place)
            }
            Content::Own(what) => {
                let (place, message_id) = (Place::Own(self.own.len()), testimony.message_id.clone());
                (push(&mut self.own, Kept { mail, message_id, answers, what: *what }), place)
            }
        };
        room.then_some(place)
    }

    /// What a form was filled in with, its player was shown.
    fn show(&mut self, content: &Content, mail: &MailRef) -> bool {
        let seen = content.blocks().filter_map(Block::seen);
        seen.fold(true, |room, (index, head)| {
            room & self.claims.add(Claim::Head(index, head), Weight::Quoted, mail)
        })
    }

    /// Takes what another copy of a mail has and the first one lacks; says whether there was room for it.
    fn take_copy(&mut self, first: &First, testimony: Testimony) -> bool {
        if self.signed.contains_key(&testimony.print) {
            self.unsigned.remove(&first.mail);
        }
        let Some(content) = testimony.content else { return true };
        let room = self.show(&content, &first.mail);
        let place = first.place;
        self.bytes += match (place, content) {
            (Some(Place::Own(at)), Content::Own(more)) => take_orders(&mut self.own[at].what, *more),
            (Some(Place::Receipt(at)), content) => {
                content.returned().map_or(0, |more| self.receipts[at].what.returned.take(more))
            }
            (Some(Place::Unplaced(at)), content) => {
                content.returned().map_or(0, |more| self.unplaced[at].what.taking.returned.take(more))
            }
            _ => 0,
        };
        room & (self.bytes <= MOST_BYTES)
    }
}

/// Adds to a list, if there is room in it.
fn push<T>(list: &mut Vec<T>, what: T) -> bool {
    let room = list.len() < MOST;
    list.extend(room.then_some(what));
    room
}

/// Takes the orders of another copy of a player's mail; says how many bytes more are kept.
fn take_orders(known: &mut Own, more: Own) -> usize {
    let mut bytes = 0;
    for attached in more.attached {
        if !known.attached.contains(&attached) && known.attached.len() < MOST_BLOCKS {
            bytes += attached.len();
            known.attached.push(attached);
        }
    }
    for block in more.blocks {
        if !known.blocks.contains(&block) && known.blocks.len() < MOST_BLOCKS {
            bytes += block.as_str().len();
            known.blocks.push(block);
        }
    }
    bytes
}
