//! Looks that maps of many games have: a ruleset picks those that it needs for its palette, under its own names.

use musterd_engine::palette::{Dot, Edge, Ground, Holder, Mark};

/// The colours of terrains of an author's own that have none of their own, in turn.
pub const OTHERS: [&str; 4] = ["#e0c4b0", "#cfc7dd", "#c7ddd6", "#e6c8cf"];

/// Trees.
pub const FOREST: Ground<'static> =
    Ground::plain('f', "forest", "#d5e0b8").filled("m-13 12l4-7 4 7zm9-12l4-7 4 7zm9 12l4-7 4 7z", "#9db56d");
/// Higher trees.
pub const WOODED_HEIGHTS: Ground<'static> = Ground::plain('F', "wooded heights", "#c9d3a4")
    .filled("m-13 12l4-9 4 9zm9-12l4-9 4 9zm9 12l4-9 4 9z", "#7f9a55");
/// Round tops.
pub const HILLS: Ground<'static> =
    Ground::plain('n', "hills", "#ebdcb6").lined("m-15 6q7-13 14 0m2 0q7-13 14 0", "#b39463", "1.6");
/// Peaks.
pub const MOUNTAINS: Ground<'static> =
    Ground::plain('^', "mountains", "#dfcfb2").lined("m-15 8l6-11 5 9m-1-2l6-12 8 15", "#b39463", "1.6");
/// Tufts.
pub const BUSHES: Ground<'static> =
    Ground::plain(',', "bushes", "#e6e6c4").lined("m-11 7h5m7-6h5m-14-6h5m8 12h5", "#9db56d", "2");
/// Grains.
pub const SAND: Ground<'static> =
    Ground::plain(':', "sand", "#f5e3ae").lined("m-10 5h2m6 4h2m6-7h2m-14-6h2m8 1h2", "#c0a050", "2");
/// White.
pub const SNOW: Ground<'static> = Ground::plain('*', "snow", "#f8fafc");
/// A road through the hex.
pub const ROAD: Ground<'static> = Ground::plain('=', "road", "#f1e8d0").lined("m-16 0h32", "#b09468", "4");
/// Reeds.
pub const MARSH: Ground<'static> =
    Ground::plain('%', "marsh", "#d3ddd0").lined("m-13 8h8m2-4h8m-16-6h7m5 11h8", "#93ab97", "1.4");
/// Open water.
pub const SEA: Ground<'static> = Ground { water: true, ..Ground::plain('~', "sea", "#c6dcea") };
/// Two rails with planks between them, over water.
pub const BRIDGE: Ground<'static> = Ground::plain('H', "bridge", "#c6dcea").lined(
    "m-7-7v24m14-24v24m-14-21h14m-14 6h14m-14 6h14m-14 6h14",
    "#8a5a2b",
    "2.2",
);

/// The colour of what stands on hexes.
pub const DARK: &str = "#2b2118";
/// The colour of holes in it.
pub const LIGHT: &str = "#fff";

/// A round dot.
#[must_use]
pub const fn round(width: &'static str, colour: &'static str) -> Dot {
    Dot { square: false, width, colour }
}

/// A square dot.
#[must_use]
pub const fn square(width: &'static str, colour: &'static str) -> Dot {
    Dot { square: true, width, colour }
}

/// A ring in a square.
pub const CAPITAL: Mark = Mark {
    sign: '*',
    meaning: "capital",
    dots: &[square("12", DARK), round("8.5", LIGHT), round("4", DARK)],
    chief: true,
};
/// A square in a square.
pub const STRONGHOLD: Mark = Mark {
    sign: '#',
    meaning: "stronghold",
    dots: &[square("12", DARK), square("6.5", LIGHT), square("3", DARK)],
    chief: false,
};
/// A square.
pub const MAJOR_CITY: Mark =
    Mark { sign: '@', meaning: "major city", dots: &[square("8", DARK)], chief: false };
/// A ring.
pub const MINOR_CITY: Mark =
    Mark { sign: 'o', meaning: "minor city", dots: &[round("8", DARK), round("4.6", LIGHT)], chief: false };

/// Water along a hex side.
pub const RIVER: Edge =
    Edge { sign: '#', level: "==", meaning: "river", colour: "#3f7fb5", width: "3.4", across: false };
/// A wall along a hex side.
pub const BLOCKED: Edge =
    Edge { sign: 'X', level: "XX", meaning: "can't be passed", colour: "#5a4632", width: "4", across: false };
/// A bridge over a hex side.
pub const CROSSING: Edge = Edge {
    sign: 'H',
    level: "HH",
    meaning: "bridge between two hexes",
    colour: "#8a5a2b",
    width: "6",
    across: true,
};

/// A second enemy.
pub const SECOND_ENEMY: Holder = Holder { sign: '\'', meaning: "held by others", colour: "#6a3d9a" };
/// The reader's, and out of supply.
pub const CUT_OFF: Holder = Holder { sign: '-', meaning: "cut off", colour: "#666666" };
/// In reach of the unit that is asked about.
pub const IN_REACH: Holder = Holder { sign: '/', meaning: "in reach", colour: "#2e7d32" };
