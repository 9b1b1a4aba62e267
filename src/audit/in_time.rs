//! Whether what a turn's dice are bound to was told before its round of the public beacon came: a host that closes later knows what
//! the beacon gives. No log can show that, since whoever writes it writes its times; mails can.

use jiff::Timestamp;
use serde::Serialize;

use super::book::{Book, Due};
use super::claims::{Subject, Value};
use super::contradiction::Contradiction;
use super::mail::Receipt;
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
    for (&t, due) in book.due.iter().filter(|(t, _)| !book.void.contains(t)) {
        let (round, came) = (due.round, instant(due.at));
        match brought(mails, book, t) {
            None => found.untold.push(t),
            // The protocol allows no second: the mail has to be there before the round.
            Some((by_server, Some(at), mail)) if at >= due.at => {
                let (mail, at, came) = (mail.clone(), instant(at), came.clone());
                late.push(Contradiction::ToldLate { t, mail, at, by_server, round, came });
            }
            Some((true, ..)) => found.shown.push(t),
            Some((false, Some(_), _)) => found.by_date.push(t),
            Some((false, None, _)) => found.undated.push(t),
        }
        if let Some((mail, written)) = open_after(mails, t, due) {
            late.push(Contradiction::OpenLate { t, mail, written: instant(written), round, came });
        }
    }
    (book.policy.is_some().then_some(found), late)
}

/// A mail that was written when the round had come, and before the close: the host's own, which shows a log without it, or one of a
/// player's that was taken for `t`, where the receipt for it doesn't show that the player's clock is fast. So a deadline was dated back,
/// that of the first turn too.
fn open_after(mails: &Mails, t: u32, due: &Due) -> Option<(MailRef, i64)> {
    let written = mails.claims.from(Subject::Written(0)).map_while(|(claim, held)| match claim.subject {
        Subject::Written(index) if index < due.close => Some((&held.by, held.weight.at()?)),
        _ => None,
    });
    let receipts = mails.receipts().into_iter().filter(|receipt| receipt.t == t);
    let taken = receipts.filter_map(|Receipt { mail, .. }| {
        let own = mails.answered_by(mail)?;
        let answered = mail.times.received.or(mail.times.written).unwrap_or(i64::MAX);
        Some((&own.at, own.times.written?.min(answered)))
    });
    let late = written.chain(taken).filter(|(_, at)| *at >= due.at);
    late.min_by_key(|(_, at)| *at).map(|(mail, at)| (mail.clone(), at))
}

/// The mail that brought the close as the log has it, whether a server says when, and when, in Unix seconds: what a server says of one
/// counts before what its `Date` says.
fn brought<'a>(mails: &'a Mails, book: &Book, t: u32) -> Option<(bool, Option<i64>, &'a MailRef)> {
    let logged = book.closes.get(&t)?;
    let told = mails.claims.about(Subject::Told(t)).filter_map(|(claim, held)| match claim.value {
        Value::Told { root, by_server, .. } if root == *logged => {
            Some((by_server, held.weight.at(), &held.by))
        }
        _ => None,
    });
    told.min_by_key(|(by_server, at, _)| (!by_server, at.is_none(), *at))
}

/// An instant in words; a number where no calendar has it.
fn instant(seconds: i64) -> String {
    Timestamp::from_second(seconds)
        .map_or_else(|_| format!("second {seconds} of unix time"), |at| at.to_string())
}
