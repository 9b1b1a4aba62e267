//! Phase II: military points in spring (manual 5.3, rulings LGA-7, LGA-8, LGA-9 and LGA-50).

use crate::data::Lga;
use crate::event::Event;
use crate::model::{Nation, Season, Side};
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
    let Some(spec) = rules.scenario().side(side) else { return };
    for (nation, _) in &spec.nations {
        let state = scribe.state();
        let cities = earned(rules, state, side, *nation);
        let unspent = state.points.get(nation).copied().unwrap_or_default();
        let saved = unspent / rules.numbers().unspent_for_one_point;
        scribe.record(Event::Allocated { nation: *nation, cities, saved, now: cities + saved });
    }
}

/// The points from a nation's share of the side's cities: France gets all of hers, a continental nation those inside its own borders, Britain those
/// in no continental ally's country. Cities that belong to nobody's share give no points.
fn earned(rules: &Lga, state: &State, side: Side, nation: Nation) -> i32 {
    let bordered =
        |nation: Nation| matches!(nation, Nation::Austria | Nation::Prussia | Nation::Russia | Nation::Spain);
    // If the scenario has no Prussians, Prussia can be occupied like any minor country.
    let owner = |country: &str| {
        let allies =
            Nation::ALL.into_iter().filter(|&n| bordered(n) && rules.scenario().side_of(n) == Some(side));
        allies.into_iter().find(|&ally| rules.numbers().country(ally) == country)
    };
    victory::worth(rules, &state.control, side)
        .filter(|(hex, _, _)| {
            let country = rules.map().area(*hex).map_or("", |area| area.country.as_str());
            match nation {
                Nation::French => true,
                Nation::Britain => owner(country).is_none(),
                _ => owner(country) == Some(nation),
            }
        })
        .map(|(_, _, points)| points)
        .sum()
}
