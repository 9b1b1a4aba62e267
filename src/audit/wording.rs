//! How what is found is put: the parts of a page, numbers and lists.

use std::fmt::Display;

use musterd_engine::briefing::{Fact, Item, Part, Section};
use musterd_report::text::listed;

/// How many things that are wrong are told of each sort; programs get them all.
pub(super) const MOST_TOLD: usize = 20;

pub(super) fn section(title: &str, parts: Vec<Part>) -> Section {
    Section { title: title.to_owned(), parts }
}

pub(super) fn text(text: impl Into<String>) -> Part {
    Part::Text { text: text.into() }
}

pub(super) fn items(numbered: bool, items: Vec<Item>) -> Part {
    Part::Items { numbered, items }
}

pub(super) fn item(text: impl Into<String>) -> Item {
    Item { text: text.into(), details: Vec::new() }
}

pub(super) fn more(all: usize, shown: usize, one: &str, many: &str) -> Option<Item> {
    let rest = all.checked_sub(shown).filter(|rest| *rest > 0)?;
    Some(item(format!("{} more; --json lists them all.", count(rest, one, many))))
}

pub(super) fn fact(label: &str, text: String) -> Fact {
    Fact { label: label.to_owned(), text }
}

pub(super) fn count<N: Copy + Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    format!("{n} {}", if n == N::from(1) { one } else { many })
}

/// `1, 4 to 7 and 9`.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == n => *last = n,
            _ => runs.push((n, n)),
        }
    }
    let shown = runs.iter().map(|(a, b)| match b - a {
        0 => a.to_string(),
        1 => format!("{a}, {b}"),
        _ => format!("{a} to {b}"),
    });
    listed(&shown.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_as_people_tell_them() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[1, 2, 4, 5, 6, 9]), "1, 2, 4 to 6 and 9");
    }
}
