//! The maps of a report: the whole map, hexes that are cut off from supply, and a theatre map around each body of own forces.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::super::atlas::{self, CUT_OFF_SIGN, ENEMY_SIGNS, Frame, bounds};
use super::super::data::Lga;
use super::super::model::{Arm, Side, UnitId};
use super::super::special;
use super::super::view::{EnemyStack, OwnUnit, View};

use musterd_engine::briefing::{Fact, Map, Part, Scale};
use musterd_engine::hex::Hex;
use musterd_report::map::MOST_COLUMNS;

/// The least number of hexes shown around own forces.
const MARGIN: u8 = 2;

/// Up to this number of hexes are named; more are drawn.
const FEW: usize = 8;

/// A theatre map with its heading.
pub(super) struct Theatre {
    pub(super) title: String,
    pub(super) map: Map,
}

/// The whole map of the scenario: who holds what, which nation stands where.
pub(super) fn strategic(rules: &Lga, view: &View) -> Part {
    Part::Map(small(rules, view, bounds(rules)))
}

/// A part of the map at the strategic scale, with the forces in it.
fn small(rules: &Lga, view: &View, frame: Frame) -> Map {
    let mut map = blank(rules, view, Scale::Strategic, frame);
    for (hex, tile) in &mut map.tiles {
        tile.own = view.stacks.contains_key(hex);
        tile.pin = own_letter(rules, view, *hex)
            .or_else(|| Some(rules.setting.of(view.enemies.get(hex)?.nation).letter));
    }
    for hex in remembered(rules, view).into_keys() {
        if let Some(tile) = map.tiles.get_mut(&hex).filter(|tile| tile.pin.is_none()) {
            (tile.pin, tile.remembered) = (Some(LAST_SEEN), true);
        }
    }
    map.legend = legend(rules, view);
    if map.tiles.values().any(|tile| tile.remembered) {
        map.legend.push((format!("{LAST_SEEN}."), "enemies as last seen".to_owned()));
    }
    map
}

/// The sides against the reader's, in turn order.
fn enemies<'a>(rules: &'a Lga, view: &'a View) -> impl Iterator<Item = Side> + 'a {
    rules.scenario.sides.iter().map(|spec| spec.side).filter(|side| *side != view.side)
}

fn legend(rules: &Lga, view: &View) -> Vec<(String, String)> {
    let entry = |sign: &str, meaning: &str| (sign.to_owned(), meaning.to_owned());
    let mut legend = atlas::grounds(&rules.map);
    let held = enemies(rules, view).zip(ENEMY_SIGNS);
    legend.extend(held.map(|(side, sign)| entry(&format!("{sign}."), &format!("held by the {side} side"))));
    let nations = rules.scenario.nations().map(|(nation, _)| rules.setting.of(nation));
    legend.extend(nations.map(|of| entry(&format!("{}.", of.letter), &format!("forces of {}", of.name))));
    legend
}

/// The sign for enemies out of sight where they were last seen.
const LAST_SEEN: char = '?';

/// The enemies out of sight that may be in a hex, by hex, in five characters at most: the nation of the first, how many they are; `(?1)` is a garrison
/// whose name isn't known.
fn remembered(rules: &Lga, view: &View) -> BTreeMap<Hex, String> {
    let mut there: BTreeMap<Hex, Vec<UnitId>> = BTreeMap::new();
    for (id, seen) in view.remembered.iter().filter(|(_, seen)| seen.may_be_there) {
        there.entry(seen.at).or_default().push(*id);
    }
    let letter = |id: UnitId| rules.setting.of(rules.scenario.unit(id).nation).letter;
    let named = there.into_iter().map(|(hex, ids)| (hex, format!("({}{})", letter(ids[0]), ids.len())));
    let met = view.garrisons.keys().map(|hex| (*hex, format!("({LAST_SEEN}1)")));
    met.chain(named).collect()
}

