//! Phase VI: units still out of supply (manual 5.7, rulings LGA-35 and LGA-55).

use super::phasing::{phasing_units, unit_roll};
use crate::data::Lga;
use crate::event::Event;
use crate::sites::is_safe;
use crate::supply::Supply;
use crate::tables::siege;
use musterd_engine::Scribe;

/// Destroys units that began the turn out of supply and still are; a garrison undergoes a siege instead.
pub(super) fn check(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    for unit in phasing_units(rules, scribe.state()) {
        let state = scribe.state();
        let now = *state.unit(unit);
        let Some(at) = now.at else { continue };
        // Computed again for every unit: a garrison that falls may have been the source of another's supply.
        if !now.cut_off
            || is_safe(&rules.map, at)
            || Supply::of(rules, state, state.phasing).serves(rules, state, unit)
        {
            continue;
        }
        if now.garrison {
            let die = scribe.die(&unit_roll("starve", "siege", unit), 6);
            let loss = siege::loss(&rules.numbers.siege, die);
            let morale = now.morale - loss;
            scribe.record(Event::Besieged { unit, at, die, loss, morale, destroyed: morale < 0 });
        } else {
            scribe.record(Event::Starved { unit, at });
        }
    }
}
