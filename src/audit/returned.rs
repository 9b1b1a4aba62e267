//! The orders that a receipt returns, by all copies of it: an archive may have taken off what was attached, so one copy brings what another
//! lacks, in any order.

use musterd_dice::{Block, Digest};

/// The longest orders that a host takes, in bytes.
pub(super) const LONGEST_BLOCK: usize = 64 * 1024;
/// The most different sets of orders of one mail, from copies of it.
pub(super) const MOST_BLOCKS: usize = 8;

/// The orders that are attached to a receipt. Which of them is whole is judged when all copies are read.
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

    /// Whether there are some, and all of them are so.
    pub(super) fn are_all(&self, is_so: impl Fn(&Block) -> bool) -> bool {
        !self.sets.is_empty() && self.sets.iter().all(is_so)
    }

    /// Whether no copy brings what the receipt says.
    pub(super) fn is_another(&self) -> bool {
        self.are_all(|set| !self.may_be(set))
    }

    /// Those that the receipt's own word doesn't belie.
    pub(super) fn credible(&self) -> impl Iterator<Item = &Block> {
        self.sets.iter().filter(|set| self.may_be(set))
    }

    /// How many bytes they have.
    pub(super) fn bytes(&self) -> usize {
        self.sets.iter().map(|set| set.as_str().len()).sum()
    }

    fn may_be(&self, set: &Block) -> bool {
        self.sha256.is_none_or(|said| said == set.digest())
    }

    /// Takes what another copy of the receipt brings.
    pub(super) fn take(&mut self, more: Self) {
        let is_whole = |set: &Block| self.sha256 == Some(set.digest());
        for set in more.sets {
            if self.sets.iter().any(|known| *known == set || is_whole(known)) {
                continue;
            }
            if is_whole(&set) {
                self.sets.clear();
            }
            if self.sets.len() < MOST_BLOCKS {
                self.sets.push(set);
            }
        }
    }
}
