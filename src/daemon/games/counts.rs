//! How often things were done today.

use std::collections::BTreeMap;

/// How often things were done today, as far as this process knows. The store's marks are the truth: this only spares looking them
/// up one after the other.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    day: i64,
    counts: BTreeMap<String, u32>,
}

impl Counts {
    pub(crate) fn of(&mut self, day: i64, what: &str) -> &mut u32 {
        if self.day != day {
            self.day = day;
            self.counts.clear();
        }
        self.counts.entry(what.to_owned()).or_default()
    }

    /// After a commit that failed: what was counted for it did not happen.
    pub(crate) fn forget(&mut self) {
        self.counts.clear();
    }
}
