//! The layout of a drawn map: a hex stands on its point, 40 units wide, in staggered rows.

use super::legend::Legend;
use super::measures::{HALF, HIGH, MARGIN, PITCH, SHOULDER, middle};
use musterd_engine::briefing::{Map, Tile};
use musterd_engine::hex::Hex;

/// A map with its measures.
pub(super) struct MapSheet<'a> {
    pub(super) map: &'a Map,
    /// The hexes in play, each with its middle.
    pub(super) tiles: Vec<(Hex, (i32, i32), &'a Tile)>,
    /// The same hexes by row and column of the frame, for fast access to neighbours.
    grid: Vec<Option<&'a Tile>>,
    across: usize,
    pub(super) width: i32,
    /// The height of the hexes and the numbers around them, without the legend below.
    pub(super) land: i32,
    pub(super) legend: Legend<'a>,
}

impl<'a> MapSheet<'a> {
    pub(super) fn of(map: &'a Map) -> Self {
        let across = map.last.col.saturating_sub(map.first.col).saturating_add(1);
        let down = map.last.row.saturating_sub(map.first.row).saturating_add(1);
        let width = 2 * MARGIN + i32::from(across) * 2 * HALF + HALF;
        let mut sheet = Self {
            map,
            tiles: Vec::with_capacity(map.tiles.len()),
            grid: vec![None; usize::from(across) * usize::from(down)],
            across: usize::from(across),
            width,
            land: 2 * MARGIN + i32::from(down) * PITCH + HIGH - SHOULDER,
            legend: Legend::of(map, width),
        };
        for (hex, tile) in &map.tiles {
            if let Some(place) = sheet.place_of(*hex).filter(|_| !tile.closed) {
                sheet.tiles.push((*hex, middle(map, *hex), tile));
                if let Some(place) = sheet.grid.get_mut(place) {
                    *place = Some(tile);
                }
            }
        }
        sheet
    }

    /// The height with the legend.
    pub(super) fn height(&self) -> i32 {
        self.land + self.legend.height
    }

    /// The index of a hex in the grid; `None` outside the frame.
    fn place_of(&self, hex: Hex) -> Option<usize> {
        let col = usize::from(hex.col.checked_sub(self.map.first.col)?);
        let row = usize::from(hex.row.checked_sub(self.map.first.row)?);
        let place = row * self.across + col;
        (col < self.across && place < self.grid.len()).then_some(place)
    }

    /// The tile of a hex, if it is in the frame and in play.
    pub(super) fn open(&self, hex: Hex) -> Option<&'a Tile> {
        self.grid.get(self.place_of(hex)?).copied().flatten()
    }
}
