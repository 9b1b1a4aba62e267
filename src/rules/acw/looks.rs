//! How the signs on the maps look.

use musterd_engine::palette::{Dot, Drawing, Edge, Ground, Holder, Mark, Palette};
use musterd_kit::palette::{
    BUSHES, DARK, FOREST, HILLS, IN_REACH, LIGHT, MARSH, RIVER, SEA, WOODED_HEIGHTS, round, square,
};

use crate::model::{Arm, Crossing, Water};

/// Whoever controls a hex that is not the reader's.
pub(crate) const ENEMY: Holder = Holder { sign: '\'', meaning: "the enemy controls it", colour: "#b3261e" };

/// An objective.
pub(crate) const OBJECTIVE: Mark = Mark {
    sign: '*',
    meaning: "objective",
    dots: &[square("12", DARK), square("8.5", LIGHT), square("4.5", DARK)],
    chief: true,
};

/// Works that stand from the start.
pub(crate) const WORKS: Mark =
    Mark { sign: '#', meaning: "works", dots: &[square("13", DARK), square("10", LIGHT)], chief: false };

const fn edge(
    sign: char,
    level: &'static str,
    meaning: &'static str,
    colour: &'static str,
    width: &'static str,
    across: bool,
) -> Edge {
    Edge { sign, level, meaning, colour, width, across }
}

pub(crate) const ROAD: Edge = edge('-', "--", "road", "#a8875a", "4", true);
pub(crate) const RAIL: Edge = edge('+', "++", "railroad", "#4a4038", "3", true);
pub(crate) const STREAM: Edge = edge('~', "~~", "stream", "#7fb2d9", "2.4", false);
pub(crate) const BRIDGE: Edge = edge('H', "HH", "bridge", "#8a5a2b", "7", true);
pub(crate) const FORD: Edge = edge(':', "::", "ford", "#b7cfe0", "7", true);
pub(crate) const PONTOON: Edge = edge('P', "PP", "pontoon bridge", "#6d6d6d", "7", true);

/// The side of a hex with a crossing.
pub(crate) const fn crossing(crossing: Crossing) -> Edge {
    match crossing {
        Crossing::Bridge => BRIDGE,
        Crossing::Ford => FORD,
        Crossing::Pontoon => PONTOON,
    }
}

/// The side of a hex with water.
pub(crate) const fn water(water: Water) -> Edge {
    match water {
        Water::Stream => STREAM,
        Water::River => RIVER,
    }
}

pub(crate) const PALETTE: Palette = Palette {
    grounds: &[
        Ground::CLEAR,
        Ground { sign: ',', meaning: "fields", ..BUSHES },
        Ground { sign: 'o', meaning: "orchard", ..FOREST },
        Ground::plain('l', "light woods", "#dfe8c6").filled("m-11 10l4-7 4 7zm10-8l4-7 4 7z", "#b3c98a"),
        FOREST.called("woods"),
        WOODED_HEIGHTS.called("heavy woods"),
        Ground { sign: '^', meaning: "hill crest", ..HILLS },
        Ground::plain('v', "ravine", "#d8d2b8").lined("m-12-6l8 12 8-12 8 12", "#8d8360", "1.8"),
        MARSH.called("swamp"),
        Ground::plain('+', "town", "#eadfd2").filled("m-10-8h8v7h-8zm12 2h8v7h-8zm-9 9h8v7h-8z", "#8c6a55"),
        Ground::plain('=', "sunken road", "#e5dcc4").lined("m-16-3h32m-32 6h32", "#7d6a4a", "2"),
        SEA.called("deep water"),
    ],
    marks: &[
        OBJECTIVE,
        WORKS,
        symbol(Arm::Infantry),
        symbol(Arm::MountedInfantry),
        symbol(Arm::Cavalry),
        symbol(Arm::Artillery),
    ],
    sides: &[STREAM, RIVER, ROAD, RAIL, BRIDGE, FORD, PONTOON],
    holders: &[ENEMY, IN_REACH],
    ..Palette::PLAIN
};

/// The symbol of a type of brigade.
pub(crate) const fn symbol(arm: Arm) -> Mark {
    let (sign, dots): (char, &'static [Dot]) = match arm {
        Arm::Infantry => ('i', const { &[square("8", DARK)] }),
        Arm::MountedInfantry => ('m', const { &[square("8", DARK), round("4", LIGHT)] }),
        Arm::Cavalry => ('c', const { &[square("8", DARK), square("5.5", LIGHT)] }),
        Arm::Artillery => ('a', const { &[round("8", DARK)] }),
    };
    Mark { sign, meaning: arm.words(), dots, chief: false }
}

/// The drawing of a ground that an author added.
pub(crate) const PLAIN: Drawing = Drawing::NONE;
