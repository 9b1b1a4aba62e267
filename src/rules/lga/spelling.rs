//! Names in the words by which players may write them: without case, accents and punctuation.

use std::collections::BTreeSet;

use super::map::Map;
use super::scenario::Scenario;

/// Every name of a game in the words by which it is recognised. Made once: a name is folded slower than it is compared.
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

/// The words of a name as they are compared.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|w| !w.is_empty()).collect()
}

/// A word without case and accents; `oe` and the like become one letter.
pub(super) fn fold(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'ä' | 'à' | 'á' | 'â' | 'å' => plain.push('a'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'í' | 'ì' | 'î' => plain.push('i'),
            'ö' | 'ó' | 'ò' | 'ô' | 'ø' => plain.push('o'),
            'ü' | 'ú' | 'ù' | 'û' => plain.push('u'),
            'ç' => plain.push('c'),
            'ñ' => plain.push('n'),
            'ß' => plain.push_str("ss"),
            other => plain.push(other),
        }
    }
    for (two, one) in [("ae", "a"), ("oe", "o"), ("ue", "u")] {
        if plain.contains(two) {
            plain = plain.replace(two, one);
        }
    }
    plain
}
