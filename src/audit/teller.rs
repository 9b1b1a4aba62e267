//! What became of each of a player's mails: where the log has it, by the answer to it or by the leaf of its orders.

use std::collections::{BTreeMap, BTreeSet};

use super::book::{Book, ReceiptFate, Recv};
use super::claims::Subject;
use super::fate::{Counted, Fate};
use super::mail::{Mail, Receipt, base_address};
use super::mails::Mails;
use super::reading::Reading;
use musterd_desk::Game;
use musterd_desk::mail::{Kind, Which};
use musterd_dice::{Block, Digest, LoggedVerdict, Seat};

/// The name in the log of the adjudication that founds a game.
const FOUNDING: &str = "founding";
/// How near to each other two mails are written that the limits of one day may be about, in seconds.
const ABOUT_A_DAY: u64 = 48 * 3600;

/// Tells what became of a seat's mails.
pub(super) struct Teller<'a> {
    pub(super) seat: &'a Seat,
    pub(super) book: Option<&'a Book>,
    game: Option<&'a dyn Game>,
    /// The player's own mails, and the same by Message-ID.
    own_mails: &'a [Reading<'a>],
    own_by_id: BTreeMap<&'a str, Vec<&'a Reading<'a>>>,
    /// The sets of orders that may have stood in each adjudication, by their text.
    sets: BTreeMap<u32, BTreeMap<&'a str, &'a Block>>,
    /// The receipts to the seat, and the answers and refusals.
    pub(super) receipts: Vec<Receipt<'a>>,
    refusals: Vec<&'a Mail>,
    /// The same by the Message-ID that they answer: of several receipts for one mail the last, of several refusals the first.
    receipt_for: BTreeMap<&'a str, Receipt<'a>>,
    answers_to: BTreeMap<&'a str, Vec<&'a Mail>>,
    refusal_of: BTreeMap<&'a str, &'a Mail>,
    /// The mails of the seat's that the log has as refused: the first with each digest, and each by its entry.
    refused: Refused<'a>,
    /// The host's addresses, as far as its mails show them.
    hosts: BTreeSet<String>,
    /// The order forms that the seat was mailed, as far as they are here, by the adjudication that they are for.
    forms: BTreeMap<u32, Vec<&'a Block>>,
    /// The last log entries that mails to whoever has the seat show.
    pub(super) written_to: BTreeSet<u64>,
    /// Those that mails show which tell somebody that the seat is his, or no more.
    pub(super) handed_over: BTreeSet<u64>,
    /// By the time at which mails to the seat were written, the last log entry that one shows by then.
    written: BTreeMap<i64, u64>,
    /// The log entries that mails explain.
    explained: BTreeMap<u64, By>,
}

/// Mails that a log has as refused.
#[derive(Default)]
struct Refused<'a> {
    by_text: BTreeMap<Digest, &'a Recv>,
    by_entry: BTreeMap<u64, &'a Recv>,
}

impl<'a> Refused<'a> {
    fn of(book: &'a Book, seat: &'a Seat) -> Self {
        let mut refused = Self::default();
        for recv in book.of_seat(seat, 0..=u32::MAX).filter(|recv| recv.verdict == LoggedVerdict::Refused) {
            refused.by_text.entry(recv.digest).or_insert(recv);
            refused.by_entry.insert(recv.index, recv);
        }
        refused
    }

    /// The first that has one of these texts, or is this entry.
    fn find(&self, texts: &[Digest], entry: Option<u64>) -> Option<&'a Recv> {
        let by_text = texts.iter().filter_map(|text| self.by_text.get(text));
        let all = by_text.chain(entry.and_then(|entry| self.by_entry.get(&entry)));
        all.min_by_key(|recv| (recv.t, recv.index)).copied()
    }
}

/// What explains a log entry: the more it says, the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    /// A receipt, or another answer of the host's.
    Answer,
    /// A mail of the player's.
    Mail,
    /// One which says no more than `READY` or `WAIT`.
    Lone,
}

/// The last log entry when a mail was written, where it tells: a dispatch that is sent again shows the head of the first time.
fn shown_last(mail: &Mail) -> Option<u64> {
    let is_again = mail.is_sent_as(Kind::Dispatch)
        && mail.sent.as_ref().is_some_and(|sent| matches!(sent.which, Which::Tag(_)));
    mail.index.filter(|_| !is_again)
}

