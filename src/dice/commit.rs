//! What the log says of an adjudication's rolls and result before anything of it is revealed.

use super::hash::{Digest, hash, keyed};
use super::ids::GameId;
use super::label::{Label, Roll};
use super::merkle;
use super::secret::Secret;

/// `F(s_t, "rollblind", game, t, label)`: shown to a side with a roll of its own, it proves that roll and no other.
#[must_use]
pub fn roll_blind(secret: &Secret, game: &GameId, t: u32, label: &Label) -> Digest {
    let t = t.to_string();
    let fields = [game.as_str().as_bytes(), t.as_bytes(), label.as_str().as_bytes()];
    keyed(secret.as_bytes(), "rollblind", &fields)
}

/// `H("roll-leaf", game, t, blind, line)`: the commitment to one roll, of which the log writes the line.
#[must_use]
pub fn roll_leaf(game: &GameId, t: u32, blind: &Digest, roll: &Roll) -> Digest {
    let (t, line) = (t.to_string(), roll.to_string());
    hash("roll-leaf", &[game.as_str().as_bytes(), t.as_bytes(), blind.as_bytes(), line.as_bytes()])
}

/// The leaves of all rolls of an adjudication, sorted by the bytes of their labels: what paths are made from.
#[must_use]
pub fn roll_leaves(secret: &Secret, game: &GameId, t: u32, rolls: &[Roll]) -> Vec<Digest> {
    let mut sorted: Vec<&Roll> = rolls.iter().collect();
    sorted.sort_by(|a, b| a.label.cmp(&b.label));
    sorted.iter().map(|roll| roll_leaf(game, t, &roll_blind(secret, game, t, &roll.label), roll)).collect()
}

/// The Merkle root over all rolls of an adjudication, in whatever order they are given.
#[must_use]
pub fn rolls_root(secret: &Secret, game: &GameId, t: u32, rolls: &[Roll]) -> Digest {
    merkle::root(&roll_leaves(secret, game, t, rolls))
}

/// `H("result", game, t, F(s_t, "resultblind", game, t), digest)`: `digest` is SHA-256 of the adjudication's events in
/// canonical form.
#[must_use]
pub fn result_commit(secret: &Secret, game: &GameId, t: u32, digest: &Digest) -> Digest {
    let t = t.to_string();
    let (game, t) = (game.as_str().as_bytes(), t.as_bytes());
    let blind = keyed(secret.as_bytes(), "resultblind", &[game, t]);
    hash("result", &[game, t, blind.as_bytes(), digest.as_bytes()])
}
