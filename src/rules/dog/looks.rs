//! How the signs on the maps look.

use super::model::Terrain;
use musterd_engine::palette::{Ground, Palette};
use musterd_kit::palette::{
    BRIDGE, BUSHES, CROSSING, FOREST, HILLS, IN_REACH, MAJOR_CITY, MARSH, MINOR_CITY, MOUNTAINS, ROAD, SAND,
    SEA, SNOW, STRONGHOLD, WOODED_HEIGHTS,
};

pub(crate) const PALETTE: Palette = Palette {
    grounds: &[
        Ground::CLEAR,
        FOREST,
        WOODED_HEIGHTS,
        HILLS,
        MOUNTAINS,
        BUSHES,
        SAND,
        SNOW,
        ROAD,
        MARSH.called("swamp"),
        SEA.called("water"),
        BRIDGE,
    ],
    marks: &[MINOR_CITY.called("earthwork"), MAJOR_CITY.called("castle"), STRONGHOLD],
    sides: &[CROSSING],
    holders: &[IN_REACH],
    ..Palette::PLAIN
};

/// The terrains that the palette has a look of.
pub(crate) const DRAWN: [&str; 8] = ["clear", "bushes", "forest", "road", "sand", "snow", "swamp", "water"];

/// What else stands on maps: no terrain of an author's own has these signs.
pub(crate) const RESERVED: &str = "nF^Ho@#|+";

/// The look of a terrain in the palette.
pub(crate) fn drawn(terrain: Terrain) -> Option<Ground<'static>> {
    let word = DRAWN.into_iter().find(|word| *word == terrain.word())?;
    PALETTE.grounds.iter().find(|ground| ground.meaning == word).copied()
}

/// The sign of a terrain on maps: that of the palette, or the one that it has in battle files.
pub(crate) fn sign(terrain: Terrain, in_files: char) -> char {
    drawn(terrain).map_or(in_files, |ground| ground.sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_that_is_no_terrain_is_reserved() {
        let terrains: Vec<char> =
            DRAWN.into_iter().map(|word| drawn(Terrain::of(word).unwrap()).unwrap().sign).collect();
        let others = PALETTE.grounds.iter().map(|ground| ground.sign).filter(|sign| !terrains.contains(sign));
        for sign in others.chain(PALETTE.marks.iter().map(|mark| mark.sign)) {
            assert!(RESERVED.contains(sign), "{sign}");
        }
    }
}
