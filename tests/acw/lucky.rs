//! Dice that fall high but for those that a case names.

use std::collections::BTreeMap;

use musterd_dice::{Label, Roller};

/// Random numbers are the highest, which is good luck on the march, and communication, obedience and recovery that fail; some fall as written, by their labels
/// or how these begin.
pub(crate) struct Lucky(BTreeMap<String, u32>);

impl Lucky {
    pub(crate) fn but(numbers: &[(&str, u32)]) -> Self {
        Self(numbers.iter().map(|(label, number)| ((*label).to_owned(), *number)).collect())
    }
}

impl Roller for Lucky {
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32> {
        assert_eq!(count, 1, "{label}: the rules throw one die at a time");
        let stem = label.as_str().split_once('/').unwrap().1.rsplit_once('/').unwrap().0;
        let longest = self.0.iter().filter(|(start, _)| stem.starts_with(start.as_str()));
        let number = longest.max_by_key(|(start, _)| start.len()).map_or(sides - 1, |(_, number)| *number);
        assert!(number < sides, "{stem}: {number} of {sides}");
        vec![number + 1]
    }
}
