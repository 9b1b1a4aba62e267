//! Where everything stands on a drawn map: a hex stands on its point, 40 units wide, in staggered rows.

use super::legend::Legend;
use super::writer::Html;
use crate::map::shifted;
use musterd_engine::briefing::{Map, Tile};
use musterd_engine::hex::{Direction, Hex};

/// Half the width of a hex.
pub(super) const HALF: i32 = 20;
/// Half the height of a hex: from its middle to its point.
pub(super) const HIGH: i32 = 23;
/// From its middle to the ends of its upright sides.
pub(super) const SHOULDER: i32 = 11;
/// From the middle of a row to that of the next.
pub(super) const PITCH: i32 = HIGH + SHOULDER;
/// Round the map: for the numbers of columns and rows.
pub(super) const MARGIN: i32 = 18;

/// A map, measured.
pub(super) struct Sheet<'a> {
    pub(super) map: &'a Map,
    /// What is drawn, with the middle of each hex.
    pub(super) tiles: Vec<(Hex, (i32, i32), &'a Tile)>,
    /// The same by row and column of the frame: neighbours are looked up often.
    grid: Vec<Option<&'a Tile>>,
    across: usize,
    pub(super) width: i32,
    /// Of the hexes and the numbers round them; the legend stands below.
    pub(super) land: i32,
    pub(super) legend: Legend,
}

impl<'a> Sheet<'a> {
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

    /// With its legend.
    pub(super) fn height(&self) -> i32 {
        self.land + self.legend.height
    }

    /// Where a hex stands in the grid; none outside the frame.
    fn place_of(&self, hex: Hex) -> Option<usize> {
        let col = usize::from(hex.col.checked_sub(self.map.first.col)?);
        let row = usize::from(hex.row.checked_sub(self.map.first.row)?);
        let place = row * self.across + col;
        (col < self.across && place < self.grid.len()).then_some(place)
    }

    /// What is drawn of a hex.
    pub(super) fn open(&self, hex: Hex) -> Option<&'a Tile> {
        self.grid.get(self.place_of(hex)?).copied().flatten()
    }
}

/// The middle of a hex.
pub(super) fn middle(map: &Map, hex: Hex) -> (i32, i32) {
    let (across, down) =
        (i32::from(hex.col) - i32::from(map.first.col), i32::from(hex.row) - i32::from(map.first.row));
    let shift = if shifted(hex.row) { HALF } else { 0 };
    (MARGIN + HALF + across * 2 * HALF + shift, MARGIN + HIGH + down * PITCH)
}

/// A side of a hex, in a path.
pub(super) fn edge(page: &mut Html, (x, y): (i32, i32), direction: Direction) {
    let (from, line) = match direction {
        Direction::NorthEast => ((x, y - HIGH), "l20 12"),
        Direction::East => ((x + HALF, y - SHOULDER), "v22"),
        Direction::SouthEast => ((x + HALF, y + SHOULDER), "l-20 12"),
        Direction::SouthWest => ((x, y + HIGH), "l-20-12"),
        Direction::West => ((x - HALF, y + SHOULDER), "v-22"),
        Direction::NorthWest => ((x - HALF, y - SHOULDER), "l20-12"),
    };
    page.place("M", from);
    page.tag(line);
}
