//! The hash chain that fixes a game's log: nobody can change, drop or move an entry unseen.

use serde::{Deserialize, Serialize};

use super::entry::LogEntry;
use super::hash::{Digest, hash};
use super::ids::GameId;

/// The end of a game's log, to which the next entry is chained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    game: GameId,
    length: u64,
    head: Digest,
}

impl Chain {
    /// The empty log of a game: `H("genesis", game)`.
    #[must_use]
    pub fn new(game: &GameId) -> Self {
        Self { game: game.clone(), length: 0, head: hash("genesis", &[game.as_str().as_bytes()]) }
    }

    /// The game of this log.
    #[must_use]
    pub const fn game(&self) -> &GameId {
        &self.game
    }

    /// The number of entries, which is the index of the next.
    #[must_use]
    pub const fn next_index(&self) -> u64 {
        self.length
    }

    /// The hash of the last entry, or of the genesis.
    #[must_use]
    pub const fn head(&self) -> Digest {
        self.head
    }

    /// Adds an entry and returns its hash, the new head: `H("entry", head, index, kind, body)`.
    pub fn push(&mut self, entry: &LogEntry) -> Digest {
        let (index, body) = (self.length.to_string(), entry.body());
        let kind = entry.kind().as_str();
        let fields = [self.head.as_bytes(), index.as_bytes(), kind.as_bytes(), body.as_bytes()];
        self.head = hash("entry", &fields);
        self.length += 1;
        self.head
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Text;

    fn game() -> GameId {
        "test-game".parse().unwrap()
    }

    fn entries() -> Vec<LogEntry> {
        vec![
            LogEntry::Open { t: 1, deadline: None, name: "founding".parse().unwrap() },
            LogEntry::Deadline { t: 1, at: 1_700_000_000 },
            LogEntry::Close { t: 1, root: Digest::of(b"a") },
            LogEntry::Rolls { t: 1, rolls: Digest::of(b"b"), result: Digest::of(b"c") },
        ]
    }

    #[test]
    fn the_chain_agrees_with_an_independent_program() {
        let mut chain = Chain::new(&game());
        assert_eq!(
            chain.head().to_string(),
            "203327d641d98f248fc842db921b73ac1c81273bb44c4d963a505d769d62b43a"
        );
        let first = chain.push(&LogEntry::Note { text: Text::new("hello world") });
        assert_eq!(first.to_string(), "3c5642ef58be4dd8be831d2f9669741915a64e4c39b0f5443aba6cf05438460a");
        let second = chain.push(&LogEntry::Gm { t: 3, text: Text::new("extended by a day") });
        assert_eq!(second.to_string(), "296bf704366a68ec70a052627ee0201a018c8a1dbc2f3b47a04a74fe571147ff");
        assert_eq!((chain.next_index(), chain.head()), (2, second));
    }

    #[test]
    fn a_chain_taken_from_the_store_goes_on_where_it_stood() {
        let mut chain = Chain::new(&game());
        chain.push(&entries()[0]);
        let mut stored: Chain = serde_json::from_str(&serde_json::to_string(&chain).unwrap()).unwrap();
        assert_eq!(stored.push(&entries()[2]), chain.push(&entries()[2]));
    }

    #[test]
    fn a_changed_swapped_or_dropped_entry_changes_the_head() {
        let entries: Vec<LogEntry> = entries();
        let head = |game: &GameId, entries: &[LogEntry]| {
            let mut chain = Chain::new(game);
            entries.iter().for_each(|entry| {
                chain.push(entry);
            });
            chain.head()
        };
        let true_head = head(&game(), &entries);
        assert_ne!(head(&"other".parse().unwrap(), &entries), true_head);
        for n in 0..entries.len() {
            let mut dropped = entries.clone();
            dropped.remove(n);
            assert_ne!(head(&game(), &dropped), true_head, "without entry {n}");
            let mut changed = entries.clone();
            changed[n] = LogEntry::Note { text: Text::new(&entries[n].body()) };
            assert_ne!(head(&game(), &changed), true_head, "entry {n} as another kind");
            if n > 0 {
                let mut swapped = entries.clone();
                swapped.swap(n - 1, n);
                assert_ne!(head(&game(), &swapped), true_head, "entry {n} before its time");
            }
        }
    }
}
