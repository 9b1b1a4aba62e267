//! Draws ground, marks, hex sides and counters as the palette of a map has them.

use super::writer::Html;
use musterd_engine::briefing::{Map, Tile};
use musterd_engine::palette::{AddedCounter, Counter, Drawing, Edge, Ground, Mark, Palette, contrast};

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

/// How the counter of some forces looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Face<'m> {
    /// The palette's, whose outline tells own, others' and remembered forces apart.
    pub(super) counter: &'static Counter,
    /// The look that the game's files give it; none to forces as they were last seen.
    pub(super) added: Option<&'m AddedCounter>,
}

impl<'m> Face<'m> {
    /// The counter of a hex.
    pub(super) fn of(map: &'m Map, tile: &Tile) -> Self {
        let whose = Whose::of(tile);
        let added = map.counter(tile).filter(|_| whose != Whose::Remembered);
        Self { counter: whose.look(map.palette), added }
    }

    /// The counters of a map, the reader's first, and of each side first those with the look of the palette.
    pub(super) fn all(map: &'m Map) -> Vec<Self> {
        let looks = || std::iter::once(None).chain(map.counters.iter().map(Some));
        let of = |whose: Whose| {
            let counter = whose.look(map.palette);
            let looks = looks().take(if whose == Whose::Remembered { 1 } else { usize::MAX });
            looks.map(move |added| Self { counter, added })
        };
        Whose::ALL.into_iter().flat_map(of).collect()
    }

    /// What it means.
    pub(super) fn meaning(self) -> &'m str {
        self.added.map_or(self.counter.meaning, |added| added.meaning.as_str())
    }

    fn colours(self) -> Option<(&'m str, &'m str)> {
        let (fill, letters) = self.added?.colours.as_ref()?;
        Some((fill, letters))
    }

    /// The colour of its letters.
    pub(super) fn letters(self) -> &'m str {
        self.colours().map_or(self.counter.letters, |(_, letters)| letters)
    }
}

/// The least contrast of a counter with its outline; with less the outline has the colour of the letters.
const OUTLINED: u32 = 150;

/// Writes the attributes of a counter's frame.
pub(super) fn frame(page: &mut Html, face: Face<'_>) {
    let (fill, line) = match face.colours() {
        Some((fill, letters)) if contrast(fill, face.counter.line) < Some(OUTLINED) => (fill, letters),
        Some((fill, _)) => (fill, face.counter.line),
        None => (face.counter.fill, face.counter.line),
    };
    let counter = face.counter;
    page.tag("fill=\"");
    page.prose(fill);
    page.tag("\" stroke=\"");
    page.prose(line);
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