/// The own units and hexes that can't be supplied, if there are any, with a map of them.
pub(super) fn supply(rules: &Lga, view: &View) -> Option<Vec<Part>> {
    let cut: BTreeSet<Hex> = view
        .control
        .iter()
        .filter(|(hex, side)| **side == view.side && !view.supplied.contains(hex))
        .map(|(hex, _)| *hex)
        .collect();
    let starving: Vec<&OwnUnit> = view.mine().filter(|unit| !unit.served).collect();
    let called = |unit: &&OwnUnit| format!("{} ({}) at {}", unit.name, unit.id, rules.map.place(unit.hex));
    let units: Vec<String> = starving.iter().map(called).collect();
    if cut.is_empty() && units.is_empty() {
        return None;
    }
    if units.is_empty() && cut.len() <= FEW {
        let places: Vec<_> = cut.iter().map(|hex| rules.map.place(*hex)).collect();
        let units = if view.own.is_empty() { "" } else { "All your units stand in supply. " };
        let text = format!("{units}Yours but cut off: {}.", places.join(", "));
        return Some(vec![Part::Text { text }]);
    }
    // A hex has one sign: that of the unit in it, if there is one.
    let manned: BTreeSet<Hex> = starving.iter().map(|unit| unit.hex).collect();
    let bare = cut.iter().any(|hex| !manned.contains(hex));
    let text = match (view.own.is_empty(), units.is_empty(), bare) {
        (true, ..) => "The hexes marked `-` are yours but cut off.".to_owned(),
        (_, true, _) => {
            "All your units stand in supply; the hexes marked `-` are yours but cut off.".to_owned()
        }
        (_, _, true) => format!(
            "Cut off as things stand: {}. `!` is where they stand; the hexes marked `-` are yours but cut off.",
            units.join(", ")
        ),
        (_, _, false) => {
            format!("Cut off as things stand: {}. `!` is where they stand.", units.join(", "))
        }
    };
    let mut map = blank(rules, view, Scale::Strategic, bounds(rules));
    for (hex, tile) in &mut map.tiles {
        tile.own = true;
        if manned.contains(hex) {
            tile.pin = Some('!');
        } else if cut.contains(hex) {
            tile.control = Some(CUT_OFF_SIGN);
        } else {
            tile.pin = own_letter(rules, view, *hex);
        }
    }
    Some(vec![Part::Text { text }, Part::Map(map)])
}

/// A map for each body of own forces, from the west to the east.
pub(super) fn theatres(rules: &Lga, view: &View) -> Vec<Theatre> {
    let (first, last) = bounds(rules);
    let (columns, rows) = (first.col..=last.col, first.row..=last.row);
    let mut places: Vec<Hex> = view.stacks.keys().copied().collect();
    places.sort_by_key(|hex| hex.col);
    let mut bodies = Vec::new();
    part(places, &mut bodies);
    let whole = columns.end() - columns.start() < MOST_COLUMNS;
    let remembered = remembered(rules, view);
    bodies
        .into_iter()
        .map(|body| {
            let across = if whole { columns.clone() } else { window(view, &body, &columns) };
            let down = around(body.iter().map(|hex| hex.row), &rows, MARGIN);
            let frame = (Hex::new(*across.start(), *down.start()), Hex::new(*across.end(), *down.end()));
            let map = theatre(rules, view, frame, &remembered);
            Theatre { title: format!("Around {}", centre(rules, view, &body)), map }
        })
        .collect()
}

/// A theatre map of a part of the map, with the forces in it.
fn theatre(rules: &Lga, view: &View, frame: Frame, remembered: &BTreeMap<Hex, String>) -> Map {
    let mut map = blank(rules, view, Scale::Theatre, frame);
    for (hex, tile) in &mut map.tiles {
        tile.own = view.stacks.contains_key(hex);
        tile.forces = own_forces(rules, view, *hex)
            .or_else(|| Some(enemy_forces(rules, view.enemies.get(hex)?)))
            .unwrap_or_default();
        if let Some(forces) = remembered.get(hex).filter(|_| tile.forces.is_empty()) {
            (tile.forces, tile.remembered) = (forces.clone(), true);
        }
    }
    map
}

/// A part of the map at a scale, with the forces in it.
pub(in super::super) fn part_of(rules: &Lga, view: &View, scale: Scale, frame: Frame) -> Map {
    match scale {
        Scale::Theatre => theatre(rules, view, frame, &remembered(rules, view)),
        Scale::Strategic => small(rules, view, frame),
    }
}

/// Divides forces, sorted from the west, at their widest gaps until each body and a hex on both sides fit one map.
fn part(mut places: Vec<Hex>, bodies: &mut Vec<Vec<Hex>>) {
    let spans = |a: &Hex, b: &Hex| b.col - a.col;
    let width = places.first().zip(places.last()).map_or(0, |(first, last)| spans(first, last));
    let gaps = places.windows(2).enumerate().map(|(i, pair)| (spans(&pair[0], &pair[1]), i + 1));
    match gaps.max() {
        Some((_, place)) if width >= MOST_COLUMNS - MARGIN => {
            let east = places.split_off(place);
            part(places, bodies);
            part(east, bodies);
        }
        _ if places.is_empty() => {}
        _ => bodies.push(places),
    }
}

