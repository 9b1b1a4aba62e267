//! The dice themselves: one seed for each adjudication, one stream for each label, faces by exact rejection.

use std::collections::BTreeMap;
use std::fmt;

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Dxsm;
use zeroize::Zeroize as _;

use super::hash::{Digest, keyed};
use super::ids::GameId;
use super::label::{Label, Roll, Roller};
use super::secret::Secret;

/// The seed of one adjudication: never formatted, wiped when dropped.
#[derive(Clone)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A seed that belongs to no adjudication: for previews, odds and dry runs, which must never show real dice.
    #[must_use]
    pub const fn unrelated(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// `seed_t = F(s_t, "turn", game, t, root, beacon)`; `beacon` is empty unless the game's policy names one.
#[must_use]
pub fn seed(secret: &Secret, game: &GameId, t: u32, root: &Digest, beacon: &[u8]) -> Seed {
    let t = t.to_string();
    let fields = [game.as_str().as_bytes(), t.as_bytes(), root.as_bytes(), beacon];
    Seed(*keyed(secret.as_bytes(), "turn", &fields).as_bytes())
}

/// The random numbers of one label.
#[derive(Debug, Clone)]
pub struct Stream(Pcg64Dxsm);

impl Stream {
    /// `Pcg64Dxsm::from_seed(F(seed_t, "roll", label))`.
    #[must_use]
    pub fn new(seed: &Seed, label: &Label) -> Self {
        Self(Pcg64Dxsm::from_seed(*keyed(&seed.0, "roll", &[label.as_str().as_bytes()]).as_bytes()))
    }

    /// One fair die: a face from 1 to `sides`. A die with zero sides counts as having one, so that no caller can stop a turn.
    pub fn die(&mut self, sides: u32) -> u32 {
        face(sides, || self.0.next_u64())
    }

    /// A fair order of `items`: Fisher and Yates's shuffle, from the last place down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        #[expect(
            clippy::expect_used,
            reason = "memory ends first; a part must never be shuffled for the whole"
        )]
        let mut places = u32::try_from(items.len()).expect("fewer than 2^32 items");
        while let Some(last) = places.checked_sub(1).filter(|&last| last > 0) {
            items.swap(last as usize, self.die(places) as usize - 1);
            places = last;
        }
    }
}

/// `die(n)`: words below `2^64 mod n` are thrown away, so that every face stands for equally many of the rest.
fn face(sides: u32, mut word: impl FnMut() -> u64) -> u32 {
    let n = u64::from(sides.max(1));
    let low = n.wrapping_neg() % n;
    loop {
        let x = word();
        if x >= low {
            #[expect(clippy::expect_used, reason = "a remainder of n, which is a u32")]
            return 1 + u32::try_from(x % n).expect("less than the number of sides");
        }
    }
}

/// All dice of one adjudication: throws them by label and keeps the rolls.
///
/// A label always shows the same faces, so throwing it again can never win better dice. It is a fault even so, and [`Streams::into_rolls`] then
/// refuses to return rolls that could be committed to.
#[derive(Debug, Clone)]
pub struct Streams {
    seed: Seed,
    rolls: BTreeMap<Label, Roll>,
    fault: Option<DiceFault>,
}

/// A fault in the ruleset's use of labels: the adjudication must not be committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// One label was used for two events.
    #[error("the label `{0}` was rolled twice: the ruleset must number its rolls")]
    Repeated(Label),
    /// A die without sides was thrown.
    #[error("the roll `{0}` asked for dice without sides")]
    NoSides(Label),
}

impl Streams {
    /// The dice that this seed determines.
    #[must_use]
    pub const fn new(seed: Seed) -> Self {
        Self { seed, rolls: BTreeMap::new(), fault: None }
    }

    /// Every roll made, sorted by the bytes of its label: the order in which they are committed.
    ///
    /// # Errors
    /// The first fault in the use of labels.
    pub fn into_rolls(self) -> Result<Vec<Roll>, DiceFault> {
        self.fault.map_or_else(|| Ok(self.rolls.into_values().collect()), Err)
    }
}

impl Roller for Streams {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        let mut stream = Stream::new(&self.seed, label);
        let faces: Vec<u32> = (0..count).map(|_| stream.die(sides)).collect();
        let roll = Roll { label: label.clone(), sides, faces: faces.clone() };
        if sides == 0 {
            self.fault.get_or_insert(DiceFault::NoSides(label.clone()));
        }
        if self.rolls.insert(label.clone(), roll).is_some() {
            self.fault.get_or_insert(DiceFault::Repeated(label.clone()));
        }
        faces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_game::{T, game, rolled, root, secret};

    fn label(text: &str) -> Label {
        text.parse().unwrap()
    }

    fn turn_seed() -> Seed {
        seed(&secret(), &game(), T, &root(), b"")
    }

