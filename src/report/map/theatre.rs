//! A part of the map, with a brick of six by three characters for each hex. Even rows stand half a brick to the right, so that every brick touches
//! the six hexes around it: two in each row above and below.
//!
//! ```text
//!       14    15    16
//!    +  +==+  +==+==+
//!  7 |ZUR o#ULM o#RATIo      name, ground and city
//!    |     #A3g::#:::::      forces, filled up with the sign of whoever holds the hex
//!    +  +  +  +  +==+==+
//! ```

use super::canvas::Canvas;
use super::frame::{frame, open, shifted};
use crate::WIDTH;
use crate::ascii::ascii;
use musterd_engine::briefing::{Map, Tile};
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::palette::Edge;

/// The most columns that a map of this scale can show.
pub const MOST_COLUMNS: u8 = 12;

/// The width of a brick: five characters of its own and its left edge.
const WIDE: usize = 6;
/// The height of a brick: two lines of its own and its upper edge.
const HIGH: usize = 3;

/// The map's lines: a ruler of column numbers above, row numbers at the left.
pub(super) fn draw(map: &Map) -> Vec<String> {
    let (columns, rows) = frame(map, MOST_COLUMNS);
    let width = columns.clone().count() * WIDE + 1 + WIDE / 2;
    let ruler = (WIDTH - width).min(3);
    let mut canvas = Canvas::new(WIDTH, 2 + rows.clone().count() * HIGH);
    let first_shift = if shifted(*rows.start()) { WIDE / 2 } else { 0 };
    for (i, col) in columns.clone().enumerate() {
        canvas.put(ruler + first_shift + i * WIDE + 2, 0, &format!("{col:>2}"));
    }
    let place = |hex: Hex| {
        let shift = if shifted(hex.row) { WIDE / 2 } else { 0 };
        let x = ruler + usize::from(hex.col - map.first.col) * WIDE + shift;
        (x, 1 + usize::from(hex.row - map.first.row) * HIGH)
    };
    let hexes = || rows.clone().flat_map(|row| columns.clone().map(move |col| Hex::new(col, row)));
    for hex in hexes() {
        if let Some(tile) = open(map, hex) {
            let (x, y) = place(hex);
            let is_water = map.is_water(tile.ground);
            let [upper, lower] = inside(tile, is_water);
            canvas.put(x + 1, y + 1, &upper);
            canvas.put(x + 1, y + 2, &lower);
            if !is_water {
                frame_of(&mut canvas, x, y);
            }
        }
    }
    for side in &map.sides {
        let drawn = |hex: &Hex| columns.contains(&hex.col) && rows.contains(&hex.row);
        if let Some(hex) = [side.a, side.b].into_iter().find(|h| drawn(h) && open(map, *h).is_some()) {
            let other = if hex == side.a { side.b } else { side.a };
            let (x, y) = place(hex);
            if let Some((direction, look)) = hex.direction_to(other).zip(map.palette.side(side.sign)) {
                edge(&mut canvas, x, y, direction, look);
            }
        }
    }
    for row in rows.clone() {
        let (_, y) = place(Hex::new(map.first.col, row));
        canvas.put(0, y + 1, &format!("{row:>2}"));
    }
    canvas.into_lines()
}

/// Draws the corners and upright edges of a land hex.
fn frame_of(canvas: &mut Canvas, x: usize, y: usize) {
    for corner in [x, x + WIDE / 2, x + WIDE] {
        canvas.put(corner, y, "+");
        canvas.put(corner, y + HIGH, "+");
    }
    for line in 1..HIGH {
        canvas.put(x, y + line, "|");
        canvas.put(x + WIDE, y + line, "|");
    }
}

/// Draws a special side over the plain one.
fn edge(canvas: &mut Canvas, x: usize, y: usize, direction: Direction, look: &Edge) {
    let (upright, level) = (look.sign.to_string(), look.level);
    let half = WIDE / 2;
    match direction {
        Direction::East | Direction::West => {
            let x = if direction == Direction::East { x + WIDE } else { x };
            (1..HIGH).for_each(|line| canvas.put(x, y + line, &upright));
        }
        Direction::NorthWest => canvas.put(x + 1, y, level),
        Direction::NorthEast => canvas.put(x + half + 1, y, level),
        Direction::SouthWest => canvas.put(x + 1, y + HIGH, level),
        Direction::SouthEast => canvas.put(x + half + 1, y + HIGH, level),
    }
}

/// The two lines of five characters in a hex.
fn inside(tile: &Tile, is_water: bool) -> [String; 2] {
    const ROOM: usize = WIDE - 1;
    let forces: String = ascii(&tile.forces).chars().take(ROOM).collect();
    let name = |room: usize| -> String {
        let name = ascii(&tile.name).to_ascii_uppercase();
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).take(room).collect();
        format!("{name:<room$}")
    };
    if is_water {
        let wave = if tile.ground.is_ascii_graphic() { tile.ground } else { '~' };
        let upper = if tile.name.is_empty() { format!("{wave} {wave} {wave}") } else { name(ROOM) };
        let lower = if forces.is_empty() { format!(" {wave} {wave} ") } else { forces };
        return [upper, lower];
    }
    let ground = Some(tile.ground).filter(char::is_ascii_graphic);
    let upper = if tile.name.is_empty() {
        // Woods and mountains fill their hex, so that the terrain is visible at a glance.
        let ground = ground.unwrap_or(' ');
        format!("{ground} {} {ground}", tile.city.unwrap_or(ground))
    } else {
        let signs: String = ground.into_iter().chain(tile.city).collect();
        format!("{}{signs}", name(ROOM - signs.len()))
    };
    let fill = tile.control.unwrap_or(' ');
    let lower = forces.chars().chain(std::iter::repeat(fill)).take(ROOM).collect();
    [upper, lower]
}
