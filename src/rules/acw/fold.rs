//! How events change the position. Folding needs no dice, and computes nothing that an event could say.

use musterd_engine::hex::Hex;

use crate::battle::Battle;
use crate::data::Acw;
use crate::event::{Event, Lost, Shot, Touch};
use crate::law;
use crate::model::{BrigadeId, Echelon, Formation, HqId, Side, UnitId};
use crate::order::{Act, Goal};
use crate::state::{Deed, DeedKind, Despatch, Phase, Presence, Standing, State, Struck, Target, amend};

#[expect(clippy::too_many_lines, reason = "an arm for each event")]
pub(crate) fn apply(state: &mut State, rules: &Acw, event: &Event) {
    let battle = rules.battle();
    match event {
        Event::Founded => found(state, battle),
        Event::Began { turn } => begin(state, *turn),
        Event::Arrived { brigade, at } => {
            place(state, battle, *brigade, *at);
            state.settle_hqs(battle);
            report_first(state, battle);
        }
        Event::HqArrived { hq, at } => {
            state.hq_mut(*hq).at = Some(*at);
            report_first(state, battle);
        }
        Event::Communicated { side, checks } => communicate(state, rules, *side, checks),
        Event::Bound { hq, goal } => state.hq_mut(*hq).goal = *goal,
        Event::Profiled { side, profile, .. } => state.chiefs[side.index()].profile = *profile,
        Event::Commanded { hq, command } => {
            let pending = (state.hq(*hq).command != *command).then_some(*command);
            // A corps has begun its command when it is told: its formations throw for it. The same command again keeps what it has begun.
            match pending {
                Some(command) if battle.hq(*hq).echelon == Echelon::Corps => {
                    state.command(battle, *hq, command);
                }
                pending => state.hq_mut(*hq).pending = pending,
            }
        }
        Event::Obeyed { hq, command, begins, .. } => {
            match begins {
                true => state.command(battle, *hq, *command),
                false => state.hq_mut(*hq).pending = Some(*command),
            }
            state.hq_mut(*hq).tried = true;
        }
        Event::Heard { hq, at } => state.hq_mut(*hq).guns = *at,
        Event::Passed { brigade } => state.brigade_mut(*brigade).passed = true,
        Event::Joined { hq, brigade } => {
            let at = state.brigade(*brigade).at;
            let hq = state.hq_mut(*hq);
            (hq.with, hq.at, hq.moves) = (Some(*brigade), at, true);
        }
        Event::Reached { hq, objective } => {
            let hq = state.hq_mut(*hq);
            if hq.command.objective() == Some(*objective) {
                hq.arrived = true;
            } else {
                hq.passed = true;
            }
        }
        Event::Told { brigade, act, .. } => {
            let brigade = state.brigade_mut(*brigade);
            (brigade.act, brigade.told) = (*act, true);
            if let Act::March(Some(objective)) = act {
                brigade.objective = Some(*objective);
            }
        }
        Event::Set { brigade, act } => {
            let brigade = state.brigade_mut(*brigade);
            (brigade.act, brigade.told) = (*act, false);
        }
        Event::Left { side, ifs, stop } => {
            state.ifs.retain(|id, _| id.side != *side);
            for (id, when, act) in ifs {
                state.ifs.entry(*id).or_default().push((*when, *act));
            }
            state.stops[side.index()] = *stop;
        }
        Event::Targeted { brigade, target, engaged, .. } => aim(state, battle, *brigade, *target, *engaged),
        Event::Startled { brigade, surprised, .. } => state.brigade_mut(*brigade).surprised = *surprised,
        Event::Fired(shot) => hit(state, battle, shot),
        Event::HqFired { brigade, hq, to, .. } => {
            state.brigade_mut(*brigade).fired = true;
            let hq = state.hq_mut(*hq);
            (hq.moves, hq.at) = (hq.moves || hq.at != Some(*to), Some(*to));
        }
        Event::Checked(_) => {}
        Event::Shattered { brigade } => {
            let shattered = state.brigade_mut(*brigade);
            shattered.shattered = true;
            // Its limit of recovery (ACW-11).
            shattered.cohesion = shattered.cohesion.min(4);
            note(state, *brigade, DeedKind::Shattered);
        }
        Event::Retreated { brigade, way, .. } => retreat(state, battle, *brigade, way),
        Event::Cornered { brigade, cohesion } => {
            let brigade = state.brigade_mut(*brigade);
            (brigade.cohesion, brigade.act, brigade.told) = (*cohesion, Act::Stand, false);
        }
        Event::Destroyed { brigade, how, .. } => destroy(state, rules, *brigade, *how),
        Event::LeaderHit { unit, fate, leadership, staff, second } => match unit {
            UnitId::Brigade(id) => {
                let brigade = state.brigade_mut(*id);
                (brigade.leader, brigade.leadership) = (Some(*fate), *leadership);
            }
            UnitId::Hq(id) => {
                if *second {
                    state.chiefs[id.side.index()].second = Some(*fate);
                }
                let hq = state.hq_mut(*id);
                if !second {
                    hq.leader = Some(*fate);
                }
                (hq.leadership, hq.staff) = (*leadership, staff.unwrap_or(hq.staff));
            }
        },
        Event::Formed { brigade, formation } => state.brigade_mut(*brigade).formation = *formation,
        Event::Moved { unit, from, to } => step(state, battle, *unit, (*from, *to)),
        Event::Stopped { .. } | Event::Stood { .. } => {}
        Event::Faced { brigade, way } => state.brigade_mut(*brigade).facing = *way,
        Event::Controlled { side, hexes } => {
            for hex in hexes {
                state.control[battle.map.place(*hex)] = *side;
            }
        }
        Event::Picketed { by, unit } => {
            state.eyes[by.index()].picketed.insert(*unit);
            remember_unit(state, battle, *by, *unit);
        }
        Event::Sighted { by, units } => {
            let eyes = &mut state.eyes[by.index()];
            eyes.sighted = units.iter().copied().collect();
            remember(state, battle, *by);
        }
        Event::Rallied { brigade, recovers, .. } => {
            state.brigade_mut(*brigade).cohesion += i32::from(*recovers);
        }
        Event::Dug { brigade, works } => state.brigade_mut(*brigade).works = *works,
        Event::WorksLost { brigade } => state.brigade_mut(*brigade).works = 0,
        Event::Scored { objective, side, points } => {
            state.earned[side.index()] += points;
            state.holdings[objective.place()].turns[side.index()] += 1;
        }
        Event::Taken { objective, side } => state.holdings[objective.place()].holder = *side,
        Event::Closed => {
            let standing = Standing {
                turn: state.turn,
                earned: state.earned,
                lost: Side::ALL.map(|side| state.lost(battle, side)),
                holders: state.holdings.iter().map(|holding| holding.holder).collect(),
            };
            state.course.push(standing);
        }
        Event::Resigned { side } => state.resigned = Some(*side),
        Event::Ended { outcome } => {
            state.phase = Phase::Over;
            state.outcome = Some(outcome.clone());
        }
        Event::Amended { change } => {
            amend(state, battle, change);
            report_first(state, battle);
        }
    }
}

