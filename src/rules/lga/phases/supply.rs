//! Phase III, first half: who begins the turn out of supply (manual 5.4).

use super::phasing::phasing_units;
use crate::data::Lga;
use crate::event::Event;
use crate::supply::Supply;
use musterd_engine::Scribe;

/// Notes every unit and headquarters of the phasing side that begins its turn out of supply.
pub(super) fn check(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    let state = scribe.state();
    let supply = Supply::of(rules, state, state.phasing);
    let cut_off = phasing_units(rules, state).into_iter().filter(|&id| !supply.serves(rules, state, id));
    let cut_off: Vec<_> = cut_off.filter_map(|id| Some((id, state.unit(id).at?))).collect();
    for (unit, at) in cut_off {
        scribe.record(Event::OutOfSupply { unit, at });
    }
}
