//! The measures of a drawn hex, and the places of hexes.

use super::writer::Html;
use crate::map::shifted;
use musterd_engine::briefing::Map;
use musterd_engine::hex::{Direction, Hex};

/// Half the width of a hex.
pub(super) const HALF: i32 = 20;

/// Half the height of a hex: the distance from its middle to its point.
pub(super) const HIGH: i32 = 23;

/// The vertical distance from its middle to the ends of its upright sides.
pub(super) const SHOULDER: i32 = 11;

/// The distance from the middle of a row to that of the next.
pub(super) const PITCH: i32 = HIGH + SHOULDER;

/// The margin around the map, for the numbers of columns and rows.
pub(super) const MARGIN: i32 = 18;

/// The middle of a hex.
pub(super) fn middle(map: &Map, hex: Hex) -> (i32, i32) {
    let (across, down) =
        (i32::from(hex.col) - i32::from(map.first.col), i32::from(hex.row) - i32::from(map.first.row));
    let shift = if shifted(hex.row) { HALF } else { 0 };
    (MARGIN + HALF + across * 2 * HALF + shift, MARGIN + HIGH + down * PITCH)
}

/// The corners of a frame around the hexes from one to another: through the middle of the steps that the rows make.
pub(super) fn frame(map: &Map, (first, last): (Hex, Hex)) -> [(i32, i32); 2] {
    let across = |col: u8| MARGIN + (i32::from(col) - i32::from(map.first.col)) * 2 * HALF + HALF / 2;
    let (top, bottom) = (middle(map, first).1, middle(map, last).1);
    let rise = PITCH / 2;
    [(across(first.col), top - rise), (across(last.col) + 2 * HALF, bottom + rise)]
}

/// Adds a side of a hex to a path.
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