fn found(state: &mut State, battle: &Battle) {
    (state.phase, state.turn) = (Phase::Battle, 0);
    for side in Side::ALL {
        for spec in battle.army(side).brigades.iter().filter(|spec| spec.start.turn == 0) {
            place(state, battle, spec.id, spec.start.at);
        }
        for spec in &battle.army(side).hqs {
            if let Some(start) = spec.start.filter(|start| start.turn == 0) {
                state.hq_mut(spec.id).at = Some(start.at);
            }
        }
    }
    state.settle_hqs(battle);
    report_first(state, battle);
}

/// Notes of the last turn are over: whom pickets met becomes unseen, whom somebody sighted picketed (manual, "Sighting").
fn begin(state: &mut State, turn: u16) {
    state.turn = turn;
    state.deeds.retain(|deed| deed.turn + 2 >= turn);
    for side in Side::ALL {
        let eyes = &mut state.eyes[side.index()];
        eyes.picketed = std::mem::take(&mut eyes.sighted);
        eyes.struck.retain(|_, struck| struck.turn + 1 >= turn);
        for brigade in &mut state.brigades[side.index()] {
            (brigade.was, brigade.was_engaged) = (brigade.act, brigade.engaged().is_some());
            (brigade.moved, brigade.moves, brigade.fired) = (brigade.moves, false, false);
            (brigade.told, brigade.surprised, brigade.targeted, brigade.target) = (false, false, false, None);
        }
        for hq in &mut state.hqs[side.index()] {
            (hq.moved, hq.moves, hq.tried) = (hq.moves, false, false);
        }
    }
}

