//! Whether what a turn's dice are bound to was told before its round of the public beacon came: a host that closes later knows what
//! the beacon gives. No log can show that, since whoever writes it writes its times; mails can.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::book::{Book, Due};
use super::contradiction::Contradiction;
use super::mail::{Brought, Receipt};
use super::mails::Mails;
use super::place::MailRef;

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
/// and the turns that were open then.
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
    (book.policy.is_some().then_some(found), late)
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
