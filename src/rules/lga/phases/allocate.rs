//! Phase II: military points in spring (manual 5.3, rulings LGA-7, LGA-8, LGA-9 and LGA-50).

use crate::data::Lga;
use crate::event::Event;
use crate::model::{Nation, Season, Side};
use crate::setting::Allotted;
use crate::state::State;
use crate::victory;
use musterd_engine::Scribe;

/// Allocates to each nation of the phasing side, in spring; never on a side's first turn, which the scenario pays for.
pub(super) fn spring(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    let state = scribe.state();
    if state.date.season != Season::Spring || state.turn == 1 {
        return;
    }
    let side = state.phasing;
    let Some(spec) = rules.scenario.side(side) else { return };
    for (nation, _) in &spec.nations {
        let state = scribe.state();
        let cities = earned(rules, state, side, *nation);
        let unspent = state.points.get(nation).copied().unwrap_or_default();
        let saved = unspent / rules.numbers.unspent_for_one_point;
        scribe.record(Event::Allocated { nation: *nation, cities, saved, now: cities + saved });
    }
}

/// The points from a nation's share of the side's cities, as the setting allots them: all, those of its own country, or those in no other ally's
/// country. Cities that belong to nobody's share give no points.
fn earned(rules: &Lga, state: &State, side: Side, nation: Nation) -> i32 {
    let allotted = rules.setting.of(nation).allotted;
    let bordered = || {
        let nations = rules.setting.nations().filter(|(_, of)| of.allotted == Allotted::Own);
        // The country of a nation that is not in the scenario can be occupied like any minor country.
        nations.filter(|(ally, _)| rules.scenario.side_of(*ally) == Some(side))
    };
    let owner = |country: &str| bordered().find(|(_, of)| of.country.value == country).map(|(ally, _)| ally);
    victory::worth(rules, &state.control, side)
        .filter(|(hex, _, _)| {
            let country = rules.map.area(*hex).map_or("", |area| area.country.as_str());
            match allotted {
                Allotted::All => true,
                Allotted::Rest => owner(country).is_none(),
                Allotted::Own => owner(country) == Some(nation),
            }
        })
        .map(|(_, _, points)| points)
        .sum()
}