    #[test]
    fn the_generator_gives_the_numbers_that_the_protocol_names() {
        let state = 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef_u128;
        let increment = 0xfedc_ba98_7654_3210_0f1e_2d3c_4b5a_6979_u128;
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&state.to_le_bytes());
        bytes[16..].copy_from_slice(&increment.to_le_bytes());
        let mut words = Pcg64Dxsm::from_seed(bytes);
        let expected =
            [0x2152_8e56_f136_a56e, 0xa9e9_4d72_90ca_ddd1, 0x84ec_340d_fdb8_1596, 0xf1fa_b1ce_f22b_5ded];
        assert_eq!(expected.map(|_: u64| words.next_u64()), expected);

        let counting = std::array::from_fn(|i| u8::try_from(i + 1).unwrap());
        assert_eq!(Pcg64Dxsm::from_seed(counting).next_u64(), 12_201_417_210_360_370_199);
    }

    #[test]
    fn seeds_agree_with_an_independent_program() {
        for (beacon, expected) in [
            ("", "86b4ce615059a401d4460cc75e03515ac066b877cf8b26d4e1c6b0563a37eba3"),
            ("name/1/abc", "ade24f1854967f52212e9c45f96090e2035f13bcb7f50c2253ac0df312591a5c"),
        ] {
            let seed = seed(&secret(), &game(), T, &root(), beacon.as_bytes());
            assert_eq!(Digest::new(seed.0).to_string(), expected, "beacon `{beacon}`");
        }
    }

    #[test]
    fn dice_agree_with_an_independent_program_in_whatever_order_they_are_thrown() {
        let expected = rolled();
        let mut streams = Streams::new(turn_seed());
        for roll in expected.iter().rev() {
            let count = u32::try_from(roll.faces.len()).unwrap();
            assert_eq!(streams.roll(&roll.label, count, roll.sides), roll.faces, "{}", roll.label);
        }
        assert_eq!(streams.into_rolls(), Ok(expected));
    }

    #[test]
    fn a_shuffle_agrees_with_an_independent_program() {
        let mut items: Vec<u32> = (0..10).collect();
        Stream::new(&turn_seed(), &label("2/shuffle/deck/x/0")).shuffle(&mut items);
        assert_eq!(items, [2, 6, 0, 5, 7, 1, 9, 4, 3, 8]);
        let (mut none, mut one) = ([0; 0], [1]);
        Stream::new(&turn_seed(), &label("a")).shuffle(&mut none);
        Stream::new(&turn_seed(), &label("a")).shuffle(&mut one);
        assert_eq!(one, [1]);
    }

    #[test]
    fn words_that_would_favour_low_faces_are_thrown_away() {
        // 2^64 mod 6 = 4, mod 10 = 6, mod 3 = 1, mod a power of two = 0.
        for (sides, words, expected) in [
            (6, vec![0, 3, 4], 5),
            (6, vec![3, 2, 1, 0, 6], 1),
            (6, vec![u64::MAX], 4),
            (10, vec![5, 6], 7),
            (10, vec![u64::MAX], 6),
            (3, vec![0, 1], 2),
            (8, vec![0], 1),
            (8, vec![u64::MAX], 8),
            (1, vec![0], 1),
            (u32::MAX, vec![0, 1], 2),
            (0, vec![0], 1),
        ] {
            let mut left = words.clone().into_iter();
            assert_eq!(face(sides, || left.next().unwrap()), expected, "d{sides} of {words:?}");
            assert_eq!(left.next(), None, "d{sides} takes all of {words:?}");
        }
    }

    #[test]
    fn another_event_never_shifts_a_die() {
        let (mut few, mut many) = (Streams::new(turn_seed()), Streams::new(turn_seed()));
        many.roll(&label("2/muster/roll/french/0"), 3, 6);
        many.roll(&label("2/combat/attack/1204/0"), 7, 10);
        let event = label("2/combat/attack/1305/0");
        assert_eq!(few.roll(&event, 4, 6), many.roll(&event, 4, 6));
    }

    #[test]
    fn a_label_shows_the_same_dice_again_but_can_not_be_committed_twice() {
        let mut streams = Streams::new(turn_seed());
        let event = label("2/combat/attack/1204/0");
        let first = streams.roll(&event, 5, 6);
        assert_eq!(streams.roll(&event, 5, 6), first);
        assert_eq!(streams.into_rolls(), Err(DiceFault::Repeated(event)));
    }

    #[test]
    fn dice_without_sides_are_a_fault() {
        let mut streams = Streams::new(turn_seed());
        streams.roll(&label("2/a/b/c/0"), 1, 0);
        assert_eq!(streams.into_rolls(), Err(DiceFault::NoSides(label("2/a/b/c/0"))));
    }
}
