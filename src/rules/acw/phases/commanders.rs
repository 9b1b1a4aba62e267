//! How commanders below the player choose the orders of the brigades under them (Menus 8 to 11; ACW-39).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use crate::data::Acw;
use crate::event::Event;
use crate::law;
use crate::model::{Arm, BrigadeId, Echelon, HqId, ObjectiveId, Side, UnitId};
use crate::order::{Act, Command};
use crate::state::{Brigade, State, Target};
use crate::values::Fighter;

/// How far a formation that has come to its objective looks and listens for the enemy (Menu 8).
pub(crate) const HEARS: u32 = 5;
/// How far from its objective a brigade stands and defends it.
const POST: u32 = 2;
/// The cohesion at which a brigade is rested.
const RESTED: i32 = 5;
/// The cohesion from which on a brigade is sent forward.
const FIT: i32 = 4;

/// Every brigade that no player told gets its order for the turn.
pub(super) fn choose(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let state = scribe.state();
    let mut chosen = Vec::new();
    for side in Side::ALL {
        for (id, brigade, at) in state.fielded(side).filter(|(_, brigade, _)| !brigade.told) {
            let act = wanted(rules, state, (id, brigade, at));
            if act != brigade.act {
                chosen.push(Event::Set { brigade: id, act });
            }
        }
    }
    chosen.into_iter().for_each(|event| scribe.record(event));
}

/// The best of the orders that a brigade's commander would give it and that it can be given.
fn wanted(rules: &Acw, state: &State, (id, brigade, at): (BrigadeId, &Brigade, Hex)) -> Act {
    let may = |act: &Act| law::act(rules, (id, brigade), &state.hqs[id.side.index()], *act).is_ok();
    let wishes = match brigade.engaged() {
        Some(_) if brigade.surprised => vec![Act::Withdraw],
        Some(target) => fights(rules, state, (id, brigade), target),
        None => manoeuvres(rules, state, (id, brigade, at)),
    };
    let last = if brigade.engaged().is_some() { Act::Withdraw } else { Act::Stand };
    wishes.into_iter().find(may).unwrap_or(last)
}

/// The command that a brigade carries out: that of the headquarters over it. Under an army it defends its own objective, or what it stands on.
fn mission(rules: &Acw, state: &State, id: BrigadeId) -> (Command, Option<ObjectiveId>) {
    let over = rules.battle().brigade(id).over;
    if rules.battle().hq(over).echelon == Echelon::Army {
        let objective = state.brigade(id).objective;
        return (objective.map_or(Command::Reserve, Command::Defensive), objective);
    }
    let hq = state.hq(over);
    let objective = match hq.command {
        Command::Offensive { via: Some(via), .. } if !hq.passed => Some(via),
        command => command.objective(),
    };
    (hq.command, objective)
}

/// The orders of an engaged brigade, the one that is wanted most first.
fn fights(rules: &Acw, state: &State, (id, brigade): (BrigadeId, &Brigade), target: Target) -> Vec<Act> {
    let battle = rules.battle();
    let arm = battle.brigade(id).arm;
    let (command, _) = mission(rules, state, id);
    let near = target.distance <= 1;
    let spent = brigade.cohesion <= 2 || (brigade.shattered && brigade.cohesion <= 3);
    let resting =
        matches!(command, Command::Reserve) && battle.hq(battle.brigade(id).over).echelon != Echelon::Army;
    let screens = arm == Arm::Cavalry && brigade.cohesion > FIT;
    let hold = [Act::Skirmish, Act::Advance, Act::Withdraw];
    if spent || (resting && !screens && !near) {
        return vec![Act::Withdraw];
    }
    if arm == Arm::Artillery {
        // Guns don't charge, and don't wait for a charge in the open.
        return vec![Act::Skirmish, Act::Withdraw];
    }
    let odds = odds(rules, state, id, target);
    let bold = command.is_offensive() && !resting;
    match near {
        true if bold && brigade.cohesion >= FIT && odds >= 110 => {
            vec![Act::Assault, Act::Skirmish, Act::Withdraw]
        }
        true if odds >= 130 && brigade.cohesion >= RESTED && !resting => {
            vec![Act::Skirmish, Act::Assault, Act::Withdraw]
        }
        // In the open nobody stands and fires at a neighbour: he charges, or goes.
        true if odds >= 80 && brigade.cohesion >= FIT => {
            vec![Act::Skirmish, Act::Advance, Act::Assault, Act::Withdraw]
        }
        true => hold.to_vec(),
        false if bold && brigade.cohesion >= FIT && odds >= 100 => vec![Act::Advance, Act::Skirmish],
        false => vec![Act::Skirmish],
    }
}

