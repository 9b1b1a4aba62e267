//! The cautious commander: each formation holds what is near, or attacks where it sees itself stronger.

use musterd_engine::hex::Hex;

use super::look::{Group, Look};
use crate::model::{ObjectiveId, UnitId};
use crate::order::{Act, Command, Order};

/// How near enemies are to an objective that count there.
const NEAR: u32 = 3;
/// How far a formation is sent, in tenths of a turn.
const FAR: i64 = 50;

/// His orders: commands to headquarters that have nothing left to do, or too much.
pub(super) fn orders(look: &mut Look<'_>) -> Vec<Order> {
    let groups = look.groups();
    groups.iter().filter_map(|group| order(look, group)).collect()
}

fn order(look: &mut Look<'_>, group: &Group) -> Option<Order> {
    let wanted = wanted(look, group)?;
    if wanted == group.command {
        return None;
    }
    match group.who {
        UnitId::Hq(id) => Some(Order::Command(id, wanted)),
        UnitId::Brigade(id) => {
            let objective = wanted.objective()?;
            let brigade = look.view.brigade(id);
            let free = brigade.engaged().is_none() && brigade.objective != Some(objective);
            free.then_some(Order::Brigade(id, Act::March(Some(objective))))
        }
    }
}

/// The enemy's power at a hex, as far as it is known.
fn power_at(look: &Look<'_>, hex: Hex) -> i64 {
    look.foes.iter().filter(|foe| foe.at.distance(hex) <= NEAR).map(|foe| foe.power).sum()
}

fn wanted(look: &mut Look<'_>, group: &Group) -> Option<Command> {
    let goal = |id: ObjectiveId| look.battle.objective(id).hex;
    // An attack goes on as long as the enemy isn't stronger where it goes.
    if let Command::Offensive { objective, .. } = group.command
        && !look.holds(objective)
        && power_at(look, goal(objective)) * 10 <= group.power * 12
    {
        return None;
    }
    if let Command::Defensive(objective) = group.command
        && look.holds(objective)
        && power_at(look, goal(objective)) > 0
    {
        return None;
    }
    let ids: Vec<ObjectiveId> = look.battle.objectives().map(|(id, _)| id).collect();
    let (mut attack, mut hold): (Option<(i64, ObjectiveId)>, Option<(i64, ObjectiveId)>) = (None, None);
    for id in ids {
        let hex = look.battle.objective(id).hex;
        let first = group.members[0];
        let at = look.view.brigade(first).at?;
        let Some(time) = look.time(first, at, hex).filter(|time| *time <= FAR) else { continue };
        let foe = power_at(look, hex);
        let (held, stake) = (look.holds(id), look.stake(id));
        if stake == 0 {
            continue;
        }
        if !held && group.power * 10 >= foe * 15 {
            attack = attack.max(Some((-time, id)));
        } else if held {
            hold = hold.max(Some((-time, id)));
        }
    }
    let offensive = attack.map(|(_, objective)| Command::Offensive { via: None, objective });
    offensive.or(hold.map(|(_, objective)| Command::Defensive(objective)))
}
