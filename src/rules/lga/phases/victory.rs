//! Phase I: victory points and levels (manual 5.2, rulings LGA-33, LGA-45 and LGA-62).

use crate::data::Lga;
use crate::event::Event;
use crate::model::{Level, Side};
use crate::victory::{level, points};
use musterd_engine::Scribe;

/// Counts and shows a side's points.
pub(super) fn count(rules: &Lga, scribe: &mut Scribe<'_, Lga>, side: Side) {
    let points = points(rules, &scribe.state().control, side);
    let level = level(rules, side, points);
    scribe.record(Event::Counted { side, points, level });
}

/// Counts once more after the last turn: the highest level wins, equal ones draw (ruling LGA-45).
pub(super) fn decide(rules: &Lga, scribe: &mut Scribe<'_, Lga>) {
    for spec in &rules.scenario.sides {
        count(rules, scribe, spec.side);
    }
    let counted = |spec: &crate::scenario::SideSpec| {
        let points = scribe.state().victory[&spec.side];
        (spec.side, points, spec.level(points))
    };
    let levels: Vec<(Side, i32, Level)> = rules.scenario.sides.iter().map(counted).collect();
    let best = levels.iter().map(|(_, _, level)| *level).max();
    let mut leaders = levels.iter().filter(|(_, _, level)| Some(*level) == best);
    let winner = match (leaders.next(), leaders.next()) {
        (Some((side, _, _)), None) => Some(*side),
        _ => None,
    };
    scribe.record(Event::Ended { levels, winner });
}
