//! Second copies of mails: an archive may have taken off what was attached, so whatever one copy lacks another may bring, in any order.

use super::evidence::{Kept, MOST, MOST_BYTES, MailRef, Mails, Signed};
use super::mail::{Own, Receipt};
use super::said::Head;
use crate::dice::Digest;

/// The most signatures that are kept for a game.
const MOST_SIGNATURES: usize = 20_000;
/// How many of a mail's heads a signature in it may be of.
const MOST_SIGNED: usize = 4;
/// The most different sets of orders of one mail, from copies of it.
const MOST_BLOCKS: usize = 8;

/// The first copy of a mail, and what was kept of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct First {
    pub(super) mail: MailRef,
    /// Its place among the receipts.
    pub(super) receipt: Option<usize>,
    /// Its place among the players' mails.
    pub(super) own: Option<usize>,
}

impl Mails {
    /// Takes the signature that a copy of a mail brings, each once; says whether there was room for it.
    pub(super) fn take_signature(
        &mut self,
        signature: Option<String>,
        print: Digest,
        message_id: Option<&String>,
        heads: &[Head],
        mail: &MailRef,
    ) -> bool {
        let Some(armoured) = signature else { return true };
        if self.signatures.len() >= MOST_SIGNATURES {
            return false;
        }
        if self.signed.entry(print).or_default().insert(Digest::of(armoured.as_bytes())) {
            // A mail's own chain lines stand at its end.
            let heads = heads.iter().rev().take(MOST_SIGNED).map(|head| head.witness.clone()).collect();
            let message_id = message_id.cloned();
            self.signatures.push(Signed { mail: mail.clone(), message_id, heads, armoured });
        }
        true
    }

    /// Takes what another copy of a mail has and the first one lacks; says whether there was room for it.
    pub(super) fn take_more(
        &mut self,
        first: &First,
        print: Digest,
        answers: Option<String>,
        receipt: Option<Receipt>,
        own: Option<Own>,
    ) -> bool {
        if self.signed.contains_key(&print) {
            self.unsigned.remove(&first.mail);
        }
        let known = first.receipt.and_then(|at| self.receipts.get_mut(at));
        let known = known.filter(|known| known.mail == first.mail);
        // Where the receipt says which attachment is the host's, another was spoilt on the way.
        let is_said = |receipt: &Receipt| {
            receipt.orders.as_ref().is_some_and(|orders| receipt.sha256 == Some(orders.digest()))
        };
        if let Some((known, more)) = known.zip(receipt)
            && let Some(orders) = &more.orders
            && known.what.orders.as_ref() != Some(orders)
            && !is_said(&known.what)
        {
            self.bytes += orders.as_str().len();
            if known.what.orders.is_none() || is_said(&more) {
                known.what.orders = more.orders;
            } else if self.receipts.len() < MOST {
                let mail = first.mail.clone();
                self.receipts.push(Kept { mail, message_id: None, answers, what: more });
            }
        }
        let known = first.own.and_then(|at| self.own.get_mut(at));
        let known = known.filter(|known| known.mail == first.mail);
        if let Some((known, more)) = known.zip(own) {
            if known.what.rest.orders_attachment.is_none() {
                self.bytes += more.rest.orders_attachment.iter().map(String::len).sum::<usize>();
                known.what.rest.orders_attachment = more.rest.orders_attachment;
            }
            for block in more.blocks {
                if !known.what.blocks.contains(&block) && known.what.blocks.len() < MOST_BLOCKS {
                    self.bytes += block.as_str().len();
                    known.what.blocks.push(block);
                }
            }
        }
        self.bytes <= MOST_BYTES
    }
}