/// The columns of a window around a body, as wide as a page allows and inside the map. The body is in the middle, or to one side if that shows more
/// of the enemies nearby.
fn window(view: &View, body: &[Hex], bounds: &RangeInclusive<u8>) -> RangeInclusive<u8> {
    let first = body.iter().map(|hex| hex.col).min().unwrap_or(*bounds.start());
    let last = body.iter().map(|hex| hex.col).max().unwrap_or(first);
    let rightmost = bounds.end() + 1 - MOST_COLUMNS;
    let spare = MOST_COLUMNS.saturating_sub(last - first + 1);
    let middle = first.saturating_sub(spare / 2).clamp(*bounds.start(), rightmost);
    let close = |enemy: &&Hex| body.iter().any(|own| own.distance(**enemy) <= u32::from(MARGIN));
    let close: Vec<u8> = view.enemies.keys().filter(close).map(|enemy| enemy.col).collect();
    let from = |start: u8| start..=start + MOST_COLUMNS - 1;
    let shown = |start: u8| close.iter().filter(|col| from(start).contains(col)).count();
    let starts = first.saturating_sub(spare).max(*bounds.start())..=first.min(rightmost);
    from(starts.max_by_key(|start| (shown(*start), Reverse(start.abs_diff(middle)))).unwrap_or(middle))
}

/// The rows from the least to the greatest, and `margin` more on both sides, inside the map.
fn around(
    rows: impl Iterator<Item = u8> + Clone,
    bounds: &RangeInclusive<u8>,
    margin: u8,
) -> RangeInclusive<u8> {
    let first = rows.clone().min().unwrap_or(*bounds.start());
    let last = rows.max().unwrap_or(*bounds.end());
    first.saturating_sub(margin).max(*bounds.start())..=last.saturating_add(margin).min(*bounds.end())
}

/// The name of a body of forces: the city in which most of it stands, or the place where most of it stands.
fn centre(rules: &Lga, view: &View, body: &[Hex]) -> String {
    let strength = |hex: &Hex| view.stacks.get(hex).map_or(0, Vec::len);
    let main = body.iter().max_by_key(|hex| (strength(hex), rules.map.city_at(**hex).is_some()));
    main.map(|hex| rules.map.place(*hex).into_owned()).unwrap_or_default()
}

/// A map of this part with its ground, cities, sides and control, nobody on it yet.
fn blank(rules: &Lga, view: &View, scale: Scale, frame: Frame) -> Map {
    atlas::sheet(rules, scale, frame, |hex| {
        let holder = view.control.get(&hex)?;
        enemies(rules, view).zip(ENEMY_SIGNS).find(|(enemy, _)| enemy == holder).map(|(_, sign)| sign)
    })
}

/// The letter of the nation on top of an own stack.
fn own_letter(rules: &Lga, view: &View, hex: Hex) -> Option<char> {
    view.stack(hex).next().map(|top| rules.setting.of(top.nation).letter)
}

/// An own stack in five characters.
fn own_forces(rules: &Lga, view: &View, hex: Hex) -> Option<String> {
    let letter = own_letter(rules, view, hex)?;
    let pieces: Vec<_> = view.stack(hex).map(|unit| (unit.kind.arm, unit.garrison, unit.modifier)).collect();
    Some(atlas::forces(letter, &pieces, view.is_cut_off(hex)))
}

/// An enemy stack in five characters: nation, pieces seen, `?` behind cavalry.
fn enemy_forces(rules: &Lga, stack: &EnemyStack) -> String {
    let letter = rules.setting.of(stack.nation).letter;
    match stack.count {
        // An HQ is on top only where it is alone.
        _ if stack.kind.arm == Arm::Hq => format!("{letter}hq"),
        Some(count) => format!("{letter}{count}"),
        None => format!("{letter}?"),
    }
}

