//! Second copies of mails: an archive may have taken off what was attached, so whatever one copy lacks another may bring, in any order.

use super::evidence::{MOST_BYTES, MailRef, Mails, Signed};
use super::mail::Own;
use super::said::Head;
use musterd_dice::{Block, Digest};

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
    /// Its place among those that only the log can place.
    pub(super) unplaced: Option<usize>,
    /// Its place among the players' mails.
    pub(super) own: Option<usize>,
}

/// The orders that are attached to a receipt, by all copies of it: which of them is whole is judged when all are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Returned {
    /// Their SHA-256, as the receipt says it.
    pub(super) sha256: Option<Digest>,
    /// What the copies bring, each once; if one of them is as the receipt says, that one alone.
    sets: Vec<Block>,
}

impl Returned {
    pub(super) fn new(sha256: Option<Digest>, attached: Option<Block>) -> Self {
        Self { sha256, sets: attached.into_iter().collect() }
    }

    /// The sets that the host may have returned.
    pub(super) fn sets(&self) -> &[Block] {
        &self.sets
    }

    /// Whether no copy brings what the receipt says.
    pub(super) fn is_another(&self) -> bool {
        !self.sets.is_empty() && !self.sets.iter().any(|set| self.may_be(set))
    }

    /// Those that the receipt's own word doesn't belie.
    pub(super) fn credible(&self) -> impl Iterator<Item = &Block> {
        self.sets.iter().filter(|set| self.may_be(set))
    }

    fn may_be(&self, set: &Block) -> bool {
        self.sha256.is_none_or(|said| said == set.digest())
    }

    /// Takes what another copy of the receipt brings; says how many bytes more are kept.
    fn take(&mut self, more: Self) -> usize {
        let is_whole = |set: &Block| self.sha256 == Some(set.digest());
        let mut bytes = 0;
        for set in more.sets {
            if self.sets.iter().any(|known| *known == set || is_whole(known)) {
                continue;
            }
            if is_whole(&set) {
                self.sets.clear();
            }
            if self.sets.len() < MOST_BLOCKS {
                bytes += set.as_str().len();
                self.sets.push(set);
            }
        }
        bytes
    }
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
        returned: Option<Returned>,
        own: Option<Own>,
    ) -> bool {
        if self.signed.contains_key(&print) {
            self.unsigned.remove(&first.mail);
        }
        // What a copy was filled in with, its player was shown, as of the first one.
        let brought =
            returned.iter().flat_map(Returned::credible).chain(own.iter().flat_map(|own| &own.blocks));
        let seen: Vec<_> = brought.filter_map(Block::seen).collect();
        let mut room = true;
        for (index, head) in seen {
            if self.heads.get(&index).is_some_and(|known| known.contains_key(&head)) {
                continue;
            }
            room &= self.take_head(index, head, true, &first.mail);
        }
        if let Some(more) = returned {
            let receipt = first.receipt.and_then(|at| self.receipts.get_mut(at));
            let receipt =
                receipt.filter(|known| known.mail == first.mail).map(|known| &mut known.what.returned);
            let unplaced = first.unplaced.and_then(|at| self.unplaced.get_mut(at));
            let unplaced = unplaced.filter(|known| known.mail == first.mail);
            let known = receipt.or_else(|| unplaced.map(|known| &mut known.what.claim.returned));
            self.bytes += known.map_or(0, |known| known.take(more));
        }
        let known = first.own.and_then(|at| self.own.get_mut(at));
        let known = known.filter(|known| known.mail == first.mail);
        if let Some((known, more)) = known.zip(own) {
            for attached in more.attached {
                if !known.what.attached.contains(&attached) && known.what.attached.len() < MOST_BLOCKS {
                    self.bytes += attached.len();
                    known.what.attached.push(attached);
                }
            }
            for block in more.blocks {
                if !known.what.blocks.contains(&block) && known.what.blocks.len() < MOST_BLOCKS {
                    self.bytes += block.as_str().len();
                    known.what.blocks.push(block);
                }
            }
        }
        room & (self.bytes <= MOST_BYTES)
    }
}
