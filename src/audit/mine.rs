//! "My orders were dropped": what became of one player's mails, told from the mails that he kept and the log of an audit file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use serde::Serialize;

use super::book::{Book, Recv};
use super::evidence::{Kept, MailRef, Mails, Refusal};
use super::fate::{Counted, Fate, reason_in_words};
use super::mail::{Own, Receipt};
use crate::desk::Game;
use crate::desk::order_mail::{self, OrderMail};
use crate::dice::{Block, Label, Seat, Verdict};
use crate::letter::LineKind;

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
    /// Whether it is what counted as the player's own orders, or took them back, though these mails hold what the host wrote to the seat
    /// from before it on: the answer to it should be among them.
    pub foreign: bool,
    /// Where all that the host wrote to the seat, as far as these mails hold it, was to somebody else than had it then: the log entry that
    /// gave it to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handed_over: Option<u64>,
    /// Where these mails hold what the host wrote to the seat before and after it, and nothing of its being another's in between, which the
    /// log has: the entries between which it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lent: Option<(u64, u64)>,
}

impl Unexplained {
    /// The same in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let entry = self.entry;
        if self.sealed {
            return format!("log entry {entry}: the computer's orders, sealed when the turn opened");
        }
        if let Some((from, to)) = self.lent {
            return format!(
                "log entry {entry}: NOT YOURS? It counted, and no mail here explains it. By the log another had your seat from entry {from} \
                 to {to}, and no mail here tells of that. If you were told, nothing is wrong; if you weren't, ask the host"
            );
        }
        match (self.accepted, self.reason.as_deref()) {
            (true, Some("stand-in")) => {
                format!("log entry {entry}: the computer gave orders, because none had come")
            }
            (true, Some("consent")) if self.foreign => format!(
                "log entry {entry}: NOT YOURS? A consent to throw a roll again was taken, and no mail here gives it or answers it. If you gave \
                 one and deleted the mails, nothing is wrong; if you gave none, ask the host"
            ),
            (true, Some("consent")) => format!("log entry {entry}: consent to throw a roll again"),
            (true, Some("withdrawn")) if self.foreign => format!(
                "log entry {entry}: NOT YOURS? The orders were taken back, so that nothing counted, and no mail here asks for that or answers \
                 it. If you did and deleted the mails, nothing is wrong; if you didn't, ask the host"
            ),
            (true, Some("withdrawn")) => format!("log entry {entry}: orders taken back"),
            (true, _) if self.foreign => format!(
                "log entry {entry}: NOT YOURS? Orders were taken that are not among these mails, and no receipt is, and they counted. If you \
                 sent them and deleted the mails, nothing is wrong; if you sent none, ask the host"
            ),
            (true, _) => match self.handed_over {
                Some(by) => format!(
                    "log entry {entry}: orders of whoever had the seat then (log entry {by} gave it to another)"
                ),
                None => format!("log entry {entry}: orders were taken that are not among these mails"),
            },
            (false, reason) => format!(
                "log entry {entry}: a mail that is not among these was refused: {}",
                reason_in_words(reason.unwrap_or("-"))
            ),
        }
    }
}

/// Tells the story of a seat. The game tells orders from prose in mails without marks.
pub(super) fn story(seat: &Seat, mails: &Mails, book: Option<&Book>, game: Option<&dyn Game>) -> Story {
    let teller = Teller { seat, mails, book, game };
    let mut told: BTreeMap<u32, Vec<SentMail>> = BTreeMap::new();
    let mut elsewhere = Vec::new();
    let mut answered: BTreeSet<&MailRef> = BTreeSet::new();
    for own in mails.own.iter().filter(|own| own.what.seat == *seat) {
        let receipt = teller.receipt_for(own);
        answered.extend(receipt.map(|receipt| &receipt.mail));
        let (t, fate) = teller.fate(own, receipt);
        // The last report has an id as if a turn followed: what answers it is for none.
        let t = t.filter(|t| !teller.is_beyond_the_end(*t));
        let sent = SentMail { mail: own.mail.clone(), fate };
        match t {
            Some(t) => told.entry(t).or_default().push(sent),
            None => elsewhere.push(sent),
        }
    }
    // Of a mail that wasn't kept the receipt tells as much.
    for receipt in mails.receipts.iter().filter(|receipt| receipt.what.seat == *seat) {
        let fate = teller.fate_by(&receipt.what);
        let mails = told.entry(receipt.what.t).or_default();
        let told_already =
            fate.entry().is_some_and(|entry| mails.iter().any(|sent| sent.fate.entry() == Some(entry)));
        if !answered.contains(&receipt.mail) && !told_already {
            mails.push(SentMail { mail: receipt.mail.clone(), fate });
        }
    }
    let names = book.map(|book| book.opened.clone()).unwrap_or_default();
    let all: BTreeSet<u32> = names.keys().chain(told.keys()).copied().collect();
    let turns = all.into_iter().map(|t| {
        let mut mails = told.remove(&t).unwrap_or_default();
        mails.sort_by_key(|sent| sent.fate.entry().unwrap_or(u64::MAX));
        let explained: BTreeSet<u64> = mails.iter().filter_map(|sent| sent.fate.entry()).collect();
        let logged = book.map_or(&[][..], |book| book.mails_of(t, seat)).iter();
        let unexplained = logged.filter(|recv| !explained.contains(&recv.index));
        let unexplained = unexplained.map(|recv| teller.unexplained(t, recv)).collect();
        StoryTurn { t, name: names.get(&t).cloned(), mails, unexplained, counted: teller.counted(t) }
    });
    let turns = turns.collect();
    Story { seat: seat.clone(), turns, elsewhere }
}

