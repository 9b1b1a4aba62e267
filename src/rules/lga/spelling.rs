//! The names of a game, in the words by which they are recognised.

use std::collections::BTreeSet;

use super::map::Map;
use super::scenario::Scenario;
use musterd_kit::names::words;

/// All names of a game, split into the words by which they are recognised. Computed once, because preparing a name is slower than comparing it.
#[derive(Debug, Clone)]
pub(super) struct Spelling {
    /// By place in the scenario's list of units.
    pub(super) units: Vec<Vec<String>>,
    /// By place in the map's list of cities: the whole name, the short one.
    pub(super) towns: Vec<(Vec<String>, String)>,
    /// Every word of these names that has two letters or more.
    pub(super) vocabulary: BTreeSet<String>,
}

impl Spelling {
    /// The spelling of every unit and city.
    pub(super) fn of(scenario: &Scenario, map: &Map) -> Self {
        let units: Vec<Vec<String>> = scenario.units().iter().map(|unit| words(&unit.name)).collect();
        let towns: Vec<(Vec<String>, String)> =
            map.cities().map(|(_, city)| (words(&city.name), words(&city.short).join(" "))).collect();
        let all = units.iter().chain(towns.iter().map(|(name, _)| name)).flatten();
        let vocabulary = all.filter(|word| word.len() > 1).cloned().collect();
        Self { units, towns, vocabulary }
    }
}
