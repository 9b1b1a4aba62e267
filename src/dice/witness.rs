//! The two lines at the end of every mail: each mailbox that keeps them is a witness of the log.

use std::fmt;
use std::str::FromStr;

use super::hash::Digest;
use super::ids::GameId;
use super::log::Chain;

/// A log's head as somebody was told it:
///
/// ```text
/// Chain: alpha 17
///   4226b2fc44f80bc1bbb7f755ad041d9edbbe2c73c39b9a5165d973b909bd3485
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// Whose log.
    pub game: GameId,
    /// The index of its last entry, from 0.
    pub index: u64,
    /// The hash of that entry.
    pub head: Digest,
}

/// A text that is not a pair of chain lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "these are not chain lines: expected `Chain: GAME INDEX`, then two spaces and 64 hex digits on the next line"
)]
pub struct BadWitness;

impl Witness {
    /// What a mail sent now must carry; `None` while the log is empty.
    #[must_use]
    pub fn of(chain: &Chain) -> Option<Self> {
        let index = chain.next_index().checked_sub(1)?;
        Some(Self { game: chain.game().clone(), index, head: chain.head() })
    }

    /// Every pair of chain lines in a mail's text, in order; other lines are passed over.
    pub fn all_in(text: &str) -> impl Iterator<Item = Self> {
        text.lines().zip(text.lines().skip(1)).filter_map(|(first, second)| Self::pair(first, second))
    }

    fn pair(first: &str, second: &str) -> Option<Self> {
        let (game, index) = first.trim_end().strip_prefix("Chain: ")?.split_once(' ')?;
        let head = second.trim_end().strip_prefix("  ")?.parse().ok()?;
        let witness = Self { game: game.parse().ok()?, index: index.parse().ok()?, head };
        // One spelling only: no sign, no leading zeros.
        (witness.index.to_string() == index).then_some(witness)
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain: {} {}\n  {}", self.game, self.index, self.head)
    }
}

impl FromStr for Witness {
    type Err = BadWitness;
    fn from_str(text: &str) -> Result<Self, BadWitness> {
        let (first, second) = text.split_once('\n').ok_or(BadWitness)?;
        Self::pair(first, second).ok_or(BadWitness)
    }
}
