//! Cities by their names in other languages.

use std::collections::BTreeSet;

use musterd_engine::Ruleset;
use musterd_engine::files::RuleFiles;
use musterd_engine::orders::Likeness;
use musterd_lga::view::View;
use musterd_lga::{Lga, shipped};

const TURN: &str = "{date: {season: summer, year: 1805}, phasing: french, units: {3: {at: '1405'}}}";

fn game(version: u32) -> (Lga, View) {
    let rules = Lga::of_version(version, &shipped("austrian-1805").unwrap(), &[]).unwrap();
    let state = rules.set_up(&serde_yaml::from_str(TURN).unwrap()).unwrap();
    let view = rules.view(&state, &"french".parse().unwrap());
    (rules, view)
}

/// The goal of `MOVE 3 TO` a place, as the receipt has it; none if it is refused.
fn goal((rules, view): &(Lga, View), place: &str) -> Option<String> {
    let (reading, recap) = rules.read_back(view, &format!("MOVE 3 TO {place}"));
    let order = recap.orders.first()?.order.clone();
    assert!(!reading.has_errors(), "{place}: {:?}", reading.remarks);
    order.split_once(" to ").map(|(_, goal)| goal.to_owned())
}

#[test]
fn a_city_is_taken_by_its_names_in_other_languages_and_told_by_the_maps_own() {
    let game = game(2);
    for (written, told) in [
        ("München", "Munich 1508"),
        ("Muenchen", "Munich 1508"),
        ("MUNCHEN", "Munich 1508"),
        ("Wien", "Vienna 1809"),
        ("Mailand", "Milan 1309"),
        ("Milano", "Milan 1309"),
        ("Praha", "Prague 1807"),
        ("Prag", "Prague 1807"),
        ("Regensburg", "Ratisbon 1607"),
        ("Strassburg", "Strasbourg 1306"),
        ("Genf", "Geneva 1207"),
        ("Köln", "Cologne 1404"),
        ("Koln", "Cologne 1404"),
    ] {
        assert_eq!(goal(&game, written).as_deref(), Some(told), "{written}");
    }
}

#[test]
fn a_game_of_version_1_reads_as_it_did() {
    let (old, new) = (game(1), game(2));
    assert_eq!(goal(&old, "Wien"), None);
    assert_eq!(old.0.likeness("and then on to Regensburg"), Likeness::Prose);
    let remark = &old.0.read_orders(&old.1, "MOVE 3 TO Wien").remarks[0];
    assert!(remark.text.contains("no city called `Wien`"), "{remark:?}");
    // What version 1 takes, version 2 takes for the same.
    for (_, city) in old.0.map.cities() {
        for length in 1..=city.name.len() {
            let Some(written) = city.name.get(..length) else { continue };
            let read = |game: &(Lga, View)| game.0.read_orders(&game.1, &format!("MOVE 3 TO {written}"));
            let (before, now) = (read(&old), read(&new));
            if !before.orders.is_empty() {
                assert_eq!(now, before, "{written}");
            }
        }
    }
}

#[test]
fn the_gm_and_a_misspelt_name_are_understood_too() {
    let game = game(2);
    let state = game.0.set_up(&serde_yaml::from_str(TURN).unwrap()).unwrap();
    assert!(game.0.amend(&state, "UNIT 3 AT Regensburg").is_ok());
    let remark = &game.0.read_orders(&game.1, "MOVE 3 TO Regensbrug").remarks[0];
    assert_eq!(remark.hint.as_deref(), Some("did you mean Ratisbon 1607?"));
}

#[test]
fn every_name_of_the_shipped_map_means_its_city() {
    let game = game(2);
    let mut seen = BTreeSet::new();
    for (hex, city) in game.0.map.cities() {
        for name in &city.also {
            assert!(seen.insert(name.clone()), "{name} stands twice");
            let reading = game.0.read_orders(&game.1, &format!("INFO {name}"));
            let told = reading.remarks.first().unwrap_or_else(|| panic!("{name}")).text.clone();
            assert!(told.contains(&hex.to_string()), "{name}: {told}");
        }
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

/// `scenario check` on a map in which this stands for the names of Munich.
fn faults(also: &str) -> Vec<String> {
    let mut files: RuleFiles = shipped("austrian-1805").unwrap();
    let map = files.0.get_mut("maps/europe.yaml").unwrap();
    let changed = map.replace("also: [München]", &format!("also: [{also}]"));
    assert_ne!(*map, changed);
    *map = changed;
    Lga::examine(&files, "maps/europe.yaml").errors.into_iter().map(|error| error.reason).collect()
}

#[test]
fn a_name_that_is_another_citys_is_a_fault_and_so_is_one_that_says_nothing_new() {
    assert_eq!(faults("München, Monaco di Baviera"), Vec::<String>::new());
    for (also, reason) in [
        ("Paris", "`Paris` is the name of Paris (line"),
        ("Mil", "`Mil` is the name of Milan (line"),
        ("Wien", "`Wien` is another name of Munich (line"),
        ("MUNICH", "`MUNICH` is read as another name of this city already"),
        ("München, Muenchen", "`Muenchen` is read as another name of this city already"),
        ("\"1508\"", "`1508` can't be told from a number in orders"),
    ] {
        let found = faults(also);
        assert!(found.len() == 1 && found[0].starts_with(reason), "{also}: {found:?}");
    }
}
