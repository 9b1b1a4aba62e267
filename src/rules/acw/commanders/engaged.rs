//! Orders for engaged brigades (Menu 10).

use musterd_engine::hex::Hex;

use super::{Scene, Task};
use crate::law;
use crate::model::{Arm, BrigadeId, UnitId};
use crate::order::Act;
use crate::state::{Brigade, Target};

/// How near brigades are that count in a fight.
const NEAR: u32 = 2;
/// What a point of cover, and one of works, are worth to a defender, in hundredths of his strength.
const COVER: i64 = 8;
const WORKS: i64 = 20;

impl Scene<'_> {
    /// Chooses the order of an engaged brigade: by its task, its state and the odds.
    pub(super) fn engaged(&self, (id, brigade, at): (BrigadeId, &Brigade, Hex), target: Target) -> Act {
        let can = |act: Act| law::engaged(self.rules, brigade, act).is_ok();
        let first = |acts: &[Act]| acts.iter().copied().find(|act| can(*act)).unwrap_or(Act::Withdraw);
        let task = self.task(id, brigade);
        let odds = self.odds((id, brigade, at), target);
        let shaken = law::is_shaken(self.rules.battle(), brigade);
        let near = target.distance <= 1;
        if brigade.cohesion <= 2 || (shaken && !self.is_post(id, at)) {
            return Act::Withdraw;
        }
        match self.arm(id) {
            Arm::Artillery => return first(&[Act::Skirmish, Act::Withdraw]),
            Arm::Cavalry => return self.cavalry((id, brigade), target, (task, odds), &first),
            Arm::Infantry | Arm::MountedInfantry => {}
        }
        let (fresh, margin) = (brigade.cohesion >= 4, self.margins[id.side.index()]);
        match task {
            // Attacks are called off (ACW-39).
            Task::Rest if odds >= 100 => first(&[Act::Skirmish, Act::Withdraw]),
            Task::Rest => Act::Withdraw,
            Task::Attack(_) if near && fresh && odds >= self.wanted(target) + margin && !self.night => {
                first(&[Act::Assault, Act::Skirmish])
            }
            Task::Attack(_) if near => self.stay(&first, odds - margin),
            Task::Attack(_)
                if fresh && odds >= 70 + margin && !self.night && self.has_room(id, at, target) =>
            {
                first(&[Act::Advance, Act::Skirmish])
            }
            Task::Attack(_) => Act::Skirmish,
            // Nobody comes out of works.
            Task::Defend(_) | Task::Wait if law::works(self.rules.battle(), brigade) > 0 => {
                first(&[Act::Skirmish, Act::Assault])
            }
            Task::Defend(_) | Task::Wait
                if near && self.is_beaten(target) && fresh && odds >= 120 + margin =>
            {
                first(&[Act::Assault, Act::Skirmish])
            }
            Task::Defend(goal) if near => {
                // A post isn't left while it can be held.
                let post = at == goal || self.is_post(id, at);
                self.stay(&first, if post { odds + 30 } else { odds - margin })
            }
            Task::Wait if near => self.stay(&first, odds - margin),
            Task::Defend(_) | Task::Wait => Act::Skirmish,
        }
    }

    /// Stand and fire, where that can be; else a charge is better than a flight unless the odds are bad.
    fn stay(&self, first: &dyn Fn(&[Act]) -> Act, odds: i64) -> Act {
        if odds >= 70 {
            first(&[Act::Skirmish, Act::Assault])
        } else {
            first(&[Act::Skirmish, Act::Withdraw])
        }
    }

    /// Cavalry skirmishes, keeps out of reach, and rides down whoever can't stand.
    fn cavalry(
        &self,
        (id, brigade): (BrigadeId, &Brigade),
        target: Target,
        (task, odds): (Task, i64),
        first: &dyn Fn(&[Act]) -> Act,
    ) -> Act {
        let (near, at) = (target.distance <= 1, brigade.at);
        let weak = self.is_beaten(target) || self.is_guns(target) || self.is_horse(target);
        let bold = brigade.cohesion >= 4 && matches!(task, Task::Attack(_)) && !self.night;
        match near {
            true if bold && weak && odds >= 150 => first(&[Act::Assault, Act::Skirmish]),
            true => first(&[Act::Skirmish, Act::Withdraw]),
            false if bold && odds >= 130 && weak && at.is_some_and(|at| self.has_room(id, at, target)) => {
                first(&[Act::Advance, Act::Skirmish])
            }
            // It fights as it goes back.
            false if odds < 40 && !self.is_post(id, brigade.at.unwrap_or(target.at)) => Act::Withdraw,
            false => Act::Skirmish,
        }
    }

    /// Whether there is a free hex next to the opponent into which a brigade can go from where it is.
    fn has_room(&self, id: BrigadeId, at: Hex, target: Target) -> bool {
        let map = &self.rules.battle().map;
        map.around(at).any(|(_, hex)| {
            hex.distance(target.at) == 1
                && self.is_free(id.side, hex)
                && law::can_enter(self.rules, self.arm(id), at, hex)
        })
    }

    /// The odds in hundredths that an assault wants: more against cover and works, less against who is shaken.
    fn wanted(&self, target: Target) -> i64 {
        if self.is_beaten(target) { 80 } else { 110 }
    }

    fn foe(&self, target: Target) -> Option<&Brigade> {
        match target.unit {
            UnitId::Brigade(id) => Some(self.state.brigade(id)),
            UnitId::Hq(_) => None,
        }
    }

    /// Whether an opponent looks shaken, or stands in column.
    fn is_beaten(&self, target: Target) -> bool {
        self.foe(target).is_some_and(|foe| law::is_shaken(self.rules.battle(), foe))
    }

    fn is_guns(&self, target: Target) -> bool {
        matches!(target.unit, UnitId::Brigade(id) if self.arm(id) == Arm::Artillery)
    }

    fn is_horse(&self, target: Target) -> bool {
        matches!(target.unit, UnitId::Brigade(id) if self.arm(id) == Arm::Cavalry)
    }

    /// Whether a hex is worth holding: an objective, or works.
    fn is_post(&self, id: BrigadeId, at: Hex) -> bool {
        let battle = self.rules.battle();
        law::works(battle, self.state.brigade(id)) > 0 || battle.objectives.iter().any(|one| one.hex == at)
    }

    /// The odds of a fight in hundredths: friends near the opponent against enemies near the brigade, whom cover and works help.
    fn odds(&self, (id, brigade, at): (BrigadeId, &Brigade, Hex), target: Target) -> i64 {
        let friends: i64 = self
            .state
            .fielded(id.side)
            .filter(|(other, one, hex)| {
                *other != id && hex.distance(target.at) <= NEAR && one.cohesion > law::SHAKEN
            })
            .map(|(_, one, _)| one.power() / 2)
            .sum();
        let mut foes: i64 = 0;
        for (foe, there) in &self.foes[id.side.index()] {
            let one = self.state.brigade(*foe);
            let is_target = UnitId::Brigade(*foe) == target.unit;
            if is_target {
                foes += one.power() * (100 + self.shelter(*foe, *there)) / 100;
            } else if there.distance(at) <= NEAR && one.cohesion > law::SHAKEN {
                foes += one.power() / 2;
            }
        }
        let own = brigade.power() + friends;
        own * 100 / foes.max(1)
    }

    /// What cover and works are worth to a brigade, in hundredths of its strength.
    fn shelter(&self, foe: BrigadeId, at: Hex) -> i64 {
        let battle = self.rules.battle();
        let cover = self.rules.numbers().terrain(battle.map.ground(at)).cover;
        let works = law::works(battle, self.state.brigade(foe));
        COVER * i64::from(cover) + WORKS * i64::from(works)
    }
}
