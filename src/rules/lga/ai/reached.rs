//! Where a unit of a computer player gets to.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

/// The hexes that a unit can march to now.
pub(super) struct Reach {
    ways: Ways<u8>,
    /// The moves that it has where it stands.
    left: u8,
}

impl Reach {
    /// The ways by what they cost, for a unit with so many moves.
    pub(super) const fn of(ways: Ways<u8>, left: u8) -> Self {
        Self { ways, left }
    }

    /// The moves that the unit would have left in a hex; `None` if it can't get there.
    pub(super) fn left_at(&self, hex: Hex) -> Option<u8> {
        Some(self.left - self.ways.cost(hex)?)
    }

    /// All of them, each with the moves that it would have left there.
    pub(super) fn hexes(&self) -> impl Iterator<Item = (Hex, u8)> {
        self.ways.reached().map(|(hex, spent)| (hex, self.left - spent))
    }
}
