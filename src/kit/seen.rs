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

    /// The pieces whose sighting is of this sort are known not to be where they were seen.
    pub fn forget_where(&mut self, is: impl Fn(P, &Sighting<T, W>) -> bool) {
        self.last.retain(|piece, sighting| !is(*piece, sighting));
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

/// What the reports that go out show each of several sides, until the first event after them. A GM may change the position by hand in between, and no
/// event tells whether a report went out before that or after it. So what his change makes different counts as neither seen nor unseen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing<S, P, V> {
    before_changes: Option<BTreeMap<S, BTreeMap<P, V>>>,
}

/// What the report to one side has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<P, V> {
    /// The pieces that it has shown for certain.
    pub pieces: BTreeMap<P, V>,
    /// Those of which it isn't known.
    pub doubtful: Vec<P>,
}

impl<S, P, V> Default for Showing<S, P, V> {
    fn default() -> Self {
        Self { before_changes: None }
    }
}

impl<S: Ord, P: Ord + Copy, V: PartialEq> Showing<S, P, V> {
    /// The GM is about to change the position. `now` takes what reports of it would show.
    pub fn changes(&mut self, now: impl FnOnce() -> BTreeMap<S, BTreeMap<P, V>>) {
        self.before_changes.get_or_insert_with(now);
    }

    /// The reports have gone out, with all changes made: what they have shown each side, if `now` is what they would show last.
    pub fn told(&mut self, now: BTreeMap<S, BTreeMap<P, V>>) -> impl Iterator<Item = (S, Shown<P, V>)> {
        let mut before = self.before_changes.take();
        now.into_iter().map(move |(side, mut pieces)| {
            let mut doubtful = Vec::new();
            if let Some(first) = before.as_mut().map(|before| before.remove(&side).unwrap_or_default()) {
                doubtful.extend(first.keys().filter(|piece| !pieces.contains_key(piece)));
                let differ = pieces.iter().filter(|(piece, shown)| first.get(piece) != Some(shown));
                doubtful.extend(differ.map(|(piece, _)| *piece));
                pieces.retain(|piece, _| !doubtful.contains(piece));
            }
            (side, Shown { pieces, doubtful })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_gm_changes_between_two_events_counts_as_neither_seen_nor_unseen() {
        let report = |pieces: &[(char, u8)]| BTreeMap::from([('x', pieces.iter().copied().collect())]);
        let told = |showing: &mut Showing<char, char, u8>, pieces: &[(char, u8)]| {
            let (_, shown) = showing.told(report(pieces)).next().unwrap();
            (shown.pieces.into_iter().collect::<Vec<_>>(), shown.doubtful)
        };
        let mut showing = Showing::default();
        assert_eq!(told(&mut showing, &[('a', 1)]), (vec![('a', 1)], vec![]));
        showing.changes(|| report(&[('a', 1), ('b', 1), ('c', 1)]));
        showing.changes(|| panic!("what stood before the first change counts"));
        assert_eq!(
            told(&mut showing, &[('a', 1), ('b', 2), ('d', 1)]),
            (vec![('a', 1)], vec!['c', 'b', 'd'])
        );
        assert_eq!(told(&mut showing, &[('b', 2)]), (vec![('b', 2)], vec![]), "nothing is left over");
    }

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
        memory.forget_where(|_, sighting| sighting.at == Hex::new(1, 1));
        assert_eq!(out(&memory, ""), []);
    }
}
