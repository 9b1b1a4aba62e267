//! Combat (manual 4.3, 4.5): armies in their order, units in the order of their leader's lines.

use std::cmp::Reverse;

use super::{Hand, Orders};
use crate::event::{Event, Seen, Silence, Stance, StanceReason};
use crate::legality::{Refusal, never};
use crate::model::UnitId;
use crate::order::{Arm, Order};
use crate::scores;
use crate::state::loot;

impl Hand<'_, '_> {
    /// All strikes of a round.
    pub(super) fn fight(&mut self, orders: &Orders) {
        self.take_stances(orders);
        for army in self.state().order.clone() {
            for placed in orders.get(&army).map_or(&[][..], Vec::as_slice) {
                let Some(id) = placed.order.unit().filter(|_| placed.order.is_combat()) else { continue };
                let may = match placed.order {
                    Order::Defend { .. } => self.observation(army).may_defend(id),
                    _ => self.observation(army).may_strike(id),
                };
                let done = may.and_then(|()| match placed.order {
                    Order::Strike { arm, target, .. } => self.strike_by(id, arm, target),
                    Order::Surrender { to, .. } => self.surrender(id, to),
                    _ => Ok(()),
                });
                if let Err(refusal) = done {
                    self.refuse(army, placed, refusal.reason.to_string());
                }
            }
        }
    }

    /// How every unit stands before the first strike, as far as its orders settle it (ruling DOG-15).
    fn take_stances(&mut self, orders: &Orders) {
        let units: Vec<UnitId> = self.state().units.keys().copied().collect();
        let round = self.state().round;
        for id in units {
            let Some(unit) = self.active(id) else { continue };
            let own = orders.get(&unit.army).map_or(&[][..], Vec::as_slice);
            let order = own
                .iter()
                .map(|placed| &placed.order)
                .find(|order| order.is_combat() && order.unit() == Some(id));
            let (stance, because) = match (unit.pursues, order) {
                _ if !unit.obeys => (Some(Stance::Defence), StanceReason::Disobeyed),
                _ if unit.is_guarding(round) => (Some(Stance::Defence), StanceReason::Guarding),
                (Some((prey, _)), _) => (Some(Stance::Attack(prey)), StanceReason::Pursuing),
                (None, Some(Order::Strike { target, .. })) => {
                    // Without a target it is settled when it strikes, or is attacked.
                    (target.map(Stance::Attack), StanceReason::Ordered)
                }
                (None, Some(Order::Defend { .. })) => (Some(Stance::Defence), StanceReason::Ordered),
                (None, _) => (Some(Stance::Defence), StanceReason::Unordered),
            };
            if let Some(stance) = stance {
                self.record(Event::Stood { unit: id, stance, because });
            }
        }
    }

    /// The enemy that a unit strikes, and with what force: of all within reach the one that it harms most, unless it is bound to one (ruling DOG-42).
    fn target(&self, id: UnitId, ordered: Option<UnitId>, arm: Arm) -> Result<(UnitId, u32), Refusal> {
        let Some(mover) = self.mover(id) else { return never(format!("{id} can't strike")) };
        // It was attacked, and gave its own attack up.
        if mover.unit.stance == Some(Stance::Defence) {
            return never(format!("{id} was attacked first and defends itself (DOG-15)"));
        }
        if arm == Arm::Volley {
            mover.may_shoot()?;
        }
        let settled = match mover.unit.stance {
            Some(Stance::Attack(target)) => Some(target),
            _ => None,
        };
        let force = |target: UnitId| {
            let unit = self.state().unit(target);
            unit.and_then(|unit| mover.force_on(arm, unit.at)).unwrap_or_default()
        };
        let harm = |target: &UnitId| {
            let usual = scores::damage(self.rules.battle().switches, force(*target).max(1), 3);
            let sorts = self.state().unit(*target).map_or(&[][..], |unit| &unit.sorts);
            (scores::deaths(self.rules.numbers(), sorts, usual).1, Reverse(*target))
        };
        let bound = mover.target(ordered.or(settled), arm)?;
        let target = bound.or_else(|| mover.in_reach(arm).into_iter().max_by_key(harm));
        let Some(target) = target else { return never(format!("{id} can't strike")) };
        Ok((target, force(target)))
    }

