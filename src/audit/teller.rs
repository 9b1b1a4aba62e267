//! What became of each of a player's mails: where the log has it, by the answer to it or by the leaf of its orders.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::book::{Book, Recv};
use super::claims::Claim;
use super::fate::{Counted, Fate};
use super::mail::{Own, Receipt};
use super::mails::{Answer, Kept, Mails, Refusal};
use super::reading::Reading;
use musterd_desk::Game;
use musterd_dice::{Block, Label, Seat, Verdict};

/// The name in the log of the adjudication that founds a game.
const FOUNDING: &str = "founding";
/// How near to each other two mails are written that the limits of one day may be about, in seconds.
const ABOUT_A_DAY: i64 = 48 * 3600;

/// Tells what became of a seat's mails.
pub(super) struct Teller<'a> {
    pub(super) seat: &'a Seat,
    pub(super) mails: &'a Mails,
    pub(super) book: Option<&'a Book>,
    game: Option<&'a dyn Game>,
    /// The receipts to the seat, and the answers and refusals.
    pub(super) receipts: Vec<&'a Kept<Receipt>>,
    answers: Vec<&'a Kept<Answer>>,
    refusals: Vec<&'a Kept<Refusal>>,
    /// The order forms that the seat was mailed, as far as they are here, by the adjudication that they are for.
    forms: BTreeMap<u32, Vec<&'a Block>>,
    /// The log entries that a receipt or another answer of the host's explains.
    answered: BTreeSet<u64>,
    /// Those that a mail of the player's explains.
    own: BTreeSet<u64>,
    /// Those of them that a mail of the player's explains which says no more than `READY` or `WAIT`.
    lone: BTreeSet<u64>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        seat: &'a Seat,
        mails: &'a Mails,
        book: Option<&'a Book>,
        game: Option<&'a dyn Game>,
    ) -> Self {
        let mut forms: BTreeMap<u32, Vec<&Block>> = BTreeMap::new();
        for form in mails.forms.get(seat).into_iter().flatten() {
            let t = form.t.or_else(|| book?.open_at(form.index?));
            forms.entry(t.unwrap_or_default()).or_default().push(&form.lines);
        }
        let mut teller = Self {
            seat,
            mails,
            book,
            game,
            receipts: mails.receipts.iter().filter(|receipt| receipt.what.seat == *seat).collect(),
            answers: mails.answers.iter().filter(|answer| answer.what.seat == *seat).collect(),
            refusals: mails.refusals.iter().filter(|refusal| refusal.what.seat == *seat).collect(),
            forms,
            answered: BTreeSet::new(),
            own: BTreeSet::new(),
            lone: BTreeSet::new(),
        };
        let by_receipts = teller.receipts.iter().filter_map(|receipt| teller.taken_for(&receipt.what));
        let by_receipts = by_receipts.map(|recv| recv.index);
        let by_answers = teller.answers.iter().flat_map(|answer| teller.settled_by(&answer.what));
        teller.answered = by_receipts.chain(by_answers).collect();
        teller
    }

    /// Whether a mail explains a log entry.
    pub(super) fn is_explained(&self, entry: u64) -> bool {
        self.answered.contains(&entry) || self.own.contains(&entry)
    }

    /// Whether that is a mail of the player's which says no more than `READY` or `WAIT`.
    pub(super) fn is_lone(&self, entry: u64) -> bool {
        self.lone.contains(&entry)
    }

    /// Whether the game was over before it came to this adjudication.
    pub(super) fn is_beyond_the_end(&self, t: u32) -> bool {
        let last = self.book.filter(|book| book.ended).and_then(|book| book.opened.keys().next_back());
        last.is_some_and(|last| t > *last)
    }

    /// The player's own mails: first those that were answered, for what is known of these can't be said of others.
    pub(super) fn own_mails(&self) -> Vec<&'a Kept<Own>> {
        let own = self.mails.own.iter().filter(|own| own.what.seat == *self.seat);
        let (answered, others): (Vec<_>, Vec<_>) =
            own.partition(|own| self.receipt_for(own).is_some() || self.answers_to(own).next().is_some());
        answered.into_iter().chain(others).collect()
    }

    /// The receipt that answers a mail: the last one, where it came twice.
    pub(super) fn receipt_for(&self, own: &Kept<Own>) -> Option<&'a Kept<Receipt>> {
        self.receipts.iter().filter(|receipt| receipt.is_answer_to(own)).max_by_key(|r| r.what.upto).copied()
    }

    fn answers_to<'b>(&'b self, own: &'b Kept<Own>) -> impl Iterator<Item = &'a Answer> + use<'a, 'b> {
        self.answers.iter().filter(|answer| answer.is_answer_to(own)).map(|answer| &answer.what)
    }

    /// What became of a mail, and for which adjudication it was.
    pub(super) fn fate(
        &mut self,
        own: &Kept<Own>,
        reading: &Reading<'_>,
        receipt: Option<&Kept<Receipt>>,
    ) -> (Option<u32>, Fate) {
        let settled = self.settle(own);
        let (t, fate) = self.found(own, reading, receipt, settled);
        if let Some(entry) = fate.entry() {
            self.own.insert(entry);
            self.lone.extend(reading.is_lone().then_some(entry));
        }
        (t, fate)
    }

    fn found(
        &self,
        own: &Kept<Own>,
        reading: &Reading<'_>,
        receipt: Option<&Kept<Receipt>>,
        settled: Option<(u32, Fate)>,
    ) -> (Option<u32>, Fate) {
        if let Some(receipt) = receipt {
            return (Some(receipt.what.t), self.fate_with(reading, &receipt.what));
        }
        if let Some((t, fate)) = self.refused(own) {
            let fate = match (fate, self.book) {
                // Why a mail is refused is the host's word, and this can be seen from the mail.
                (Fate::Refused { entry, reason }, Some(book))
                    if reason == "no-orders"
                        && self.game.is_some()
                        && !reading.may_be_unread()
                        && reading.blocks().next().is_some()
                        && self.orders_something(own, reading, book, t) == Some(true) =>
                {
                    Fate::RefusedAsEmpty { entry }
                }
                (fate, _) => fate,
            };
            return (t.or(own.what.t), fate);
        }
        let Some(book) = self.book else { return (own.what.t, Fate::Unanswered) };
        let mut blocks = reading.blocks().peekable();
        if blocks.peek().is_none() {
            // Commands have no receipt, and no blocks: in the log they are told by the word beside them.
            if let Some((t, fate)) = settled {
                return (Some(t), fate);
            }
            let fate = if reading.is_unclear() { Fate::Unmarked } else { Fate::NoOrders };
            return (own.what.t, fate);
        }
        drop(blocks);
        // No answer was kept: the log is searched for its orders.
        let turns: Vec<u32> = own.what.t.map_or_else(|| book.opened.keys().copied().collect(), |t| vec![t]);
        for t in turns.iter().copied() {
            let standing = if reading.has_lone() { self.standing(t) } else { Vec::new() };
            let upon: Vec<Block> = standing.iter().flat_map(|set| reading.upon(set)).collect();
            let leaf = |block: &Block| book.leaf(t, self.seat, Some(block));
            let leaves: Vec<_> = reading.blocks().chain(&upon).filter_map(leaf).collect();
            let accepted = |recv: &&Recv| recv.verdict == Verdict::Accepted && leaves.contains(&recv.digest);
            let all = || book.mails_of(t, self.seat).iter().filter(accepted);
            // One mail is one entry: another with the same orders is another mail's.
            if let Some(taken) =
                all().find(|recv| !self.own.contains(&recv.index)).or_else(|| all().next_back())
            {
                return (Some(t), self.taken(t, taken));
            }
        }
        // Where the log has no accepted mail of the seat at all, there is no need for a secret to see it.
        let hidden =
            |t: &u32| book.leaf(*t, self.seat, None).is_none() && book.counted(*t, self.seat).is_some();
        // What is answered came while that turn was open.
        let answered_in = self.answers_to(own).find_map(|answer| book.open_at(answer.index?));
        let turns = answered_in.filter(|_| own.what.t.is_none()).map_or(turns, |t| vec![t]);
        let decided = turns.iter().all(|t| book.is_decided(*t) && !hidden(t));
        let fate = match self.orders_something(own, reading, book, answered_in) {
            Some(false) => Fate::NoOrders,
            _ if !decided => Fate::Hidden,
            None => Fate::OrdersOrForm,
            Some(true) if self.answers_to(own).next().is_some() => Fate::PassedOver,
            Some(true) => Fate::NotInLog,
        };
        (own.what.t, fate)
    }

    /// What became of a mail that a receipt was given for.
    fn fate_with(&self, reading: &Reading<'_>, receipt: &Receipt) -> Fate {
        // Without its attachment the log tells, once it is revealed.
        let returned = match receipt.returned.sets() {
            [] => self.revealed(receipt).into_iter().collect(),
            sets => sets.to_vec(),
        };
        let is_another = !returned.is_empty() && returned.iter().all(|set| reading.is_another(set));
        match self.fate_by(receipt) {
            Fate::Dropped => Fate::Dropped,
            _ if is_another => Fate::Changed,
            fate => fate,
        }
    }

    /// Whether the host had to take what is in a mail for orders, which it answered in this adjudication, if it did; none where only a mail
    /// that isn't here could tell. That it answered shows nothing: it may have answered the commands beside them.
    fn orders_something(
        &self,
        own: &Kept<Own>,
        reading: &Reading<'_>,
        book: &Book,
        answered_in: Option<u32>,
    ) -> Option<bool> {
        let is_founding = |t: u32| book.opened.get(&t).is_some_and(|name| name == FOUNDING);
        // A seat is confirmed before the game begins, and nothing else is ordered then. The host writes what it likes into the Message-ID
        // that a mail answers; but a head that came later in the log nobody could show before.
        let (joins, only_joins) = reading.joins();
        if only_joins && answered_in.is_some_and(|t| !is_founding(t)) {
            return Some(false);
        }
        if !joins && own.what.t.or(answered_in).is_some_and(is_founding) {
            return None;
        }
        // It is held against the form that stood when the mail came.
        let turns: BTreeSet<u32> = own.what.t.into_iter().chain(answered_in).collect();
        let forms = turns.iter().filter_map(|t| self.forms.get(t)).flatten();
        let told: BTreeSet<bool> = forms.map(|form| !reading.is_form(form)).collect();
        match told.len() {
            0 if reading.may_be_form() => None,
            0 => Some(true),
            1 => told.first().copied(),
            _ => None,
        }
    }

    /// What the log has of the commands in a mail, which it then explains, and the first of it.
    fn settle(&mut self, own: &Kept<Own>) -> Option<(u32, Fate)> {
        let book = self.book?;
        let t = own.what.t;
        let mut answers = self.answers_to(own).peekable();
        let answered = answers.peek().is_some();
        let settled: BTreeSet<u64> = answers.flat_map(|answer| self.settled_by(answer)).collect();
        let noted = |turns: (u32, u32), word: &str, may: &dyn Fn(u32) -> bool| {
            let is_its = |t: u32, recv: &Recv| self.word_of(t, recv) == Some(word);
            let of_seat = book.mails.iter().filter(|((_, seat), _)| seat == self.seat);
            let of_seat = of_seat.filter(|((t, _), _)| (turns.0..=turns.1).contains(t) && may(*t));
            let all = of_seat.flat_map(|((t, _), mails)| mails.iter().map(|recv| (*t, recv)));
            let all: Vec<(u32, &Recv)> = all.filter(|(t, recv)| is_its(*t, recv)).collect();
            // What an answer tells of is what that was given for.
            let own = all.iter().find(|(_, recv)| settled.contains(&recv.index));
            let free = || all.iter().find(|(_, recv)| !self.own.contains(&recv.index)).or_else(|| all.last());
            own.or_else(|| if answered { None } else { free() }).map(|(t, recv)| (*t, recv.index))
        };
        let withdrawn = || {
            let (t, entry) = noted((t.unwrap_or(1), t.unwrap_or(u32::MAX)), "withdrawn", &|_| true)?;
            Some((t, Fate::TookBack { entry }))
        };
        // A roll is thrown again in a t of its own, behind the one that was open.
        let consented = || {
            let is_of = |t: u32| book.rerolls.get(&t).is_some_and(|label| own.what.consents.contains(label));
            let (t, entry) = noted((t.unwrap_or(1), u32::MAX), "consent", &is_of)?;
            Some((t, Fate::Consented { entry }))
        };
        let withdrawn = own.what.withdraws.then(withdrawn).flatten();
        let consented = (!own.what.consents.is_empty()).then(consented).flatten();
        let found: Vec<(u32, Fate)> = withdrawn.into_iter().chain(consented).collect();
        self.own.extend(found.iter().filter_map(|(_, fate)| fate.entry()));
        found.into_iter().next()
    }

    /// The log entries that an answer to commands tells of. It was written when they were in the log.
    fn settled_by(&self, answer: &Answer) -> Vec<u64> {
        let Some(book) = self.book else { return Vec::new() };
        let upto = answer.index.unwrap_or(u64::MAX);
        let of_seat = book.mails.iter().filter(|((_, seat), _)| seat == self.seat);
        let all = of_seat.flat_map(|((t, _), mails)| mails.iter().map(|recv| (*t, recv)));
        let withdrawn = all.filter(|(t, recv)| {
            answer.takes_back && recv.index <= upto && self.word_of(*t, recv) == Some("withdrawn")
        });
        let withdrawn = withdrawn.map(|(_, recv)| recv.index).max();
        let consents =
            answer.consents.iter().filter_map(|label: &Label| book.consent_upto(self.seat, label, upto));
        withdrawn.into_iter().chain(consents.map(|recv| recv.index)).collect()
    }

    /// The word that the log has beside a mail: none where what is revealed belies it, and orders stand where it says that they were
    /// taken back, or where nothing is thrown again that one could consent to.
    pub(super) fn word_of<'b>(&self, t: u32, recv: &'b Recv) -> Option<&'b str> {
        let (book, word) = (self.book?, recv.reason.as_ref()?.as_str());
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

    /// The sets that may have stood in an adjudication.
    fn standing(&self, t: u32) -> Vec<Block> {
        let receipts = self.receipts.iter().filter(|receipt| receipt.what.t == t);
        let of_receipts = receipts.flat_map(|receipt| receipt.what.returned.sets().iter().cloned());
        let own = self.mails.own.iter().filter(|own| own.what.t == Some(t) && own.what.seat == *self.seat);
        let of_mails =
            own.flat_map(|own| Reading::of(&own.what, self.game).blocks().cloned().collect::<Vec<_>>());
        of_receipts.chain(of_mails).collect()
    }

    /// The log entry that a receipt was given for: it was there when the receipt was written.
    fn taken_for(&self, receipt: &Receipt) -> Option<&'a Recv> {
        self.book?.taken(receipt.t, self.seat, receipt.leaf, receipt.upto)
    }

    /// What the log says of a mail that a receipt was given for.
    pub(super) fn fate_by(&self, receipt: &Receipt) -> Fate {
        let Some(book) = self.book else { return Fate::Acknowledged };
        match self.taken_for(receipt) {
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
        let refusal = self.refusals.iter().find(|refusal| refusal.is_answer_to(own));
        let refused = |recv: &&Recv| recv.verdict == Verdict::Refused;
        let mut of_seat = self.book.into_iter().flat_map(|book| {
            let own = book.mails.iter().filter(|((_, seat), _)| seat == self.seat);
            own.flat_map(|((t, _), mails)| mails.iter().filter(refused).map(|recv| (*t, recv)))
        });
        let by_answer = refusal.and_then(|refusal| refusal.what.index);
        let found =
            of_seat.find(|(_, recv)| own.what.texts.contains(&recv.digest) || Some(recv.index) == by_answer);
        match (found, refusal) {
            (Some((t, recv)), refusal) => {
                let (entry, reason) = (recv.index, recv.reason.as_ref());
                let reason = reason.map_or_else(|| "-".to_owned(), ToString::to_string);
                let was_told = refusal.is_some() || !self.had_to_be_told(&own.what, t, entry, &reason);
                let fate = match was_told {
                    true => Fate::Refused { entry, reason },
                    false => Fate::RefusedUntold { entry, reason },
                };
                Some((Some(t), fate))
            }
            (None, Some(_)) => Some((None, Fate::RefusedSomewhere)),
            (None, None) => None,
        }
    }

    /// Whether a player whose mail was refused as this log entry would have been told by a mail that is not here, though others of the
    /// time are. So many refusals are mailed in a day, and of a letter that was not sent on another mail tells.
    fn had_to_be_told(&self, own: &Own, t: u32, entry: u64, reason: &str) -> bool {
        let Some(book) = self.book else { return false };
        let is_told = self.refusals.iter().any(|refusal| refusal.what.index == Some(entry));
        let is_near = |at: i64| own.written.is_none_or(|own| own.abs_diff(at) <= ABOUT_A_DAY.unsigned_abs());
        let is_enough =
            own.written.is_none() || self.refusals.iter().any(|r| r.what.written.is_none_or(is_near));
        let is_persons = book.last_handed_over(self.seat, entry).is_none_or(|(_, to_person)| to_person);
        !is_told && !is_enough && is_persons && reason != "letter" && self.written_to(t, entry).0
    }

    /// The last log entries that mails to the seat show.
    pub(super) fn shown(&self, within: RangeInclusive<u64>) -> impl DoubleEndedIterator<Item = u64> {
        self.mails.claims.entries(|index| Claim::WrittenTo(self.seat.clone(), index), within)
    }

    /// Whether these mails hold what the host wrote, during adjudication `t` or before, to whoever had the seat at log entry `index`; and
    /// if all that they hold was written to others, the entry that gave the seat to another.
    pub(super) fn written_to(&self, t: u32, index: u64) -> (bool, Option<u64>) {
        let Some(book) = self.book else { return (false, None) };
        let (from, to) = book.held(self.seat, index);
        let own = self.shown(from..=u64::MAX).next().filter(|own| *own < to);
        let next = book.next_opened_at(t).unwrap_or(u64::MAX);
        let by = match own {
            Some(_) => None,
            None => {
                let first = self.shown(0..=u64::MAX).next();
                first.and_then(|first| book.handed_over(self.seat, first, index).next())
            }
        };
        (own.is_some_and(|own| own < next), by)
    }

    /// What counted as the seat's orders.
    pub(super) fn counted(&self, t: u32) -> Counted {
        let Some(book) = self.book else { return Counted::Unknown };
        if book.void.contains(&t) {
            return Counted::Void;
        }
        if !book.closes.contains_key(&t) {
            return Counted::Open;
        }
        let Some(counted) = book.counted(t, self.seat) else { return Counted::Nothing };
        let entry = counted.index;
        match self.word_of(t, counted) {
            Some("stand-in") => Counted::StandIn { entry },
            Some("withdrawn") => Counted::Withdrawn { entry },
            _ => Counted::Entry { entry },
        }
    }
}
