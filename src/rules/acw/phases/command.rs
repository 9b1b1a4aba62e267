//! Headquarters: arrivals, obedience, what corps tell their divisions (Menu 8; ACW-39).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use super::dice::random;
use crate::data::Acw;
use crate::event::{Event, Motive};
use crate::model::{Branch, Echelon, HqId, ObjectiveId, Side, UnitId};
use crate::order::Command;
use crate::state::{Presence, State};

/// How near a brigade has to be to an objective that its headquarters has come to it.
const THERE: u32 = 1;
/// How near to a point on the line of march.
const PASSED: u32 = 2;

/// Reinforcements that are due come in their hex, or in the nearest free one (ACW-56).
pub(super) fn arrive(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    let turn = scribe.state().turn;
    for side in Side::ALL {
        for spec in &battle.army(side).brigades {
            let waits = scribe.state().brigade(spec.id).presence == Presence::Awaited;
            if waits && spec.start.turn > 0 && spec.start.turn <= turn {
                if let Some(at) = free_near(rules, scribe.state(), side, spec.start.at) {
                    scribe.record(Event::Arrived { brigade: spec.id, at });
                }
            }
        }
        for spec in &battle.army(side).hqs {
            let waits = scribe.state().hq(spec.id).at.is_none();
            if let Some(start) = spec.start.filter(|start| waits && start.turn > 0 && start.turn <= turn) {
                scribe.record(Event::HqArrived { hq: spec.id, at: start.at });
            }
        }
    }
}

/// The nearest hex to one in which a brigade of a side can stand: nobody is there, and no enemy next to it.
fn free_near(rules: &Acw, state: &State, side: Side, at: Hex) -> Option<Hex> {
    let map = &rules.battle().map;
    let is_free = |hex: &Hex| {
        let ground = rules.numbers().terrain(map.ground(*hex));
        let foes = state.fielded(side.other()).any(|(_, _, foe)| foe.distance(*hex) <= 1);
        ground.column.is_some() && state.brigade_at(*hex).is_none() && !foes
    };
    (0..=6).find_map(|reach| map.within(at, reach).filter(|hex| hex.distance(at) == reach).find(is_free))
}

/// Who has come to the point on his line of march, or to his objective.
pub(super) fn reach(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    for side in Side::ALL {
        for spec in &battle.army(side).hqs {
            let state = scribe.state();
            let hq = state.hq(spec.id);
            let near = |objective: ObjectiveId, within: u32| {
                let hex = battle.objective(objective).hex;
                let own = battle.all_under(spec.id).filter_map(|own| state.brigade(own.id).at);
                own.into_iter().any(|at| at.distance(hex) <= within)
            };
            let reached = match hq.command {
                Command::Offensive { via: Some(via), .. } if !hq.passed && near(via, PASSED) => Some(via),
                command if !hq.arrived => command.objective().filter(|objective| near(*objective, THERE)),
                _ => None,
            };
            if let Some(objective) = reached {
                scribe.record(Event::Reached { hq: spec.id, objective });
            }
        }
    }
}

/// Headquarters that have a command to begin throw for it.
pub(super) fn obey(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    for side in Side::ALL {
        for spec in &battle.army(side).hqs {
            let hq = scribe.state().hq(spec.id);
            if hq.pending.is_none() || hq.at.is_none() {
                continue;
            }
            let leadership = hq.leadership;
            let die = random(scribe, ("command", "obey"), &spec.id, 9);
            let begins = i64::from(die) <= i64::from(leadership);
            scribe.record(Event::Obeyed { hq: spec.id, die, begins });
        }
    }
    pass_on(rules, scribe);
    super::commanders::choose(rules, scribe);
}

/// Corps have their divisions do what they do themselves, one throw for each that doesn't (ACW-39); worn formations go into reserve.
pub(super) fn pass_on(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    for side in Side::ALL {
        for spec in battle.army(side).hqs.iter().filter(|spec| spec.echelon == Echelon::Division) {
            let state = scribe.state();
            let hq = state.hq(spec.id);
            if hq.at.is_none() {
                continue;
            }
            if let Some(command) = worn(rules, state, spec.id) {
                scribe.record(Event::Chose { hq: spec.id, command, why: Motive::Worn });
                continue;
            }
            let Some(over) = spec.over.filter(|over| battle.hq(*over).echelon == Echelon::Corps) else {
                continue;
            };
            let corps = state.hq(over);
            let has_seat = battle.army(side).commanders.iter().any(|one| one.hq == spec.id);
            // A division that was told otherwise by the army itself keeps to that.
            let told = crate::law::direct(state, side) == Some(over) || hq.pending.is_some();
            let changed = corps.command != hq.command && corps.begun > hq.begun;
            if told || has_seat || !changed || !hq.in_touch {
                continue;
            }
            let (command, leadership) = (corps.command, corps.leadership);
            let off = hq.command.is_offensive() && !command.is_offensive();
            let die = random(scribe, ("command", "pass"), &spec.id, 9);
            if i64::from(die) <= i64::from(leadership) {
                let why = if off { Motive::CalledOff } else { Motive::Orders };
                scribe.record(Event::Chose { hq: spec.id, command, why });
            }
        }
    }
}

/// The command of a division most of whose men are worn: reserve where it rests, defence of the ground that it has. Cavalry screens on (ACW-39).
fn worn(rules: &Acw, state: &State, id: HqId) -> Option<Command> {
    let battle = rules.battle();
    let hq = state.hq(id);
    if battle.hq(id).branch == Branch::Cavalry || hq.command == Command::Reserve {
        return None;
    }
    let own: Vec<_> =
        battle.all_under(id).map(|spec| state.brigade(spec.id)).filter(|one| one.is_fielded()).collect();
    let spent = own.iter().filter(|one| one.cohesion <= 3 || one.shattered).count();
    (!own.is_empty() && spent * 3 > own.len() * 2).then_some(Command::Reserve)
}