    /// A unit strikes: that is how it stands from here on, if it is not settled yet, and it is seen.
    fn strike_by(&mut self, id: UnitId, arm: Arm, ordered: Option<UnitId>) -> Result<(), Refusal> {
        let (target, force) = self.target(id, ordered, arm)?;
        if self.state().unit(id).is_some_and(|unit| unit.stance.is_none()) {
            let stance = Stance::Attack(target);
            self.record(Event::Stood { unit: id, stance, because: StanceReason::Ordered });
        }
        self.reveal(id, Seen::Struck);
        match arm {
            Arm::Melee => self.attack(id, target, force),
            Arm::Volley => self.shoot(id, target, force),
        }
        Ok(())
    }

    /// A melee attack and the retaliation, at the same time (rulings DOG-15, DOG-16).
    fn attack(&mut self, id: UnitId, target: UnitId, force: u32) {
        let silent = self.settle(target, id);
        // The retaliation is thrown and reckoned before anybody falls.
        let Some(strike) = self.strike("attack", id, target, force) else { return };
        let answer = match silent {
            Some(_) => None,
            None => {
                let force = self.state().defence_force(self.rules, target);
                self.strike("retaliation", target, id, force)
            }
        };
        self.record(Event::Exchanged { strike, answer, silent });
    }

    /// How a unit that is attacked stands from here on, and why it doesn't retaliate if it doesn't (ruling DOG-15).
    fn settle(&mut self, id: UnitId, by: UnitId) -> Option<Silence> {
        let unit = self.active(id)?;
        let (army, stance, struck, pursues) = (unit.army, unit.stance, unit.struck, unit.pursues.is_some());
        let stance = match stance {
            // It had no target yet: now it has.
            None if self.state().keeps(army, id) => Stance::Attack(by),
            None => Stance::Defence,
            Some(Stance::Attack(target))
                if target != by && !struck && !pursues && !self.state().keeps(army, id) =>
            {
                Stance::Defence
            }
            Some(stance) => stance,
        };
        if self.state().unit(id).is_some_and(|unit| unit.stance != Some(stance)) {
            self.record(Event::Stood { unit: id, stance, because: StanceReason::Attacked });
        }
        let unit = self.state().unit(id)?;
        match stance {
            Stance::Attack(target) if target != by => Some(Silence::Elsewhere),
            Stance::Attack(_) if unit.retaliated => Some(Silence::Once),
            _ if self.state().defence_force(self.rules, id) == 0 => Some(Silence::Defenceless),
            _ => None,
        }
    }

    /// A volley (rulings DOG-14, DOG-39).
    fn shoot(&mut self, id: UnitId, target: UnitId, force: u32) {
        let (Some(unit), Some(other)) = (self.active(id), self.state().unit(target)) else { return };
        let hexes = other.at.distance(unit.at);
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let left = scores::shots_left(numbers, scale, &unit.sorts, &unit.shots, hexes);
        let Some(strike) = self.strike("volley", id, target, force) else { return };
        self.record(Event::Shot { strike, hexes, left });
    }

    /// A unit gives up (manual 4.5, ruling DOG-28).
    fn surrender(&mut self, id: UnitId, to: UnitId) -> Result<(), Refusal> {
        let Some(mover) = self.mover(id) else { return Ok(()) };
        mover.may_surrender(to)?;
        let loot = loot(self.rules, mover.unit);
        if self.rules.policies().surrender_reveals {
            self.reveal(id, Seen::Surrendered);
        }
        self.record(Event::Surrendered { unit: id, to, loot });
        Ok(())
    }
}
