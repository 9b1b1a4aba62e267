//! Which brigade stands in each hex.

use musterd_engine::hex::Hex;

use crate::battle::Map;
use crate::model::BrigadeId;

/// The brigades by their hexes: one a hex (ACW-52). A column that passes through a friend's hex is not on the board while it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    columns: u8,
    slots: Vec<Option<BrigadeId>>,
}

impl Board {
    /// An empty map.
    pub(crate) fn of(map: &Map) -> Self {
        Self { columns: map.columns, slots: vec![None; usize::from(map.columns) * usize::from(map.rows)] }
    }

    fn slot(&self, hex: Hex) -> Option<usize> {
        let on_map = (1..=self.columns).contains(&hex.col) && hex.row > 0;
        on_map
            .then(|| (usize::from(hex.row) - 1) * usize::from(self.columns) + usize::from(hex.col) - 1)
            .filter(|slot| *slot < self.slots.len())
    }

    /// The brigade in a hex.
    pub(crate) fn at(&self, hex: Hex) -> Option<BrigadeId> {
        self.slot(hex).and_then(|slot| self.slots[slot])
    }

    /// A brigade stands there now, unless another does.
    pub(crate) fn put(&mut self, hex: Hex, id: BrigadeId) {
        if let Some(slot) = self.slot(hex) {
            self.slots[slot].get_or_insert(id);
        }
    }

    /// A brigade stands there no more.
    pub(crate) fn lift(&mut self, hex: Hex, id: BrigadeId) {
        if let Some(slot) = self.slot(hex) {
            self.slots[slot].take_if(|here| *here == id);
        }
    }
}
