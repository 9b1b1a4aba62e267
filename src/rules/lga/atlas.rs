//! The map on a page: ground, cities, rivers and who controls what, without units.

use std::collections::BTreeMap;

use super::data::Lga;
use super::map::{Area, Map};
use super::model::{Arm, OwnTerrain, Terrain};
use musterd_engine::briefing::{Map as Sheet, Scale, Side, Tile};
use musterd_engine::hex::Hex;
use musterd_engine::palette::{AddedGround, Ground, Holder, Palette};
use musterd_kit::palette::{
    BLOCKED, CAPITAL, CUT_OFF, FOREST, IN_REACH, MAJOR_CITY, MARSH, MINOR_CITY, MOUNTAINS, OTHERS, RIVER,
    SEA, SECOND_ENEMY,
};

/// The signs of the hexes that the enemies hold, by their order.
pub(super) const ENEMY_SIGNS: [char; 2] = [':', SECOND_ENEMY.sign];
/// The sign of an own hex without supply.
pub(super) const CUT_OFF_SIGN: char = CUT_OFF.sign;

/// How the signs on the maps look.
pub(super) const PALETTE: Palette = Palette {
    grounds: &[Ground::CLEAR, FOREST, MOUNTAINS, MARSH, SEA],
    marks: &[CAPITAL, MAJOR_CITY, MINOR_CITY],
    sides: &[RIVER, BLOCKED],
    holders: &[Holder { sign: ENEMY_SIGNS[0], ..Palette::PLAIN.held }, SECOND_ENEMY, CUT_OFF, IN_REACH],
    ..Palette::PLAIN
};

/// The first and the last hex that a sheet shows: their columns and rows, and those between.
pub(super) type Frame = (Hex, Hex);

/// The least frame with all hexes in play.
pub(super) fn bounds(rules: &Lga) -> Frame {
    let in_play = rules.scenario.control.keys().copied();
    Hex::least_rectangle(in_play).unwrap_or((Hex::new(1, 1), rules.map.last()))
}

/// A part of a scenario's map; `sign` marks who holds a hex.
pub(super) fn sheet(rules: &Lga, scale: Scale, frame: Frame, sign: impl Fn(Hex) -> Option<char>) -> Sheet {
    let closed = |hex: Hex| !rules.scenario.in_play(hex);
    draw(&rules.map, scale, frame, sign, closed)
}

/// Of a piece its arm, whether it is the garrison, and its modifier.
type Piece = (Arm, bool, i8);

/// A stack in five characters: nation, units, `g` with a garrison, `!` out of supply, `+2` with an HQ.
pub(super) fn forces(letter: char, pieces: &[Piece], is_cut_off: bool) -> String {
    let (hqs, units): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(|(arm, ..)| *arm == Arm::Hq);
    let mut text = letter.to_string();
    if !units.is_empty() {
        text.push_str(&units.len().to_string());
    }
    if pieces.iter().any(|(_, garrison, _)| *garrison) {
        text.push('g');
    }
    if is_cut_off {
        text.push('!');
    }
    // An HQ needs two characters. If the stack leaves no room for them, only the order of battle mentions it.
    if let Some((.., best)) = hqs.iter().max_by_key(|(.., by)| *by).filter(|_| text.len() <= 3) {
        text.push_str(&format!("{best:+}"));
    }
    text
}

/// The whole of a map without a scenario.
pub(super) fn bare(map: &Map, scale: Scale) -> Sheet {
    draw(map, scale, (Hex::new(1, 1), map.last()), |_| None, |_| false)
}

fn draw(
    map: &Map,
    scale: Scale,
    frame: Frame,
    sign: impl Fn(Hex) -> Option<char>,
    closed: impl Fn(Hex) -> bool,
) -> Sheet {
    let hexes = map.hexes().filter(|hex| hex.is_within(frame));
    let tile = |hex: Hex, area: &Area| Tile {
        control: sign(hex),
        closed: area.terrain == Terrain::Prohibited || (area.terrain != Terrain::Sea && closed(hex)),
        ..ground(area)
    };
    let tiles: BTreeMap<Hex, Tile> = hexes.filter_map(|hex| Some((hex, tile(hex, map.area(hex)?)))).collect();
    let shown = |a: &Hex, b: &Hex| tiles.contains_key(a) || tiles.contains_key(b);
    let rivers = map.rivers().map(|(a, b, _)| (a, b, RIVER.sign));
    let blocked = map.blocked_sides().map(|(a, b)| (a, b, BLOCKED.sign));
    let sides = rivers.chain(blocked).filter(|(a, b, _)| shown(a, b));
    let sides = sides.map(|(a, b, sign)| Side { a, b, sign }).collect();
    let (first, last) = frame;
    Sheet { first, last, sides, added: added(map), ..Sheet::of(&PALETTE, scale, tiles) }
}

/// How a terrain of the rules looks.
const fn look(terrain: Terrain) -> Ground<'static> {
    match terrain {
        Terrain::Clear | Terrain::Prohibited => Ground::CLEAR,
        Terrain::Forest => FOREST,
        Terrain::Mountain => MOUNTAINS,
        Terrain::Marsh => MARSH,
        Terrain::Sea => SEA,
    }
}

/// How the terrains look that are none of the rules' own: drawn as those that they count as, in colours of their own.
fn added(map: &Map) -> Vec<AddedGround> {
    let colours = OTHERS.into_iter().cycle();
    let looks = own_terrains(map).into_iter().zip(colours).map(|(own, colour)| {
        let Ground { drawing, water, .. } = look(own.like);
        AddedGround {
            sign: own.sign,
            meaning: own.word().to_owned(),
            colour: colour.to_owned(),
            drawing,
            water,
        }
    });
    looks.collect()
}

/// The terrain and the city of a hex.
fn ground(area: &Area) -> Tile {
    Tile {
        ground: area.own_terrain.map_or_else(|| look(area.terrain).sign, |own| own.sign),
        city: area.city.as_ref().map(|city| city.rank.sign()),
        name: area.city.as_ref().map_or_else(String::new, |city| city.short.clone()),
        ..Tile::default()
    }
}

/// The signs of cities and ground on a map of the whole, for its legend.
pub(super) fn grounds(map: &Map) -> Vec<(String, String)> {
    let mut grounds: Vec<(String, String)> = [
        ("* @ o", "capital, major, minor city"),
        (". f", "clear, forest"),
        ("^ % ~", "mountains, marsh, sea"),
    ]
    .map(|(sign, meaning)| (sign.to_owned(), meaning.to_owned()))
    .into();
    grounds.extend(own_terrains(map).into_iter().map(|own| (own.sign.to_string(), own.word().to_owned())));
    grounds
}

/// The terrains on a map that are none of the rules' own.
pub(super) fn own_terrains(map: &Map) -> Vec<OwnTerrain> {
    let all = map.hexes().filter_map(|hex| map.area(hex)?.own_terrain);
    let by_sign: BTreeMap<char, OwnTerrain> = all.map(|own| (own.sign, own)).collect();
    by_sign.into_values().collect()
}
