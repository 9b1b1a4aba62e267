//! Draws ground, marks, hex sides and counters as the palette of a map has them.

use super::writer::Html;
use musterd_engine::briefing::{Map, Tile};
use musterd_engine::palette::{Counter, Drawing, Edge, Ground, Mark, Palette};

/// Whose forces a counter shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The reader's.
    Own,
    /// Others' in sight.
    Others,
    /// Others' out of sight, as they were last seen.
    Remembered,
}

impl Whose {
    pub(super) const ALL: [Self; 3] = [Self::Own, Self::Others, Self::Remembered];

    /// Whose forces are in a hex, if there are any.
    pub(super) const fn of(tile: &Tile) -> Self {
        match tile {
            Tile { own: true, .. } => Self::Own,
            Tile { remembered: true, .. } => Self::Remembered,
            Tile { .. } => Self::Others,
        }
    }

    /// How it looks.
    pub(super) const fn look(self, palette: &'static Palette) -> &'static Counter {
        match self {
            Self::Own => &palette.own,
            Self::Others => &palette.others,
            Self::Remembered => &palette.remembered,
        }
    }
}

/// Writes the attributes of a counter's frame.
pub(super) fn frame(page: &mut Html, counter: &Counter) {
    page.tag("fill=\"");
    page.tag(counter.fill);
    page.tag("\" stroke=\"");
    page.tag(counter.line);
    page.tag("\" stroke-width=\"");
    page.tag(counter.width);
    page.tag(if counter.broken { "\" stroke-dasharray=\"2.5 2\"" } else { "\"" });
}

/// The beginning of a path around parts that other maps show.
pub(super) const FRAME: &str =
    "<path fill=\"none\" stroke=\"#2b2118\" stroke-width=\"2\" stroke-dasharray=\"7 4\" d=\"";

/// The outline of a hex, from its upper point.
pub(super) const OUTLINE: &str = "l20 12v22l-20 12-20-12v-22z";

/// The kinds of ground of a map with their hexes: clear ground stands for signs that it doesn't have.
pub(super) fn grounds(map: &Map) -> impl Iterator<Item = (Ground<'_>, impl Fn(&Tile) -> bool)> {
    let clear = map.ground(' ').unwrap_or(Ground::CLEAR);
    let others = map.grounds().filter(move |ground| ground.sign != ' ');
    std::iter::once(clear).chain(others).map(move |ground| {
        let is_here = move |tile: &Tile| match map.ground(tile.ground) {
            Some(known) => known.sign == ground.sign,
            None => ground.sign == ' ',
        };
        (ground, is_here)
    })
}

/// Draws what is in the hexes of a ground, from their middles.
pub(super) fn drawing(page: &mut Html, drawing: &Drawing, middles: &[(i32, i32)]) {
    if drawing.path.is_empty() {
        return;
    }
    page.tag("<path fill=\"");
    page.tag(drawing.fill);
    page.tag("\" stroke=\"");
    page.tag(drawing.line);
    page.tag("\" stroke-width=\"");
    page.tag(drawing.width);
    page.tag("\" d=\"");
    for middle in middles {
        page.place("M", *middle);
        page.tag(drawing.path);
    }
    page.tag("\"/>");
    page.end_line();
}

/// Draws a mark at these places. Each of its dots is a line without length, which is as large as its pen.
pub(super) fn mark(page: &mut Html, mark: &Mark, places: &[(i32, i32)]) {
    for dot in mark.dots.iter().filter(|_| !places.is_empty()) {
        page.tag("<path fill=\"none\" stroke=\"");
        page.tag(dot.colour);
        page.tag(if dot.square { "\" stroke-linecap=\"square" } else { "\" stroke-linecap=\"round" });
        page.tag("\" stroke-width=\"");
        page.tag(dot.width);
        page.tag("\" d=\"");
        for place in places {
            page.place("M", *place);
            page.tag("h.1");
        }
        page.tag("\"/>");
        page.end_line();
    }
}

/// The beginning of a path along hex sides of a kind, up to its places.
pub(super) fn side(page: &mut Html, edge: &Edge) {
    page.tag("<path fill=\"none\" stroke=\"");
    page.tag(edge.colour);
    page.tag("\" stroke-width=\"");
    page.tag(edge.width);
    page.tag(if edge.across { "\" d=\"" } else { "\" stroke-linecap=\"round\" d=\"" });
}
