//! How often things were done today.

use std::collections::BTreeMap;

/// How often things were done today, as far as this process knows.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    day: i64,
    /// How many marks the store has: this only spares looking them up one after the other.
    marked: BTreeMap<String, u32>,
    /// What leaves no mark.
    seen: BTreeMap<String, u32>,
}

impl Counts {
    /// How many marks of this there are.
    pub(crate) fn marked(&mut self, day: i64, what: &str) -> &mut u32 {
        self.on(day).marked.entry(what.to_owned()).or_default()
    }

    /// How often this was seen, whatever became of it.
    pub(crate) fn seen(&mut self, day: i64, what: &str) -> &mut u32 {
        self.on(day).seen.entry(what.to_owned()).or_default()
    }

    fn on(&mut self, day: i64) -> &mut Self {
        if self.day != day {
            *self = Self { day, ..Self::default() };
        }
        self
    }

    /// After marks that were not committed.
    pub(crate) fn forget_marks(&mut self) {
        self.marked.clear();
    }
}
