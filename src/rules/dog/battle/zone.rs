//! The zone where an army may start, as battle files and leaders write it: by the corners of rectangles.

use std::collections::BTreeMap;

use super::{Army, Field};
use musterd_engine::hex::{Hex, HexSet};
use musterd_kit::lists::listed;

/// Hexes, in the order of the map, as runs along their rows. Equal runs in the rows below are joined. Each is given by its first and its last hex.
pub fn rectangles(hexes: impl IntoIterator<Item = Hex>) -> Vec<(Hex, Hex)> {
    let mut rows: BTreeMap<u8, Vec<(u8, u8)>> = BTreeMap::new();
    for hex in hexes {
        let row = rows.entry(hex.row).or_default();
        match row.last_mut() {
            Some((_, last)) if *last + 1 == hex.col => *last = hex.col,
            _ => row.push((hex.col, hex.col)),
        }
    }
    let mut found: Vec<(Hex, Hex)> = Vec::new();
    for (row, spans) in rows {
        for (first, last) in spans {
            let above =
                |run: &&mut (Hex, Hex)| run.0.col == first && run.1.col == last && run.1.row + 1 == row;
            match found.iter_mut().find(above) {
                Some(run) => run.1 = Hex::new(last, row),
                None => found.push((Hex::new(first, row), Hex::new(last, row))),
            }
        }
    }
    found
}

impl Army {
    /// The rectangles in which its units may stand at the start.
    pub fn starts(&self, field: &Field) -> Vec<(Hex, Hex)> {
        rectangles(field.hexes().filter(|hex| self.zone.contains(*hex)))
    }

    /// The same in words: `0301 to 1202`, `0101 to 1202 and 0108 to 1209`.
    pub fn starts_in(&self, field: &Field) -> String {
        starts_in(field, &self.zone)
    }
}

/// The rectangles of a zone in words.
pub(super) fn starts_in(field: &Field, zone: &HexSet) -> String {
    let span = |(first, last): &(Hex, Hex)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    listed(rectangles(field.hexes().filter(|hex| zone.contains(*hex))).iter().map(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_written_as_rectangles() {
        let written = |text: &[&str]| {
            let spans = rectangles(text.iter().map(|hex| hex.parse().unwrap()));
            spans.iter().map(|(a, b)| format!("{a}-{b}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(written(&["0101", "0201", "0102", "0202"]), "0101-0202");
        assert_eq!(written(&["0101", "0301", "0102"]), "0101-0102 0301-0301");
    }
}
