//! Where commanders' headquarters go (Menu 5, ACW-43).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

use super::arrive::home_steps;
use super::walk::walk;
use crate::data::Acw;
use crate::event::{Event, Stop};
use crate::going;
use crate::model::{BrigadeId, HqId, Side, UnitId};
use crate::order::Goal;
use crate::state::State;

/// Headquarters of seats go where they are bound: an army's by the quickest way through friendly territory; a corps' joins its brigade that is nearest to
/// there, as it goes with one of its own always (ACW-78).
pub(super) fn march(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    for side in Side::ALL {
        for commander in &rules.battle().army(side).commanders {
            let state = scribe.state();
            let Some(goal) = goal(rules, state, commander.hq) else { continue };
            if commander.hq.is_army() {
                ride(rules, scribe, commander.hq, goal);
            } else {
                join(rules, scribe, commander.hq, goal);
            }
        }
    }
}

/// Where a headquarters is bound, unless it is there.
fn goal(rules: &Acw, state: &State, hq: HqId) -> Option<Hex> {
    let at = state.hq(hq).at?;
    let (goal, near) = match state.hq(hq).goal {
        Goal::Stand => return None,
        Goal::Objective(id) => (rules.battle().objective(id).hex, 0),
        Goal::Hex(hex) => (hex, 0),
        Goal::Corps(corps) => (state.hq(corps).at?, 1),
    };
    (at.distance(goal) > near).then_some(goal)
}

fn ride(rules: &Acw, scribe: &mut Scribe<'_, Acw>, hq: HqId, goal: Hex) {
    let state = scribe.state();
    let Some(mut at) = state.hq(hq).at else { return };
    let near = u32::from(matches!(state.hq(hq).goal, Goal::Corps(_)));
    let steps = |here: Hex, spent: u16| {
        home_steps(rules, state, hq.side, here).map(move |(to, cost)| (to, spent + cost))
    };
    let is_goal = |hex: Hex| hex.distance(goal) <= near;
    let Some(way) = Ways::cheapest(rules.battle().map.last(), (at, 0), is_goal, steps) else {
        scribe.record(Event::Stopped { unit: UnitId::Hq(hq), why: Stop::Territory });
        return;
    };
    let mut left = going::hq_allowance(rules, state.turn);
    for to in way {
        let cost = home_steps(rules, scribe.state(), hq.side, at).find(|(next, _)| *next == to);
        let Some((_, cost)) = cost.filter(|(_, cost)| *cost <= left.points && left.hexes > 0) else { return };
        left = going::Allowance { points: left.points - cost, hexes: left.hexes - 1 };
        walk(rules, scribe, UnitId::Hq(hq), (at, to));
        at = to;
    }
}

/// A corps' headquarters changes to another of its brigades, if that is within a turn's ride.
fn join(rules: &Acw, scribe: &mut Scribe<'_, Acw>, hq: HqId, goal: Hex) {
    let state = scribe.state();
    let Some(at) = state.hq(hq).at else { return };
    let allowance = going::hq_allowance(rules, state.turn);
    let ways = Ways::reach(rules.battle().map.last(), [(at, (0_u16, 0_u16))], |here, (spent, hexes)| {
        home_steps(rules, state, hq.side, here)
            .map(move |(to, cost)| (to, (spent + cost, hexes + 1)))
            .filter(|(_, (spent, hexes))| *spent <= allowance.points && *hexes <= allowance.hexes)
    });
    let own = rules.battle().all_under(hq).filter_map(|spec| Some((spec.id, state.brigade(spec.id).at?)));
    let near: Option<(u32, BrigadeId)> = own
        .filter(|(_, there)| ways.cost(*there).is_some())
        .map(|(id, there)| (there.distance(goal), id))
        .min();
    let nearer =
        |(far, brigade): &(u32, BrigadeId)| *far < at.distance(goal) && state.hq(hq).with != Some(*brigade);
    if let Some((_, brigade)) = near.filter(nearer) {
        scribe.record(Event::Joined { hq, brigade });
    }
}
