//! Phase III, second half: the muster (manual 5.4, rulings LGA-10 to LGA-12 and LGA-16).

use super::{Sum, phasing_units, unit_roll};
use crate::engine::Scribe;
use crate::rules::lga::data::Lga;
use crate::rules::lga::event::Event;
use crate::rules::lga::model::{CityRank, Nation, Season, Terrain, UnitId, UnitType};
use crate::rules::lga::state::State;

/// Musters every unit of the phasing side. Headquarters don't muster, nor do units at sea.
pub(super) fn roll(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    for unit in phasing_units(rules, scribe.state()) {
        let state = scribe.state();
        let Some(at) = state.unit(unit).at else { continue };
        let at_sea = rules.map().area(at).is_some_and(|area| area.terrain == Terrain::Sea);
        if at_sea || rules.scenario().unit(unit).kind == UnitType::Hq {
            continue;
        }
        let before = state.unit(unit).morale;
        let sum = modifiers(rules, state, unit);
        let die = scribe.die(&unit_roll("muster", "roll", unit), 6);
        let (check, loss) = sum.check(die, |total| rules.numbers().muster.loss.read(total));
        let morale = before - loss;
        scribe.record(Event::Mustered { unit, at, check, loss, morale, destroyed: morale < 0 });
    }
}

/// The lines of the muster table. A city's line replaces that of its mountains (ruling LGA-10).
fn modifiers(rules: &Lga, state: &State, id: UnitId) -> Sum {
    let table = &rules.numbers().muster;
    let unit = state.unit(id);
    let mut sum = Sum::default();
    sum.add("morale", unit.morale);
    sum.add_if(state.date.season == Season::Winter, "winter", table.winter);
    let area = unit.at.and_then(|at| rules.map().area(at));
    if let Some(area) = area {
        match area.city.as_ref().map(|city| city.rank) {
            Some(CityRank::Capital) => sum.add("capital", table.major_city),
            Some(CityRank::Major) => sum.add("major city", table.major_city),
            Some(CityRank::Minor) => sum.add("minor city", table.minor_city),
            None => {
                sum.add_if(area.terrain == Terrain::Forest, "forest", table.forest);
                sum.add_if(area.terrain == Terrain::Mountain, "mountains", table.mountain);
                sum.add_if(area.terrain == Terrain::Marsh, "marsh", table.marsh);
            }
        }
        let abroad =
            rules.scenario().unit(id).nation == Nation::French && table.abroad.contains(&area.within);
        sum.add_if(!unit.supplied, "out of supply", table.unsupplied);
        sum.add_if(abroad, &format!("French in {}", area.within), table.french_abroad);
    }
    sum
}
