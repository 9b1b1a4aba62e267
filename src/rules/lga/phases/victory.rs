//! Phase I: victory points and levels (manual 5.2, rulings LGA-33, LGA-45 and LGA-62).

use crate::data::Lga;
use crate::event::Event;
use crate::map::City;
use crate::model::{Level, Side};
use crate::state::State;
use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

/// The cities that count for a side now, each with its worth.
pub(super) fn worth<'a>(
    rules: &'a Lga,
    state: &'a State,
    side: Side,
) -> impl Iterator<Item = (Hex, &'a City, i32)> {
    rules.map().cities().filter(move |(hex, _)| state.control.get(hex) == Some(&side)).map(
        move |(hex, city)| {
            let at_home = rules.scenario().is_home(hex, side);
            (hex, city, rules.numbers().victory.of(city.rank, at_home))
        },
    )
}

/// The victory points of a side now.
pub(crate) fn points(rules: &Lga, state: &State, side: Side) -> i32 {
    worth(rules, state, side).map(|(_, _, points)| points).sum()
}

/// Counts and shows a side's points.
pub(super) fn count(rules: &Lga, scribe: &mut Scribe<'_, Lga>, side: Side) {
    let points = points(rules, scribe.state(), side);
    let level = level(rules, side, points);
    scribe.record(Event::Counted { side, points, level });
}

/// The level that so many points give a side.
pub(crate) fn level(rules: &Lga, side: Side, points: i32) -> Level {
    rules.scenario().side(side).map_or(Level::AbsoluteDefeat, |spec| spec.level(points))
}

/// Counts once more after the last turn: the highest level wins, equal ones draw (ruling LGA-45).
pub(super) fn decide(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    for spec in rules.scenario().sides() {
        count(rules, scribe, spec.side);
    }
    let counted = |spec: &crate::scenario::SideSpec| {
        let points = scribe.state().victory.get(&spec.side).copied().unwrap_or_default();
        (spec.side, points, spec.level(points))
    };
    let levels: Vec<(Side, i32, Level)> = rules.scenario().sides().iter().map(counted).collect();
    let best = levels.iter().map(|(_, _, level)| *level).max();
    let mut leaders = levels.iter().filter(|(_, _, level)| Some(*level) == best);
    let winner = match (leaders.next(), leaders.next()) {
        (Some((side, _, _)), None) => Some(*side),
        _ => None,
    };
    scribe.record(Event::Ended { levels, winner });
}
