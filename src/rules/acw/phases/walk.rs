//! One step of a unit, with all that comes of it: pickets meet it, its own take the ground, a headquarters makes off (manual, "Sighting").

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::arrive::refuge;
use super::combat::hq_way;
use super::dice::random;
use crate::commanders;
use crate::data::Acw;
use crate::event::Event;
use crate::model::{BrigadeId, HqId, Side, UnitId};
use crate::order::Command;
use crate::state::State;

/// How far from the point that defines its line of march a brigade has passed it.
const PASSED: u32 = 1;

/// A unit moves into a neighbouring hex.
pub(super) fn walk(rules: &Acw, scribe: &mut Scribe<'_, Acw>, unit: UnitId, (from, to): (Hex, Hex)) {
    let side = unit.side();
    let meets = meets_pickets(rules, scribe.state(), side, to);
    scribe.record(Event::Moved { unit, from, to });
    let known = scribe.state().eyes[side.other().index()].picketed.contains(&unit);
    if meets && !known {
        scribe.record(Event::Picketed { by: side.other(), unit });
    }
    if let UnitId::Brigade(id) = unit {
        let hexes = patrolled(rules, scribe.state(), side, to);
        if !hexes.is_empty() {
            scribe.record(Event::Controlled { side, hexes });
        }
        displace(rules, scribe, side, to);
        pass(rules, scribe, id, to);
    }
}

/// Whether a unit of a side that comes into a hex comes upon the enemy's pickets: into a hex that he controls, or next to one.
fn meets_pickets(rules: &Acw, state: &State, side: Side, to: Hex) -> bool {
    let map = &rules.battle().map;
    let theirs = |hex: Hex| state.control[map.place(hex)] != side;
    theirs(to) || map.around(to).any(|(_, hex)| theirs(hex))
}

/// The hexes that the patrols of a brigade take: all around it but those across a river, a bridge or a ford, and those of an enemy unit or next to one.
fn patrolled(rules: &Acw, state: &State, side: Side, at: Hex) -> Vec<Hex> {
    let map = &rules.battle().map;
    let enemy = side.other();
    let hq = state.hq(HqId::army(enemy)).at;
    let held = |hex: Hex| {
        state.brigade_at(hex).is_some_and(|id| id.side == enemy)
            || state.is_beside(enemy, hex)
            || hq.is_some_and(|hq| hq.distance(hex) <= 1)
    };
    map.around(at)
        .filter(|(way, hex)| {
            state.control[map.place(*hex)] == enemy && !map.side(at, *way).is_barrier() && !held(*hex)
        })
        .map(|(_, hex)| hex)
        .collect()
}

/// The enemy's headquarters that stands alone in a hex which a brigade enters makes off, as under fire (ACW-75).
fn displace(rules: &Acw, scribe: &mut Scribe<'_, Acw>, side: Side, at: Hex) {
    let hq = HqId::army(side.other());
    if scribe.state().hq(hq).at != Some(at) {
        return;
    }
    let steps = 2 + random(scribe, ("flee", "length"), &hq, 2);
    let state = scribe.state();
    let to = hq_way(rules, state, hq, steps).filter(|to| *to != at).or_else(|| refuge(rules, state, hq));
    if let Some(to) = to {
        scribe.record(Event::Moved { unit: UnitId::Hq(hq), from: at, to });
    }
}

/// A brigade passes the point that defines its line of march; its headquarters does when it is with it.
fn pass(rules: &Acw, scribe: &mut Scribe<'_, Acw>, id: BrigadeId, at: Hex) {
    let battle = rules.battle();
    let over = battle.brigade(id).over;
    let state = scribe.state();
    let Command::Offensive { via: Some(via), .. } = state.hq(over).command else { return };
    if at.distance(battle.objective(via).hex) > PASSED {
        return;
    }
    let leads = state.hq(over).with == Some(id) && !state.hq(over).passed;
    if !state.brigade(id).passed {
        scribe.record(Event::Passed { brigade: id });
    }
    if leads {
        scribe.record(Event::Reached { hq: over, objective: via });
    }
}

/// Whether an enemy whom a brigade's side sees would have a brigade of it before him there: next to it, or at two hexes with open ground between.
pub(super) fn is_fronted(rules: &Acw, state: &State, side: Side, at: Hex) -> bool {
    let map = &rules.battle().map;
    let seen = |hex: Hex| {
        let foe = state.brigade_at(hex).filter(|id| id.side != side);
        foe.is_some_and(|id| rules.is_exposed() || state.eyes[side.index()].sees(UnitId::Brigade(id)))
    };
    let open = |middle: Hex, foe: Hex| {
        let ground = rules.numbers().terrain(map.ground(middle));
        ground.column.is_some()
            && !map.between(at, middle).is_barrier()
            && !map.between(middle, foe).is_barrier()
    };
    map.within(at, 2).filter(|hex| seen(*hex)).any(|foe| {
        at.distance(foe) <= 1
            || map.around(at).any(|(_, middle)| middle.distance(foe) == 1 && open(middle, foe))
    })
}

/// The goal of a brigade on the march, as its commanders have it.
pub(super) fn goal(rules: &Acw, state: &State, id: BrigadeId) -> Option<Hex> {
    let brigade = state.brigade(id);
    let act = Some(brigade.act).filter(|act| act.is_column())?;
    commanders::goal(rules.battle(), state.hq(rules.battle().brigade(id).over), brigade, act)
}
