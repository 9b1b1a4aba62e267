//! Units that are called away for good: Napoleon leaves Spain (manual 6.0, scenario 3; rulings LGA-41, LGA-63 and LGA-79).

use crate::data::Lga;
use crate::event::Event;
use crate::sites::refuge;
use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

/// Removes the units that are called away at the start of this turn. A destroyed unit is not revived.
pub(super) fn call(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    for recall in &rules.scenario.recalls {
        let state = scribe.state();
        let side = rules.scenario.unit(recall.unit).side;
        if recall.when != state.date || side != state.phasing || state.unit(recall.unit).at.is_none() {
            continue;
        }
        let enemy_at = |hex: Hex| state.enemy_at(rules, hex, side);
        if let Some(to) = refuge(rules, &state.control, enemy_at, recall) {
            scribe.record(Event::Recalled { unit: recall.unit, to });
        }
    }
}