struct Teller<'a> {
    seat: &'a Seat,
    mails: &'a Mails,
    book: Option<&'a Book>,
    game: Option<&'a dyn Game>,
}

impl<'a> Teller<'a> {
    /// Whether the game was over before it came to this adjudication.
    fn is_beyond_the_end(&self, t: u32) -> bool {
        let last = self.book.filter(|book| book.ended).and_then(|book| book.opened.keys().next_back());
        last.is_some_and(|last| t > *last)
    }

    fn unexplained(&self, t: u32, recv: &Recv) -> Unexplained {
        let word = self.book.and_then(|book| self.word_of(book, t, recv));
        let (is_written_to, handed_over) = self.written_to(t, recv.index);
        let counted = match self.counted(t) {
            Counted::Entry { entry } => {
                let label =
                    self.book.and_then(|book| book.rerolls.get(&t)).filter(|_| word == Some("consent"));
                let consented =
                    |label: &Label| self.mails.consented.contains(&(self.seat.clone(), label.clone()));
                entry == recv.index && !label.is_some_and(consented)
            }
            Counted::Withdrawn { entry } => {
                entry == recv.index && !self.mails.taken_back.contains(&(t, self.seat.clone()))
            }
            _ => false,
        };
        // The computer mails what it has sealed.
        let of_t = self.book.map_or(&[][..], |book| book.mails_of(t, self.seat));
        let sealed = of_t.iter().any(|seal| seal.sealed && seal.digest == recv.digest);
        let asked = counted && !sealed;
        let lent = if asked && !is_written_to { self.lent(recv.index) } else { None };
        Unexplained {
            entry: recv.index,
            accepted: recv.verdict == Verdict::Accepted,
            reason: word.map(str::to_owned),
            sealed,
            foreign: asked && (is_written_to || lent.is_some()),
            handed_over: handed_over.filter(|_| !is_written_to),
            lent,
        }
    }

    /// The first and the last log entry round entry `index` that gave the seat to another, if these mails hold what was written to the
    /// seat before and after them, and nothing between: whoever has them had the seat before and after, and was not told.
    fn lent(&self, index: u64) -> Option<(u64, u64)> {
        let (book, shown) = (self.book?, self.mails.written_to.get(self.seat)?);
        let (before, _) = shown.range(..index).next_back()?;
        let (after, _) = shown.range(index..).next()?;
        let from = book.handed_over(self.seat, *before, index).next()?;
        let to = book.handed_over(self.seat, index, *after).next_back()?;
        let also = self.mails.also_shown.get(self.seat);
        // What was written together with an invitation to take the seat over shows the same entry.
        let is_told = from == *before || also.is_some_and(|also| also.range(from..=*after).next().is_some());
        (!is_told).then_some((from, to))
    }

    /// Whether these mails hold what the host wrote, about adjudication `t` or one before it, to whoever had the seat at log entry
    /// `index`; and if all that they hold was written to others, the entry that gave the seat to another.
    fn written_to(&self, t: u32, index: u64) -> (bool, Option<u64>) {
        let (Some(book), Some(shown)) = (self.book, self.mails.written_to.get(self.seat)) else {
            return (false, None);
        };
        let between = |shown: &u64| book.handed_over(self.seat, *shown, index);
        let is_written_to = shown.iter().any(|(shown, first)| *first <= t && between(shown).next().is_none());
        let to_others: Option<Vec<u64>> = shown.keys().map(|shown| between(shown).next()).collect();
        (is_written_to, to_others.and_then(|by| by.first().copied()))
    }

