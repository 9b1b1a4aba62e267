//! The maps of the field: its ground, what is built on it, the units seen.

use std::collections::BTreeMap;

use super::super::battle::{Field, Ground, Works};
use super::super::cover::Cover;
use super::super::data::Dog;
use super::super::looks::{self, PALETTE};
use super::super::model::{Relief, Terrain, UnitId};
use super::super::numbers::Numbers;
use super::super::view::View;

use musterd_engine::briefing::{Map, Part, Scale, Section, Side, Tile};
use musterd_engine::hex::Hex;
use musterd_engine::palette::{AddedGround, Drawing};
use musterd_kit::palette::{BRIDGE, CROSSING, HILLS, MOUNTAINS, SEA, WOODED_HEIGHTS};
use musterd_report::map::{HIGHEST, MOST_COLUMNS};

/// Where boats lie, and who is aboard.
type Boats<'a> = &'a [(Hex, Option<UnitId>)];

/// The details that maps have no room for: every fortification, bridge and boat by its hex.
pub(crate) fn listed(field: &Field, works: &Works, boats: Boats<'_>) -> Option<String> {
    let walls = |hex: Hex| Some((hex, works.ground(field, hex)?.walls?));
    let built = field.hexes().filter_map(walls).map(|(hex, walls)| format!("{}, {walls}", field.place(hex)));
    let bridges = works.bridges.iter().map(|hex| field.place(*hex));
    let crossings = works.crossings.iter().map(|(a, b)| format!("from {a} to {b}"));
    let boats = boats.iter().map(|(hex, load)| match load {
        Some(unit) => format!("{} ({unit} aboard)", field.place(*hex)),
        None => field.place(*hex),
    });
    let list = |what: &str, places: Vec<String>, between: &str| {
        (!places.is_empty()).then(|| format!("{what}: {}.", places.join(between)))
    };
    let lists = [
        list("Built", built.collect(), "; "),
        list("Bridges", bridges.chain(crossings).collect(), ", "),
        list("Boats", boats.collect(), ", "),
    ];
    let lists: Vec<String> = lists.into_iter().flatten().collect();
    (!lists.is_empty()).then(|| lists.join(" "))
}

/// The sheets of the field, from the north-west.
pub(crate) fn sheets(rules: &Dog, view: &View) -> Vec<Section> {
    let sheet =
        |(title, part)| Section::of(title, vec![Part::Map(part_of(rules, view, Scale::Theatre, part))]);
    parts(&rules.battle().field).map(sheet).collect()
}

/// The parts of the field that have room on a sheet each, with their titles, by their first and last hexes, from the north-west.
pub(crate) fn parts(field: &Field) -> impl Iterator<Item = (String, (Hex, Hex))> {
    let (columns, rows) = (field.columns, field.rows);
    let each = columns.div_ceil(columns.div_ceil(MOST_COLUMNS).max(1)).max(1);
    let corners = (1..=rows)
        .step_by(usize::from(HIGHEST))
        .flat_map(move |top| (1..=columns).step_by(usize::from(each)).map(move |left| Hex::new(left, top)));
    corners.map(move |first| {
        let (right, low) = (first.col + each - 1, first.row + HIGHEST - 1);
        let last = Hex::new(right.min(columns), low.min(rows));
        let is_all = (first, last) == (Hex::new(1, 1), Hex::new(columns, rows));
        let title = if is_all { "The field".to_owned() } else { format!("The field, {first} to {last}") };
        (title, (first, last))
    })
}

/// A part of the field with the units that are known there: on a small map the letters of their armies.
pub(crate) fn part_of(rules: &Dog, view: &View, scale: Scale, (first, last): (Hex, Hex)) -> Map {
    let (own, others) = (
        view.own.iter().map(|(id, unit)| (unit.at, *id, unit.hidden, true)),
        view.others.iter().map(|(id, unit)| (unit.at, *id, unit.hidden, false)),
    );
    let mut map = Map { scale, ..field_map(rules, &view.works, &view.boats, (first, last)) };
    let is_small = scale == Scale::Strategic;
    for (at, id, hidden, own) in own.chain(others) {
        if let Some(tile) = map.tiles.get_mut(&at) {
            tile.forces = format!("{id}{}", if hidden { "?" } else { "" });
            (tile.own, tile.pin) = (own, is_small.then_some(id.army));
        }
    }
    for (id, seen) in &view.remembered {
        if let Some(tile) = map.tiles.get_mut(&seen.unit.at).filter(|tile| tile.forces.is_empty()) {
            (tile.forces, tile.remembered) = (format!("({id})"), true);
            tile.pin = is_small.then(|| id.army.to_ascii_lowercase());
        }
    }
    map
}

