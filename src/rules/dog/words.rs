//! How units, sorts and orders are called in reports.

use std::fmt::Write as _;

use super::data::Dog;
use super::model::Sort;
use super::numbers::Numbers;
use musterd_kit::lists::listed;
use musterd_text::nouns::count;

/// A sort of fighters: `elite heavy infantry`, `chariots with archers`, `barbarians (forest)`.
pub(super) fn sort_name(numbers: &Numbers, sort: &Sort) -> String {
    named(numbers, sort, &numbers.troop(sort.troop).name)
}

/// How many of a sort: `18 elite heavy infantry`, `1 pikeman`.
pub(super) fn counted(numbers: &Numbers, sort: &Sort) -> String {
    let name = named(numbers, sort, &numbers.troop(sort.troop).called(sort.fighters));
    format!("{} {name}", sort.fighters)
}

/// So many fighters of whatever type: `1 fighter`, `12 fighters`.
pub(super) fn heads(fighters: u16) -> String {
    count(fighters, "fighter")
}

fn named(numbers: &Numbers, sort: &Sort, troop: &str) -> String {
    let mut name = String::new();
    if sort.elite {
        name.push_str("elite ");
    }
    name.push_str(troop);
    if let Some(crew) = sort.crew {
        name.push_str(" with ");
        name.push_str(&numbers.troop(crew).name);
    }
    if let Some(people) = sort.people {
        // Writing to a `String` never fails.
        let _ = write!(name, " ({people})");
    }
    name
}

/// A unit's fighters: `18 heavy infantry`, `40 pikemen and 20 archers`.
pub(super) fn fighters(numbers: &Numbers, sorts: &[Sort]) -> String {
    listed(sorts.iter().map(|sort| counted(numbers, sort)))
}

/// Which faces of a die find a hidden unit: `found at 4 or less`, `always found`.
pub(super) fn found(chance: i32) -> String {
    if chance >= 6 { "always found".to_owned() } else { format!("found at {chance} or less") }
}

/// A sort as a unit record names it.
pub(super) fn recorded(rules: &Dog, sort: &Sort) -> String {
    let numbers = rules.numbers();
    if !rules.policies().writes_records_whole {
        return format!("{} {}", sort.fighters, sort_name(numbers, sort));
    }
    let mut text = format!("{} {}", sort.fighters, if sort.elite { "elite " } else { "" });
    text.push_str(&numbers.troop(sort.troop).name);
    // Writing to a `String` never fails.
    let _ = sort.crew.map(|crew| write!(text, " WITH {}", numbers.troop(crew).name));
    let _ = sort.people.map(|people| write!(text, " PEOPLE {people}"));
    let _ = sort.size.map(|size| write!(text, " SIZE {size}"));
    text
}

/// Halves of points as a player reads them: `2`, `1/2`, `2 1/2`.
pub(super) fn halves(halves: u16) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "1/2".to_owned(),
        (whole, _) => format!("{whole} 1/2"),
    }
}
