//! How what is found is put: the parts of a page, numbers and lists.

use musterd_engine::briefing::{Item, Part};
use musterd_report::text::listed;
use musterd_text::nouns::counted;

/// How many things that are wrong are told of each sort; programs get them all.
pub(super) const MOST_TOLD: usize = 20;

pub(super) fn items(numbered: bool, items: Vec<Item>) -> Part {
    Part::Items { numbered, items }
}

/// So many of these as items, and how many more there are.
pub(super) fn at_most(most: usize, texts: Vec<String>, one: &str, many: &str) -> Vec<Item> {
    let rest = texts.len().saturating_sub(most);
    let more = (rest > 0).then(|| format!("{} more; --json lists them all.", counted(rest, one, many)));
    texts.into_iter().take(most).chain(more).map(Item::of).collect()
}

/// `1, 4 to 7 and 9`.
pub(super) fn ranges<'a>(numbers: impl IntoIterator<Item = &'a u32>) -> String {
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