/// What units of a side report: those from which word comes to their commander, or those alone that have never reported.
fn report(state: &mut State, battle: &Battle, side: Side, first: bool) {
    let turn = state.turn;
    let brigades = state.fielded(side).filter(|(id, one, _)| match first {
        true => one.despatch.is_none(),
        false => law::reports(battle, state, UnitId::Brigade(*id)),
    });
    let hqs = state.hqs_of(side).filter(|(id, one)| match (one.at, first) {
        (None, _) => false,
        (Some(_), true) => one.despatch.is_none(),
        (Some(_), false) => law::reports(battle, state, UnitId::Hq(*id)),
    });
    let brigades: Vec<BrigadeId> = brigades.map(|(id, ..)| id).collect();
    let hqs: Vec<HqId> = hqs.map(|(id, _)| id).collect();
    for id in brigades {
        let one = state.brigade_mut(id);
        let unit = crate::state::Brigade { despatch: None, ..one.clone() };
        one.despatch = Some(Box::new(Despatch { turn, unit }));
    }
    for id in hqs {
        let one = state.hq_mut(id);
        let unit = crate::state::Hq { despatch: None, ..one.clone() };
        one.despatch = Some(Box::new(Despatch { turn, unit }));
    }
}

/// Whoever comes onto the map is known as he comes.
fn report_first(state: &mut State, battle: &Battle) {
    for side in Side::ALL {
        report(state, battle, side, true);
    }
}

/// Who is in communication: those whose throws are made, and everybody with radio (ACW-38). An army's headquarters always is.
fn communicate(state: &mut State, rules: &Acw, side: Side, checks: &[Touch]) {
    let radio = rules.has_radio();
    for brigade in &mut state.brigades[side.index()] {
        brigade.in_touch = radio && brigade.is_fielded();
    }
    for (spec, hq) in rules.battle().army(side).hqs.iter().zip(&mut state.hqs[side.index()]) {
        hq.in_touch = spec.echelon == Echelon::Army || (radio && hq.at.is_some());
    }
    for check in checks.iter().filter(|check| check.is_made()) {
        match check.unit {
            UnitId::Brigade(id) => state.brigade_mut(id).in_touch = true,
            UnitId::Hq(id) => state.hq_mut(id).in_touch = true,
        }
    }
    report(state, rules.battle(), side, false);
}

fn place(state: &mut State, battle: &Battle, id: BrigadeId, at: Hex) {
    state.put(id, Some(at));
    state.brigade_mut(id).presence = Presence::Fielded;
    state.control[battle.map.place(at)] = id.side;
}

fn aim(state: &mut State, battle: &Battle, id: BrigadeId, target: Option<(UnitId, Hex)>, engaged: bool) {
    let here = state.brigade(id).at;
    let aimed = |((unit, at), here): ((UnitId, Hex), Hex)| {
        let distance = here.distance(at);
        Target { unit, at, distance, engaged }
    };
    let target = target.zip(here).map(aimed);
    state.brigade_mut(id).target = target;
    let Some(target) = target else { return };
    if let UnitId::Brigade(enemy) = target.unit {
        state.brigade_mut(enemy).targeted = true;
    }
    // Whoever is to be fought is seen.
    state.eyes[id.side.index()].picketed.insert(target.unit);
    remember_unit(state, battle, id.side, target.unit);
}

fn hit(state: &mut State, battle: &Battle, shot: &Shot) {
    let turn = state.turn;
    state.brigade_mut(shot.attacker).fired = true;
    let target = state.brigade_mut(shot.target);
    target.men -= shot.lost;
    target.guns -= shot.guns_lost;
    target.cohesion = (target.cohesion - shot.cohesion_lost).max(0);
    let spec = battle.brigade(shot.target);
    let quality = (target.leadership + spec.experience) / 2;
    let struck = Struck { turn, arm: spec.arm, men: target.men, cohesion: target.cohesion, quality };
    state.eyes[shot.attacker.side.index()].struck.insert(shot.at, struck);
    // Both see each other by the fire.
    for (by, seen) in [(shot.attacker.side, shot.target), (shot.target.side, shot.attacker)] {
        state.eyes[by.index()].picketed.insert(UnitId::Brigade(seen));
        remember_unit(state, battle, by, UnitId::Brigade(seen));
    }
}

