//! What a seat remembers of pieces that it has lost sight of: where it last saw each, when, and what it knew of it. A ruleset tells the memory what
//! the seat saw, and nothing else, so that nothing hidden can be in it.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;

/// The last that a seat saw of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting<T, W> {
    /// Where it was.
    pub at: Hex,
    /// When: a turn or a round.
    pub when: T,
    /// Whether a report showed it there. Otherwise it was seen to come there.
    pub shown: bool,
    /// What was known of it.
    pub what: W,
}

/// The last that a seat saw of each piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory<P, T, W> {
    last: BTreeMap<P, Sighting<T, W>>,
}

impl<P, T, W> Default for Memory<P, T, W> {
    fn default() -> Self {
        Self { last: BTreeMap::new() }
    }
}

impl<P: Copy + Ord, T: PartialEq, W> Memory<P, T, W> {
    /// The piece is seen: what was seen of it before counts no more.
    pub fn see(&mut self, piece: P, sighting: Sighting<T, W>) {
        self.last.insert(piece, sighting);
    }

    /// The piece is seen to be gone.
    pub fn forget(&mut self, piece: P) {
        self.last.remove(&piece);
    }

    /// The pieces that are out of sight, in their order. `in_sight` says which are not.
    pub fn out_of_sight(&self, in_sight: impl Fn(P) -> bool) -> impl Iterator<Item = (P, &Sighting<T, W>)> {
        self.last
            .iter()
            .map(|(piece, sighting)| (*piece, sighting))
            .filter(move |(piece, _)| !in_sight(*piece))
    }
}

impl<T: PartialEq, W> Sighting<T, W> {
    /// Whether the piece has been lost sight of since the report of this time: that report showed it.
    pub fn was_shown_at(&self, when: &T) -> bool {
        self.shown && self.when == *when
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_sighting_counts_until_the_piece_is_in_sight_again_or_known_to_be_gone() {
        let mut memory: Memory<char, u32, ()> = Memory::default();
        let seen = |col, when, shown| Sighting { at: Hex::new(col, 1), when, shown, what: () };
        memory.see('a', seen(1, 1, true));
        memory.see('b', seen(2, 1, true));
        memory.see('b', seen(3, 2, false));
        let out = |memory: &Memory<char, u32, ()>, in_sight: &str| {
            let out = memory.out_of_sight(|piece| in_sight.contains(piece));
            out.map(|(piece, seen)| (piece, seen.at.col, seen.was_shown_at(&1))).collect::<Vec<_>>()
        };
        assert_eq!(out(&memory, ""), [('a', 1, true), ('b', 3, false)]);
        assert_eq!(out(&memory, "a"), [('b', 3, false)]);
        memory.forget('b');
        assert_eq!(out(&memory, ""), [('a', 1, true)]);
    }
}
