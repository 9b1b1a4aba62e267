//! The whole map, two characters for each hex: first the holder or the nation whose forces stand there, then the ground or city. Brackets at both
//! sides of a part that another map shows.

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
    let holder = |hex: Hex| open(map, hex).and_then(|tile| tile.pin.or(tile.control));
    for (y, row) in rows.enumerate() {
        canvas.put(0, y + 2, &format!("{row:>2}"));
        for (i, col) in columns.clone().enumerate() {
            let hex = Hex::new(col, row);
            let Some(tile) = open(map, hex) else { continue };
            let ground = if tile.ground.is_ascii_graphic() { tile.ground } else { '.' };
            let holder = holder(hex).unwrap_or(' ');
            let text = format!("{holder}{}", tile.city.unwrap_or(ground));
            canvas.put(RULER + 2 * i + usize::from(shifted(row)), y + 2, &text);
        }
        // The sides of a frame stand where no holder does.
        for (first, last) in map.frames.iter().filter(|(first, last)| (first.row..=last.row).contains(&row)) {
            for (col, bracket) in [(first.col, "["), (last.col.saturating_add(1), "]")] {
                let inside = columns.contains(&col) || columns.contains(&col.saturating_sub(1));
                if inside && holder(Hex::new(col, row)).is_none() {
                    let i = usize::from(col.saturating_sub(*columns.start()));
                    canvas.put(RULER + 2 * i + usize::from(shifted(row)), y + 2, bracket);
                }
            }
        }
    }
    canvas.into_lines()
}