    /// The receipt that answers a mail.
    fn receipt_for(&self, own: &Kept<Own>) -> Option<&'a Kept<Receipt>> {
        let id = own.message_id.as_ref()?;
        self.mails
            .receipts
            .iter()
            .find(|receipt| receipt.answers.as_ref() == Some(id) && receipt.what.seat == *self.seat)
    }

    fn refusal_for(&self, own: &Kept<Own>) -> Option<&'a Kept<Refusal>> {
        let id = own.message_id.as_ref()?;
        self.mails
            .refusals
            .iter()
            .find(|refusal| refusal.answers.as_ref() == Some(id) && refusal.what.seat == *self.seat)
    }

    /// What became of a mail, and for which adjudication it was.
    fn fate(&self, own: &Kept<Own>, receipt: Option<&Kept<Receipt>>) -> (Option<u32>, Fate) {
        if let Some(receipt) = receipt {
            // Without its attachment the log tells, once it is revealed.
            let returned = receipt.what.orders.clone().or_else(|| self.revealed(&receipt.what));
            let is_own = |returned: &Block| {
                own.what.blocks.contains(returned)
                    || self.upon(receipt.what.t, &own.what.blocks).contains(returned)
            };
            let fate = match self.fate_by(&receipt.what) {
                Fate::Dropped => Fate::Dropped,
                _ if own.what.marked && returned.is_some_and(|returned| !is_own(&returned)) => Fate::Changed,
                fate => fate,
            };
            return (Some(receipt.what.t), fate);
        }
        if let Some((t, fate)) = self.refused(own) {
            return (t.or(own.what.t), fate);
        }
        let Some(book) = self.book else { return (own.what.t, Fate::Unanswered) };
        // Commands have no receipt, and no blocks: in the log they are told by the word beside them.
        if own.what.blocks.is_empty() {
            let (from, upto) = (own.what.t.unwrap_or(1), own.what.t.unwrap_or(u32::MAX));
            if own.what.withdraws
                && let Some((t, entry)) = self.noted(book, from..=upto, "withdrawn", |_| true)
            {
                return (Some(t), Fate::TookBack { entry });
            }
            // A roll is thrown again in a t of its own, behind the one that was open.
            if !own.what.consents.is_empty()
                && let Some((t, entry)) = self.noted(book, from..=u32::MAX, "consent", |t| {
                    book.rerolls.get(&t).is_some_and(|label| own.what.consents.contains(label))
                })
            {
                return (Some(t), Fate::Consented { entry });
            }
        }
        let Some(blocks) = self.orders_in(own) else { return (own.what.t, Fate::Unmarked) };
        if blocks.is_empty() {
            return (own.what.t, Fate::NoOrders);
        }
        // No answer was kept: the log is searched for its orders.
        let turns: Vec<u32> = own.what.t.map_or_else(|| book.opened.keys().copied().collect(), |t| vec![t]);
        for t in turns.iter().copied() {
            let leaf = |block: &Block| book.leaf(t, self.seat, Some(block));
            let leaves: Vec<_> = blocks.iter().chain(&self.upon(t, &blocks)).filter_map(leaf).collect();
            let accepted = |recv: &&Recv| recv.verdict == Verdict::Accepted && leaves.contains(&recv.digest);
            if let Some(taken) = book.mails_of(t, self.seat).iter().rfind(accepted) {
                return (Some(t), self.taken(t, taken));
            }
        }
        // Where the log has no accepted mail of the seat at all, there is no need for a secret to see it.
        let hidden =
            |t: &u32| book.leaf(*t, self.seat, None).is_none() && book.counted(*t, self.seat).is_some();
        let decided = turns.iter().all(|t| book.is_decided(*t) && !hidden(t));
        (own.what.t, if decided { Fate::NotInLog } else { Fate::Hidden })
    }

    /// The last mail of the seat that the log has beside this word, of the first of these adjudications that has one and may.
    fn noted(
        &self,
        book: &Book,
        turns: RangeInclusive<u32>,
        word: &str,
        may: impl Fn(u32) -> bool,
    ) -> Option<(u32, u64)> {
        let is_it = |t: u32| move |recv: &&Recv| self.word_of(book, t, recv) == Some(word);
        let of_seat = book.mails.iter().filter(|((t, seat), _)| seat == self.seat && turns.contains(t));
        let of_seat = of_seat.filter(|((t, _), _)| may(*t));
        of_seat.filter_map(|((t, _), mails)| Some((*t, mails.iter().rfind(is_it(*t))?.index))).next()
    }

    /// The word that the log has beside a mail: none where what is revealed belies it, and orders stand where it says that they were
    /// taken back, or where nothing is thrown again that one could consent to.
    fn word_of<'b>(&self, book: &Book, t: u32, recv: &'b Recv) -> Option<&'b str> {
        let word = recv.reason.as_ref()?.as_str();
        let is_true = match word {
            "withdrawn" => book.leaf(t, self.seat, None).is_none_or(|silence| silence == recv.digest),
            "consent" => book.rerolls.contains_key(&t),
            _ => true,
        };
        is_true.then_some(word)
    }

    /// The orders that the log has for a receipt, where they counted and are revealed.
    fn revealed(&self, receipt: &Receipt) -> Option<Block> {
        let book = self.book?;
        let counted = book.counted(receipt.t, self.seat)?;
        let orders = book.orders(receipt.t, self.seat).flatten();
        orders.filter(|_| counted.digest == receipt.leaf).map(Block::canonical)
    }

    /// What may be the orders in a mail; none where that can't be told.
    fn orders_in(&self, own: &Kept<Own>) -> Option<Vec<Block>> {
        let mut blocks = own.what.blocks.clone();
        let Some(loose) = &own.what.loose else { return Some(blocks) };
        let Some(game) = self.game else { return (!blocks.is_empty()).then_some(blocks) };
        let kind = |line: &&str| order_mail::kind_of(game, line.trim());
        if loose.as_str().lines().any(|line| kind(&line) == LineKind::Order) {
            let lines: Vec<&str> =
                loose.as_str().lines().filter(|line| kind(line) != LineKind::Prose).collect();
            blocks.push(Block::canonical(&lines.join("\n")));
        }
        Some(blocks)
    }

    /// A lone `READY` or `WAIT` is taken as the set that stands with that line added.
    fn upon(&self, t: u32, blocks: &[Block]) -> Vec<Block> {
        let of_receipts = self.mails.receipts.iter().filter(|receipt| receipt.what.t == t);
        let of_receipts = of_receipts.filter_map(|receipt| receipt.what.orders.as_ref());
        let of_mails =
            self.mails.own.iter().filter(|own| own.what.t == Some(t) && own.what.seat == *self.seat);
        let standing = of_receipts.chain(of_mails.flat_map(|own| &own.what.blocks));
        let added = |standing: &Block| {
            let lone = |block: &Block| OrderMail { marked: false, ..OrderMail::bare(block.clone()) };
            blocks.iter().map(|block| lone(block).upon(Some(standing)).block).collect::<Vec<_>>()
        };
        standing.flat_map(added).collect()
    }

    /// What the log says of a mail that a receipt was given for.
    fn fate_by(&self, receipt: &Receipt) -> Fate {
        let Some(book) = self.book else { return Fate::Acknowledged };
        let logged = book.mails_of(receipt.t, self.seat).iter();
        let taken = logged.rev().find(|r| r.digest == receipt.leaf && r.verdict == Verdict::Accepted);
        match taken {
            Some(taken) => self.taken(receipt.t, taken),
            None if book.is_decided(receipt.t) => Fate::Dropped,
            None => Fate::NotYet,
        }
    }

    fn taken(&self, t: u32, taken: &Recv) -> Fate {
        let entry = taken.index;
        let counted = self.book.and_then(|book| book.counted(t, self.seat));
        match counted.map(|counted| counted.index) {
            Some(by) if by != entry => Fate::Replaced { entry, by },
            _ if self.book.is_some_and(|book| book.closes.contains_key(&t)) => Fate::Counted { entry },
            _ => Fate::Taken { entry },
        }
    }

    /// Where the log has the refusal of a mail: by its text, or by the answer to it.
    fn refused(&self, own: &Kept<Own>) -> Option<(Option<u32>, Fate)> {
        let refusal = self.refusal_for(own);
        let refused = |recv: &&Recv| recv.verdict == Verdict::Refused;
        let mut of_seat = self.book.into_iter().flat_map(|book| {
            let own = book.mails.iter().filter(|((_, seat), _)| seat == self.seat);
            own.flat_map(|((t, _), mails)| mails.iter().filter(refused).map(|recv| (*t, recv)))
        });
        let by_answer = refusal.and_then(|refusal| refusal.what.index);
        let found =
            of_seat.find(|(_, recv)| own.what.texts.contains(&recv.digest) || Some(recv.index) == by_answer);
        match (found, refusal) {
            (Some((t, recv)), _) => {
                let reason = recv.reason.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
                Some((Some(t), Fate::Refused { entry: recv.index, reason }))
            }
            (None, Some(_)) => Some((None, Fate::RefusedSomewhere)),
            (None, None) => None,
        }
    }

    fn counted(&self, t: u32) -> Counted {
        let Some(book) = self.book else { return Counted::Unknown };
        if book.void.contains(&t) {
            return Counted::Void;
        }
        if !book.closes.contains_key(&t) {
            return Counted::Open;
        }
        let Some(counted) = book.counted(t, self.seat) else { return Counted::Nothing };
        let entry = counted.index;
        match self.word_of(book, t, counted) {
            Some("stand-in") => Counted::StandIn { entry },
            Some("withdrawn") => Counted::Withdrawn { entry },
            _ => Counted::Entry { entry },
        }
    }
}
