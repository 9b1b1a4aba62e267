//! The part of a map that is shown.

use musterd_engine::briefing::Map;
use musterd_engine::hex::Hex;

/// The most rows that a map can show.
pub const HIGHEST: u8 = 30;

/// The rows and columns that a map shows, limited to the size of a sheet; the first is never beyond the last.
pub(super) fn frame(
    map: &Map,
    most_columns: u8,
) -> (std::ops::RangeInclusive<u8>, std::ops::RangeInclusive<u8>) {
    let last_col = map.last.col.min(map.first.col.saturating_add(most_columns - 1));
    let last_row = map.last.row.min(map.first.row.saturating_add(HIGHEST - 1));
    (map.first.col..=last_col, map.first.row..=last_row)
}

/// Whether a row stands half a hex to the right.
pub(in super::super) fn shifted(row: u8) -> bool {
    row.is_multiple_of(2)
}

/// A hex's tile, if it is in the frame and in play.
pub(super) fn open(map: &Map, hex: Hex) -> Option<&musterd_engine::briefing::Tile> {
    map.tiles.get(&hex).filter(|tile| hex.is_within((map.first, map.last)) && !tile.closed)
}
