//! Counters of an author's own: their symbols and colours on the maps of both sides.

use std::collections::BTreeMap;

use musterd_acw::{Acw, shipped};
use musterd_engine::Ruleset;
use musterd_engine::briefing::{Map, Scale, Tile};

use crate::acw_arena::step;
use crate::common::Loose;

/// Kelly's Mill with these looks.
fn looked(changes: &[(&str, &str)]) -> Acw {
    let mut files = shipped("kellys-mill").unwrap();
    let text = files.0.get_mut("scenario.yaml").unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        *text = text.replacen(from, to, 1);
    }
    // All see each other.
    *text = text.replacen("exposed: false", "exposed: true", 1);
    Acw::from_files(&files, &[]).unwrap()
}

const UNION: (&str, &str) = (
    "    letter: U\n",
    "    letter: U\n    look: {colour: \"#22406f\", artillery: {symbol: G, colour: \"#f0c040\"}, cavalry: {symbol: CV}}\n",
);
const DIVISION: (&str, &str) =
    ("        offensive: [Kellys Mill]", "        look: {symbol: K}\n        offensive: [Kellys Mill]");
const BRIGADE: (&str, &str) =
    ("name: Hale, unit", "name: Hale, look: {symbol: ZO, colour: \"#c03028\", letters: \"#ffffee\"}, unit");

/// The maps of a seat in the first hours of the battle, in which nobody orders anything.
fn maps(rules: &Acw, seat: usize) -> Vec<Map> {
    let (mut state, mut dice) = (rules.found(), Loose::numbered(7));
    let mut maps = Vec::new();
    for t in 1..6 {
        (state, _) = step(rules, &state, t, &mut dice, BTreeMap::new());
        let briefing = rules.brief(&rules.view(&state, &rules.seats()[seat].seat), &[]);
        maps.extend(briefing.maps().map(|(_, map)| map.clone()));
    }
    assert!(!maps.is_empty(), "the armies come near each other");
    maps
}

/// What a counter shows: its words, its colours, and what the legend says.
type Shown = (String, Option<(String, String)>, String);

/// What the counters of one side's hexes say, and in what look.
fn counters(maps: &[Map], own: bool) -> Vec<Shown> {
    let counter = |map: &Map, tile: &Tile| {
        let look = map.counter(tile);
        let meaning = look.map_or_else(String::new, |look| look.meaning.clone());
        let text = tile.forces.trim_end_matches(['c', '!']).to_owned();
        (text, look.and_then(|look| look.colours.clone()), meaning)
    };
    let there = |map: &'_ Map| {
        let tiles = map.tiles.values().filter(|tile| !tile.forces.is_empty() && tile.own == own);
        tiles.map(|tile| counter(map, tile)).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = maps.iter().flat_map(there).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn own_counters_have_the_look_of_the_brigade_its_division_its_type_or_its_side() {
    let rules = looked(&[UNION, DIVISION, BRIGADE]);
    let found = counters(&maps(&rules, 0), true);
    let is = |text: &str, colours: (&str, &str), meaning: &str| {
        let wanted =
            (text.to_owned(), Some((colours.0.to_owned(), colours.1.to_owned())), meaning.to_owned());
        assert!(found.contains(&wanted), "{wanted:?} in {found:#?}");
    };
    is("ZO1", ("#c03028", "#ffffee"), "Hale");
    // A symbol of the division, the colour of the side, and letters that are read on it.
    is("K2", ("#22406f", "#ffffff"), "Denby Division");
    // The division comes before the type of brigade, of which the colour is left.
    is("K4", ("#f0c040", "#000000"), "Denby Division");
    is("CV5", ("#22406f", "#ffffff"), "cavalry of the Union");
}

#[test]
fn the_enemy_sees_the_looks_of_sides_and_types_and_no_others() {
    let rules = looked(&[UNION, DIVISION, BRIGADE]);
    let maps = maps(&rules, 1);
    let found = counters(&maps, false);
    let seen: Vec<(&str, &str)> =
        found.iter().map(|(text, _, meaning)| (text.as_str(), meaning.as_str())).collect();
    assert!(seen.contains(&("INF", "the Union")), "{seen:?}");
    let known = ["the Union", "artillery of the Union", "cavalry of the Union"];
    for (text, meaning) in &seen {
        assert!(known.contains(meaning) && !text.contains('Z') && !text.contains('K'), "{text}, {meaning}");
    }
    for map in &maps {
        assert!(map.counters.iter().all(|look| known.contains(&look.meaning.as_str())), "{:?}", map.counters);
        assert!(map.legend.iter().all(|(sign, _)| !["ZO", "K"].contains(&sign.as_str())), "{:?}", map.legend);
        let drawn = musterd_report::html::drawing([("", map)]);
        assert!(!drawn.contains("Hale") && !drawn.contains("Denby"), "{drawn}");
    }
}

#[test]
fn legends_and_drawings_tell_of_the_looks_that_are_there() {
    let rules = looked(&[UNION, DIVISION, BRIGADE]);
    let maps = maps(&rules, 0);
    let map = maps.iter().find(|map| map.tiles.values().any(|tile| tile.forces.starts_with("ZO1"))).unwrap();
    assert_eq!(map.scale, Scale::Theatre);
    let entry = |sign: &str, meaning: &str| map.legend.contains(&(sign.to_owned(), meaning.to_owned()));
    assert!(entry("ZO", "Hale"), "{:?}", map.legend);
    let drawn = musterd_report::html::drawing([("", map)]);
    assert!(drawn.contains("fill=\"#c03028\"") && drawn.contains("fill=\"#ffffee\""), "{drawn}");
    assert!(drawn.contains(">Hale</text>"), "{drawn}");
    let text = musterd_report::map::lines(map).join("\n");
    assert!(text.contains("|ZO1") && text.contains("ZO Hale"), "{text}");
}

#[test]
fn a_battle_without_looks_is_shown_and_drawn_as_ever() {
    let rules = looked(&[]);
    for map in maps(&rules, 0) {
        assert!(map.counters.is_empty() && map.tiles.values().all(|tile| tile.counter.is_none()));
    }
    let chart = rules.chart(true);
    assert_eq!(chart.maps().count(), 1);
    let painted = looked(&[UNION]);
    let chart = painted.chart(true);
    let armies: Vec<&Map> = chart.maps().map(|(_, map)| map).skip(1).collect();
    let there =
        |text: &str| armies.iter().any(|map| map.tiles.values().any(|tile| tile.forces.starts_with(text)));
    assert!(there("G4") && there("1"), "both armies at the start");
}

/// The names of objectives next to each other are not drawn over each other.
#[test]
fn names_of_neighbouring_objectives_are_drawn_apart() {
    let rules = crate::battles::rules("antietam", "");
    let drawn = musterd_report::html::drawing(rules.chart(true).maps());
    let heights = |name: &str| -> Vec<&str> {
        let lines = drawn.lines().filter(|line| line.contains(&format!(">{name}<")));
        lines.filter_map(|line| line.split(" y=\"").nth(1)?.split('"').next()).collect()
    };
    let (woods, field) = (heights("East Woods"), heights("Cornfield"));
    assert!(!woods.is_empty() && woods.len() == field.len(), "{woods:?} {field:?}");
    assert!(woods.iter().zip(&field).all(|(one, other)| one != other), "{woods:?} {field:?}");
}
