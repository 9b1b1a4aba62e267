//! What became of the mails to a seat.

use musterd_dice::Seat;
use musterd_store::{Attempt, LedgerLine};

/// How a bounce is noted as the reason of a refusal.
pub(crate) const BOUNCED: &str = "bounced: ";

/// The mails to a seat, by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MailsOfSeat {
    /// Taken by the relay, and not come back.
    pub(crate) sent: usize,
    /// Not yet taken.
    pub(crate) waiting: usize,
    /// Come back.
    pub(crate) bounced: usize,
    /// Refused by the relay.
    pub(crate) refused: usize,
    /// Dropped, because their time was over.
    pub(crate) stale: usize,
    /// Taken back before they left: what they said had become void.
    pub(crate) withdrawn: usize,
}

/// The mails to a seat in the ledger of its game.
pub(crate) fn mails_of(ledger: &[LedgerLine], seat: &Seat) -> MailsOfSeat {
    let about = format!("/{seat}/");
    let mut mails = MailsOfSeat::default();
    for line in ledger.iter().filter(|line| line.packet.contains(&about)) {
        let count = match &line.last {
            _ if line.next.is_some() => &mut mails.waiting,
            Some(Attempt::Sent { .. }) => &mut mails.sent,
            Some(Attempt::Refused { reason, .. }) if reason.starts_with(BOUNCED) => &mut mails.bounced,
            Some(Attempt::Refused { .. }) => &mut mails.refused,
            Some(Attempt::Stale { .. }) => &mut mails.stale,
            Some(Attempt::Withdrawn { .. }) => &mut mails.withdrawn,
            Some(Attempt::Deferred { .. }) | None => &mut mails.waiting,
        };
        *count += 1;
    }
    mails
}

impl MailsOfSeat {
    /// `12 taken by the mail server, 1 waiting, 0 came back`.
    pub(crate) fn in_words(self) -> String {
        let Self { sent, waiting, bounced, refused, stale, withdrawn } = self;
        let mut text = format!("{sent} taken by the mail server, {waiting} waiting, {bounced} came back");
        if refused + stale > 0 {
            text.push_str(&format!(", {refused} refused, {stale} dropped as too old"));
        }
        if withdrawn > 0 {
            text.push_str(&format!(", {withdrawn} taken back unsent"));
        }
        text
    }
}
