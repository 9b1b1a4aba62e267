//! The names of a game, in the words by which they are recognised.

use std::collections::BTreeSet;

use super::map::Map;
use super::policies::Policies;
use super::scenario::Scenario;
use musterd_engine::hex::Hex;
use musterd_kit::names::words;

/// All names of a game, split into the words by which they are recognised. Computed once, because preparing a name is slower than comparing it.
#[derive(Debug, Clone)]
pub(super) struct Spelling {
    /// By place in the scenario's list of units.
    pub(super) units: Vec<Vec<String>>,
    /// By place in the map's list of cities: the whole name, the short one.
    pub(super) towns: Vec<(Vec<String>, String)>,
    /// The names of cities in other languages, each with the city's hex. Version 1 of the rules knows none.
    pub(super) others: Vec<(Hex, Vec<String>)>,
    /// Every word of these names that has two letters or more.
    pub(super) vocabulary: BTreeSet<String>,
}

impl Spelling {
    /// The spelling of every unit and city, by the policies of a version of the rules.
    pub(super) fn of(scenario: &Scenario, map: &Map, policies: Policies) -> Self {
        let units: Vec<Vec<String>> = scenario.units.iter().map(|unit| words(&unit.name)).collect();
        let towns: Vec<(Vec<String>, String)> =
            map.cities().map(|(_, city)| (words(&city.name), words(&city.short).join(" "))).collect();
        let others = map.cities().filter(|_| policies.takes_other_names);
        let others = others.flat_map(|(hex, city)| city.also.iter().map(move |name| (hex, words(name))));
        let others: Vec<(Hex, Vec<String>)> = others.collect();
        let cities = towns.iter().map(|(name, _)| name).chain(others.iter().map(|(_, name)| name));
        let all = units.iter().chain(cities).flatten();
        let vocabulary = all.filter(|word| word.len() > 1).cloned().collect();
        Self { units, towns, others, vocabulary }
    }
}
