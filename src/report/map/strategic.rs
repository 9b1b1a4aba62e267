//! The whole map, two characters for each hex: first the holder or the nation whose forces stand there, then the ground or city.

use super::canvas::Canvas;
use super::frame::{frame, open, shifted};
use crate::WIDTH;
use musterd_engine::briefing::Map;
use musterd_engine::hex::Hex;

/// The width of the row numbers.
const RULER: usize = 3;
/// The most columns that a map of this scale can show.
pub const WIDEST: u8 = 37;
const _: () = assert!(WIDEST as usize == (WIDTH - RULER - 1) / 2);

/// The map's lines: a ruler of column numbers above, row numbers at the left.
pub(super) fn draw(map: &Map) -> Vec<String> {
    let (columns, rows) = frame(map, WIDEST);
    let mut canvas = Canvas::new(WIDTH, 2 + rows.clone().count());
    for (i, col) in columns.clone().enumerate() {
        if col.is_multiple_of(10) || i == 0 {
            canvas.put(RULER + 2 * i, 0, &format!("{:>2}", col / 10).replace(" 0", "  "));
        }
        canvas.put(RULER + 2 * i, 1, &format!("{:>2}", col % 10));
    }
    for (y, row) in rows.enumerate() {
        canvas.put(0, y + 2, &format!("{row:>2}"));
        for (i, col) in columns.clone().enumerate() {
            let Some(tile) = open(map, Hex::new(col, row)) else { continue };
            let ground =
                Some(tile.letter.unwrap_or(tile.ground)).filter(char::is_ascii_graphic).unwrap_or('.');
            let holder = tile.pin.or(tile.control).unwrap_or(' ');
            let text = format!("{holder}{}", tile.city.unwrap_or(ground));
            canvas.put(RULER + 2 * i + usize::from(shifted(row)), y + 2, &text);
        }
    }
    canvas.into_lines()
}
