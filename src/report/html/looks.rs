//! The appearance of ground, cities and holders on a drawn map.

use super::writer::Html;
use musterd_engine::briefing::Tile;

/// Whose forces a counter shows: they differ even without colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counter {
    /// The reader's: filled.
    Own,
    /// Others' in sight: outlined.
    Others,
    /// Others' out of sight, as they were last seen: with a broken outline.
    Remembered,
}

impl Counter {
    pub(super) const ALL: [Self; 3] = [Self::Own, Self::Others, Self::Remembered];

    /// Whose forces are in a hex, if there are any.
    pub(super) const fn of(tile: &Tile) -> Self {
        match tile {
            Tile { own: true, .. } => Self::Own,
            Tile { remembered: true, .. } => Self::Remembered,
            Tile { .. } => Self::Others,
        }
    }

    /// The attributes of its frame.
    pub(super) const fn frame(self) -> &'static str {
        match self {
            Self::Own => "fill=\"#1f3f77\" stroke=\"#fff\" stroke-width=\".8\"",
            Self::Others => "fill=\"#fff\" stroke=\"#b3261e\" stroke-width=\"1.6\"",
            Self::Remembered => {
                "fill=\"#fbf8ef\" stroke=\"#6b5d45\" stroke-width=\"1.2\" stroke-dasharray=\"2.5 2\""
            }
        }
    }

    /// The colour of its letters.
    pub(super) const fn letters(self) -> &'static str {
        match self {
            Self::Own => "#fff",
            Self::Others => "#9c1c15",
            Self::Remembered => "#6b5d45",
        }
    }
}

/// The outline of a bridge: two rails with planks between them.
const BRIDGE: &str = "m-7-7v24m14-24v24m-14-21h14m-14 6h14m-14 6h14m-14 6h14";

/// The outline of a hex, from its upper point.
pub(super) const OUTLINE: &str = "l20 12v22l-20 12-20-12v-22z";

/// The appearance of a kind of ground.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Its sign.
    pub(super) sign: char,
    /// Its name in a legend, if the map gives none.
    pub(super) meaning: &'static str,
    /// The colour of its hexes.
    pub(super) colour: &'static str,
    /// The drawing in each of its hexes, from the middle.
    pattern: &'static str,
    /// The colour that fills the drawing.
    fill: &'static str,
    /// The colour and width of the drawing's lines.
    stroke: (&'static str, &'static str),
}

impl Look {
    const fn new(sign: char, meaning: &'static str, colour: &'static str) -> Self {
        Self { sign, meaning, colour, pattern: "", fill: "none", stroke: ("none", "0") }
    }

    const fn filled(self, pattern: &'static str, fill: &'static str) -> Self {
        Self { pattern, fill, ..self }
    }

    const fn lined(self, pattern: &'static str, colour: &'static str, width: &'static str) -> Self {
        Self { pattern, stroke: (colour, width), ..self }
    }

    /// Draws the pattern in the hexes with these middles.
    pub(super) fn draw(&self, page: &mut Html, middles: &[(i32, i32)]) {
        if self.pattern.is_empty() {
            return;
        }
        page.tag("<path fill=\"");
        page.tag(self.fill);
        page.tag("\" stroke=\"");
        page.tag(self.stroke.0);
        page.tag("\" stroke-width=\"");
        page.tag(self.stroke.1);
        page.tag("\" d=\"");
        for middle in middles {
            page.place("M", *middle);
            page.tag(self.pattern);
        }
        page.tag("\"/>");
        page.end_line();
    }
}

/// The kinds of ground; any other ground is drawn as the first of them.
pub(super) const GROUNDS: [Look; 12] = [
    Look::new(' ', "clear", "#f1e8d0"),
    Look::new('f', "forest", "#d5e0b8").filled("m-13 12l4-7 4 7zm9-12l4-7 4 7zm9 12l4-7 4 7z", "#9db56d"),
    Look::new('F', "wooded heights", "#c9d3a4")
        .filled("m-13 12l4-9 4 9zm9-12l4-9 4 9zm9 12l4-9 4 9z", "#7f9a55"),
    Look::new('n', "hills", "#ebdcb6").lined("m-15 6q7-13 14 0m2 0q7-13 14 0", "#b39463", "1.6"),
    Look::new('^', "mountains", "#dfcfb2").lined("m-15 8l6-11 5 9m-1-2l6-12 8 15", "#b39463", "1.6"),
    Look::new(',', "bushes", "#e6e6c4").lined("m-11 7h5m7-6h5m-14-6h5m8 12h5", "#9db56d", "2"),
    Look::new(':', "sand", "#f5e3ae").lined("m-10 5h2m6 4h2m6-7h2m-14-6h2m8 1h2", "#c0a050", "2"),
    Look::new('*', "snow", "#f8fafc"),
    Look::new('=', "road", "#f1e8d0").lined("m-16 0h32", "#b09468", "4"),
    Look::new('%', "marsh", "#d3ddd0").lined("m-13 8h8m2-4h8m-16-6h7m5 11h8", "#93ab97", "1.4"),
    Look::new('~', "sea", "#c6dcea"),
    Look::new('H', "bridge", "#c6dcea").lined(BRIDGE, "#8a5a2b", "2.2"),
];

/// The colours of hexes that others hold, by their sign: the second enemy side, and hexes that are cut off or held by others.
pub(super) const HOLDERS: [(char, &str); 2] = [('\'', "#6a3d9a"), ('-', "#666666")];

/// The colour of hexes that any other holder has.
pub(super) const HELD: &str = "#b3261e";

/// Draws the cities: dots for minor cities, squares for major ones, a ring in a square for capitals, a square in a square for strongholds. Each is a
/// line without length, which is as large as its pen.
pub(super) fn cities(page: &mut Html, cities: &[(char, (i32, i32))]) {
    const DARK: &str = "<path fill=\"none\" stroke=\"#2b2118\" stroke-linecap=\"";
    const LIGHT: &str = "<path fill=\"none\" stroke=\"#fff\" stroke-linecap=\"";
    let layers = [
        ("o", DARK, "round\" stroke-width=\"8\" d=\""),
        ("o", LIGHT, "round\" stroke-width=\"4.6\" d=\""),
        ("@", DARK, "square\" stroke-width=\"8\" d=\""),
        ("*", DARK, "square\" stroke-width=\"12\" d=\""),
        ("#", DARK, "square\" stroke-width=\"12\" d=\""),
        ("#", LIGHT, "square\" stroke-width=\"6.5\" d=\""),
        ("#", DARK, "square\" stroke-width=\"3\" d=\""),
        ("*", LIGHT, "round\" stroke-width=\"8.5\" d=\""),
        ("*", DARK, "round\" stroke-width=\"4\" d=\""),
    ];
    for (sign, look, pen) in layers {
        let has = |city: char| sign.contains(city) || (sign == "o" && !"*@#".contains(city));
        let mut cities = cities.iter().filter(|(city, _)| has(*city)).peekable();
        if cities.peek().is_none() {
            continue;
        }
        page.tag(look);
        page.tag(pen);
        for (_, place) in cities {
            page.place("M", *place);
            page.tag("h.1");
        }
        page.tag("\"/>");
        page.end_line();
    }
}

/// Whether a kind of ground has an appearance of its own.
pub(super) fn is_known(ground: char) -> bool {
    GROUNDS.iter().any(|look| look.sign == ground)
}

/// The colour of hexes whose holder has this sign.
pub(super) fn colour_of(sign: char) -> &'static str {
    HOLDERS.iter().find(|(known, _)| *known == sign).map_or(HELD, |(_, colour)| colour)
}
