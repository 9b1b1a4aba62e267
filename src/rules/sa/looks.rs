//! How the signs on the maps look.

use musterd_engine::palette::{Ground, Palette};
use musterd_kit::palette::{BRIDGE, FOREST, HILLS, MOUNTAINS, SEA, WOODED_HEIGHTS};

pub(crate) const PALETTE: Palette = Palette {
    grounds: &[
        Ground::CLEAR,
        FOREST.called("light woods"),
        WOODED_HEIGHTS.called("heavy woods"),
        HILLS.called("low hills"),
        Ground::plain('N', "high hills", "#e2cfa2").lined("m-12 7q12-26 24 0", "#96733f", "2.2"),
        MOUNTAINS.called("mountain"),
        SEA.called("water"),
        BRIDGE,
    ],
    ..Palette::PLAIN
};
