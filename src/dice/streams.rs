//! The dice themselves: one seed an adjudication, one stream a label, faces by exact rejection.

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

    /// One fair die: a face from 1 to `sides`. A die without sides has one, so that no caller can stop a turn.
    pub fn die(&mut self, sides: u32) -> u32 {
        face(sides, || self.0.next_u64())
    }

    /// A fair order of `items`: Fisher and Yates's shuffle, from the last place down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut places = u32::try_from(items.len()).unwrap_or(u32::MAX);
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
            return 1 + u32::try_from(x % n).unwrap_or_default();
        }
    }
}

/// All dice of one adjudication: throws them by label and keeps what was thrown.
///
/// A label always shows the same faces, so asking twice can never win better dice. It is a fault all the same, and
/// [`Streams::into_rolls`] then refuses to give rolls that could be committed to.
#[derive(Debug, Clone)]
pub struct Streams {
    seed: Seed,
    rolls: BTreeMap<Label, Roll>,
    fault: Option<DiceFault>,
}

/// A fault of the ruleset in the use of labels: the adjudication must not be committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// One label for two events.
    #[error("the label `{0}` was rolled twice: the ruleset must number its rolls")]
    Repeated(Label),
    /// A die that can't fall.
    #[error("the roll `{0}` asked for dice without sides")]
    NoSides(Label),
}

impl Streams {
    /// The dice that this seed fixes.
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
