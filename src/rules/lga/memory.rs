//! What a side remembers of enemy pieces (ruling LGA-81): the last place where a report showed each or where it was seen to come, and what fights have
//! shown of it.

use std::collections::BTreeMap;

use super::model::{Side, UnitId};
use super::record::Turn;
use musterd_engine::hex::Hex;
use musterd_kit::seen;

/// What one side remembers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// The last that it saw of each piece.
    pub seen: seen::Memory<UnitId, Turn, Glimpse>,
    /// What the last fight of each piece has shown.
    pub fought: BTreeMap<UnitId, Fought>,
    /// The headquarters that the last round in a hex has shown by its modifier alone, by the hex.
    pub hqs: BTreeMap<Hex, ShownHq>,
    /// The turn in which a march of its units last stopped before a garrison whose name it doesn't know, by the city's hex.
    pub garrisons: BTreeMap<Hex, Turn>,
}

impl Memory {
    /// The piece is seen to be in a hex.
    pub(super) fn see(&mut self, piece: UnitId, at: Hex, when: Turn, garrison: bool) {
        let what = Glimpse { garrison, pieces: None };
        self.seen.see(piece, seen::Sighting { at, when, shown: false, what });
    }

    /// The piece is known to be destroyed.
    pub(super) fn forget(&mut self, piece: UnitId) {
        self.seen.forget(piece);
        self.fought.remove(&piece);
    }
}

/// The best headquarters with a stack, as a round of combat has shown it: by its modifier, without its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownHq {
    /// Its side.
    pub side: Side,
    /// In whose turn.
    pub turn: Turn,
    /// Its modifier.
    pub modifier: i8,
}

/// What was known of a piece when it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glimpse {
    /// Whether it was met as the garrison.
    pub garrison: bool,
    /// The pieces in the stack that it lay on top of, as a report shows them.
    pub pieces: Option<u32>,
}

/// A piece as a fight has shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fought {
    /// In whose turn.
    pub turn: Turn,
    /// Its morale after the last round.
    pub morale: i8,
    /// Its fatigue after the last round.
    pub fatigue: u8,
}

/// An enemy piece out of sight, as it was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastSeen {
    /// Where.
    pub at: Hex,
    /// In whose turn.
    pub turn: Turn,
    /// What was known of it.
    pub glimpse: Glimpse,
    /// Whether the last report showed it, so that it has been lost sight of since.
    pub lost: bool,
    /// Whether it can still be there, as far as the side sees: below others, or as the garrison of a city.
    pub may_be_there: bool,
}

/// An enemy stack in sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) at: Hex,
    pub(crate) top: UnitId,
    /// How many pieces are in the stack; unknown behind cavalry.
    pub(crate) count: Option<u32>,
}
