//! Phase V: movement, long marches and the fog of war (manual 5.61 to 5.63, 2.3 and 3.2).

use super::phasing::unit_roll;
use super::reactions::{self, Occasion};
use crate::data::Lga;
use crate::event::Event;
use crate::fog;
use crate::ground;
use crate::model::{Arm, Season, UnitId};
use crate::needs::{Inactive, can_act};
use crate::order::Path;
use crate::path::Toll;
use crate::state::State;
use crate::tables::march as table;
use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

/// Moves a unit along a path as far as it gets. It never attacks: it stops before an enemy.
///
/// # Errors
/// Why it stopped before the end of the path, for the player.
pub(super) fn march(
    rules: &Lga,
    scribe: &mut Scribe<'_, Lga>,
    unit: UnitId,
    path: &Path,
) -> Result<(), String> {
    let start = free(rules, scribe.state(), unit)?;
    let steps = match path {
        Path::Hexes(hexes) => hexes.clone(),
        Path::Directions(directions) => {
            let mut here = start;
            let mut steps = Vec::new();
            for direction in directions {
                here = here.step(*direction).ok_or("the path leads off the map")?;
                steps.push(here);
            }
            steps
        }
        Path::To(goal) => {
            let state = scribe.state();
            let known = fog::known(rules, state, rules.scenario.unit(unit).side);
            known.way(State::traveller(rules, unit), start, *goal).ok_or_else(|| {
                format!("no way is known from {} to {}", rules.map.place(start), rules.map.place(*goal))
            })?
        }
    };
    for to in steps {
        advance(rules, scribe, unit, to)?;
    }
    Ok(())
}

/// The hex of a unit that may still act this season.
///
/// # Errors
/// Why it may not.
pub(super) fn free(rules: &Lga, state: &State, id: UnitId) -> Result<Hex, String> {
    let unit = state.unit(id);
    let Some(at) = unit.at else { return Err("it is not on the map".to_owned()) };
    if unit.ended {
        return Err("its move has ended".to_owned());
    }
    match can_act(rules, id, !unit.cut_off, state.date) {
        Ok(()) => Ok(at),
        Err(Inactive::Unsupplied) => {
            Err("it began the season out of supply: it can neither move nor attack".to_owned())
        }
        Err(Inactive::CalledAway) => Err(format!("it may not leave {}", rules.map.place(at))),
    }
}

/// Moves a unit into an adjacent hex; then the fog of war, a long march, and the enemy's reactions.
///
/// # Errors
/// Why it stays where it is.
pub(super) fn advance(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId, to: Hex) -> Result<(), String> {
    let state = scribe.state();
    let from = free(rules, state, id)?;
    let spec = rules.scenario.unit(id);
    let place = || rules.map.place(to);
    if !rules.map.touch(from, to) {
        return Err(format!("{} is not next to {}, where it stands", place(), rules.map.place(from)));
    }
    let traveller = State::traveller(rules, id);
    let controller = state.control.get(&to).copied();
    if let Some(why) = ground::closed(rules, traveller, to, controller) {
        return Err(format!("it can't enter {}: {}", place(), rules.refusal(why)));
    }
    if state.enemy_at(rules, to, spec.side) {
        if !fog::sees_enemy(rules, state, to, spec.side) {
            scribe.record(Event::GarrisonFound { unit: id, at: to });
            return Err(format!("it stopped before {}: the enemy has a garrison there", place()));
        }
        return Err(format!("it stopped before {}: the enemy stands there", place()));
    }
    let leaves_zone = state.in_enemy_zone(rules, from, spec.side);
    let toll = ground::toll(rules, traveller, from, to, leaves_zone);
    let unit = state.unit(id);
    let Some(left) = toll.paid_from(unit.left) else {
        return Err(match toll {
            Toll::Moves(cost) => {
                format!("to enter {} takes {}, and it has {}", place(), moves(cost), unit.left)
            }
            Toll::Rest => {
                format!("between land and sea takes a move at least, and it has none, so not to {}", place())
            }
        });
    };
    // What a ship takes is not marched (ruling LGA-26).
    let spent = match toll {
        Toll::Moves(cost) => cost,
        Toll::Rest => 0,
    };
    let marched = unit.marched + spent;
    let land = rules.map.is_land(to);
    let captured = land && spec.kind.arm != Arm::Hq && controller != Some(spec.side);
    scribe.record(Event::Moved { unit: id, from, to, left, marched, captured });
    fog_of_war(rules, scribe, id, to);
    if spent > 0 {
        long_march(rules, scribe, id);
    }
    reactions::answer(rules, scribe, &Occasion::Entered { hex: to });
    Ok(())
}

/// One move or several, in words.
fn moves(count: u8) -> String {
    if count == 1 { "a move".to_owned() } else { format!("{count} moves") }
}

/// Rolls for the fog of war after a hex was entered (manual 5.63). Headquarters are exempt (ruling LGA-16), and on land a
/// unit without moves has nothing to lose; at sea it can still be kept from sailing on (ruling LGA-65).
fn fog_of_war(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId, at: Hex) {
    let left = scribe.state().unit(id).left;
    let at_sea = rules.map.is_sea(at);
    if !table::rolls_for_fog(rules.scenario.unit(id).kind.arm, left, at_sea) {
        return;
    }
    let die = scribe.die(&unit_roll("move", "fog", id), table::FOG_SIDES);
    if let Some((loss, left)) = table::fog(rules.numbers.fog, left, die) {
        scribe.record(Event::Fogged { unit: id, at, die, loss, left });
    }
}

/// Rolls for a long march once every move of the season has been spent by marching (manual 5.62, ruling LGA-26).
pub(super) fn long_march(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId) {
    let state = scribe.state();
    let kind = rules.scenario.unit(id).kind;
    let unit = *state.unit(id);
    let Some(at) = unit.at else { return };
    if !table::is_long(kind.arm, unit.marched, rules.stats(kind).moves) {
        return;
    }
    let winter = state.date.season == Season::Winter;
    let die = scribe.die(&unit_roll("move", "long-march", id), 6);
    let (check, gained) = table::long_march(&rules.numbers.long_march, unit.fatigue, winter, die);
    let fatigue = unit.fatigue.saturating_add(gained);
    scribe.record(Event::LongMarch { unit: id, at, check, gained, fatigue });
}
