//! How units, sorts and orders are called in reports.

use std::fmt::Display;

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
    let elite = if sort.elite { "elite " } else { "" };
    let crew = behind(" with ", sort.crew.map(|crew| &numbers.troop(crew).name));
    let people = sort.people.map_or_else(String::new, |people| format!(" ({people})"));
    format!("{elite}{troop}{crew}{people}")
}

/// Something behind these words; nothing where there is none.
pub(super) fn behind(words: &str, what: Option<impl Display>) -> String {
    what.map_or_else(String::new, |what| format!("{words}{what}"))
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
    written(numbers, sort, &numbers.troop(sort.troop).name, [" WITH ", " PEOPLE ", " SIZE "])
}

/// A sort with all that there is to say of it, so that it can be read again: `keys` are the words before its crew, its people and its size.
pub(super) fn written(numbers: &Numbers, sort: &Sort, troop: &str, keys: [&str; 3]) -> String {
    let elite = if sort.elite { "elite " } else { "" };
    let crew = behind(keys[0], sort.crew.map(|crew| &numbers.troop(crew).name));
    let (people, size) = (behind(keys[1], sort.people), behind(keys[2], sort.size));
    format!("{} {elite}{troop}{crew}{people}{size}", sort.fighters)
}

/// Halves of points as a player reads them: `2`, `1/2`, `2 1/2`.
pub(super) fn halves(halves: u16) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "1/2".to_owned(),
        (whole, _) => format!("{whole} 1/2"),
    }
}
