//! A map as an SVG drawing: paths and words with their style in attributes, without a style sheet and without references between parts. All mail
//! programs that show drawings can show these.
//!
//! A hex stands on its point, 40 units wide, in staggered rows. The contents of a hex stand in three storeys: the sign of its city on top, the name
//! or the hex's number below it, a counter for the forces at the bottom.

use std::collections::BTreeMap;

use super::looks::{FRAME, Face, OUTLINE, drawing as drawn, frame, grounds, mark, side};
use super::measures::{self, HIGH, edge, middle};
use super::sheet::MapSheet;
use super::writer::Html;
use musterd_engine::briefing::{Map, Scale, Tile};
use musterd_engine::hex::{Direction, Hex};

/// The longest name that fits a hex in letters of the usual size.
const ROOMY: usize = 6;
/// The longest name that fits a hex in small letters.
const SNUG: usize = 7;
/// The distance of a map from the top of its title.
const TITLE: i32 = 22;

/// Maps as one drawing, one below the other, each under its title.
pub fn drawing<'a>(maps: impl IntoIterator<Item = (&'a str, &'a Map)>) -> String {
    let maps: Vec<_> = maps.into_iter().map(|(title, map)| (title, MapSheet::of(map))).collect();
    let mut page = Html::default();
    let width = maps.iter().map(|(_, sheet)| sheet.width).max().unwrap_or(1);
    let height = maps.iter().map(|(_, sheet)| sheet.height() + TITLE).sum();
    opening(&mut page, width, height);
    let mut top = 0;
    for (title, sheet) in &maps {
        page.tag("<text font-family=\"Georgia,serif\" font-weight=\"bold\" font-size=\"15\"");
        at(&mut page, 4, top + 16);
        page.prose(title);
        page.tag("</text>");
        page.end_line();
        page.tag("<g transform=\"translate(0,");
        page.number(top + TITLE);
        page.tag(")\">");
        page.end_line();
        sheet.draw(&mut page);
        page.tag("</g>");
        page.end_line();
        top += sheet.height() + TITLE;
    }
    page.tag("</svg>");
    page.end_line();
    page.finish()
}

/// Draws a map inside a page.
pub(super) fn draw(page: &mut Html, map: &Map) {
    let sheet = MapSheet::of(map);
    opening(page, sheet.width, sheet.height());
    sheet.draw(page);
    page.tag("</svg>");
    page.end_line();
}

/// The beginning of a drawing that is as wide as its reader's page, but no wider than necessary.
fn opening(page: &mut Html, width: i32, height: i32) {
    page.tag("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Map\" width=\"100%\" viewBox=\"0 0 ");
    page.number(width);
    page.tag(" ");
    page.number(height);
    page.tag("\" style=\"max-width:");
    page.number(width * 3 / 2);
    page.tag("px;height:auto;page-break-inside:avoid\" font-family=\"Helvetica,Arial,sans-serif\">");
    page.end_line();
    page.tag("<rect width=\"100%\" height=\"100%\" fill=\"#fbf8ef\"/>");
    page.end_line();
}

/// A position, as the last attributes of an element.
fn at(page: &mut Html, x: i32, y: i32) {
    page.tag(" x=\"");
    page.number(x);
    page.tag("\" y=\"");
    page.number(y);
    page.tag("\">");
}