/// A part of the field with its ground, nobody on it.
pub(crate) fn field_map(rules: &Dog, works: &Works, boats: Boats<'_>, (first, last): (Hex, Hex)) -> Map {
    let field = &rules.battle().field;
    let tile = |hex: Hex| {
        let ground = works.ground(field, hex)?;
        let boat = || boats.iter().any(|(at, _)| *at == hex).then(|| "boat".to_owned());
        let tile = Tile {
            ground: if works.bridges.contains(&hex) { BRIDGE.sign } else { sign(rules.numbers(), ground) },
            // The marks of the palette are those of the fortifications, in their order.
            city: ground.walls.map(|walls| PALETTE.marks[walls as usize].sign),
            name: field.places.get(&hex).cloned().or_else(boat).unwrap_or_default(),
            ..Tile::default()
        };
        Some((hex, tile))
    };
    let inside = |hex: &Hex| hex.is_within((first, last));
    let tiles: BTreeMap<Hex, Tile> = field.hexes().filter(inside).filter_map(tile).collect();
    let side = |(a, b): &(Hex, Hex)| Side { a: *a, b: *b, sign: CROSSING.sign };
    let sides: Vec<Side> = works.crossings.iter().filter(|(a, b)| inside(a) || inside(b)).map(side).collect();
    let mut map =
        Map { first, last, sides, added: added(rules.numbers()), ..Map::of(&PALETTE, Scale::Theatre, tiles) };
    map.legend = legend(&map);
    map
}

/// The terrains that the palette doesn't have, and those that the game's file makes other than it has them.
fn added(numbers: &Numbers) -> Vec<AddedGround> {
    let mut others = musterd_kit::palette::OTHERS.into_iter().cycle();
    let look = |(terrain, cover): (Terrain, &Cover)| {
        let colour = cover.colour.as_ref().map(|colour| colour.0.clone());
        let (sign, drawing, water, colour) = match looks::drawn(terrain) {
            Some(look) if colour.is_none() && look.water == cover.is_water() => return None,
            Some(look) => {
                (look.sign, look.drawing, cover.is_water(), colour.unwrap_or_else(|| look.colour.to_owned()))
            }
            None => {
                let usual = if cover.is_water() { SEA.colour } else { others.next().unwrap_or(SEA.colour) };
                (cover.sign, Drawing::NONE, cover.is_water(), colour.unwrap_or_else(|| usual.to_owned()))
            }
        };
        Some(AddedGround { sign, meaning: terrain.to_string(), colour, drawing, water })
    };
    numbers.terrains().filter_map(look).collect()
}

/// What the signs on a sheet mean.
fn legend(map: &Map) -> Vec<(String, String)> {
    let is_there = |sign: char| map.tiles.values().any(|tile| tile.ground == sign);
    let is_bridged = |sign: char| sign == BRIDGE.sign && !map.sides.is_empty();
    let grounds = map.grounds().map(|ground| (ground.sign, ground.meaning));
    let grounds = grounds.filter(|(sign, _)| *sign != ' ' && (is_there(*sign) || is_bridged(*sign)));
    let marks = PALETTE.marks.iter().map(|mark| (mark.sign, mark.meaning));
    let marks = marks.filter(|(sign, _)| map.tiles.values().any(|tile| tile.city == Some(*sign)));
    grounds.chain(marks).map(|(sign, meaning)| (sign.to_string(), meaning.to_owned())).collect()
}

/// The sign of a hex on maps: its relief where it has one, else its terrain. A road is shown over hills too.
fn sign(numbers: &Numbers, Ground { terrain, relief, .. }: Ground) -> char {
    let cover = numbers.cover(terrain);
    match relief {
        Relief::Hills | Relief::Mountains if terrain.word() == "forest" => WOODED_HEIGHTS.sign,
        Relief::Hills if cover.has_relief() && terrain != Terrain::ROAD => HILLS.sign,
        Relief::Mountains if cover.has_relief() && terrain != Terrain::ROAD => MOUNTAINS.sign,
        Relief::Plains | Relief::Hills | Relief::Mountains => looks::sign(terrain, cover.sign),
    }
}

/// The meaning of the signs, and every hex whose sign doesn't say everything.
pub(super) fn key(rules: &Dog, view: &View) -> Vec<Part> {
    let signs = "On the map: blank is clear ground, E3 a unit, E3? a hidden one of your side";
    let remembered = if view.remembered.is_empty() { "" } else { ", (E3) one out of sight as last seen" };
    let mut parts = vec![Part::text(format!("{signs}{remembered}."))];
    let field = &rules.battle().field;
    let mixed: Vec<String> = field
        .hexes()
        .filter_map(|hex| {
            let ground = view.works.ground(field, hex)?;
            let both = ground.relief != Relief::Plains && ground.terrain != Terrain::CLEAR;
            both.then(|| format!("{hex} {}, {}", ground.terrain, ground.relief))
        })
        .collect();
    if !mixed.is_empty() {
        parts.push(Part::text(format!("Both terrain and relief: {}.", mixed.join("; "))));
    }
    parts.extend(listed(field, &view.works, &view.boats).map(Part::text));
    parts
}
