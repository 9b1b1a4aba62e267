//! The maps: the whole field with pins, and tactical maps of the fighting.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::briefing::{Map, Part, Scale, Section, Tile};
use musterd_engine::hex::Hex;
use musterd_kit::sheets::{LEAST, ROWS, around};
use musterd_report::map::MOST_COLUMNS;

use crate::battle::Field;
use crate::data::Sa;
use crate::looks::{PALETTE, symbol};
use crate::model::{NEAR, Side, Terrain, UnitType};
use crate::view::View;

/// Tactical maps of the fighting at most.
const SHEETS: usize = 3;

/// The part of the field between two hexes, these with it: its ground, nobody on it.
pub(crate) fn ground(rules: &Sa, scale: Scale, (first, last): (Hex, Hex)) -> Map {
    let field = &rules.battle().field;
    let tile = |hex: Hex| {
        let terrain = field.terrain(hex);
        let sign = if terrain == Terrain::Clear { ' ' } else { terrain.sign() };
        (
            hex,
            Tile {
                ground: sign,
                name: field.places.get(&hex).map(|name| label(name).to_owned()).unwrap_or_default(),
                ..Tile::default()
            },
        )
    };
    let inside = |hex: &Hex| hex.is_within((first, last));
    let tiles: BTreeMap<Hex, Tile> = field.hexes().filter(inside).map(tile).collect();
    let here: BTreeSet<char> = tiles.values().map(|tile| tile.ground).collect();
    let mut map = Map { first, last, ..Map::of(&PALETTE, scale, tiles) };
    let shown = PALETTE.grounds.iter().filter(|ground| here.contains(&ground.sign));
    map.legend = shown
        .map(|ground| {
            (if ground.sign == ' ' { '.' } else { ground.sign }.to_string(), ground.meaning.to_owned())
        })
        .collect();
    map
}

/// What a hex has room for of a place's name: its first words, without an article. The whole name stands below the map of the field.
fn label(name: &str) -> &str {
    const ROOM: usize = 9;
    let name = ["The ", "the "].into_iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name);
    let mut ends = name.match_indices(' ').map(|(end, _)| end).chain([name.len()]);
    let first = name.find(' ').unwrap_or(name.len());
    name.get(..ends.rfind(|end| *end <= ROOM).unwrap_or(first)).unwrap_or(name)
}

