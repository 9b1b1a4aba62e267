//! What the guides print of the rules is what the rules say.

use std::fs;

use musterd_engine::Ruleset;
use musterd_sa::law;
use musterd_sa::model::{Class, Terrain, UnitType};

use crate::common::forms::says_forms;
use crate::common::root;
use crate::orders::battle;

#[test]
fn the_gm_guide_has_every_change_as_the_forms_say() {
    // Of all battles the one with a hunt offers the most.
    let rules = battle("ormolu");
    says_forms("docs/sa/gm-guide.md", "<!-- changes -->", &rules.amendments());
}

/// The rows of a guide's table that begin with this heading, cell by cell.
fn table(text: &str, heading: &str) -> Vec<Vec<String>> {
    let rows =
        text.lines().skip_while(|line| !line.starts_with(heading)).take_while(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.filter(|row| !row.starts_with("|---") && !row.starts_with("|--:")).map(cells).collect()
}

#[test]
fn the_players_guide_has_the_charts_as_they_are() {
    let rules = battle("mill");
    let numbers = rules.numbers();
    let text = fs::read_to_string(root().join("docs/sa/players-guide.md")).unwrap();
    let costs = table(&text, "| a unit of");
    // Water and bridges have no columns: nobody enters the one, the other is clear ground.
    let charted = &Terrain::ALL[..6];
    let mut types = 0;
    for row in &costs[1..] {
        for code in row[0].split(", ") {
            let kind = UnitType::ALL.into_iter().find(|kind| kind.word() == code).unwrap();
            types += 1;
            assert_eq!(row.len(), 1 + charted.len(), "{code}");
            for (cell, terrain) in row[1..].iter().zip(charted) {
                let cost = numbers.cost(kind, *terrain).map_or("never".to_owned(), |cost| cost.to_string());
                assert_eq!(*cell, cost, "{code} in {terrain:?}");
            }
        }
    }
    assert_eq!(types, UnitType::ALL.len());
    let casualties = table(&text, "| sum");
    assert_eq!(casualties.iter().map(Vec::len).collect::<Vec<_>>(), [13, 13]);
    let sums = casualties[0][2..12].iter().zip(&casualties[1][2..12]);
    for (total, percent) in sums {
        assert_eq!(law::casualties(total.parse().unwrap()).to_string(), *percent, "a sum of {total}");
    }
    let nerves = table(&text, "| class | takes orders");
    assert_eq!(nerves.len(), 1 + Class::ALL.len());
    for (row, class) in nerves[1..].iter().zip(Class::ALL) {
        let training = numbers.training(class);
        let found = [
            class.word().to_owned(),
            training.orders.to_string(),
            training.halts.to_string(),
            format!("at {}", training.halts - 1),
        ];
        assert_eq!(*row, found);
    }
}
