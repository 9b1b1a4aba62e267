//! Orders for brigades that aren't engaged (Menu 11).

use musterd_engine::hex::{Direction, Hex};

use super::{Scene, Task};
use crate::going;
use crate::law;
use crate::model::{Arm, BrigadeId, Formation};
use crate::order::Act;
use crate::state::Brigade;

/// An enemy so near or nearer is approached in line.
const APPROACHED: u32 = 3;
/// An enemy so near makes a brigade behind others stay in line behind them.
const SUPPORT: u32 = 4;
/// Whoever stands in works so near to what he defends stays in them.
const WORKS: u32 = 6;
/// So far from the enemy a brigade can rest.
const SAFE: u32 = 5;

impl Scene<'_> {
    /// Chooses the order of a brigade that isn't engaged.
    pub(super) fn manoeuvre(&self, id: BrigadeId, brigade: &Brigade, at: Hex) -> Act {
        let foe = self.nearest(id.side, at);
        let far = foe.map_or(u32::MAX, |(_, _, far)| far);
        let task = self.task(id, brigade);
        if let Some(act) = self.rest(id, brigade, (task, far)) {
            return act;
        }
        // Nobody is left where the enemy is upon him, and he is worn.
        let worn = brigade.cohesion <= law::SHAKEN;
        let gives_way = |far: u32| (worn && far < SAFE) || (task == Task::Rest && far <= APPROACHED);
        if let Some((_, foe, _)) = foe.filter(|(_, _, far)| gives_way(*far)) {
            return self.fall_back((id, brigade, at), foe);
        }
        if worn {
            return Act::Stand;
        }
        match task {
            Task::Rest | Task::Wait => Act::Stand,
            // Guns stay where they have somebody in range.
            Task::Attack(_)
                if self.arm(id) == Arm::Artillery && (brigade.target.is_some() || far <= APPROACHED) =>
            {
                Act::Stand
            }
            Task::Attack(goal) => {
                if let Some((_, foe, _)) = foe.filter(|(_, _, far)| *far <= APPROACHED)
                    && let Some(way) = self.approach(id, at, foe)
                {
                    return Act::Deploy(way);
                }
                self.go(id, brigade, (at, goal))
            }
            Task::Defend(goal) => {
                // Whoever has the enemy before him near his post receives him there.
                let in_works = law::works(self.rules.battle(), brigade) > 0 && at.distance(goal) <= WORKS;
                let posted = at.distance(goal) <= APPROACHED && self.holds(id, goal);
                if in_works || far <= APPROACHED && (posted || far <= 2) {
                    return Act::Stand;
                }
                self.go(id, brigade, (at, goal))
            }
        }
    }

    /// Whether a hex is in the hands of a brigade's side.
    fn holds(&self, id: BrigadeId, hex: Hex) -> bool {
        self.state.control[self.rules.battle().map.place(hex)] == id.side
    }

    /// Marches to a goal, or stands where it has come near enough: in its hex, or near friends who have it.
    fn go(&self, id: BrigadeId, brigade: &Brigade, (at, goal): (Hex, Hex)) -> Act {
        let taken = self.state.brigade_at(goal).is_some_and(|other| other.side == id.side && other != id);
        if at == goal || (taken && at.distance(goal) <= APPROACHED) {
            return Act::Stand;
        }
        let act = self.march(id, brigade);
        let lawful =
            |act: &Act| law::act(self.rules, (id, brigade), &self.state.hqs[id.side.index()], *act).is_ok();
        let close = self.nearest(id.side, at).is_some_and(|(_, _, far)| far <= SUPPORT);
        if close && self.is_behind(id, at, goal) {
            return Act::Stand;
        }
        act.filter(lawful).unwrap_or(Act::Stand)
    }

    /// Whether friends who stand and fight are before a brigade on all ways to its goal: it supports them.
    fn is_behind(&self, id: BrigadeId, at: Hex, goal: Hex) -> bool {
        let how = (self.mover(id), Formation::Column);
        let field = going::ways(self.rules, goal, how.0);
        let Some((field, left)) = field.and_then(|field| Some((field, field.cost(at)?))) else {
            return false;
        };
        going::steps(self.rules, how, at)
            .filter(|(to, _)| field.cost(*to).is_some_and(|rest| rest < left))
            .all(|(to, _)| {
                let before = self.state.brigade_at(to).filter(|other| other.side == id.side);
                before.is_some_and(|other| !self.state.brigade(other).act.is_column())
            })
    }

    /// Rest in reserve, where a brigade needs it and can have it.
    fn rest(&self, id: BrigadeId, brigade: &Brigade, (task, far): (Task, u32)) -> Option<Act> {
        let hqs = &self.state.hqs[id.side.index()];
        let lawful = law::act(self.rules, (id, brigade), hqs, Act::Reserve).is_ok();
        // At night who rests may go on to the last bit (manual, "Cohesion").
        let goes_on = self.night
            && brigade.was == Act::Reserve
            && brigade.cohesion < if brigade.shattered { 5 } else { 7 };
        let still = self.rules.battle().hour(self.state.turn).still;
        if still {
            return Some(if lawful || goes_on { Act::Reserve } else { Act::Stand });
        }
        if !(lawful || goes_on) || far < SAFE {
            return None;
        }
        let rested = brigade.was == Act::Reserve;
        let most = match task {
            Task::Rest | Task::Wait => 6,
            // A worn brigade is no use to an attack.
            Task::Attack(_) => law::SHAKEN + 2 * i32::from(rested) + i32::from(self.night),
            Task::Defend(_) => 4 + i32::from(rested) + i32::from(self.night),
        };
        (brigade.cohesion <= most || goes_on).then_some(Act::Reserve)
    }

    /// The direction of the step by which a brigade comes nearer to an enemy in line, into a free hex.
    fn approach(&self, id: BrigadeId, at: Hex, foe: Hex) -> Option<Direction> {
        let points = going::allowance(self.rules, self.state, id, Formation::Line).points;
        let how = (self.mover(id), Formation::Line);
        let free = |to: Hex| self.is_free(id.side, to);
        let leads = |to: Hex| {
            going::steps(self.rules, how, to)
                .any(|(next, _)| next.distance(foe) < at.distance(foe) && free(next))
        };
        let step = |way: Direction| {
            let (to, cost) = going::step(self.rules, how, at, way)?;
            let nearer = to.distance(foe) < at.distance(foe);
            // Where friends are before him already, he goes beside them.
            let beside = to.distance(foe) == at.distance(foe) && leads(to);
            let goes = free(to) && cost <= points && (nearer || beside);
            goes.then(|| ((!nearer, self.worth(to, cost)), way))
        };
        Direction::ALL.into_iter().filter_map(step).min_by_key(|(worth, _)| *worth).map(|(_, way)| way)
    }

    /// How good a hex is to come to: the better its cover, and the cheaper, the lower.
    fn worth(&self, hex: Hex, cost: u16) -> i32 {
        let cover = self.rules.numbers().terrain(self.rules.battle().map.ground(hex)).cover;
        i32::from(cost) - 2 * cover
    }

    /// Away from the enemy: to its headquarters if that is behind it, else a hex back.
    fn fall_back(&self, (id, brigade, at): (BrigadeId, &Brigade, Hex), foe: Hex) -> Act {
        let far = at.distance(foe);
        let (_, hq) = self.over(id);
        let behind = hq.at.is_some_and(|hq| hq.distance(foe) > far + 1 && hq.distance(at) > 1);
        let regroups =
            law::act(self.rules, (id, brigade), &self.state.hqs[id.side.index()], Act::Regroup).is_ok();
        if behind && regroups && far > 2 {
            return Act::Regroup;
        }
        let points = going::allowance(self.rules, self.state, id, Formation::Line).points;
        let how = (self.mover(id), Formation::Line);
        let step = |way: Direction| {
            let (to, cost) = going::step(self.rules, how, at, way)?;
            let free = self.is_free(id.side, to) && self.holds(id, to);
            let away = self.nearest(id.side, to).map_or(u32::MAX, |(_, _, far)| far);
            (free && cost <= points && away > far).then_some(((std::cmp::Reverse(away), cost), way))
        };
        let back = Direction::ALL.into_iter().filter_map(step).min_by_key(|(worth, _)| *worth);
        back.map_or(Act::Stand, |(_, way)| Act::Deploy(way))
    }
}
