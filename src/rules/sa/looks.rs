//! How the signs on the maps look.

use musterd_engine::palette::{Dot, Ground, Mark, Palette};
use musterd_kit::palette::{
    BRIDGE, DARK, FOREST, HILLS, IN_REACH, LIGHT, MOUNTAINS, SEA, WOODED_HEIGHTS, round, square,
};

use crate::model::UnitType;

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
    marks: &[
        symbol(UnitType::Hi),
        symbol(UnitType::Lhi),
        symbol(UnitType::Mi),
        symbol(UnitType::Lmi),
        symbol(UnitType::Li),
        symbol(UnitType::Ehc),
        symbol(UnitType::Hc),
        symbol(UnitType::Mc),
        symbol(UnitType::Lc),
    ],
    holders: &[IN_REACH],
    ..Palette::PLAIN
};

/// The symbol of a type of unit: small letters and discs for foot, large letters and squares for horse; the heavier, the darker.
pub(crate) const fn symbol(kind: UnitType) -> Mark {
    let (sign, dots): (char, &'static [Dot]) = match kind {
        UnitType::Hi => ('h', const { &[round("9", DARK)] }),
        UnitType::Lhi => ('g', const { &[round("9", DARK), round("3", LIGHT)] }),
        UnitType::Mi => ('m', const { &[round("9", DARK), round("5", LIGHT)] }),
        UnitType::Lmi => ('j', const { &[round("9", DARK), round("7", LIGHT), round("3", DARK)] }),
        UnitType::Li => ('l', const { &[round("9", DARK), round("7", LIGHT)] }),
        UnitType::Ehc => ('X', const { &[square("11", DARK), square("8.5", LIGHT), square("7", DARK)] }),
        UnitType::Hc => ('K', const { &[square("8", DARK)] }),
        UnitType::Mc => ('M', const { &[square("8", DARK), square("4.5", LIGHT)] }),
        UnitType::Lc => ('L', const { &[square("8", DARK), square("6.4", LIGHT)] }),
    };
    Mark { sign, meaning: kind.words(), dots, chief: false }
}

/// A type of unit with its symbol: `h HI`.
pub(crate) fn coded(kind: UnitType) -> String {
    format!("{} {}", symbol(kind).sign, kind.word())
}