/// How strong a brigade and its friends near its target are, in hundredths of the enemy's brigades near there: men by quality and cohesion, works and cover
/// doubling the defence by halves.
fn odds(rules: &Acw, state: &State, id: BrigadeId, target: Target) -> i64 {
    let weight = |of: BrigadeId| {
        let brigade = state.brigade(of);
        let fighter = Fighter::of(rules, of, brigade);
        let quality = i64::from(8 + fighter.experience + fighter.leadership);
        let cohesion = match brigade.cohesion {
            6.. => 4,
            4 | 5 => 3,
            2 | 3 => 2,
            _ => 1,
        };
        i64::from(fighter.strength() + 3) * quality * cohesion
    };
    let around = |side: Side, at: Hex, within: u32| -> i64 {
        let near = state.fielded(side).filter(|(_, _, hex)| hex.distance(at) <= within);
        near.map(|(of, ..)| weight(of)).sum()
    };
    let own = weight(id) + around(id.side, target.at, 1).saturating_sub(weight(id)).max(0) / 2;
    let foe = match target.unit {
        UnitId::Brigade(foe) => {
            let fighter = Fighter::of(rules, foe, state.brigade(foe));
            weight(foe) * i64::from(8 + fighter.cover + 2 * fighter.works) / 8
        }
        UnitId::Hq(_) => 1,
    };
    own * 100 / foe.max(1)
}

/// The orders of a brigade that manoeuvres, the one that is wanted most first.
fn manoeuvres(rules: &Acw, state: &State, (id, brigade, at): (BrigadeId, &Brigade, Hex)) -> Vec<Act> {
    let battle = rules.battle();
    let over = battle.brigade(id).over;
    let (command, objective) = mission(rules, state, id);
    let march = march_of(rules, id, objective);
    let worn = brigade.cohesion < FIT || brigade.shattered;
    let arm = battle.brigade(id).arm;
    if battle.hour(state.turn).still {
        return vec![Act::Reserve, Act::Stand];
    }
    if worn {
        return vec![Act::Reserve, Act::Stand];
    }
    // Guns that have somebody in range fire.
    if arm == Arm::Artillery && brigade.target.is_some() {
        return vec![Act::Stand];
    }
    let far = objective.map_or(0, |objective| at.distance(battle.objective(objective).hex));
    match command {
        Command::Reserve if arm == Arm::Cavalry && seen_near(state, id.side, at).is_some() => {
            vec![Act::Stand]
        }
        Command::Reserve => vec![Act::Reserve, Act::Stand],
        Command::Offensive { .. } if sounds(rules, state, over, id).is_some() => vec![march, Act::Stand],
        _ if far > POST => vec![march, Act::Stand],
        // On its post it rests if nobody is near.
        _ if brigade.cohesion <= RESTED && seen_near(state, id.side, at).is_none() => {
            vec![Act::Reserve, Act::Stand]
        }
        _ => vec![Act::Stand],
    }
}

/// Marching to the division's objective, or to one's own.
fn march_of(rules: &Acw, id: BrigadeId, objective: Option<ObjectiveId>) -> Act {
    let battle = rules.battle();
    match battle.hq(battle.brigade(id).over).echelon {
        Echelon::Division => Act::March(None),
        Echelon::Army | Echelon::Corps => {
            objective.map_or(Act::Stand, |objective| Act::March(Some(objective)))
        }
    }
}

/// The nearest enemy brigade that a side sees within hearing of a hex.
pub(super) fn seen_near(state: &State, side: Side, at: Hex) -> Option<Hex> {
    let eyes = &state.eyes[side.index()];
    let seen = state.fielded(side.other()).filter(|(id, ..)| eyes.sees(UnitId::Brigade(*id)));
    let near = seen.map(|(_, _, foe)| foe).filter(|foe| foe.distance(at) <= HEARS);
    near.min_by_key(|foe| (foe.distance(at), *foe))
}

/// Where a brigade marches to the sound of the guns: its formation is to attack and has come to its objective, and enemies are seen near (Menu 8).
pub(super) fn sounds(rules: &Acw, state: &State, over: HqId, id: BrigadeId) -> Option<Hex> {
    let hq = state.hq(over);
    let attacks = rules.battle().hq(over).echelon != Echelon::Army && hq.command.is_offensive() && hq.arrived;
    let at = state.brigade(id).at?;
    attacks.then(|| seen_near(state, id.side, at)).flatten()
}

/// Where a brigade that marches is to go.
pub(super) fn destination(rules: &Acw, state: &State, id: BrigadeId) -> Option<Hex> {
    let battle = rules.battle();
    let over = battle.brigade(id).over;
    if let Act::March(Some(objective)) = state.brigade(id).act {
        return Some(battle.objective(objective).hex);
    }
    if let Some(foe) = sounds(rules, state, over, id) {
        return Some(foe);
    }
    mission(rules, state, id).1.map(|objective| battle.objective(objective).hex)
}
