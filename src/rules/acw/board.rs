//! Which brigade stands in each hex.

use musterd_engine::hex::Hex;
use musterd_kit::field::{Size, place};

use crate::battle::Map;
use crate::model::BrigadeId;

/// The brigades by their hexes: one a hex (ACW-52). A column that passes through a friend's hex is not on the board while it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    size: Size,
    slots: Vec<Option<BrigadeId>>,
}

impl Board {
    /// An empty map.
    pub(crate) fn of(map: &Map) -> Self {
        Self { size: (map.columns, map.rows), slots: vec![None; map.hexes().count()] }
    }

    /// The brigade in a hex.
    pub(crate) fn at(&self, hex: Hex) -> Option<BrigadeId> {
        place(self.size, hex).and_then(|slot| self.slots[slot])
    }

    /// A brigade stands there now, unless another does.
    pub(crate) fn put(&mut self, hex: Hex, id: BrigadeId) {
        if let Some(slot) = place(self.size, hex) {
            self.slots[slot].get_or_insert(id);
        }
    }

    /// A brigade stands there no more.
    pub(crate) fn lift(&mut self, hex: Hex, id: BrigadeId) {
        if let Some(slot) = place(self.size, hex) {
            self.slots[slot].take_if(|here| *here == id);
        }
    }
}
