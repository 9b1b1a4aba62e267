//! The commitments to an adjudication's rolls and result that the log contains before anything of them is revealed.

use std::collections::BTreeSet;

use super::hash::{Digest, hash, keyed};
use super::ids::{GameId, Seat};
use super::label::{Label, Roll};
use super::merkle;
use super::secret::Secret;

/// `F(s_t, "rollblind", game, t, label)`. It is shown to a side to which the roll belongs, and proves that roll and no other.
#[must_use]
pub fn roll_blind(secret: &Secret, game: &GameId, t: u32, label: &Label) -> Digest {
    let t = t.to_string();
    let fields = [game.as_str().as_bytes(), t.as_bytes(), label.as_str().as_bytes()];
    keyed(secret.as_bytes(), "rollblind", &fields)
}

/// `H("roll-leaf", game, t, blind, line)`: the commitment to one roll. `line` is the roll as the log writes it.
#[must_use]
pub fn roll_leaf(game: &GameId, t: u32, blind: &Digest, roll: &Roll) -> Digest {
    let (t, line) = (t.to_string(), roll.to_string());
    hash("roll-leaf", &[game.as_str().as_bytes(), t.as_bytes(), blind.as_bytes(), line.as_bytes()])
}

/// The leaves of all rolls of an adjudication, sorted by the bytes of their labels. Merkle paths are made from them.
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

/// The commitment to a player's letter, the `n`th of adjudication `t`, which the log contains as a note. The protocol leaves the text of notes free.
/// This one is `H("press", game, t, n, from, to,to,…, F(s_t, "pressblind", game, t, n), text)`, which doesn't even reveal the sender.
#[must_use]
pub fn press_commit(
    secret: &Secret,
    game: &GameId,
    t: u32,
    n: usize,
    from: &Seat,
    to: &BTreeSet<Seat>,
    text: &str,
) -> Digest {
    let (t, n) = (t.to_string(), n.to_string());
    let to: Vec<&str> = to.iter().map(Seat::as_str).collect();
    let (game, t, n, to) = (game.as_str().as_bytes(), t.as_bytes(), n.as_bytes(), to.join(","));
    let blind = keyed(secret.as_bytes(), "pressblind", &[game, t, n]);
    let from = from.as_str().as_bytes();
    hash("press", &[game, t, n, from, to.as_bytes(), blind.as_bytes(), text.as_bytes()])
}

/// The commitment to an amendment of the position by the GM, the `n`th of the game from 0, made while `t` was open or before `t` ran again. The log
/// contains it as a `gm` entry. The protocol leaves the text of such entries free. This one is `H("amend", game, t, n, F(s_t, "amendblind", game, t,
/// n), text, digest)`, with `digest` as in [`result_commit`].
#[must_use]
pub fn amend_commit(secret: &Secret, game: &GameId, t: u32, n: usize, text: &str, digest: &Digest) -> Digest {
    let (t, n) = (t.to_string(), n.to_string());
    let (game, t, n) = (game.as_str().as_bytes(), t.as_bytes(), n.as_bytes());
    let blind = keyed(secret.as_bytes(), "amendblind", &[game, t, n]);
    hash("amend", &[game, t, n, blind.as_bytes(), text.as_bytes(), digest.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_game::{T, game, rolled, secret};

    #[test]
    fn roots_of_rolls_agree_with_an_independent_program() {
        for (count, expected) in [
            (0, "c6878f3f4b1573dc7345587ecefb9b344b7ddde5a9d4aa9bb92def6769bb9742"),
            (1, "606d8f40208b5fedbba1bee6478a744188f1d79e6c2f52530bea5ba04a732ebb"),
            (3, "2696c59d8cdc92177775830461bf6281599cc7a2b5637b17d5fc54c10446d110"),
            (5, "83af24aa950a23e21588ae04d8c13d51f4018362fd8014b59493d354b3b252cf"),
        ] {
            let mut rolls = rolled();
            rolls.truncate(count);
            rolls.reverse();
            assert_eq!(rolls_root(&secret(), &game(), T, &rolls).to_string(), expected, "{count} rolls");
        }
    }

    #[test]
    fn the_result_commitment_agrees_with_an_independent_program() {
        assert_eq!(
            result_commit(&secret(), &game(), T, &Digest::of(b"events")).to_string(),
            "a4bf6bf9ada04d7feea52c78117565adde1b50bc6be4690156dd1f5fbec4e5bd"
        );
    }

    #[test]
    fn one_roll_is_proved_by_its_blind_and_path_and_no_other_roll_is() {
        let rolls = rolled();
        let leaves = roll_leaves(&secret(), &game(), T, &rolls);
        let root = rolls_root(&secret(), &game(), T, &rolls);
        let (index, shown) = (2, &rolls[2]);
        let blind = roll_blind(&secret(), &game(), T, &shown.label);
        let path = merkle::path(&leaves, index).unwrap();
        let proves = |roll: &Roll| {
            merkle::verify(&roll_leaf(&game(), T, &blind, roll), index, leaves.len(), &path, &root)
        };
        assert!(proves(shown));
        let mut better = shown.clone();
        better.faces[0] += 1;
        assert!(!proves(&better));
    }
}