/// The contents of the maps, numbers that a player often needs, and the signs of text maps; a drawn map has its own legend.
pub(super) fn key(rules: &Lga, view: &View) -> Vec<Part> {
    let nation = view.nations.first().map_or('?', |nation| rules.setting.of(*nation).letter);
    let held: Vec<String> = enemies(rules, view)
        .zip(ENEMY_SIGNS)
        .map(|(side, sign)| format!("`{}` {side}", sign.to_string().repeat(3)))
        .collect();
    let rally: Vec<String> = rules
        .numbers
        .rally
        .iter()
        .enumerate()
        .map(|(from, cost)| format!("{cost} from morale {from}"))
        .collect();
    let pieces: Vec<String> = rules
        .numbers
        .units
        .iter()
        .map(|(kind, stats)| {
            format!("{kind} {} (moves {}, morale {})", stats.cost, stats.moves, stats.max_morale)
        })
        .collect();
    let own = || view.stacks.keys().chain(view.control.keys()).next().copied();
    // Guides and help write hexes as this one; on another map it may not be in play.
    let ulm = Hex::new(15, 7);
    let hex = if rules.scenario.in_play(ulm) { ulm } else { own().unwrap_or(ulm) };
    let (column, row) = (hex.col, hex.row);
    let mut numbers = vec![
        Fact::of(
            "Hexes",
            format!(
                "column, then row: {hex} is column {column}, row {row}. Even rows stand half a hex to the right."
            ),
        ),
        Fact::of(
            "Forces",
            format!(
                "{nation}3g+1: nation, number of units, g with a garrison, +1 with an HQ, ! out of supply. \
                 Of the enemy the number of pieces, ? behind cavalry, hq for an HQ alone; never who garrisons. \
                 In brackets who is out of sight, as last seen."
            ),
        ),
        Fact::of("Points to build", format!("{}.", pieces.join(", "))),
        Fact::of("Points to rally", format!("{}; one step a unit and season.", rally.join(", "))),
    ];
    let closed = special::closed_ground(rules);
    if !closed.is_empty() {
        numbers.push(Fact::of("Closed ground", closed.join(" ")));
    }
    let own: String = atlas::own_terrains(&rules.map)
        .iter()
        .map(|own| format!(", {} {} (as {}, {} to enter)", own.sign, own.word(), own.like, own.moves))
        .collect();
    let letters = vec![
        Fact::of("Cities", "* capital, @ major, o minor; on the theatre maps after the name, in capitals."),
        Fact::of(
            "Ground",
            format!(
                "f forest, ^ mountains, % marsh, ~ sea{own}; blank is clear; nothing at all is out of play."
            ),
        ),
        Fact::of("Rivers", "# between columns and == between rows; X and XX can't be passed."),
        Fact::of("Holders", format!("the lower line of a hex: empty yours, {}.", held.join(", "))),
    ];
    let heading = Part::Heading { text: "Maps in letters".to_owned() };
    vec![Part::Facts { facts: numbers }, heading, Part::Facts { facts: letters }]
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture::{opening, rules};
    use super::super::super::model::Side;
    use super::*;

    #[test]
    fn what_is_said_to_be_marked_on_the_map_of_supply_is() {
        let rules = rules("austrian-1805");
        let mut view = opening(&rules, Side::French);
        let signs = |view: &View| {
            let parts = supply(&rules, view).unwrap();
            let [Part::Text { text }, Part::Map(map)] = parts.as_slice() else { panic!("{parts:?}") };
            let has = |sign: char| map.tiles.values().any(|tile| tile.pin.or(tile.control) == Some(sign));
            assert_eq!((text.contains("`-`"), text.contains("`!`")), (has('-'), has('!')), "{text}");
            (has('-'), has('!'))
        };
        let held: Vec<Hex> = view.stacks.keys().copied().collect();
        let supply = |view: &mut View, hexes: BTreeSet<Hex>| {
            view.own.values_mut().for_each(|unit| unit.served = hexes.contains(&unit.hex));
            view.supplied = hexes;
        };
        supply(&mut view, BTreeSet::new());
        assert_eq!(signs(&view), (true, true));
        let rest = view.control.keys().copied().filter(|hex| *hex != held[0]).collect();
        supply(&mut view, rest);
        assert_eq!(signs(&view), (false, true), "nothing but a hex with units is cut off");
        supply(&mut view, held.into_iter().collect());
        assert_eq!(signs(&view), (true, false));
    }

    /// A page draws its cities, ground, rivers and holders, and says below each map how.
    #[test]
    fn signs_of_maps_in_letters_stand_under_their_own_heading() {
        let rules = rules("waterloo-1815");
        let parts = key(&rules, &opening(&rules, Side::French));
        let [Part::Facts { facts: both }, Part::Heading { text }, Part::Facts { facts: letters }] =
            parts.as_slice()
        else {
            panic!("{parts:?}")
        };
        let told = |facts: &[Fact], sign: &str| facts.iter().any(|fact| fact.text.contains(sign));
        assert!(text.contains("letters"), "{text}");
        for sign in
            ["* capital", "@ major", "f forest", "^ mountains", "% marsh", "~ sea", "# between", "`:::`"]
        {
            assert_eq!((told(both, sign), told(letters, sign)), (false, true), "{sign}");
        }
    }

    #[test]
    fn a_theatre_shows_the_enemies_close_by() {
        let rules = rules("waterloo-1815");
        let view = opening(&rules, Side::Allied);
        let (paris, brussels) = ("1104".parse().unwrap(), "1304".parse().unwrap());
        assert!(view.enemies.contains_key(&paris) && view.stacks.contains_key(&brussels));
        let theatres = theatres(&rules, &view);
        let around = theatres.iter().find(|theatre| theatre.map.tiles.contains_key(&brussels)).unwrap();
        assert!(around.map.tiles.contains_key(&paris), "{}", around.title);
        for (hex, stack) in &view.stacks {
            assert!(theatres.iter().any(|t| t.map.tiles.get(hex).is_some_and(|t| t.own)), "{hex} {stack:?}");
        }
    }
}
