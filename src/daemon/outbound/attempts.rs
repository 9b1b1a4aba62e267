//! What a try to send a mail comes to.
//!
//! A refusal loses a mail and marks an address, so only what says so of the address is one at once. What may pass is tried again for
//! days, and where a mailbox is full the player's next address gets the mail meanwhile; what may have been taken is tried again a few times.

use crate::books::bookkeeper::Books;
use crate::clock::DAY;
use musterd_letter as letter;
use musterd_post::Outcome;
use musterd_store::{Attempt, LedgerLine, Outgoing, StoreError};

/// The longest wait before a deferred mail is tried again, in seconds.
const LONGEST_BACKOFF: i64 = 4 * 3600;
/// The shortest wait before a mail is offered again that was refused by a rule that may pass, or may have been taken, in seconds.
const PATIENCE: i64 = 3600;
/// For how long a server that takes others may put off one mail, in seconds: then it counts as refused. RFC 5321, 4.5.4.1: four to five
/// days.
const PUT_OFF: i64 = 4 * DAY;
/// After so many tries that leave open whether the server has taken a mail, it counts as sent: each may have been a copy.
const UNCLEAR_TRIES: u32 = 3;
/// How a reply begins in the ledger that is none: the relay never said whether it took the mail.
pub(crate) const UNCLEAR: &str = "unclear: ";
/// How a refusal begins in the ledger that is none of the server's: it has only put the mail off for so long.
pub(crate) const GIVEN_UP: &str = "put off for days: ";

/// An attempt whose consequences can't be drawn now: the relay is asked again later, so that they are drawn then.
pub(crate) fn asked_again(outgoing: &Outgoing, attempt: Attempt, now: i64) -> Attempt {
    match attempt {
        Attempt::Refused { reason, .. } => {
            let (since, unclear) = put_off_before(outgoing, now);
            Attempt::Deferred { at: now, next: now + LONGEST_BACKOFF, reason, since, unclear }
        }
        other => other,
    }
}

/// How a mail stood that was put off, before it was tried again.
#[derive(Clone, Copy)]
pub(crate) struct PutOff {
    /// Since when it is.
    since: Option<i64>,
    /// How many tries left it open whether it was taken.
    unclear: u32,
    /// Whether it was so for days, and this recipient's alone.
    is_over: bool,
}

/// Since when a mail is put off, and how many tries left it open whether it was taken. Time in which nobody asked doesn't count.
fn put_off_before(outgoing: &Outgoing, now: i64) -> (Option<i64>, u32) {
    match outgoing.last {
        Some(Attempt::Deferred { next, since, unclear, .. }) => {
            // Who has the host started once a day asks each time.
            let unasked = (now - next - DAY).max(0);
            (since.map(|since| since + unasked), unclear)
        }
        _ => (None, 0),
    }
}

/// How a mail that is tried at `now` stands before that. What is said of everybody's mail is held against none: days in which the relay
/// took nobody else's don't count, and whether it does now shows in what it took since this one's last try.
///
/// # Errors
/// The store.
pub(crate) fn put_off_of(books: &Books, outgoing: &Outgoing, now: i64) -> Result<PutOff, StoreError> {
    let (since, unclear) = put_off_before(outgoing, now);
    let standing = |since, is_over| PutOff { since, unclear, is_over };
    let (Some(first), Some(Attempt::Deferred { at, .. })) = (since, &outgoing.last) else {
        return Ok(standing(since, false));
    };
    if now - first < PUT_OFF {
        return Ok(standing(since, false));
    }
    let taken = |line: LedgerLine| match line.last {
        Some(Attempt::Sent { at, reply })
            if line.recipient != outgoing.recipient && !reply.starts_with(UNCLEAR) =>
        {
            Some(at)
        }
        _ => None,
    };
    let taken = books.ledger_of("")?.into_iter().filter_map(taken).max();
    Ok(match taken {
        Some(taken) if taken >= *at => standing(since, true),
        Some(taken) if taken >= first => standing(since, false),
        _ => standing(None, false),
    })
}

