//! Maps of staggered hex rows in ASCII, at two scales.

mod canvas;
mod frame;
mod strategic;
mod theatre;

use super::WIDTH;
use super::typeset;
pub use frame::HIGHEST;
pub(super) use frame::shifted;
use musterd_engine::briefing::{Map, Scale};
pub use strategic::WIDEST;
pub use theatre::MOST_COLUMNS;

/// The gap between two entries of a legend on one line.
const GAP: &str = "   ";
/// What a frame on a map of the whole means.
pub(super) const FRAMED: &str = "shown larger";
/// A map as lines of text, for a page that shows it in letters only: a map of a whole field, which is long drawn.
pub fn lines(map: &Map) -> Vec<String> {
    let mut page = String::new();
    write(&mut page, map);
    page.lines().map(str::to_owned).collect()
}

/// Writes a map: its title above it if it has one; its legend beside it if there is room, else below.
pub(super) fn write(page: &mut String, map: &Map) {
    if !map.title.is_empty() {
        typeset::paragraph(page, "", "", &map.title);
    }
    let lines = match map.scale {
        Scale::Strategic => strategic::draw(map),
        Scale::Theatre => theatre::draw(map),
    };
    let mut legend: Vec<String> =
        map.legend.iter().map(|(sign, meaning)| format!("{sign} {meaning}")).collect();
    if map.scale == Scale::Strategic && !map.frames.is_empty() {
        legend.push(format!("[ ] {FRAMED}"));
    }
    let width = lines.iter().map(String::len).max().unwrap_or(0) + 3;
    let widest = legend.iter().map(String::len).max().unwrap_or(0);
    let beside = width + widest <= WIDTH && legend.len() < lines.len();
    if beside {
        for (i, line) in lines.iter().enumerate() {
            // The first line is the ruler, so the legend begins beside the first row.
            let entry = i.checked_sub(1).and_then(|i| legend.get(i)).map_or("", String::as_str);
            typeset::exact(page, &format!("{line:<width$}{entry}"));
        }
    } else {
        lines.iter().for_each(|line| typeset::exact(page, line));
    }
    if !beside {
        below(page, &legend);
    }
}

/// Writes the legend below a map: as many entries on a line as fit, none of them broken.
fn below(page: &mut String, legend: &[String]) {
    let mut line = String::new();
    for entry in legend {
        if !line.is_empty() && line.len() + GAP.len() + entry.len() > WIDTH {
            typeset::paragraph(page, "", "", &line);
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { GAP });
        line.push_str(entry);
    }
    if !line.is_empty() {
        typeset::paragraph(page, "", "", &line);
    }
}