fn note(state: &mut State, id: BrigadeId, kind: DeedKind) {
    if let Some(at) = state.brigade(id).at {
        state.deeds.push(Deed { turn: state.turn, brigade: id, at, kind });
    }
}

/// A brigade that goes back carries out no order in this turn.
fn retreat(state: &mut State, battle: &Battle, id: BrigadeId, way: &[Hex]) {
    note(state, id, DeedKind::Retreated);
    let brigade = state.brigade_mut(id);
    (brigade.moves, brigade.works, brigade.encamped, brigade.target) = (true, 0, false, None);
    (brigade.act, brigade.told) = (Act::Stand, false);
    if let Some(last) = way.last() {
        state.put(id, Some(*last));
        state.control[battle.map.place(*last)] = id.side;
    }
    remember_unit(state, battle, id.side.other(), UnitId::Brigade(id));
}

fn destroy(state: &mut State, rules: &Acw, id: BrigadeId, how: Lost) {
    note(state, id, DeedKind::Destroyed);
    state.put(id, None);
    let brigade = state.brigade_mut(id);
    (brigade.presence, brigade.target) = (Presence::Gone(how), None);
    if how != Lost::Removed {
        // Who scatters isn't lost, and fights no more.
        (brigade.men, brigade.guns) = (brigade.men - brigade.men * rules.numbers().losses.broken / 100, 0);
    }
    state.ifs.remove(&id);
    for eyes in &mut state.eyes {
        let unit = UnitId::Brigade(id);
        eyes.sighted.remove(&unit);
        eyes.picketed.remove(&unit);
        eyes.memory.remove(&unit);
    }
    state.settle_hqs(rules.battle());
}

fn step(state: &mut State, battle: &Battle, unit: UnitId, (from, to): (Hex, Hex)) {
    match unit {
        UnitId::Brigade(id) => {
            let brigade = state.brigade_mut(id);
            (brigade.moves, brigade.works, brigade.encamped) = (true, 0, false);
            // Whoever moves faces where he goes.
            brigade.facing = from.direction_to(to).unwrap_or(brigade.facing);
            state.put(id, Some(to));
            if state.brigade_at(to) == Some(id) {
                state.control[battle.map.place(to)] = id.side;
            }
            let hqs = state.hqs_of(id.side).filter(|(_, hq)| hq.with == Some(id)).map(|(hq, _)| hq);
            for hq in hqs.collect::<Vec<_>>() {
                state.hq_mut(hq).moves = true;
                remember_unit(state, battle, id.side.other(), UnitId::Hq(hq));
            }
            remember_unit(state, battle, id.side.other(), unit);
        }
        UnitId::Hq(id) => {
            move_hq(state, id, to);
            remember_unit(state, battle, id.side.other(), unit);
        }
    }
}

fn move_hq(state: &mut State, id: HqId, to: Hex) {
    let hq = state.hq_mut(id);
    (hq.at, hq.moves) = (Some(to), true);
    if hq.goal == Goal::Hex(to) {
        hq.goal = Goal::Stand;
    }
}

/// Keeps where and how the enemies that a side sees stand now.
fn remember(state: &mut State, battle: &Battle, side: Side) {
    let eyes = &state.eyes[side.index()];
    let seen: Vec<UnitId> = eyes.sighted.iter().chain(&eyes.picketed).copied().collect();
    for unit in seen {
        remember_unit(state, battle, side, unit);
    }
}

/// Keeps where and how an enemy stands now, if a side sees it.
fn remember_unit(state: &mut State, battle: &Battle, side: Side, unit: UnitId) {
    if !state.eyes[side.index()].sees(unit) {
        return;
    }
    let looks = law::looks(battle, state, unit);
    let memories = &mut state.eyes[side.index()].memory;
    match looks {
        Some(memory) => {
            memories.insert(unit, memory);
        }
        None => {
            memories.remove(&unit);
        }
    }
}

/// How a brigade stands that carries out this order.
pub(crate) const fn formation_for(act: Act) -> Formation {
    if act.is_column() { Formation::Column } else { Formation::Line }
}
