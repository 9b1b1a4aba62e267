//! The field: its ground, what is built on it, who is seen where.

use std::collections::BTreeMap;

use super::super::battle::Ground;
use super::super::data::Dog;
use super::super::model::{Fortification, Relief, Terrain};
use super::super::view::View;
use super::section;
use crate::engine::briefing::{Map, Part, Scale, Section, Side, SideKind, Tile};
use crate::hex::Hex;
use crate::report::map::{HIGHEST, MOST_COLUMNS};

/// The signs of the ground; clear ground has none.
const GROUND: [(char, &str); 10] = [
    ('f', "forest"),
    ('F', "wooded heights"),
    ('n', "hills"),
    ('^', "mountains"),
    (',', "bushes"),
    (':', "sand"),
    ('*', "snow"),
    ('=', "road"),
    ('%', "swamp"),
    ('~', "water"),
];
/// The signs of what is built.
const BUILT: [(char, &str); 3] = [('o', "earthwork"), ('@', "castle"), ('#', "stronghold")];

/// The sheets of the field, from the north-west: as many as it needs.
pub(in crate::rules::dog) fn sheets(rules: &Dog, view: &View) -> Vec<Section> {
    let field = &rules.battle().field;
    let mut sheets = Vec::new();
    let wide = field.columns.div_ceil(MOST_COLUMNS).max(1);
    let each = field.columns.div_ceil(wide).max(1);
    for top in (1..=field.rows).step_by(usize::from(HIGHEST)) {
        for left in (1..=field.columns).step_by(usize::from(each)) {
            let first = Hex::new(left, top);
            let last = Hex::new((left + each - 1).min(field.columns), (top + HIGHEST - 1).min(field.rows));
            let title =
                if wide == 1 { "The field".to_owned() } else { format!("The field, {first} to {last}") };
            let (own, others) = (
                view.own.iter().map(|(id, unit)| (unit.at, id.to_string(), unit.hidden, true)),
                view.others.iter().map(|(id, unit)| (unit.at, id.to_string(), unit.hidden, false)),
            );
            let mut map = field_map(rules, &view.changed, first, last);
            for (at, id, hidden, own) in own.chain(others) {
                if let Some(tile) = map.tiles.get_mut(&at) {
                    tile.forces = format!("{id}{}", if hidden { "?" } else { "" });
                    tile.own = own;
                }
            }
            for (at, _) in &view.boats {
                if let Some(tile) = map.tiles.get_mut(at).filter(|tile| tile.name.is_empty()) {
                    tile.name = "boat".to_owned();
                }
            }
            for at in &view.bridges {
                if let Some(tile) = map.tiles.get_mut(at).filter(|tile| tile.name.is_empty()) {
                    tile.name = "bridge".to_owned();
                }
            }
            sheets.push(section(&title, vec![Part::Map(map)]));
        }
    }
    sheets
}

/// A part of the field with its ground, nobody on it.
pub(in crate::rules::dog) fn field_map(
    rules: &Dog,
    changed: &BTreeMap<Hex, Ground>,
    first: Hex,
    last: Hex,
) -> Map {
    let field = &rules.battle().field;
    let tile = |hex: Hex| {
        let ground = changed.get(&hex).copied().or_else(|| field.ground(hex))?;
        let tile = Tile {
            ground: sign(ground),
            city: ground.walls.map(walls_sign),
            name: field.places.get(&hex).cloned().unwrap_or_default(),
            ..Tile::default()
        };
        Some((hex, tile))
    };
    let inside =
        |hex: &Hex| (first.col..=last.col).contains(&hex.col) && (first.row..=last.row).contains(&hex.row);
    let tiles: BTreeMap<Hex, Tile> = field.hexes().filter(inside).filter_map(tile).collect();
    let side = |(a, b): &(Hex, Hex)| Side { a: *a, b: *b, kind: SideKind::River };
    Map {
        title: String::new(),
        scale: Scale::Theatre,
        first,
        last,
        sides: field.crossings.iter().filter(|(a, b)| inside(a) && inside(b)).map(side).collect(),
        legend: legend(&tiles),
        tiles,
    }
}

/// What the signs on a sheet mean.
fn legend(tiles: &BTreeMap<Hex, Tile>) -> Vec<(String, String)> {
    let ground = GROUND.iter().filter(|(sign, _)| tiles.values().any(|tile| tile.ground == *sign));
    let built = BUILT.iter().filter(|(sign, _)| tiles.values().any(|tile| tile.city == Some(*sign)));
    ground.chain(built).map(|(sign, meaning)| (sign.to_string(), (*meaning).to_owned())).collect()
}

/// The sign of a hex on maps: its relief where it has one, else its terrain.
fn sign(ground: Ground) -> char {
    match (ground.terrain, ground.relief) {
        (Terrain::Forest, Relief::Plains) => 'f',
        (Terrain::Forest, _) => 'F',
        (Terrain::Water, _) => '~',
        (Terrain::Swamp, _) => '%',
        (Terrain::Bushes, Relief::Plains) => ',',
        (Terrain::Sand, Relief::Plains) => ':',
        (Terrain::Snow, Relief::Plains) => '*',
        (Terrain::Road, _) => '=',
        (_, Relief::Hills) => 'n',
        (_, Relief::Mountains) => '^',
        (Terrain::Clear, Relief::Plains) => ' ',
    }
}

const fn walls_sign(walls: Fortification) -> char {
    match walls {
        Fortification::Earthwork => 'o',
        Fortification::Castle => '@',
        Fortification::Stronghold => '#',
    }
}

/// What the signs mean, and every hex whose sign doesn't say all.
pub(super) fn key(rules: &Dog, view: &View) -> Vec<Part> {
    let signs = "On the map: blank is clear ground, E3 a unit, E3? a hidden one of your side.";
    let mut parts = vec![super::text(signs)];
    let field = &rules.battle().field;
    let mixed: Vec<String> = field
        .hexes()
        .filter_map(|hex| {
            let ground = view.changed.get(&hex).copied().or_else(|| field.ground(hex))?;
            let both = ground.relief != Relief::Plains && ground.terrain != Terrain::Clear;
            both.then(|| format!("{hex} {}, {}", ground.terrain, ground.relief))
        })
        .collect();
    if !mixed.is_empty() {
        parts.push(super::text(&format!("Both terrain and relief: {}.", mixed.join("; "))));
    }
    parts
}