/// What a try to send comes to at `now`, after those before it.
pub(crate) fn attempt(outgoing: &Outgoing, outcome: Outcome, before: PutOff, now: i64) -> Attempt {
    let PutOff { since, unclear, is_over } = before;
    // A no waits longer, whatever it is said of.
    let wait_after = |reason: &str| match is_a_no(reason) {
        true => backoff(outgoing.attempts).max(PATIENCE),
        false => backoff(outgoing.attempts),
    };
    // Only what a server says of a mail is held against it, not a connection that broke or a disk that was full, nor what it says of
    // everybody's mail.
    let put_off = |reason: String| {
        let said = letter::read_reply(&reason).0.is_some();
        let since = since.or(said.then_some(now));
        if said && is_over {
            return Attempt::Refused { at: now, reason: format!("{GIVEN_UP}{reason}") };
        }
        Attempt::Deferred { at: now, next: now + wait_after(&reason), reason, since, unclear }
    };
    match outcome {
        Outcome::Accepted(reply) => Attempt::Sent { at: now, reply },
        Outcome::Unclear(reason) if unclear + 1 >= UNCLEAR_TRIES => {
            Attempt::Sent { at: now, reply: format!("{UNCLEAR}{reason}") }
        }
        Outcome::Unclear(reason) => {
            let next = now + backoff(outgoing.attempts).max(PATIENCE << (2 * unclear));
            Attempt::Deferred { at: now, next, reason, since, unclear: unclear + 1 }
        }
        // Nobody could be asked, or it is we who are to log in, whatever letter it was said over: that loses none.
        Outcome::Unreached(reason) => {
            let next = now + backoff(outgoing.attempts);
            Attempt::Deferred { at: now, next, reason, since: None, unclear }
        }
        Outcome::Login(reason) => {
            Attempt::Deferred { at: now, next: now + wait_after(&reason), reason, since: None, unclear }
        }
        Outcome::Deferred(reason) => put_off(reason),
        // Said for good, and yet a rule, a quota, a fault of the relay's that passes: it says nothing of the address.
        Outcome::Refused(reason) if !letter::read_reply(&reason).1 => put_off(reason),
        Outcome::Refused(reason) => Attempt::Refused { at: now, reason },
    }
}

/// What is one and the same trouble to the log: a reply's code and status, as its words may bear an id of their own.
pub(crate) fn trouble_of(reason: &str) -> String {
    let code = reason.split(|c: char| !c.is_ascii_digit()).find(|digits| digits.len() == 3);
    match letter::read_reply(reason).0 {
        Some(status) => format!("{} {status}", code.unwrap_or_default()),
        None => reason.to_owned(),
    }
}

/// Whether a server has refused for good what it was asked.
pub(crate) fn is_a_no(reason: &str) -> bool {
    letter::read_reply(reason).0.is_some_and(|status| status.starts_with('5'))
}

/// Whether a server says that the recipient's mailbox is full (RFC 3463: x.2.2), for good or for the moment.
pub(crate) fn is_full_mailbox(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Deferred(reason) | Outcome::Refused(reason) => {
            letter::read_reply(reason).0.is_some_and(|status| status.ends_with(".2.2"))
        }
        Outcome::Accepted(_) | Outcome::Unreached(_) | Outcome::Login(_) | Outcome::Unclear(_) => false,
    }
}

/// Seconds until the next try, doubling from half a minute.
fn backoff(attempts: u32) -> i64 {
    (30_i64 << attempts.min(16)).min(LONGEST_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_differs_by_an_id_alone_is_the_same_trouble() {
        let reply = |code: u16, text: &str| trouble_of(&format!("transient error ({code}): {text}"));
        assert_eq!(
            reply(450, "4.2.0 try later, id x00001-si"),
            reply(450, "4.2.0 try later, id 450.7.1-x00002-si")
        );
        assert_eq!(reply(450, "wait 300 s"), reply(450, "wait 299 s"));
        assert_ne!(reply(450, "4.2.0 try later"), reply(450, "4.7.1 try later"));
        assert_ne!(reply(450, "4.2.0 try later"), reply(451, "4.2.0 try later"));
        assert_ne!(trouble_of("no route"), trouble_of("timed out"), "no reply at all");
    }
}
