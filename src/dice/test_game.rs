//! One adjudication for the tests, whose every hash and die was computed by a separate program in another language
//! (from the protocol's text, with that language's own SHA-256 and HMAC).

use super::{Digest, GameId, Roll, Secret, SecretChain};

pub(super) const GAME: &str = "test-game";
pub(super) const T: u32 = 2;

pub(super) fn game() -> GameId {
    GAME.parse().unwrap()
}

/// `s_2` of the chain of 1,000 that ends in the bytes 1 to 32.
pub(super) fn secret() -> Secret {
    let last = Secret::new(std::array::from_fn(|i| u8::try_from(i + 1).unwrap()));
    SecretChain::new(&game(), last, 1000).secret(T).unwrap()
}

/// The root over three seats: one with orders, one with an empty block, one silent.
pub(super) fn root() -> Digest {
    "981c904876050c2d17bdf54bd8032a69de3aa5ceec8b7867cd49e87a226492ef".parse().unwrap()
}

/// The rolls under that root, sorted by label.
pub(super) fn rolled() -> Vec<Roll> {
    [
        ("2/combat/attack/1204-a/0", 6, vec![6, 5, 2]),
        ("2/combat/attack/1204/0", 10, vec![9, 3]),
        ("2/muster/roll/french/0", 100, vec![71]),
        ("2/muster/roll/french/1", 6, vec![3, 6, 5, 4, 5, 1, 1, 6, 1, 2, 1, 4, 6, 2, 6, 5, 1, 5, 3, 6]),
        ("2/z/big/x/0", 4_000_000_000, vec![2_888_287_697, 823_102_918, 3_817_036_714]),
    ]
    .into_iter()
    .map(|(label, sides, faces)| Roll { label: label.parse().unwrap(), sides, faces })
    .collect()
}
