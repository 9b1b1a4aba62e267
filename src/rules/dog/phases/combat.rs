//! Combat (manual 4.3, 4.5): armies in their order, units in the order of their leader's lines.

use super::{Hand, Orders};
use crate::change::Ruling;
use crate::event::{Event, Seen, Silence, Stance, StanceReason};
use crate::model::{ArmyId, UnitId};
use crate::order::Order;
use crate::scores;
use crate::state::{Unit, loot};

impl Hand<'_, '_> {
    /// All strikes of a round.
    pub(super) fn fight(&mut self, orders: &Orders) {
        self.take_stances(orders);
        for army in self.state().order.clone() {
            for placed in orders.get(&army).map_or(&[][..], Vec::as_slice) {
                let Some(id) = placed.order.unit().filter(|_| placed.order.is_combat()) else { continue };
                let done = self.may_strike(army, id).and_then(|()| match placed.order {
                    Order::Attack { target, .. } => self.attack(id, target),
                    Order::Shoot { target, .. } => self.shoot(id, target),
                    Order::Surrender { to, .. } => self.surrender(id, to),
                    _ => Ok(()),
                });
                if let Err(reason) = done {
                    self.refuse(army, placed, reason);
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
                (None, Some(Order::Attack { target, .. } | Order::Shoot { target, .. })) => {
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

    /// Whether a unit can strike at all.
    fn may_strike(&self, army: ArmyId, id: UnitId) -> Result<(), String> {
        if self.commanded(army, id)?.struck {
            return Err(format!("{id} has struck this round"));
        }
        if self.is_ruled(Ruling::Holds { unit: id }) {
            return Err(format!("the GM ruled that {id} holds back"));
        }
        Ok(())
    }

    /// Whether a unit that was attacked gave its own attack up for its defence.
    fn turned(&self, id: UnitId) -> bool {
        self.state().unit(id).is_some_and(|unit| unit.stance == Some(Stance::Defence))
    }

    /// An enemy in the open. Who is hidden, or fell where nobody saw it, is the same to those who look for him (ruling DOG-44).
    fn in_sight(&self, id: UnitId) -> Option<&Unit> {
        self.state().unit(id).filter(|unit| !unit.hidden)
    }

    /// Whom a unit strikes: the unit it was ordered to, or is bound to; of all within reach the one it harms most.
    fn target(
        &self,
        id: UnitId,
        named: Option<UnitId>,
        reach: impl Fn(&Unit) -> u32,
    ) -> Result<UnitId, String> {
        let Some(unit) = self.active(id) else { return Err(format!("{id} can't strike")) };
        if let Some((prey, _)) = unit.pursues {
            return match self.in_sight(prey) {
                None => Err(format!("{id} hunts {prey}, who is nowhere to be seen")),
                Some(other) if other.captive.is_none() && reach(other) > 0 => Ok(prey),
                _ => Err(format!("{id} hunts {prey}, who is out of reach (DOG-17)")),
            };
        }
        let hostile = |other: UnitId| self.rules.battle().hostile(id, other);
        let Some(named) = named.or(match unit.stance {
            Some(Stance::Attack(target)) => Some(target),
            _ => None,
        }) else {
            let open = |(other, target): &(&UnitId, &Unit)| {
                hostile(**other) && target.captive.is_none() && !target.hidden && reach(target) > 0
            };
            let harm = |(other, target): (&UnitId, &Unit)| {
                let usual = scores::damage(self.rules.battle().switches, reach(target), 3);
                let (_, hp) = scores::deaths(self.rules.numbers(), &target.sorts, usual);
                (hp, std::cmp::Reverse(*other))
            };
            let best = self.state().units.iter().filter(open).max_by_key(|entry| harm(*entry));
            return best.map(|(other, _)| *other).ok_or_else(|| format!("no enemy is within reach of {id}"));
        };
        match self.in_sight(named) {
            _ if !hostile(named) => Err(format!("{named} is no enemy")),
            None => Err(format!("{named} is nowhere to be seen")),
            Some(other) if other.captive.is_some() => Err(format!("{named} is a prisoner")),
            Some(other) if reach(other) == 0 => Err(format!("{named} is out of reach of {id}")),
            Some(_) => Ok(named),
        }
    }

    /// A melee attack and the retaliation, at the same time (rulings DOG-15, DOG-16).
    fn attack(&mut self, id: UnitId, named: Option<UnitId>) -> Result<(), String> {
        if self.turned(id) {
            return Err(format!("{id} was attacked first and defends itself (DOG-15)"));
        }
        let Some(at) = self.active(id).map(|unit| unit.at) else { return Ok(()) };
        let force = self.attack_force(id);
        let target =
            self.target(id, named, |other| if other.at.distance(at) == 1 { force.max(1) } else { 0 })?;
        if self.state().unit(id).is_some_and(|unit| unit.stance.is_none()) {
            self.record(Event::Stood {
                unit: id,
                stance: Stance::Attack(target),
                because: StanceReason::Ordered,
            });
        }
        self.reveal(id, Seen::Struck);
        let silent = self.settle(target, id);
        // The retaliation is thrown and reckoned before anybody falls.
        let Some(strike) = self.strike("attack", id, target, force) else { return Ok(()) };
        let answer = match silent {
            Some(_) => None,
            None => {
                let force = self.defence_force(target);
                self.strike("retaliation", target, id, force)
            }
        };
        self.record(Event::Exchanged { strike, answer, silent });
        Ok(())
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
            _ if self.defence_force(id) == 0 => Some(Silence::Defenceless),
            _ => None,
        }
    }

    fn defence_force(&self, id: UnitId) -> u32 {
        let state = self.state();
        let (numbers, switches) = (self.rules.numbers(), self.rules.battle().switches);
        let force = |unit: &Unit| {
            let ground = state.footing(self.rules, unit);
            scores::defence_force(numbers, switches, &unit.sorts, ground)
        };
        state.unit(id).map_or(0, force)
    }

    /// A volley (rulings DOG-14, DOG-39).
    fn shoot(&mut self, id: UnitId, named: Option<UnitId>) -> Result<(), String> {
        if self.turned(id) {
            return Err(format!("{id} was attacked first and defends itself (DOG-15)"));
        }
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let (Some((mover, _)), Some(unit)) = (self.mover(id), self.active(id)) else { return Ok(()) };
        mover.may_shoot(numbers, &unit.shots)?;
        let (at, sorts, shots) = (unit.at, unit.sorts.clone(), unit.shots.clone());
        let arms: Vec<_> = sorts.iter().map(|sort| scores::distance(numbers, sort)).collect();
        let force = |hexes: u32| scores::volley_force(numbers, scale, &sorts, &shots, hexes);
        let target = self.target(id, named, |other| force(other.at.distance(at)))?;
        if self.state().unit(id).is_some_and(|unit| unit.stance.is_none()) {
            self.record(Event::Stood {
                unit: id,
                stance: Stance::Attack(target),
                because: StanceReason::Ordered,
            });
        }
        let hexes = self.state().unit(target).map_or(0, |other| other.at.distance(at));
        self.reveal(id, Seen::Struck);
        // Those who reach so far spend a shot.
        let spends = |(arm, left): (&Option<_>, &u16)| match arm {
            Some(arm) if scores::reach(scale, *arm) >= hexes => left.saturating_sub(1),
            _ => *left,
        };
        let left = arms.iter().zip(&shots).map(spends).collect();
        let Some(strike) = self.strike("volley", id, target, force(hexes)) else { return Ok(()) };
        self.record(Event::Shot { strike, hexes, left });
        Ok(())
    }

    /// A unit gives up (manual 4.5, ruling DOG-28).
    fn surrender(&mut self, id: UnitId, to: UnitId) -> Result<(), String> {
        let (Some((mover, outlook)), Some(unit)) = (self.mover(id), self.active(id)) else { return Ok(()) };
        mover.may_surrender(&outlook, to)?;
        let loot = loot(self.rules, unit);
        if self.rules.policies().surrender_reveals {
            self.reveal(id, Seen::Surrendered);
        }
        self.record(Event::Surrendered { unit: id, to, loot });
        Ok(())
    }
}
