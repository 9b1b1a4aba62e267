//! "My orders were dropped": what became of a player's mails, told from the mails that he kept and the log of an audit file.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::book::Book;
use super::contradiction::Contradiction;
use super::fate::{Counted, Fate};
use super::mail::{GUEST, Mail};
use super::mails::Mails;
use super::place::MailRef;
use super::reading::Reading;
use super::teller::Teller;
use super::unexplained::Unexplained;
use musterd_desk::{GM, Game};
use musterd_dice::Seat;

/// What became of one seat's mails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// Whose.
    pub seat: Seat,
    /// Every adjudication that is known of, in order.
    pub turns: Vec<StoryTurn>,
    /// Mails of which can't be told for which adjudication they were.
    pub elsewhere: Vec<SentMail>,
}

impl Story {
    /// Every mail of the seat's, with the adjudication that it was for, where that can be told.
    pub(super) fn mails(&self) -> impl Iterator<Item = (Option<u32>, &SentMail)> {
        let turns = self.turns.iter().flat_map(|turn| turn.mails.iter().map(|sent| (Some(turn.t), sent)));
        turns.chain(self.elsewhere.iter().map(|sent| (None, sent)))
    }

    /// What the log has of the seat and is not the seat's by any mail that is here, with its adjudication.
    pub(super) fn foreign(&self) -> impl Iterator<Item = (u32, &Unexplained)> {
        let all = self.turns.iter().flat_map(|turn| turn.unexplained.iter().map(|entry| (turn.t, entry)));
        all.filter(|(_, entry)| entry.foreign)
    }

    /// The mails of the seat's whose orders the host took as others.
    pub(super) fn altered(&self) -> impl Iterator<Item = Contradiction> {
        let altered = self.mails().filter(|(_, sent)| sent.fate == Fate::Changed);
        altered.filter_map(|(t, sent)| {
            Some(Contradiction::Altered { mail: sent.mail.clone(), seat: self.seat.to_string(), t: t? })
        })
    }
}

/// The seats whose orders can be traced: those of which somebody kept what was sent, or the receipts for it. Who keeps dispatches alone
/// lacks no receipt.
pub(super) fn traced(mails: &Mails, seats: &BTreeSet<Seat>) -> BTreeSet<Seat> {
    let own = mails.all.iter().filter(|mail| mail.own.is_some()).filter_map(|mail| mail.seat.as_ref());
    let receipts = mails.all.iter().filter_map(Mail::receipt).map(|receipt| receipt.seat);
    let is_one = |seat: &&Seat| {
        seat.as_str() != GM
            && !seat.as_str().starts_with(GUEST)
            && (seats.is_empty() || seats.contains(*seat))
    };
    own.chain(receipts).filter(is_one).cloned().collect()
}

/// One adjudication as a seat lived it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoryTurn {
    /// Which.
    pub t: u32,
    /// Its name, where the log gives it.
    pub name: Option<String>,
    /// The seat's mails for it, in the order of the log, and behind them those that are not in the log.
    pub mails: Vec<SentMail>,
    /// What the log has of the seat and no kept mail explains.
    pub unexplained: Vec<Unexplained>,
    /// What counted.
    #[serde(serialize_with = "super::told::one")]
    pub counted: Counted,
}

/// A mail of the player's and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SentMail {
    /// The mail, or the receipt for it where only that was kept.
    pub mail: MailRef,
    /// What became of it.
    #[serde(flatten, serialize_with = "super::told::one")]
    pub fate: Fate,
}

/// Tells the story of a seat. The game tells orders from prose in mails without marks.
pub(super) fn story(seat: &Seat, mails: &Mails, book: Option<&Book>, game: Option<&dyn Game>) -> Story {
    let of_seat = mails.all.iter().filter(|mail| mail.seat.as_ref() == Some(seat));
    let own_mails: Vec<Reading<'_>> = of_seat.filter_map(|mail| Reading::of(mail, game)).collect();
    let mut teller = Teller::new(seat, mails, book, game, &own_mails);
    let mut told: BTreeMap<u32, Vec<SentMail>> = BTreeMap::new();
    let mut entries: BTreeSet<(u32, u64)> = BTreeSet::new();
    let mut elsewhere = Vec::new();
    let mut answered: BTreeSet<&MailRef> = BTreeSet::new();
    for own in teller.own_mails() {
        let receipt = teller.receipt_for(own.mail);
        answered.extend(receipt.map(|receipt| &receipt.mail.at));
        let (t, fate) = teller.fate(own, receipt.as_ref());
        entries.extend(t.zip(fate.entry()));
        let sent = SentMail { mail: own.mail.at.clone(), fate };
        // The last report has an id as if a turn followed: what answers it is for none.
        match t.filter(|t| !teller.is_beyond_the_end(*t)) {
            Some(t) => told.entry(t).or_default().push(sent),
            None => elsewhere.push(sent),
        }
    }
    // Of a mail that wasn't kept the receipt tells as much.
    for receipt in &teller.receipts {
        let fate = teller.fate_by(receipt);
        let is_first = fate.entry().is_none_or(|entry| entries.insert((receipt.t, entry)));
        if !answered.contains(&receipt.mail.at) && is_first {
            told.entry(receipt.t).or_default().push(SentMail { mail: receipt.mail.at.clone(), fate });
        }
    }
    let names = book.map(|book| book.opened.clone()).unwrap_or_default();
    let all: BTreeSet<u32> = names.keys().chain(told.keys()).copied().collect();
    let turns = all.into_iter().map(|t| {
        let mut mails = told.remove(&t).unwrap_or_default();
        mails.sort_by_key(|sent| sent.fate.entry().unwrap_or(u64::MAX));
        let unexplained = teller.unexplained(t);
        StoryTurn { t, name: names.get(&t).cloned(), mails, unexplained, counted: teller.counted(t) }
    });
    let turns = turns.collect();
    Story { seat: seat.clone(), turns, elsewhere }
}
