//! Units that are called away for good: Napoleon leaves Spain (manual 6.0, scenario 3; rulings LGA-41 and LGA-63).

use crate::engine::Scribe;
use crate::hex::Hex;
use crate::rules::lga::data::Lga;
use crate::rules::lga::event::Event;
use crate::rules::lga::model::UnitId;
use crate::rules::lga::scenario::Recall;
use crate::rules::lga::state::State;

/// Calls away whoever has to go at the start of this turn. Whoever is destroyed is not revived.
pub(super) fn call(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    for recall in rules.scenario().recalls() {
        let state = scribe.state();
        let side = rules.scenario().unit(recall.unit).side;
        if recall.when != state.date || side != state.phasing || state.unit(recall.unit).at.is_none() {
            continue;
        }
        if let Some(to) = refuge(rules, state, recall) {
            scribe.record(Event::Recalled { unit: recall.unit, to });
        }
    }
}

/// Whether a unit has been called away and so may not leave its hex.
pub(super) fn is_confined(rules: &Lga, state: &State, unit: UnitId) -> bool {
    rules.scenario().recalls().iter().any(|recall| recall.unit == unit && recall.when <= state.date)
}

/// Where the unit goes: the city named, or if that is in enemy hands the nearest own-held city of its country.
fn refuge(rules: &Lga, state: &State, recall: &Recall) -> Option<Hex> {
    let spec = rules.scenario().unit(recall.unit);
    let ours =
        |hex: Hex| state.control.get(&hex) == Some(&spec.side) && !state.enemy_at(rules, hex, spec.side);
    if ours(recall.to) {
        return Some(recall.to);
    }
    let country = rules.numbers().country(spec.nation);
    let at_home = |hex: &Hex| rules.map().area(*hex).is_some_and(|area| area.country == country);
    let cities = rules.map().cities().map(|(hex, _)| hex).filter(at_home).filter(|&hex| ours(hex));
    cities.min_by_key(|hex| hex.distance(recall.to))
}
