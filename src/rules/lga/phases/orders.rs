//! Carrying out the seats' orders: the standing files, then aid, then building and rallying, then the field, each from the
//! top, the seats in the scenario's order of nations (rulings LGA-57 and LGA-73).

use super::{build, combat, movement, reactions};
use crate::data::Lga;
use crate::event::Event;
use crate::fog;
use crate::model::UnitId;
use crate::needs::{Ungarrisoned, can_garrison};
use crate::order::{Act, Guard, HexIs, Order, Stage};
use crate::state::State;
use crate::words;
use musterd_engine::{Input, Scribe, Seat};

/// Takes every seat's new standing file, phasing or not.
pub(super) fn file_standing(rules: &Lga, scribe: &mut Scribe<'_, Lga>, input: &Input<Order>) {
    for spec in rules.seat_specs() {
        let Some(reading) = input.orders.get(&spec.seat) else { continue };
        let Some(command) = rules.command(&spec.seat) else { continue };
        for placed in &reading.orders {
            let Act::Standing { file } = &placed.order.act else { continue };
            let owned = |unit: UnitId| {
                rules.scenario.find(unit).is_some_and(|spec| command.nations.contains(&spec.nation))
            };
            let reactions = file.iter().map(|placed| &placed.order);
            let file = reactions.filter(|reaction| owned(reaction.reaction.unit())).cloned().collect();
            scribe.record(Event::StandingFiled { seat: spec.seat.clone(), file });
        }
    }
}

/// Carries out everything else, stage by stage.
pub(super) fn carry_out(rules: &Lga, scribe: &mut Scribe<'_, Lga>, input: &Input<Order>) {
    for stage in [Stage::Aid, Stage::Muster, Stage::Field] {
        for spec in rules.seat_specs() {
            let Some(reading) = input.orders.get(&spec.seat) else { continue };
            for placed in reading.orders.iter().filter(|placed| placed.order.act.stage() == stage) {
                if let Err(reason) = obey(rules, scribe, &spec.seat, &placed.order) {
                    let order = words::order(rules, &placed.order);
                    scribe.record(Event::NotDone {
                        seat: spec.seat.clone(),
                        line: placed.line,
                        order,
                        reason,
                    });
                }
            }
        }
    }
}

/// Carries out one order.
fn obey(rules: &Lga, scribe: &mut Scribe<'_, Lga>, seat: &Seat, order: &Order) -> Result<(), String> {
    let state = scribe.state();
    let command = rules.command(seat).filter(|command| command.side == state.phasing);
    let Some(command) = command else {
        return Err("it is not your turn: only STANDING orders count now".to_owned());
    };
    if let Act::Aid { to, points } = order.act {
        if let Some(donor) = rules.setting.donor()
            && !command.nations.contains(&donor)
        {
            return Err(format!("only the commander of {} gives aid", rules.name(donor)));
        }
        allowed(rules, state, order.guard)?;
        return build::aid(rules, scribe, to, points);
    }
    let Some(id) = order.act.unit() else { return Ok(()) };
    let Some(spec) = rules.scenario.find(id) else { return Err(format!("there is no unit {id}")) };
    if !command.nations.contains(&spec.nation) {
        return Err(format!("{} gives its orders", rules.commander(spec.nation)));
    }
    allowed(rules, state, order.guard)?;
    if let (Some(here), Some(there)) = (state.unit(id).at, order.act.stands_at())
        && here != there
    {
        let (here, there) = (rules.map.place(here), rules.map.place(there));
        return Err(format!("it stands at {here}, not at {there}"));
    }
    match &order.act {
        Act::Build { unit, at } => build::build(rules, scribe, *unit, *at),
        Act::Rally { unit } => build::rally(rules, scribe, *unit),
        Act::Move { unit, path } => movement::march(rules, scribe, *unit, path),
        Act::Attack { unit, at, limit, enter } => combat::attack(rules, scribe, *unit, *at, limit, *enter),
        Act::Garrison { unit, .. } => garrison(rules, scribe, *unit),
        Act::End { unit } => end(scribe, *unit),
        Act::Top { unit, .. } => reactions::top(rules, scribe, *unit, None),
        Act::Aid { .. } | Act::Standing { .. } => Ok(()),
    }
}

/// Whether an order's condition holds, as far as its side knows.
fn allowed(rules: &Lga, state: &State, guard: Option<Guard>) -> Result<(), String> {
    let Some(guard) = guard else { return Ok(()) };
    let side = state.phasing;
    let place = || rules.map.place(guard.hex);
    let held = fog::knows_enemy(rules, state, guard.hex, side);
    match guard.is {
        HexIs::Empty if held => Err(format!("its condition failed: the enemy is at {}", place())),
        HexIs::Held if !held => Err(format!("its condition failed: no enemy is known at {}", place())),
        HexIs::Controlled if state.control.get(&guard.hex) != Some(&side) => {
            Err(format!("its condition failed: {} is not ours", place()))
        }
        HexIs::Empty | HexIs::Held | HexIs::Controlled => Ok(()),
    }
}

/// Ends a unit's move as the garrison of its city (manual 3.6).
fn garrison(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId) -> Result<(), String> {
    let state = scribe.state();
    let unit = state.unit(id);
    let Some(at) = unit.at else { return Err("it is not on the map".to_owned()) };
    if unit.garrison {
        return Ok(());
    }
    if unit.ended {
        return Err("its move has ended".to_owned());
    }
    let held = state.stack(at).iter().find(|other| state.unit(**other).garrison).copied();
    let place = || rules.map.place(at);
    can_garrison(&rules.map, rules.scenario.unit(id).kind.arm, at, held).map_err(|why| match why {
        Ungarrisoned::Type => "only infantry, guard and militia garrison a city".to_owned(),
        Ungarrisoned::NoCity => format!("there is no city at {}", place()),
        Ungarrisoned::Garrison(other) => {
            format!("{} garrisons {} already", rules.scenario.unit(other).name, place())
        }
    })?;
    scribe.record(Event::Garrisoned { unit: id, at });
    Ok(())
}

/// Ends a unit's move (manual 2.11).
fn end(scribe: &mut Scribe<'_, Lga>, unit: UnitId) -> Result<(), String> {
    if scribe.state().unit(unit).at.is_none() {
        return Err("it is not on the map".to_owned());
    }
    if !scribe.state().unit(unit).ended {
        scribe.record(Event::MoveEnded { unit });
    }
    Ok(())
}
