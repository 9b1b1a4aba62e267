//! The two lines at the end of every mail: each mailbox that keeps them is a witness of the log.

use std::fmt;
use std::str::FromStr;

use super::chain::Chain;
use super::hash::Digest;
use super::ids::GameId;

/// A log's head as a mail stated it:
///
/// ```text
/// Chain: alpha 17
///   4226b2fc44f80bc1bbb7f755ad041d9edbbe2c73c39b9a5165d973b909bd3485
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The game of the log.
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
    /// The lines that a mail sent now must carry; `None` while the log is empty.
    #[must_use]
    pub fn of(chain: &Chain) -> Option<Self> {
        let index = chain.next_index().checked_sub(1)?;
        Some(Self { game: chain.game().clone(), index, head: chain.head() })
    }

    /// Every pair of chain lines in a mail's text, in order; other lines are skipped.
    pub fn all_in(text: &str) -> impl Iterator<Item = Self> {
        text.lines().zip(text.lines().skip(1)).filter_map(|(first, second)| Self::pair(first, second))
    }

    fn pair(first: &str, second: &str) -> Option<Self> {
        let (game, index) = first.trim_end().strip_prefix("Chain: ")?.split_once(' ')?;
        let head = second.trim_end().strip_prefix("  ")?.parse().ok()?;
        let witness = Self { game: game.parse().ok()?, index: index.parse().ok()?, head };
        // Only one spelling is accepted: no sign, no leading zeros.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::LogEntry;
    use crate::words::Text;

    fn chain(entries: usize) -> Chain {
        let mut chain = Chain::new(&"alpha".parse().unwrap());
        for _ in 0..entries {
            chain.push(&LogEntry::Note { text: Text::new("x") });
        }
        chain
    }

    #[test]
    fn a_mail_names_the_last_entry_and_reads_back() {
        let chain = chain(3);
        let witness = Witness::of(&chain).unwrap();
        let text = witness.to_string();
        assert_eq!(text, format!("Chain: alpha 2\n  {}", chain.head()));
        assert_eq!(text.parse(), Ok(witness));
    }

    #[test]
    fn an_empty_log_has_no_witness() {
        assert_eq!(Witness::of(&chain(0)), None);
    }

    #[test]
    fn chain_lines_are_found_among_others() {
        let (one, two) = (Witness::of(&chain(1)).unwrap(), Witness::of(&chain(2)).unwrap());
        let text = format!(
            "Chain: of command\n{one}\r\nText\nChain: alpha 9\n\n{}\n",
            two.to_string().replace('\n', " \r\n")
        );
        assert_eq!(Witness::all_in(&text).collect::<Vec<_>>(), [one, two]);
    }

    #[test]
    fn bent_chain_lines_are_refused() {
        let good = Witness::of(&chain(3)).unwrap().to_string();
        for bad in [
            good.replace("\n  ", "\n "),
            good.replace("\n  ", "\n   "),
            good.replace(" 2", " 02"),
            good.replace(" 2", " +2"),
            good.replace("alpha", "Alpha"),
            good.replace("Chain", "chain"),
            good.replace('\n', ""),
            good[..good.len() - 1].to_owned(),
        ] {
            assert_eq!(bad.parse::<Witness>(), Err(BadWitness), "{bad:?}");
        }
    }
}
