//! Phase III, second half: the muster (manual 5.4, ruling LGA-16).

use super::phasing::{phasing_units, unit_roll};
use crate::data::Lga;
use crate::event::Event;
use crate::model::{Nation, Season, Terrain, UnitType};
use crate::tables::muster::Mustering;
use musterd_engine::Scribe;

/// Musters every unit of the phasing side. Headquarters don't muster, nor do units at sea.
pub(super) fn roll(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    let table = &rules.numbers().muster;
    for id in phasing_units(rules, scribe.state()) {
        let state = scribe.state();
        let unit = state.unit(id);
        let spec = rules.scenario().unit(id);
        let Some((at, area)) = unit.at.and_then(|at| Some((at, rules.map().area(at)?))) else { continue };
        if area.terrain == Terrain::Sea || spec.kind == UnitType::Hq {
            continue;
        }
        let abroad = spec.nation == Nation::French && table.abroad.contains(&area.within);
        let mustering = Mustering {
            morale: unit.morale,
            winter: state.date.season == Season::Winter,
            terrain: area.terrain,
            city: area.city.as_ref().map(|city| city.rank),
            supplied: unit.supplied,
            abroad: abroad.then_some(area.within.as_str()),
        };
        let die = scribe.die(&unit_roll("muster", "roll", id), 6);
        let (check, loss) = mustering.check(table, die);
        let morale = mustering.morale - loss;
        scribe.record(Event::Mustered { unit: id, at, check, loss, morale, destroyed: morale < 0 });
    }
}
