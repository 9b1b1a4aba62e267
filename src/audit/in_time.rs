//! What the times of mails show, and no log can, since whoever writes it writes its times: whether a turn was closed before its deadline, and
//! whether what its dice are bound to was told before its round of the public beacon came. A host that closes later knows what the beacon gives.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::book::{Book, Due};
use super::contradiction::Contradiction;
use super::mail::{Brought, Mail, Receipt};
use super::mails::Mails;
use super::place::MailRef;

/// How much clocks may differ, in seconds.
const CLOCKS_DIFFER: i64 = 300;
/// The deadline in a log that stands for none.
const NEVER: u64 = 9_999_999_999;

/// Of a game with a public beacon: for which adjudications the mails show that the close was told before its round, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct InTime {
    /// A server wrote down that the mail of the close came before the round.
    pub shown: Vec<u32>,
    /// The mail has nothing but its own `Date`, the host's word.
    pub by_date: Vec<u32>,
    /// The mail has no time at all that can be read.
    pub undated: Vec<u32>,
    /// No mail here brought the close.
    pub untold: Vec<u32>,
}

/// What the mails say of when each close was told, none of a game without a beacon; the closes that were told when their round had come,
/// the turns that were open then, and those that were closed before their deadline.
pub(super) fn in_time(mails: &Mails, book: &Book) -> (Option<InTime>, Vec<Contradiction>) {
    let (mut found, mut late) = (InTime::default(), Vec::new());
    let (brought, mut open_after) = (brought(mails, book), open_after(mails, book));
    for (&t, due) in book.due.iter().filter(|(t, _)| !book.void.contains(t)) {
        let (round, came) = (due.round, instant(due.at));
        match brought.get(&t).map(|told| (told.at, told.by_server, &told.copy)) {
            None => found.untold.push(t),
            // The protocol allows no second: the mail has to be there before the round.
            Some((Some(at), by_server, mail)) if at >= due.at => {
                let (mail, at, came) = (mail.clone(), instant(at), came.clone());
                late.push(Contradiction::ToldLate { t, mail, at, by_server, round, came });
            }
            Some((_, true, _)) => found.shown.push(t),
            Some((Some(_), false, _)) => found.by_date.push(t),
            Some((None, false, _)) => found.undated.push(t),
        }
        if let Some((written, mail)) = open_after.remove(&t) {
            let (mail, written) = (mail.clone(), instant(written));
            late.push(Contradiction::OpenLate { t, mail, written, round, came });
        }
    }
    late.extend(closed_early(mails, book));
    (book.policy.is_some().then_some(found), late)
}

/// Of each adjudication that was closed before its deadline, by the log, the first mail which shows that: it has a head of the log from the
/// close on, up to the next close, and was there before the deadline.
fn closed_early(mails: &Mails, book: &Book) -> Vec<Contradiction> {
    let mut closes: Vec<(u64, u32, Option<u64>)> =
        book.closed_at.iter().map(|(t, (index, deadline))| (*index, *t, *deadline)).collect();
    closes.sort_unstable();
    let mut first: BTreeMap<u32, (i64, bool, &MailRef)> = BTreeMap::new();
    for mail in mails.all.iter().filter(|mail| mail.is_hosts) {
        let Some(index) = mail.index.filter(|index| *index < book.entries as u64) else { continue };
        let behind = closes.partition_point(|(close, ..)| *close <= index);
        let Some((_, t, Some(deadline))) = behind.checked_sub(1).map(|at| closes[at]) else { continue };
        let Some((at, by_server)) = first_sign(mail) else { continue };
        let is_early = deadline != NEVER
            && i64::try_from(deadline).is_ok_and(|deadline| at.saturating_add(CLOCKS_DIFFER) < deadline);
        if is_early && first.get(&t).is_none_or(|(known, ..)| at < *known) {
            first.insert(t, (at, by_server, &mail.at));
        }
    }
    let told = first.into_iter().map(|(t, (at, by_server, mail))| {
        let deadline = book.closed_at.get(&t).and_then(|(_, deadline)| i64::try_from((*deadline)?).ok());
        let deadline = instant(deadline.unwrap_or_default());
        let (mail, at, file) = (mail.clone(), instant(at), book.path.clone());
        Contradiction::ClosedEarly { t, mail, at, by_server, deadline, file }
    });
    told.collect()
}

/// The earlier of when a mail was written, by its own word, and when it came, by a server's; and whether that is the server's.
fn first_sign(mail: &Mail) -> Option<(i64, bool)> {
    let received = mail.times.received.map(|at| (at, true));
    received.into_iter().chain(mail.times.written.map(|at| (at, false))).min_by_key(|(at, _)| *at)
}

/// Of each adjudication the first mail that was written when the round had come, and before the close: the host's own, which shows a log
/// without it, or one of a player's that was taken for it, where the receipt doesn't show that the player's clock is fast. So a deadline
/// was dated back, that of the first turn too.
fn open_after<'a>(mails: &'a Mails, book: &Book) -> BTreeMap<u32, (i64, &'a MailRef)> {
    let to_players = mails.all.iter().filter(|mail| mail.is_to_player());
    let mut written: Vec<_> =
        to_players.filter_map(|mail| Some((mail.index?, mail.times.written?, &mail.at))).collect();
    written.sort_by_key(|(index, ..)| *index);
    let mut written = written.into_iter().peekable();
    let mut taken: BTreeMap<u32, Vec<(i64, &MailRef)>> = BTreeMap::new();
    for Receipt { mail, t, .. } in mails.receipts() {
        let answered = mail.times.received.or(mail.times.written).unwrap_or(i64::MAX);
        let own = mails.answered_by(mail).and_then(|own| Some((own.times.written?.min(answered), &own.at)));
        taken.entry(t).or_default().extend(own);
    }
    let mut dues: Vec<(&u32, &Due)> = book.due.iter().collect();
    dues.sort_by_key(|(_, due)| due.close);
    // What was written before the close, by time.
    let mut before: BTreeMap<i64, &MailRef> = BTreeMap::new();
    let late = dues.into_iter().filter_map(|(t, due)| {
        while let Some((_, at, mail)) = written.next_if(|(index, ..)| *index < due.close) {
            before.entry(at).or_insert(mail);
        }
        let own = before.range(due.at..).next().map(|(at, mail)| (*at, *mail));
        let taken = taken.get(t).into_iter().flatten().copied().filter(|(at, _)| *at >= due.at);
        Some((*t, own.into_iter().chain(taken).min_by_key(|(at, _)| *at)?))
    });
    late.collect()
}

/// Of each adjudication the mail that brought the close as the log has it: what a server says of when one came counts before what its
/// `Date` says.
fn brought<'a>(mails: &'a Mails, book: &Book) -> BTreeMap<u32, &'a Brought> {
    let mut first: BTreeMap<u32, &Brought> = BTreeMap::new();
    for brought in mails.all.iter().filter_map(|mail| mail.brought.as_deref()) {
        for (t, _) in brought.roots.iter().filter(|(t, root)| book.closes.get(t) == Some(root)) {
            let known = first.entry(*t).or_insert(brought);
            if brought.order() < known.order() {
                *known = brought;
            }
        }
    }
    first
}

/// An instant in words; a number where no calendar has it.
fn instant(seconds: i64) -> String {
    Timestamp::from_second(seconds)
        .map_or_else(|_| format!("second {seconds} of unix time"), |at| at.to_string())
}
