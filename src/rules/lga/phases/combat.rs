//! Phase V: combat (manual 5.64 and 3.5, rulings LGA-13, LGA-17 to LGA-25, LGA-30, LGA-58 and LGA-60).

use super::movement;
use super::reactions::{self, Occasion};
use crate::charge::{Charge, Unable};
use crate::data::Lga;
use crate::event::Event;
use crate::model::{Side, UnitId};
use crate::order::Limit;
use crate::state::State;
use crate::tables::combat::{self, Clash, Field, Fighter};
use musterd_engine::hex::Hex;
use musterd_engine::{LabelStem, Scribe};

/// Attacks a hex round by round, as long as the order's limits hold and somebody is left there; then moves in, if ordered.
///
/// # Errors
/// The attack did not begin or had to stop; the error tells the player why. A limit that no longer holds is no error, because the order set it.
pub(super) fn attack(
    rules: &Lga,
    scribe: &mut Scribe<'_, Lga>,
    id: UnitId,
    at: Hex,
    limit: &Limit,
    enter: bool,
) -> Result<(), String> {
    let side = rules.scenario.unit(id).side;
    for round in 0..limit.rounds {
        let state = scribe.state();
        let Some(defender) = defender(rules, state, at, side) else {
            if round > 0 || enter {
                break;
            }
            return Err(format!("no enemy stands at {}", rules.map.place(at)));
        };
        if let Some(least) = limit.while_morale
            && state.unit(id).morale < least
        {
            let morale = state.unit(id).morale;
            return if round > 0 { Ok(()) } else { Err(format!("its morale is {morale}, below {least}")) };
        }
        let from = able(rules, state, id, at, defender)?;
        if let Some(least) = limit.while_odds {
            let odds = clash(rules, state, (id, from), defender, at).known_odds(&rules.numbers.combat);
            if odds < i32::from(least) {
                return if round > 0 {
                    Ok(())
                } else {
                    Err(format!("the known odds are {odds:+}, below {least:+}"))
                };
            }
        }
        fight(rules, scribe, id, from, defender, at);
        if scribe.state().unit(id).at.is_none() {
            return Ok(());
        }
    }
    let clear = defender(rules, scribe.state(), at, side).is_none();
    if enter && clear { movement::advance(rules, scribe, id, at) } else { Ok(()) }
}

/// The piece that an attack on a hex falls on: the top unit, the garrison after all others, a headquarters last
/// (manual 3.5, ruling LGA-20).
pub(super) fn defender(rules: &Lga, state: &State, at: Hex, attacker: Side) -> Option<UnitId> {
    let enemy = |id: &&UnitId| rules.scenario.unit(**id).side != attacker;
    let turn = |id: &&UnitId| combat::turn(rules.scenario.unit(**id).kind.arm, state.unit(**id).garrison);
    state.stack(at).iter().filter(enemy).min_by_key(turn).copied()
}

/// The moves that an attack takes: none, except against a unit that has withdrawn this season (manual 2.13).
fn cost(rules: &Lga, state: &State, defender: UnitId) -> u8 {
    if state.unit(defender).withdrew { rules.numbers.movement.attack_withdrawn } else { 0 }
}

/// The hex from which a unit can attack now.
fn able(rules: &Lga, state: &State, id: UnitId, at: Hex, defender: UnitId) -> Result<Hex, String> {
    let from = movement::free(rules, state, id)?;
    let unit = state.unit(id);
    let (who, cost) = (State::traveller(rules, id), cost(rules, state, defender));
    let charge = Charge { who, morale: unit.morale, from, at, left: unit.left, cost, stirred: unit.stirred };
    let place = || rules.map.place(at);
    let why = match charge.hindrances(rules, state.control.get(&at).copied()).next() {
        None => return Ok(from),
        Some(Unable::Headquarters) => "a headquarters does not attack".to_owned(),
        Some(Unable::Demoralised) => "it is demoralised and can't attack".to_owned(),
        Some(Unable::NotAdjacent) => {
            format!("{} is not next to {}, where it stands", place(), rules.map.place(from))
        }
        Some(Unable::Closed(why)) => format!("it can't attack {}: {}", place(), rules.refusal(why)),
        Some(Unable::TooFewMoves) if cost == 0 => {
            "it has no move left, and an attack needs one in hand".to_owned()
        }
        Some(Unable::TooFewMoves) => {
            format!("to attack a unit that withdrew takes {cost} moves, and it has {}", unit.left)
        }
        Some(Unable::Sailed) => "from the sea it attacks only where it lay when the season began".to_owned(),
    };
    Err(why)
}

/// One round (manual 5.64).
fn fight(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId, from: Hex, defender: UnitId, at: Hex) {
    let state = scribe.state();
    let garrison = state.unit(defender).garrison;
    let spent = cost(rules, state, defender);
    let clash = clash(rules, state, (id, from), defender, at);
    let stem = LabelStem::of("combat", "round", &format_args!("u{id}-u{defender}"));
    let die = scribe.die(&stem, 6);
    let (check, result) = clash.check(&rules.numbers.combat, die);
    scribe.record(Event::Attacked { attacker: id, from, defender, at, garrison, check, result, spent });
    if spent > 0 {
        movement::long_march(rules, scribe, id);
    }
    reactions::answer(rules, scribe, &Occasion::Attacked { hex: at, defender });
}

/// The round as the combat table looks at it.
fn clash(rules: &Lga, state: &State, (id, from): (UnitId, Hex), target: UnitId, at: Hex) -> Clash {
    let fighter = |id: UnitId| {
        let unit = state.unit(id);
        Fighter { arm: rules.scenario.unit(id).kind.arm, morale: unit.morale, fatigue: unit.fatigue }
    };
    let hq = |id: UnitId, hex: Hex| best_hq(rules, state, hex, rules.scenario.unit(id).side);
    Clash {
        attacker: fighter(id),
        defender: fighter(target),
        garrison: state.unit(target).garrison,
        met: state.found.contains(&at),
        attacker_hq: hq(id, from),
        defender_hq: hq(target, at),
        field: Field::between(&rules.map, from, at),
    }
}

/// The best modifier of a side's headquarters in a hex.
fn best_hq(rules: &Lga, state: &State, hex: Hex, side: Side) -> i8 {
    let specs = state.stack(hex).iter().map(|&id| rules.scenario.unit(id));
    combat::best_hq(specs.filter(|spec| spec.side == side).map(|spec| spec.modifier))
}
