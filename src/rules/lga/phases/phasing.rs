//! The units of the side whose turn it is, and the names of their rolls.

use crate::data::Lga;
use crate::model::UnitId;
use crate::state::State;
use musterd_engine::LabelStem;

/// The units of the phasing side on the map, by number.
pub(super) fn phasing_units(rules: &Lga, state: &State) -> Vec<UnitId> {
    let units = rules.scenario.units.iter().filter(|spec| spec.side == state.phasing);
    units.map(|spec| spec.id).filter(|&id| state.unit(id).at.is_some()).collect()
}

/// The stem of a roll for one unit.
pub(super) fn unit_roll(phase: &'static str, kind: &'static str, unit: UnitId) -> LabelStem {
    LabelStem::of(phase, kind, &format_args!("u{unit}"))
}
