//! Parts of a large map, each on a sheet of its own.

use musterd_engine::hex::Hex;
use musterd_report::map::MOST_COLUMNS;

/// Rows of a sheet at most.
pub const ROWS: u8 = 9;
/// Columns and rows of a sheet at least, where the map has so many.
pub const LEAST: (u8, u8) = (8, 6);

/// The part of a map up to its `last` hex with these hexes in its middle, and `more` hexes around them where a sheet has room; of so many columns and rows
/// at least.
#[must_use]
pub fn around(last: Hex, hexes: &[Hex], more: u8, least: (u8, u8)) -> (Hex, Hex) {
    let ends = |of: fn(&Hex) -> u8, least: u8, most: u8, end: u8| {
        let numbers = || hexes.iter().map(of);
        let (from, to) = (numbers().min().unwrap_or(1), numbers().max().unwrap_or(1));
        let held = to - from + 1;
        let wanted = held.saturating_add(2 * more).max(least).min(most).min(end);
        let first = from.saturating_sub(wanted.saturating_sub(held) / 2).clamp(1, end - wanted + 1);
        (first, first + wanted - 1)
    };
    let (left, right) = ends(|hex| hex.col, least.0, MOST_COLUMNS, last.col);
    let (top, bottom) = ends(|hex| hex.row, least.1, ROWS, last.row);
    (Hex::new(left, top), Hex::new(right, bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_holds_its_hexes_in_its_middle_and_stays_on_the_map() {
        let of = |hexes: &[(u8, u8)], more| {
            let hexes: Vec<Hex> = hexes.iter().map(|(col, row)| Hex::new(*col, *row)).collect();
            let (first, last) = around(Hex::new(30, 20), &hexes, more, LEAST);
            ((first.col, first.row), (last.col, last.row))
        };
        assert_eq!(of(&[(10, 10)], 0), ((7, 8), (14, 13)));
        assert_eq!(of(&[(10, 10), (16, 16)], 0), ((10, 10), (17, 16)));
        assert_eq!(of(&[(10, 10), (16, 16)], 1), ((9, 9), (17, 17)));
        assert_eq!((of(&[(1, 1)], 1), of(&[(30, 20)], 1)), (((1, 1), (8, 6)), ((23, 15), (30, 20))));
        assert_eq!(around(Hex::new(3, 2), &[Hex::new(2, 2)], 1, LEAST), (Hex::new(1, 1), Hex::new(3, 2)));
    }
}
