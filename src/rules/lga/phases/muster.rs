//! Phase III: who begins the turn out of supply, then the muster (manual 5.4, ruling LGA-16).

use super::phasing::{phasing_units, unit_roll};
use crate::data::Lga;
use crate::event::Event;
use crate::supply::Supply;
use crate::tables::muster::Mustering;
use musterd_engine::Scribe;

/// Notes every unit and headquarters of the phasing side that begins its turn out of supply.
pub(super) fn supply(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    let state = scribe.state();
    let supply = Supply::of(rules, state, state.phasing);
    let cut_off = phasing_units(rules, state).into_iter().filter(|&id| !supply.serves(rules, state, id));
    let cut_off: Vec<_> = cut_off.filter_map(|id| Some((id, state.unit(id).at?))).collect();
    for (unit, at) in cut_off {
        scribe.record(Event::OutOfSupply { unit, at });
    }
}

/// Musters every unit of the phasing side. Headquarters don't muster, nor do units at sea.
pub(super) fn roll(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    let table = &rules.numbers.muster;
    for id in phasing_units(rules, scribe.state()) {
        let state = scribe.state();
        let unit = state.unit(id);
        let spec = rules.scenario.unit(id);
        let Some(at) = unit.at else { continue };
        let who = (Some(rules.setting.of(spec.nation)), spec.kind.arm, unit.morale);
        let mustering = Mustering::of(&rules.map, who, at, state.date, !unit.cut_off);
        let Some(mustering) = mustering else { continue };
        let die = scribe.die(&unit_roll("muster", "roll", id), 6);
        let (check, loss) = mustering.check(table, die);
        let morale = mustering.morale - loss;
        scribe.record(Event::Mustered { unit: id, at, check, loss, morale, destroyed: morale < 0 });
    }
}
