//! The cautious commander: each formation that has nothing to do attacks what is near and where it sees itself far stronger, or holds what is near.

use musterd_engine::hex::Hex;

use super::look::{Group, Look};
use crate::model::{HqId, ObjectiveId, UnitId};
use crate::order::{Command, Order};

/// How near enemies are to an objective that count there.
const NEAR: u32 = 3;
/// How far a formation is sent to attack, in tenths of a turn, and how far to hold.
const FAR: (i64, i64) = (20, 50);
/// The odds in tenths that an attack wants, and those at which it is given up.
const ODDS: (i64, i64) = (30, 8);

/// His orders: commands to headquarters that have nothing left to do, or too much.
pub(super) fn orders(look: &mut Look<'_>) -> Vec<Order> {
    let mut orders = Vec::new();
    for group in look.groups() {
        let UnitId::Hq(hq) = group.who else { continue };
        orders.extend(order(look, hq, &group));
    }
    orders
}

fn order(look: &mut Look<'_>, hq: HqId, group: &Group) -> Option<Order> {
    let wanted = wanted(look, group)?;
    (wanted != group.command).then_some(Order::Command(hq, wanted))
}

/// The enemy's power at a hex, as far as it is known.
fn power_at(look: &Look<'_>, hex: Hex) -> i64 {
    look.foes.iter().filter(|foe| foe.at.distance(hex) <= NEAR).map(|foe| foe.power).sum()
}

fn wanted(look: &mut Look<'_>, group: &Group) -> Option<Command> {
    let foe = |id: ObjectiveId| power_at(look, look.battle.objective(id).hex);
    // An attack goes on as long as the enemy isn't stronger where it goes; what is threatened is held.
    let goes_on = match group.command {
        Command::Offensive { objective, .. } => {
            !look.holds(objective) && foe(objective) * ODDS.1 <= group.power * 10
        }
        Command::Defensive(objective) => look.holds(objective) && foe(objective) > 0,
        Command::Reserve => false,
    };
    if goes_on && !look.is_forbidden(group.who, group.command) {
        return None;
    }
    let first = group.members[0];
    let at = look.view.brigade(first).at?;
    let mut attack: Option<(i64, ObjectiveId)> = None;
    let mut hold = attack;
    for (id, objective) in look.battle.objectives() {
        if !look.can_aim(group.who, id) || look.stake(id) == 0 {
            continue;
        }
        let Some(time) = look.time(first, at, objective.hex) else { continue };
        let held = look.holds(id);
        if held && time <= FAR.1 {
            hold = hold.max(Some((-time, id)));
        } else if !held && time <= FAR.0 && group.power * 10 >= power_at(look, objective.hex) * ODDS.0 {
            attack = attack.max(Some((-time, id)));
        }
    }
    let offensive = attack.map(|(_, objective)| Command::Offensive { via: None, objective });
    offensive.or(hold.map(|(_, objective)| Command::Defensive(objective)))
}