/// By the time at which these mails were written, the last log entry that one of them shows by then.
fn written<'a>(mails: impl Iterator<Item = &'a Mail>) -> BTreeMap<i64, u64> {
    let mut written: BTreeMap<i64, u64> = BTreeMap::new();
    for (at, index) in mails.filter_map(|mail| mail.times.written.zip(mail.index)) {
        let last = written.entry(at).or_default();
        *last = index.max(*last);
    }
    let mut most = 0;
    for index in written.values_mut() {
        most = most.max(*index);
        *index = most;
    }
    written
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        seat: &'a Seat,
        mails: &'a Mails,
        book: Option<&'a Book>,
        game: Option<&'a dyn Game>,
        own_mails: &'a [Reading<'a>],
    ) -> Self {
        let of_seat = || mails.all.iter().filter(|mail| mail.seat.as_ref() == Some(seat));
        let mut forms: BTreeMap<u32, Vec<&Block>> = BTreeMap::new();
        for (mail, form) in of_seat().filter_map(|mail| Some((mail, mail.form.as_ref()?))) {
            let named = mail.sent.as_ref().map(|sent| sent.t);
            let t = named.or_else(|| book?.open_at(mail.index?));
            forms.entry(t.unwrap_or_default()).or_default().push(form);
        }
        let receipts: Vec<Receipt<'_>> =
            mails.receipts().into_iter().filter(|receipt| receipt.seat == seat).collect();
        let mut sets: BTreeMap<u32, BTreeMap<&str, &Block>> = BTreeMap::new();
        let returned = receipts.iter().flat_map(|it| it.returned.sets().iter().map(|set| (it.t, set)));
        let of_own = |own: &'a Reading<'a>| own.mail.t.map(|t| own.blocks().map(move |set| (t, set)));
        for (t, set) in returned.chain(own_mails.iter().filter_map(of_own).flatten()) {
            sets.entry(t).or_default().insert(set.as_str(), set);
        }
        let mut own_by_id: BTreeMap<&str, Vec<&Reading<'_>>> = BTreeMap::new();
        for (id, own) in own_mails.iter().filter_map(|own| Some((own.mail.message_id.as_deref()?, own))) {
            own_by_id.entry(id).or_default().push(own);
        }
        let answers: Vec<&Mail> = of_seat().filter(|mail| mail.is_of(Kind::Answer)).collect();
        let refusals: Vec<&Mail> = of_seat().filter(|mail| mail.is_of(Kind::Refusal)).collect();
        let (mut receipt_for, mut refusal_of) = (BTreeMap::new(), BTreeMap::new());
        let mut answers_to: BTreeMap<&str, Vec<&Mail>> = BTreeMap::new();
        for (id, receipt) in receipts.iter().filter_map(|receipt| Some((answered(receipt.mail)?, *receipt))) {
            let last: &mut Receipt<'_> = receipt_for.entry(id).or_insert(receipt);
            if receipt.mail.index >= last.mail.index {
                *last = receipt;
            }
        }
        for (id, answer) in answers.iter().filter_map(|answer| Some((answered(answer)?, *answer))) {
            answers_to.entry(id).or_default().push(answer);
        }
        for (id, refusal) in refusals.iter().filter_map(|refusal| Some((answered(refusal)?, *refusal))) {
            refusal_of.entry(id).or_insert(refusal);
        }
        let mut teller = Self {
            seat,
            book,
            game,
            own_mails,
            own_by_id,
            sets,
            receipts,
            refusals,
            receipt_for,
            answers_to,
            refusal_of,
            refused: book.map(|book| Refused::of(book, seat)).unwrap_or_default(),
            hosts: mails
                .claims
                .texts(Subject::Address)
                .into_iter()
                .map(|(from, _)| base_address(from))
                .collect(),
            forms,
            written_to: of_seat().filter(|mail| mail.is_to_holder()).filter_map(shown_last).collect(),
            handed_over: of_seat().filter(|mail| mail.hands_over()).filter_map(|mail| mail.index).collect(),
            written: written(of_seat()),
            explained: BTreeMap::new(),
        };
        let by_receipts = teller.receipts.iter().filter_map(|receipt| match book?.standing(receipt) {
            ReceiptFate::Taken(recv) => Some(recv.index),
            ReceiptFate::Dropped | ReceiptFate::NotYet => None,
        });
        let by_answers = answers.iter().flat_map(|answer| teller.settled_by(answer));
        teller.explained = by_receipts.chain(by_answers).map(|entry| (entry, By::Answer)).collect();
        teller
    }

    /// Whether a mail explains a log entry.
    pub(super) fn is_explained(&self, entry: u64) -> bool {
        self.explained.contains_key(&entry)
    }

    /// Whether that is a mail of the player's which says no more than `READY` or `WAIT`.
    pub(super) fn is_lone(&self, entry: u64) -> bool {
        self.explained.get(&entry) == Some(&By::Lone)
    }

    /// Whether the game was over before it came to this adjudication.
    pub(super) fn is_beyond_the_end(&self, t: u32) -> bool {
        let last = self.book.filter(|book| book.ended).and_then(|book| book.opened.keys().next_back());
        last.is_some_and(|last| t > *last)
    }

    /// The player's own mails: first those that were answered, for what is known of these can't be said of others.
    pub(super) fn own_mails(&self) -> Vec<&'a Reading<'a>> {
        let (mut answered, others): (Vec<_>, Vec<_>) =
            self.own_mails.iter().partition(|own| self.is_answered(own.mail));
        answered.extend(others);
        answered
    }

    /// The receipt that answers a mail: the last one, where it came twice.
    pub(super) fn receipt_for(&self, own: &Mail) -> Option<Receipt<'a>> {
        self.receipt_for.get(own.message_id.as_deref()?).copied()
    }

    fn answers_to<'b>(&'b self, own: &'b Mail) -> impl Iterator<Item = &'a Mail> + use<'a, 'b> {
        let id = own.message_id.as_deref();
        id.and_then(|id| self.answers_to.get(id)).into_iter().flatten().copied()
    }

    fn refusal_of(&self, own: &Mail) -> Option<&'a Mail> {
        self.refusal_of.get(own.message_id.as_deref()?).copied()
    }

    fn is_answered(&self, own: &Mail) -> bool {
        self.receipt_for(own).is_some() || self.answers_to(own).next().is_some()
    }

    /// Whether a mail of the player's went to others alone: it answers a mail of the host's, is to none of the host's addresses, and was not
    /// answered. Allies who write to each other answer the dispatch that they write about.
    fn is_to_others(&self, own: &Mail) -> bool {
        let is_known = !self.hosts.is_empty() && !own.to.is_empty();
        is_known
            && self.hosts.is_disjoint(&own.to)
            && !self.is_answered(own)
            && self.refusal_of(own).is_none()
    }

    /// What became of a mail, and for which adjudication it was.
    pub(super) fn fate(&mut self, own: &Reading<'_>, receipt: Option<&Receipt<'_>>) -> (Option<u32>, Fate) {
        let settled = self.settle(own.mail);
        let refused = || self.refused(own);
        let searched = || match self.searched(own, settled) {
            (t, fate) if fate.is_trouble() && self.is_to_others(own.mail) => (t, Fate::NotToHost),
            found => found,
        };
        let (t, fate) = match receipt {
            Some(receipt) => (Some(receipt.t), self.fate_with(own, receipt)),
            None => refused().unwrap_or_else(searched),
        };
        if let Some(entry) = fate.entry() {
            self.explain(entry, if own.is_lone() { By::Lone } else { By::Mail });
        }
        (t.or(own.mail.t), fate)
    }

    /// Notes that a mail of the player's explains a log entry.
    fn explain(&mut self, entry: u64, by: By) {
        let known = self.explained.entry(entry).or_insert(by);
        *known = by.max(*known);
    }

    /// Of these log entries the one that a mail is: the first that no other mail of the player's explains, or else the last.
    fn pick<'b>(&self, mut all: impl DoubleEndedIterator<Item = &'b Recv> + Clone) -> Option<&'b Recv> {
        let is_free = |recv: &&Recv| self.explained.get(&recv.index).is_none_or(|by| *by == By::Answer);
        all.clone().find(is_free).or_else(|| all.next_back())
    }

    /// What became of a mail of which no answer to its orders was kept: the log is searched for these.
    fn searched(&self, own: &Reading<'_>, settled: Option<(u32, Fate)>) -> (Option<u32>, Fate) {
        let t = own.mail.t;
        let Some(book) = self.book else { return (t, Fate::Unanswered) };
        if own.blocks().next().is_none() {
            // Commands have no receipt, and no blocks: in the log they are told by the word beside them.
            let fate = if own.is_unclear() { Fate::Unmarked } else { Fate::NoOrders };
            return settled.map_or((t, fate), |(t, fate)| (Some(t), fate));
        }
        let turns: Vec<u32> = t.map_or_else(|| book.opened.keys().copied().collect(), |t| vec![t]);
        for t in turns.iter().copied() {
            let standing =
                self.sets.get(&t).into_iter().flat_map(BTreeMap::values).filter(|_| own.has_lone());
            let upon: Vec<Block> = standing.flat_map(|set| own.upon(set)).collect();
            let leaf = |block: &Block| book.leaf(t, self.seat, Some(block));
            let leaves: Vec<_> = own.blocks().chain(&upon).filter_map(leaf).collect();
            let accepted =
                |recv: &&Recv| recv.verdict == LoggedVerdict::Accepted && leaves.contains(&recv.digest);
            // One mail is one entry: another with the same orders is another mail's.
            if let Some(taken) = self.pick(book.mails_of(t, self.seat).iter().filter(accepted)) {
                return (Some(t), self.taken(taken));
            }
        }
        // Where the log has no accepted mail of the seat at all, there is no need for a secret to see it.
        let hidden =
            |t: &u32| book.leaf(*t, self.seat, None).is_none() && book.counted(*t, self.seat).is_some();
        // What is answered came while that turn was open.
        let answered_in = self.answers_to(own.mail).find_map(|answer| self.answered_in(book, answer));
        let turns = answered_in.filter(|_| t.is_none()).map_or(turns, |t| vec![t]);
        let decided = turns.iter().all(|t| book.is_decided(*t) && !hidden(t));
        let fate = match self.orders_something(own, book, answered_in) {
            Some(false) => Fate::NoOrders,
            _ if !decided => Fate::Hidden,
            None => Fate::OrdersOrForm,
            Some(true) if self.answers_to(own.mail).next().is_some() => Fate::PassedOver,
            Some(true) => Fate::NotInLog,
        };
        (t, fate)
    }

    /// Which adjudication was open when an answer was written: by the head that it shows, or where it shows none by its Message-ID, if the last
    /// head that the seat was shown by then says the same.
    fn answered_in(&self, book: &Book, answer: &Mail) -> Option<u32> {
        if let Some(index) = answer.index {
            return book.open_at(index);
        }
        let by_then = self
            .written
            .range(..=answer.times.written?)
            .next_back()
            .and_then(|(_, index)| book.open_at(*index));
        answer.sent.as_ref().map(|sent| sent.t).filter(|t| by_then == Some(*t))
    }

    /// What became of a mail that a receipt was given for.
    fn fate_with(&self, own: &Reading<'_>, receipt: &Receipt<'_>) -> Fate {
        // Without its attachment the log tells, once it is revealed.
        let returned = match receipt.returned.sets() {
            [] => self.revealed(receipt).into_iter().collect(),
            sets => sets.to_vec(),
        };
        // Of a draft that has the id of the mail that was sent, that mail tells.
        let id = own.mail.message_id.as_deref();
        let drafts = id.and_then(|id| self.own_by_id.get(id)).into_iter().flatten().copied();
        let copies = || drafts.clone().chain([own]);
        let is_another =
            !returned.is_empty() && copies().all(|copy| returned.iter().all(|set| copy.is_another(set)));
        match self.fate_by(receipt) {
            Fate::Dropped => Fate::Dropped,
            _ if is_another => Fate::Changed,
            fate => fate,
        }
    }

    /// Whether the host had to take what is in a mail for orders, which it answered in this adjudication, if it did; none where only a mail
    /// that isn't here could tell. That it answered shows nothing: it may have answered the commands beside them.
    fn orders_something(&self, own: &Reading<'_>, book: &Book, answered_in: Option<u32>) -> Option<bool> {
        let is_founding = |t: u32| book.opened.get(&t).is_some_and(|name| name == FOUNDING);
        // A seat is confirmed before the game begins, and nothing else is ordered then. The host writes what it likes into the Message-ID
        // that a mail answers; but a head that came later in the log nobody could show before.
        let (joins, only_joins) = own.joins();
        if only_joins && answered_in.is_some_and(|t| !is_founding(t)) {
            return Some(false);
        }
        if !joins && own.mail.t.or(answered_in).is_some_and(is_founding) {
            return None;
        }
        // It is held against the form that stood when the mail came.
        let turns: BTreeSet<u32> = own.mail.t.into_iter().chain(answered_in).collect();
        let forms = turns.iter().filter_map(|t| self.forms.get(t)).flatten();
        let told: BTreeSet<bool> = forms.map(|form| !own.is_form(form)).collect();
        match told.len() {
            0 if own.may_be_form() => None,
            0 => Some(true),
            1 => told.first().copied(),
            _ => None,
        }
    }

    /// What the log has of the commands in a mail, which it then explains, and the first of it.
    fn settle(&mut self, own: &Mail) -> Option<(u32, Fate)> {
        let book = self.book?;
        let mut answers = self.answers_to(own).peekable();
        let answered = answers.peek().is_some();
        let settled: BTreeSet<u64> = answers.flat_map(|answer| self.settled_by(answer)).collect();
        let noted = |last: u32, word: &str, may: &dyn Fn(u32) -> bool| {
            let of_seat = book.of_seat(self.seat, own.t.unwrap_or(1)..=last);
            let is_its = |recv: &&Recv| may(recv.t) && self.word_of(recv) == Some(word);
            let all: Vec<&Recv> = of_seat.filter(is_its).collect();
            // What an answer tells of is what that was given for.
            let told = all.iter().copied().find(|recv| settled.contains(&recv.index));
            let found = if answered { told } else { told.or_else(|| self.pick(all.iter().copied())) };
            found.map(|recv| (recv.t, recv.index))
        };
        let withdrawn = || noted(own.t.unwrap_or(u32::MAX), "withdrawn", &|_| true);
        // A roll is thrown again in a t of its own, behind the one that was open.
        let is_of = |t: u32| book.rerolls.get(&t).is_some_and(|label| own.consents.contains(label));
        let withdrawn = own.takes_back.then(withdrawn).flatten();
        let consented = (!own.consents.is_empty()).then(|| noted(u32::MAX, "consent", &is_of)).flatten();
        let withdrawn = withdrawn.map(|(t, entry)| (t, Fate::TookBack { entry }));
        let consented = consented.map(|(t, entry)| (t, Fate::Consented { entry }));
        let found: Vec<(u32, Fate)> = withdrawn.into_iter().chain(consented).collect();
        found.iter().filter_map(|(_, fate)| fate.entry()).for_each(|entry| self.explain(entry, By::Mail));
        found.into_iter().next()
    }

    /// The log entries that an answer to commands tells of. It was written when they were in the log.
    fn settled_by(&self, answer: &Mail) -> Vec<u64> {
        let Some(book) = self.book.filter(|_| answer.takes_back || !answer.consents.is_empty()) else {
            return Vec::new();
        };
        let upto = answer.index.unwrap_or(u64::MAX);
        let is_its =
            |recv: &&Recv| answer.takes_back && recv.index <= upto && self.word_of(recv) == Some("withdrawn");
        let withdrawn = book.of_seat(self.seat, 0..=u32::MAX).filter(is_its).map(|recv| recv.index).max();
        let consents = answer.consents.iter().filter_map(|label| book.consent_upto(self.seat, label, upto));
        withdrawn.into_iter().chain(consents.map(|recv| recv.index)).collect()
    }

    /// The word that the log has beside a mail: none where what is revealed belies it, and orders stand where it says that they were
    /// taken back, or where nothing is thrown again that one could consent to.
    pub(super) fn word_of<'b>(&self, recv: &'b Recv) -> Option<&'b str> {
        let (book, word) = (self.book?, recv.reason.as_ref()?.as_str());
        let is_true = match word {
            "withdrawn" => book.leaf(recv.t, self.seat, None).is_none_or(|silence| silence == recv.digest),
            "consent" => book.rerolls.contains_key(&recv.t),
            _ => true,
        };
        is_true.then_some(word)
    }

    /// The orders that the log has for a receipt, where they counted and are revealed.
    fn revealed(&self, receipt: &Receipt<'_>) -> Option<Block> {
        let book = self.book?;
        let counted = book.counted(receipt.t, self.seat)?;
        let orders = book.orders(receipt.t, self.seat).flatten();
        orders.filter(|_| counted.digest == receipt.leaf).map(Block::canonical)
    }

    /// What the log says of a mail that a receipt was given for.
    pub(super) fn fate_by(&self, receipt: &Receipt<'_>) -> Fate {
        let Some(book) = self.book else { return Fate::Acknowledged };
        match book.standing(receipt) {
            ReceiptFate::Taken(taken) => self.taken(taken),
            ReceiptFate::Dropped => Fate::Dropped,
            ReceiptFate::NotYet => Fate::NotYet,
        }
    }

    fn taken(&self, taken: &Recv) -> Fate {
        let entry = taken.index;
        let counted = self.book.and_then(|book| book.counted(taken.t, self.seat));
        match counted.map(|counted| counted.index) {
            Some(by) if by != entry => Fate::Replaced { entry, by },
            _ if self.book.is_some_and(|book| book.closes.contains_key(&taken.t)) => Fate::Counted { entry },
            _ => Fate::Taken { entry },
        }
    }

    /// Where the log has the refusal of a mail: by its text, or by the answer to it, which may show where; else it is the only one of that
    /// adjudication which no other mail of the player's is.
    fn refused(&self, own: &Reading<'_>) -> Option<(Option<u32>, Fate)> {
        let refusal = self.refusal_of(own.mail);
        let by_itself = self.refused.find(own.texts(), refusal.and_then(|refusal| refusal.index));
        let found = by_itself.or_else(|| self.only_refusal(self.book?, refusal?.sent.as_ref()?.t));
        let Some(recv) = found else { return refusal.map(|_| (None, Fate::RefusedSomewhere)) };
        let (entry, reason) = (recv.index, recv.reason.as_ref());
        let reason = reason.map_or_else(|| "-".to_owned(), ToString::to_string);
        // Why a mail is refused is the host's word, and this can be seen from the mail.
        let has_orders = || {
            reason == "no-orders"
                && self.game.is_some()
                && !own.may_be_unread()
                && own.blocks().next().is_some()
                && self.book.and_then(|book| self.orders_something(own, book, Some(recv.t))) == Some(true)
        };
        let fate = match refusal {
            None if self.had_to_be_told(own.mail, recv, &reason) => Fate::RefusedUntold { entry, reason },
            _ if has_orders() => Fate::RefusedAsEmpty { entry },
            _ => Fate::Refused { entry, reason },
        };
        Some((Some(recv.t), fate))
    }

    /// The one mail of the seat that was refused in an adjudication, leaving out those that the player has by their text.
    fn only_refusal<'b>(&self, book: &'b Book, t: u32) -> Option<&'b Recv> {
        let is_known = |recv: &Recv| self.own_mails.iter().any(|own| own.texts().contains(&recv.digest));
        let is_it = |recv: &&Recv| recv.verdict == LoggedVerdict::Refused && !is_known(recv);
        let mut refused = book.mails_of(t, self.seat).iter().filter(is_it);
        refused.next().filter(|_| refused.next().is_none())
    }

    /// Whether a player whose mail was refused as this log entry would have been told by a mail that is not here, though others of the
    /// time are. So many refusals are mailed in a day, and of a letter that was not sent on another mail tells.
    fn had_to_be_told(&self, own: &Mail, recv: &Recv, reason: &str) -> bool {
        let Some(book) = self.book else { return false };
        let is_told = self.refusals.iter().any(|refusal| refusal.index == Some(recv.index));
        let is_near = |at: i64| own.times.written.is_none_or(|own| own.abs_diff(at) <= ABOUT_A_DAY);
        let is_enough = own.times.written.is_none()
            || self.refusals.iter().any(|refusal| refusal.times.written.is_none_or(is_near));
        let is_persons = book.last_handed_over(self.seat, recv.index).is_none_or(|(_, to_person)| to_person);
        !is_told && !is_enough && is_persons && reason != "letter" && self.written_to(recv).0
    }

    /// Whether these mails hold what the host wrote, during the adjudication of a log entry or before, to whoever had the seat at that
    /// entry; and if all that they hold was written to others, the entry that gave the seat to another.
    pub(super) fn written_to(&self, recv: &Recv) -> (bool, Option<u64>) {
        let Some(book) = self.book else { return (false, None) };
        let (from, to) = book.held(self.seat, recv.index);
        let Some(own) = self.written_to.range(from..).next().filter(|own| **own < to) else {
            let first = self.written_to.first();
            return (false, first.and_then(|first| book.handed_over(self.seat, *first, recv.index).next()));
        };
        (book.next_opened_at(recv.t).is_none_or(|next| *own < next), None)
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
        match self.word_of(counted) {
            Some("stand-in") => Counted::StandIn { entry },
            Some("withdrawn") => Counted::Withdrawn { entry },
            _ => Counted::Entry { entry },
        }
    }
}

/// The Message-ID of the mail that a mail answers.
fn answered(mail: &Mail) -> Option<&str> {
    mail.answers.as_deref()
}