/// The same with the units on it: numbers on a tactical map, letters on a strategic one. A unit in rout has a small letter there, and here an `r`.
pub(crate) fn with_units(rules: &Sa, view: &View, scale: Scale, part: (Hex, Hex)) -> Map {
    let mut map = ground(rules, scale, part);
    let own = view.side.unwrap_or(Side::A);
    let (mut pins, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for (place, unit, at) in view.position.fielded() {
        let id = rules.battle().units[place].id;
        let Some(tile) = map.tiles.get_mut(&at) else { continue };
        let letter = id.side.letter();
        let pin = if unit.routing { letter.to_ascii_lowercase() } else { letter };
        pins.insert((id.side, unit.routing, pin));
        (tile.pin, tile.own) = (Some(pin), id.side == own);
        tile.forces = format!("{id}{}", if unit.routing { "r" } else { "" });
        if view.taste.symbols && scale == Scale::Theatre {
            let kind = rules.battle().units[place].kind;
            tile.city = Some(symbol(kind).sign);
            // The sign stands in the middle of the ground's, where a name leaves no room for both.
            tile.name.clear();
            kinds.insert(kind);
        }
    }
    if scale == Scale::Strategic {
        let meaning = |(side, routs, pin): (Side, bool, char)| {
            let army = &rules.battle().army(side).name;
            (pin.to_string(), format!("{army}{}", if routs { ", in rout" } else { "" }))
        };
        map.legend.splice(0..0, pins.into_iter().map(meaning));
    } else {
        // A blank is clear ground on this scale.
        map.legend.retain(|(sign, _)| sign != ".");
        let meaning =
            |kind: UnitType| (symbol(kind).sign.to_string(), format!("{} {}", kind.word(), kind.words()));
        map.legend.splice(0..0, kinds.into_iter().map(meaning));
    }
    map
}

/// The maps: the whole field, then the parts of it that are shown larger. Those are around these hexes and wherever enemies are near each other, or of
/// all units before there is anything of the kind; and the one that was asked for.
pub(super) fn all(rules: &Sa, view: &View, fought: &BTreeSet<Hex>) -> Vec<Section> {
    let field = &rules.battle().field;
    let mut hot = fought.clone();
    hot.extend(contacts(rules, view));
    if hot.is_empty() {
        hot = view.position.fielded().map(|(.., at)| at).collect();
    }
    let fighting = sheets(field, hot).into_iter().map(|part| ("C", part));
    let asked = view.taste.map.map(|middle| around(field.last(), &[middle], 1, (MOST_COLUMNS, ROWS)));
    let parts: Vec<_> = fighting.chain(asked.map(|part| ("The map you asked for: c", part))).collect();
    let larger = |(before, part): &(&str, (Hex, Hex))| {
        let (first, last) = part;
        let title =
            format!("{before}olumns {} to {}, rows {} to {}", first.col, last.col, first.row, last.row);
        Section::of(title, vec![Part::Map(with_units(rules, view, Scale::Theatre, *part))])
    };
    let frames = parts.iter().map(|(_, part)| *part).collect();
    std::iter::once(strategic(rules, view, frames)).chain(parts.iter().map(larger)).collect()
}

/// The whole field, these parts in frames.
fn strategic(rules: &Sa, view: &View, frames: Vec<(Hex, Hex)>) -> Section {
    let whole = (Hex::new(1, 1), rules.battle().field.last());
    let map = Map { frames, ..with_units(rules, view, Scale::Strategic, whole) };
    let mut parts = vec![Part::Map(map)];
    let places = &rules.battle().field.places;
    let named: Vec<String> = places.iter().map(|(hex, name)| format!("{hex} {name}")).collect();
    parts.extend((!named.is_empty()).then(|| Part::text(format!("Places: {}.", named.join(", ")))));
    Section::of("The field", parts)
}

/// The hexes of units that are near an enemy.
fn contacts(rules: &Sa, view: &View) -> BTreeSet<Hex> {
    let side = |place: usize| rules.battle().units[place].id.side;
    let of = |own: Side| view.position.fielded().filter(move |(place, ..)| side(*place) == own);
    let mut near = BTreeSet::new();
    for (.., at) in of(Side::A) {
        for (.., foe) in of(Side::B).filter(|(.., foe)| foe.distance(at) <= NEAR) {
            near.extend([at, foe]);
        }
    }
    near
}

/// As few parts of the field as show all these hexes, the fullest first; from the north-west.
fn sheets(field: &Field, mut hot: BTreeSet<Hex>) -> Vec<(Hex, Hex)> {
    let mut parts = Vec::new();
    while parts.len() < SHEETS && !hot.is_empty() {
        let columns: BTreeSet<u8> = hot.iter().map(|hex| hex.col).collect();
        let rows: BTreeSet<u8> = hot.iter().map(|hex| hex.row).collect();
        let corners = rows.iter().flat_map(|row| columns.iter().map(|col| Hex::new(*col, *row)));
        let shown = |corner: Hex| hot.iter().filter(move |hex| is_within(corner, **hex));
        let Some(corner) = corners.max_by_key(|corner| (shown(*corner).count(), std::cmp::Reverse(*corner)))
        else {
            break;
        };
        let here: Vec<Hex> = shown(corner).copied().collect();
        let part = around(field.last(), &here, 1, LEAST);
        hot.retain(|hex| !hex.is_within(part));
        parts.push(part);
    }
    parts.sort_unstable();
    parts
}

/// Whether a hex is on the largest map with this corner.
fn is_within(corner: Hex, hex: Hex) -> bool {
    let across = hex.col.checked_sub(corner.col).is_some_and(|by| by < MOST_COLUMNS);
    across && hex.row.checked_sub(corner.row).is_some_and(|by| by < ROWS)
}
