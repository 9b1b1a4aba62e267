//! Order blocks: their canonical bytes, and the leaves and root that bind an adjudication's dice to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::hash::{Digest, hash, keyed};
use super::ids::{GameId, Seat};
use super::secret::Secret;

/// The canonical order block of a seat: what the receipt returns, what is hashed, what is adjudicated. Every line ends
/// in LF and has no space, tab or CR before it. An empty block is not an absent one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Block(String);

/// A stored order block that is not in canonical form, so that somebody has changed it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the order block is not canonical: a line ends in blanks or CR, or the last one has no line end")]
pub struct NotCanonical;

impl Block {
    /// The canonical form of these order lines, which are separated or ended by LF or CR LF.
    #[must_use]
    pub fn canonical(lines: &str) -> Self {
        let mut block = String::with_capacity(lines.len() + 1);
        for line in lines.lines() {
            block.push_str(line.trim_end_matches([' ', '\t', '\r']));
            block.push('\n');
        }
        Self(block)
    }

    /// The bytes that are hashed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// SHA-256 of the block, which the receipt prints.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// Whether the block carries a `salt:` line with at least one word: entropy that the host could not foresee.
    #[must_use]
    pub fn salt(&self) -> bool {
        self.0.lines().any(
            |line| matches!(ProtocolLine::of(line), Some(ProtocolLine::Salt(words)) if !words.is_empty()),
        )
    }

    /// Which log the player saw, by its first well-formed `seen: INDEX HEAD` line.
    #[must_use]
    pub fn seen(&self) -> Option<(u64, Digest)> {
        self.0.lines().find_map(|line| match ProtocolLine::of(line)? {
            ProtocolLine::Seen(text) => {
                let (index, head) = text.split_once([' ', '\t'])?;
                Some((index.parse().ok()?, head.trim_start().parse().ok()?))
            }
            ProtocolLine::Salt(_) => None,
        })
    }
}

impl TryFrom<String> for Block {
    type Error = NotCanonical;
    fn try_from(text: String) -> Result<Self, NotCanonical> {
        if Self::canonical(&text).0 == text { Ok(Self(text)) } else { Err(NotCanonical) }
    }
}

impl From<Block> for String {
    fn from(block: Block) -> Self {
        block.0
    }
}

/// A line of an order block that speaks to the dice and says nothing to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProtocolLine<'a> {
    /// `salt: any words`.
    Salt(&'a str),
    /// `seen: INDEX HEAD`, the rest not yet read.
    Seen(&'a str),
}

impl<'a> ProtocolLine<'a> {
    /// What this line says to the dice, if it is such a line. Case and leading blanks don't count: mail programs
    /// capitalise and indent.
    #[must_use]
    pub fn of(line: &'a str) -> Option<Self> {
        let (key, rest) = line.split_once(':')?;
        let rest = rest.trim();
        match key.trim_start() {
            key if key.eq_ignore_ascii_case("salt") => Some(Self::Salt(rest)),
            key if key.eq_ignore_ascii_case("seen") => Some(Self::Seen(rest)),
            _ => None,
        }
    }
}

/// `F(s_t, "blind", game, t, seat)`: hides from the others what a leaf stands for until `s_t` is revealed.
#[must_use]
pub fn blind(secret: &Secret, game: &GameId, t: u32, seat: &Seat) -> Digest {
    let t = t.to_string();
    keyed(secret.as_bytes(), "blind", &[game.as_str().as_bytes(), t.as_bytes(), seat.as_str().as_bytes()])
}

/// The commitment to one seat's orders in adjudication `t`, or to its silence.
#[must_use]
pub fn leaf(secret: &Secret, game: &GameId, t: u32, seat: &Seat, block: Option<&Block>) -> Digest {
    let blind = blind(secret, game, t, seat);
    let t = t.to_string();
    let (game, t, seat) = (game.as_str().as_bytes(), t.as_bytes(), seat.as_str().as_bytes());
    match block {
        Some(block) => hash("orders", &[game, t, seat, blind.as_bytes(), block.0.as_bytes()]),
        None => hash("absent", &[game, t, seat, blind.as_bytes()]),
    }
}

/// The root over the leaves of *all* seats of the game: what the dice of adjudication `t` are bound to.
#[must_use]
pub fn root(game: &GameId, t: u32, leaves: &BTreeMap<Seat, Digest>) -> Digest {
    let t = t.to_string();
    let mut fields: Vec<&[u8]> = vec![game.as_str().as_bytes(), t.as_bytes()];
    for (seat, leaf) in leaves {
        fields.push(seat.as_str().as_bytes());
        fields.push(leaf.as_bytes());
    }
    hash("orderset", &fields)
}
