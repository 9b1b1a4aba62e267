//! The two lines at the end of a mail: each mailbox that keeps them is a witness of the log.

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

/// A head that a mail shows without its number, which would count what the others have sent. It is that of an entry behind the `open` of an
/// adjudication and before its close:
///
/// ```text
/// Chain: alpha t3
///   4226b2fc44f80bc1bbb7f755ad041d9edbbe2c73c39b9a5165d973b909bd3485
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHead {
    /// The game of the log.
    pub game: GameId,
    /// The adjudication that was open.
    pub t: u32,
    /// The hash of the log's last entry then.
    pub head: Digest,
}

/// The two lines, with the number of the head or without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainLines {
    /// With its number.
    Numbered(Witness),
    /// Without it.
    Open(OpenHead),
}

/// A text that is not a pair of chain lines.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "these are not chain lines: expected `Chain: GAME INDEX` or `Chain: GAME tT`, then two spaces and 64 hex digits on the next line"
)]
pub struct BadWitness;

impl OpenHead {
    /// The lines of a mail that is sent now, while this adjudication is open; `None` while the log is empty.
    #[must_use]
    pub fn of(chain: &Chain, t: u32) -> Option<Self> {
        let head = (chain.next_index() > 0).then(|| chain.head())?;
        Some(Self { game: chain.game().clone(), t, head })
    }
}

impl fmt::Display for OpenHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain: {} t{}\n  {}", self.game, self.t, self.head)
    }
}

impl ChainLines {
    /// The game of the log.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        match self {
            Self::Numbered(Witness { game, .. }) | Self::Open(OpenHead { game, .. }) => game,
        }
    }

    /// The head.
    #[must_use]
    pub const fn head(&self) -> Digest {
        match self {
            Self::Numbered(Witness { head, .. }) | Self::Open(OpenHead { head, .. }) => *head,
        }
    }

    /// Which entry's it is, as the first line says it: `INDEX` or `tT`.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Numbered(Witness { index, .. }) => index.to_string(),
            Self::Open(OpenHead { t, .. }) => format!("t{t}"),
        }
    }

    /// The lines that say this of a head: a game, `INDEX` or `tT`, and the head.
    #[must_use]
    pub fn read(game: &str, place: &str, head: Digest) -> Option<Self> {
        let game = game.parse().ok()?;
        // Only one spelling is accepted: no sign, no leading zeros.
        if let Some(number) = place.strip_prefix('t') {
            let t: u32 = number.parse().ok().filter(|t: &u32| *t > 0 && t.to_string() == number)?;
            return Some(Self::Open(OpenHead { game, t, head }));
        }
        let index = place.parse().ok().filter(|index: &u64| index.to_string() == place)?;
        Some(Self::Numbered(Witness { game, index, head }))
    }

    /// Every pair of chain lines in a mail's text, in order; other lines are skipped.
    pub fn all_in(text: &str) -> impl Iterator<Item = Self> {
        text.lines().zip(text.lines().skip(1)).filter_map(|(first, second)| Self::pair(first, second))
    }

    fn pair(first: &str, second: &str) -> Option<Self> {
        let (game, place) = first.trim_end().strip_prefix("Chain: ")?.split_once(' ')?;
        Self::read(game, place, second.trim_end().strip_prefix("  ")?.parse().ok()?)
    }
}

impl From<Witness> for ChainLines {
    fn from(witness: Witness) -> Self {
        Self::Numbered(witness)
    }
}

impl From<OpenHead> for ChainLines {
    fn from(open: OpenHead) -> Self {
        Self::Open(open)
    }
}

impl fmt::Display for ChainLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(witness) => witness.fmt(f),
            Self::Open(open) => open.fmt(f),
        }
    }
}

impl FromStr for ChainLines {
    type Err = BadWitness;
    fn from_str(text: &str) -> Result<Self, BadWitness> {
        let (first, second) = text.split_once('\n').ok_or(BadWitness)?;
        Self::pair(first, second).ok_or(BadWitness)
    }
}

impl Witness {
    /// The lines with the number of the log's last entry; `None` while the log is empty.
    #[must_use]
    pub fn of(chain: &Chain) -> Option<Self> {
        let index = chain.next_index().checked_sub(1)?;
        Some(Self { game: chain.game().clone(), index, head: chain.head() })
    }

    /// Every pair of chain lines with a number in a mail's text, in order; other lines are skipped.
    pub fn all_in(text: &str) -> impl Iterator<Item = Self> {
        ChainLines::all_in(text).filter_map(|lines| match lines {
            ChainLines::Numbered(witness) => Some(witness),
            ChainLines::Open(_) => None,
        })
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain: {} {}\n  {}", self.game, self.index, self.head)
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
        assert_eq!(text.parse(), Ok(ChainLines::Numbered(witness)));
    }

    #[test]
    fn a_head_without_its_number_says_what_was_open_and_reads_back() {
        let chain = chain(3);
        let open = OpenHead::of(&chain, 12).unwrap();
        let text = open.to_string();
        assert_eq!(text, format!("Chain: alpha t12\n  {}", chain.head()));
        assert_eq!(text.parse(), Ok(ChainLines::Open(open.clone())));
        assert_eq!(Witness::all_in(&text).next(), None);
        assert_eq!(ChainLines::all_in(&text).collect::<Vec<_>>(), [ChainLines::Open(open)]);
        for bad in ["t0", "t012", "t", "t+2", "T12", "t-", "-", "t99999999999"] {
            assert_eq!(text.replace("t12", bad).parse::<ChainLines>(), Err(BadWitness), "{bad}");
        }
    }

    #[test]
    fn an_empty_log_has_no_witness() {
        assert_eq!((Witness::of(&chain(0)), OpenHead::of(&chain(0), 1)), (None, None));
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
            assert_eq!(bad.parse::<ChainLines>(), Err(BadWitness), "{bad:?}");
        }
    }
}
