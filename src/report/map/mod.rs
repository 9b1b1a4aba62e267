//! Maps of staggered hex rows in ASCII, at two scales.

mod canvas;
mod strategic;
mod theatre;

use super::WIDTH;
use super::text;
use musterd_engine::briefing::{Map, Scale};
use musterd_engine::hex::Hex;

pub use strategic::WIDEST;
pub use theatre::MOST_COLUMNS;

/// What stands between two entries of a legend on one line.
const GAP: &str = "   ";
/// The most rows that a map can show.
pub const HIGHEST: u8 = 30;

/// Writes a map, its title above it where it has one, its legend beside it where there is room, else below.
pub(super) fn write(page: &mut String, map: &Map) {
    if !map.title.is_empty() {
        text::paragraph(page, "", "", &map.title);
    }
    let lines = match map.scale {
        Scale::Strategic => strategic::draw(map),
        Scale::Theatre => theatre::draw(map),
    };
    let legend: Vec<String> = map.legend.iter().map(|(sign, meaning)| format!("{sign} {meaning}")).collect();
    let width = lines.iter().map(String::len).max().unwrap_or(0) + 3;
    let widest = legend.iter().map(String::len).max().unwrap_or(0);
    let beside = width + widest <= WIDTH && legend.len() < lines.len();
    if beside {
        for (i, line) in lines.iter().enumerate() {
            // The first line is the ruler: the legend begins beside the first row.
            let entry = i.checked_sub(1).and_then(|i| legend.get(i)).map_or("", String::as_str);
            text::exact(page, &format!("{line:<width$}{entry}"));
        }
    } else {
        lines.iter().for_each(|line| text::exact(page, line));
    }
    if !beside {
        below(page, &legend);
    }
}

/// The legend below a map: as many entries a line as there is room for, none of them parted.
fn below(page: &mut String, legend: &[String]) {
    let mut line = String::new();
    for entry in legend {
        if !line.is_empty() && line.len() + GAP.len() + entry.len() > WIDTH {
            text::paragraph(page, "", "", &line);
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { GAP });
        line.push_str(entry);
    }
    if !line.is_empty() {
        text::paragraph(page, "", "", &line);
    }
}

/// The rows and columns that a map shows, held to what a sheet can hold and to sense: the first never beyond the last.
fn frame(map: &Map, most_columns: u8) -> (std::ops::RangeInclusive<u8>, std::ops::RangeInclusive<u8>) {
    let last_col = map.last.col.min(map.first.col.saturating_add(most_columns - 1));
    let last_row = map.last.row.min(map.first.row.saturating_add(HIGHEST - 1));
    (map.first.col..=last_col, map.first.row..=last_row)
}

/// Whether a row stands half a hex to the right.
pub(super) fn shifted(row: u8) -> bool {
    row.is_multiple_of(2)
}

/// A hex's tile, if it is in the frame and in play.
fn open(map: &Map, hex: Hex) -> Option<&musterd_engine::briefing::Tile> {
    let inside = (map.first.col..=map.last.col).contains(&hex.col)
        && (map.first.row..=map.last.row).contains(&hex.row);
    map.tiles.get(&hex).filter(|tile| inside && !tile.closed)
}
