//! Morale checks, rout and rally (SA-9, SA-11 to SA-18, SA-36, SA-37, SA-48).

use std::collections::VecDeque;

use super::{Flow, Hand};
use crate::event::{Cause, Check, Departure, Event, Nerve, Why};
use crate::law;
use crate::model::NEAR;

impl Hand<'_, '_> {
    /// Checks a unit's morale. One that halts acts 20 points later, or when it would have acted if that is later still (SA-36).
    pub(super) fn check(&mut self, place: usize, why: Why) -> Flow<Nerve> {
        let unit = self.id(place);
        let dice = self.roll(("morale", "check"), [unit], 6).map(law::average);
        let check = law::check(self.rules, self.position(), place, dice);
        let Check { result, .. } = check;
        let next = self.unit(place).next.max(self.now() + law::HALT);
        let next = (result == Nerve::Halt).then_some(next);
        self.record(Event::Checked { unit, why, check, next })?;
        Flow::Continue(result)
    }

    /// A unit routs. All friends near it check their morale, the nearest first, and each of them that routs shakes its own (SA-15).
    pub(super) fn rout(&mut self, place: usize, cause: Cause, next: u16) -> Flow {
        self.record(Event::Routed { unit: self.id(place), cause, next })?;
        let mut routs = VecDeque::from([place]);
        while let Some(routed) = routs.pop_front() {
            let why = Why::Rout(self.id(routed));
            for friend in self.friends_near(routed) {
                if self.check(friend, why)? == Nerve::Rout {
                    let next = self.unit(friend).next.min(self.after_hold(friend));
                    self.record(Event::Routed { unit: self.id(friend), cause: Cause::Nerve, next })?;
                    routs.push_back(friend);
                }
            }
        }
        Flow::Continue(())
    }

    /// Friends near a unit that don't rout, the nearest first.
    fn friends_near(&self, place: usize) -> Vec<usize> {
        let Some(at) = self.unit(place).at else { return Vec::new() };
        let (from, to) = self.rules.battle().army(self.id(place).side).units;
        let near = |other: usize| {
            let unit = self.unit(other);
            let distance = unit.at.filter(|_| other != place && unit.is_steady())?.distance(at);
            (distance <= NEAR).then_some((distance, other))
        };
        let mut near: Vec<(u32, usize)> = (from..to).filter_map(near).collect();
        near.sort_unstable();
        near.into_iter().map(|(_, other)| other).collect()
    }

    /// The activation of a unit in rout: away from all enemies it may rally (SA-16), else it runs. Whether its activation is over.
    pub(super) fn run(&mut self, place: usize) -> Flow<bool> {
        let away =
            law::nearest(self.rules, self.position(), place).is_none_or(|(_, distance)| distance > NEAR);
        if away {
            let nerve = self.check(place, Why::Rally)?;
            if nerve != Nerve::Rout {
                self.record(Event::Rallied { unit: self.id(place) })?;
                return Flow::Continue(nerve == Nerve::Halt);
            }
        }
        self.flee(place)?;
        Flow::Continue(true)
    }

    /// A rout move: off the field from the own edge, else away from the enemies, else nowhere (SA-18).
    pub(super) fn flee(&mut self, place: usize) -> Flow {
        let battle = self.rules.battle();
        let unit = self.id(place);
        let home = battle.army(unit.side).home;
        if self.unit(place).at.is_some_and(|at| battle.field.is_at(at, home)) {
            return self.depart(place, Departure::Ran);
        }
        match law::flight(self.rules, self.position(), place) {
            Some((way, to, delay)) => self.record(Event::Fled { unit, way, to, next: self.now() + delay }),
            None => self.record(Event::Cornered { unit, next: self.after_hold(place) }),
        }
    }
}