impl MapSheet<'_> {
    fn draw(&self, page: &mut Html) {
        self.ground(page);
        self.holders(page);
        self.sides(page);
        self.marks(page);
        self.forces(page);
        self.names(page);
        self.frames(page);
        self.rulers(page);
        self.legend.draw(page, self.land);
    }

    /// Draws the ground: each kind as one path, then its pattern as another.
    fn ground(&self, page: &mut Html) {
        for (look, is_here) in grounds(self.map) {
            let here = self.tiles.iter().filter(|(.., tile)| is_here(tile));
            let middles: Vec<_> = here.map(|(_, (x, y), _)| (*x, *y)).collect();
            if middles.is_empty() {
                continue;
            }
            page.tag("<path fill=\"");
            page.prose(look.colour);
            page.tag(if look.water { "\" d=\"" } else { "\" stroke=\"#b9aa88\" stroke-width=\".7\" d=\"" });
            for (x, y) in &middles {
                page.place("M", (*x, y - HIGH));
                page.tag(OUTLINE);
            }
            page.tag("\"/>");
            page.end_line();
            drawn(page, &look.drawing, &middles);
        }
    }

    /// Draws a faint colour over the hexes that others hold, and a line at their border.
    fn holders(&self, page: &mut Html) {
        let mut held: BTreeMap<char, Vec<_>> = BTreeMap::new();
        for (hex, place, tile) in &self.tiles {
            if let Some(sign) = tile.control {
                held.entry(sign).or_default().push((*hex, *place));
            }
        }
        for (sign, hexes) in held {
            let colour = self.map.palette.holder(sign).colour;
            page.tag("<path fill=\"");
            page.tag(colour);
            page.tag("\" fill-opacity=\".13\" d=\"");
            for (_, (x, y)) in &hexes {
                page.place("M", (*x, y - HIGH));
                page.tag(OUTLINE);
            }
            page.tag("\"/>");
            page.end_line();
            page.tag("<path fill=\"none\" stroke=\"");
            page.tag(colour);
            page.tag("\" stroke-width=\"2\" stroke-dasharray=\"5 3\" d=\"");
            for (hex, place) in &hexes {
                let ends = |direction: &Direction| {
                    let other = hex.step(*direction).and_then(|other| self.open(other));
                    other.is_some_and(|other| other.control != Some(sign) && !self.is_water(other))
                };
                Direction::ALL.into_iter().filter(ends).for_each(|direction| edge(page, *place, direction));
            }
            page.tag("\"/>");
            page.end_line();
        }
    }

    /// Draws the sides of hexes: rivers, roads and the like.
    fn sides(&self, page: &mut Html) {
        for look in self.map.palette.sides {
            let mut alike = self.map.sides.iter().filter(|side| side.sign == look.sign).peekable();
            if alike.peek().is_none() {
                continue;
            }
            side(page, look);
            for side in alike {
                let drawn = [(side.a, side.b), (side.b, side.a)]
                    .into_iter()
                    .find(|(hex, _)| self.open(*hex).is_some());
                let direction = drawn.and_then(|(hex, other)| Some((hex, hex.direction_to(other)?)));
                match direction {
                    Some(_) if look.across => {
                        let ((x, y), (to_x, to_y)) = (middle(self.map, side.a), middle(self.map, side.b));
                        page.place("M", (x + (to_x - x) / 3, y + (to_y - y) / 3));
                        page.place("L", (to_x - (to_x - x) / 3, to_y - (to_y - y) / 3));
                    }
                    Some((hex, direction)) => edge(page, middle(self.map, hex), direction),
                    None => {}
                }
            }
            page.tag("\"/>");
            page.end_line();
        }
    }

    /// Draws what stands on the hexes.
    fn marks(&self, page: &mut Html) {
        for look in self.map.palette.marks {
            let alike = self.tiles.iter().filter(|(.., tile)| tile.city == Some(look.sign));
            let places: Vec<_> = alike.map(|(_, (x, y), tile)| (*x, y + self.city_storey(tile))).collect();
            mark(page, look, &places);
        }
    }

    fn is_water(&self, tile: &Tile) -> bool {
        self.map.is_water(tile.ground)
    }

    /// The distance of a city's sign below the middle of its hex.
    fn city_storey(&self, tile: &Tile) -> i32 {
        match self.map.scale {
            Scale::Strategic if tile.pin.is_none() => 0,
            Scale::Strategic => -14,
            // The sign stands between the hex's number and its forces.
            Scale::Theatre if tile.name.is_empty() => -2,
            Scale::Theatre if tile.forces.is_empty() => -5,
            Scale::Theatre => -11,
        }
    }

    /// Draws the names of hexes, and the numbers of those without. A map of the whole has only the names of chief places.
    fn names(&self, page: &mut Html) {
        if self.map.scale == Scale::Strategic {
            return self.chief_names(page);
        }
        page.tag(
            "<g text-anchor=\"middle\" font-size=\"9.5\" font-weight=\"bold\" fill=\"#2b2118\" \
             stroke=\"#fbf8ef\" stroke-width=\"2\" stroke-opacity=\".7\" paint-order=\"stroke\">",
        );
        page.end_line();
        for (_, (x, y), tile) in self.tiles.iter().filter(|(.., tile)| !tile.name.is_empty()) {
            page.tag(match tile.name.len() {
                length if length <= ROOMY => "<text",
                length if length <= SNUG => "<text font-size=\"7.5\"",
                // The name is as wide as its hex, whatever the reader's font.
                _ => "<text font-size=\"7\" textLength=\"39\" lengthAdjust=\"spacingAndGlyphs\"",
            });
            at(page, *x, y + if tile.forces.is_empty() { 9 } else { 2 });
            page.prose(&tile.name);
            page.tag("</text>");
            page.end_line();
        }
        page.tag("</g>");
        page.end_line();
        page.tag("<g text-anchor=\"middle\" font-size=\"8\" fill=\"#6b5d45\">");
        page.end_line();
        let by_number = |tile: &Tile| !self.is_water(tile) && tile.name.is_empty();
        for (hex, (x, y), _) in self.tiles.iter().filter(|(.., tile)| by_number(tile)) {
            page.tag("<text");
            at(page, *x, y - 9);
            page.number(i32::from(hex.col) / 10);
            page.number(i32::from(hex.col) % 10);
            page.number(i32::from(hex.row) / 10);
            page.number(i32::from(hex.row) % 10);
            page.tag("</text>");
            page.end_line();
        }
        page.tag("</g>");
        page.end_line();
    }

    fn chief_names(&self, page: &mut Html) {
        let is_chief = |tile: &Tile| {
            tile.city.and_then(|sign| self.map.palette.mark(sign)).is_some_and(|mark| mark.chief)
        };
        page.tag(
            "<g text-anchor=\"middle\" font-size=\"11\" font-weight=\"bold\" fill=\"#2b2118\" \
             stroke=\"#fbf8ef\" stroke-width=\"3\" paint-order=\"stroke\">",
        );
        page.end_line();
        let mut written: Vec<(i32, i32, i32)> = Vec::new();
        for (_, (x, y), tile) in self.tiles.iter().filter(|(.., tile)| is_chief(tile)) {
            page.tag("<text");
            // A name may be wider than its hex, but not than the map.
            let half = i32::try_from(tile.name.len()).unwrap_or(0) * 4;
            let x = (*x).min(self.width - half).max(half);
            // Of two that would stand in each other the second goes above its hex.
            let is_taken = |line: i32| {
                let near = |(other, at, reach): &(i32, i32, i32)| {
                    (at - line).abs() < 10 && (other - x).abs() < (reach + half) * 3 / 4
                };
                written.iter().any(near)
            };
            let below = y + 17;
            let line = if is_taken(below) && !is_taken(y - 10) { y - 10 } else { below };
            written.push((x, line, half));
            at(page, x, line);
            page.prose(&tile.name);
            page.tag("</text>");
            page.end_line();
        }
        page.tag("</g>");
        page.end_line();
    }

    /// Draws a counter for each hex with forces.
    fn forces(&self, page: &mut Html) {
        let strategic = self.map.scale == Scale::Strategic;
        for face in Face::all(self.map) {
            let counters: Vec<_> = self.counters(face).collect();
            if counters.is_empty() {
                continue;
            }
            page.tag("<g ");
            frame(page, face);
            page.tag(">");
            page.end_line();
            for (_, (x, y), length) in &counters {
                let (width, height) = if strategic { (20, 16) } else { (*length * 13 / 2 + 4, 12) };
                page.tag("<rect rx=\"2.5\" width=\"");
                page.number(width);
                page.tag("\" height=\"");
                page.number(height);
                page.tag("\" x=\"");
                page.number(x - width / 2);
                page.tag("\" y=\"");
                page.number(if strategic { y - 8 } else { y + 4 });
                page.tag("\"/>");
                page.end_line();
            }
            page.tag("</g><g text-anchor=\"middle\" font-weight=\"bold\" font-size=\"");
            page.tag(if strategic { "14" } else { "9.5" });
            page.tag("\" fill=\"");
            page.prose(face.letters());
            page.tag("\">");
            page.end_line();
            for (text, (x, y), _) in &counters {
                page.tag("<text");
                at(page, *x, y + if strategic { 5 } else { 14 });
                page.prose(text);
                page.tag("</text>");
                page.end_line();
            }
            page.tag("</g>");
            page.end_line();
        }
    }

    /// The counters of one kind: text, place, and number of letters.
    fn counters<'s>(&'s self, face: Face<'s>) -> impl Iterator<Item = (String, (i32, i32), i32)> + 's {
        let tiles = self.tiles.iter().filter(move |(.., tile)| Face::of(self.map, tile) == face);
        tiles.filter_map(|(_, place, tile)| {
            let text = match self.map.scale {
                Scale::Strategic => tile.pin?.to_string(),
                Scale::Theatre => tile.forces.clone(),
            };
            let length = i32::try_from(text.len()).ok().filter(|length| *length > 0)?;
            Some((text, *place, length))
        })
    }

    /// Draws a frame around each part that another map shows.
    fn frames(&self, page: &mut Html) {
        if self.map.scale == Scale::Theatre || self.map.frames.is_empty() {
            return;
        }
        page.tag(FRAME);
        for frame in &self.map.frames {
            let [(left, top), (right, bottom)] = measures::frame(self.map, *frame);
            page.place("M", (left, top));
            for place in [(right, top), (right, bottom), (left, bottom)] {
                page.place("L", place);
            }
            page.tag("z");
        }
        page.tag("\"/>");
        page.end_line();
    }

    /// Draws the numbers of columns above and below, and those of rows at both sides.
    fn rulers(&self, page: &mut Html) {
        page.tag("<g text-anchor=\"middle\" font-size=\"10\" fill=\"#6b5d45\">");
        page.end_line();
        let (first, last) = (self.map.first, self.map.last);
        let bottom = middle(self.map, last).1 + HIGH + 12;
        for col in first.col..=last.col {
            let (x, _) = middle(self.map, Hex::new(col, first.row));
            for y in [12, bottom] {
                page.tag("<text");
                at(page, x, y);
                page.number(col.into());
                page.tag("</text>");
            }
            page.end_line();
        }
        for row in first.row..=last.row {
            let (_, y) = middle(self.map, Hex::new(first.col, row));
            for x in [9, self.width - 9] {
                page.tag("<text");
                at(page, x, y + 4);
                page.number(row.into());
                page.tag("</text>");
            }
            page.end_line();
        }
        page.tag("</g>");
        page.end_line();
    }
}
