//! A unit acts: rout or rally, then what has changed its stance, then its queue, then its stance.

use super::{Flow, Hand};
use crate::deed::{self, Deed, Step};
use crate::event::{Departure, Event};

impl Hand<'_, '_> {
    /// The activation of a unit.
    pub(super) fn act(&mut self, place: usize) -> Flow {
        if self.unit(place).routing && self.run(place)? {
            return Flow::Continue(());
        }
        self.heed_triggers(place);
        while let Some(task) = self.next_task(place) {
            let (unit, state) = (self.id(place), self.state());
            let act = state.charges[place].tasks[task].act;
            let deed = match deed::by_order(self.rules, &state.position, state.real, place, act) {
                Ok(Step::Part(deed)) => return self.carry_out(place, deed),
                Ok(Step::Wait(deed, friend)) => {
                    if self.waiting.insert(place) {
                        self.note(Event::Waited { unit, act, friend });
                    }
                    return self.carry_out(place, deed);
                }
                Ok(Step::Last(deed)) => Some(deed),
                Ok(Step::Over) => None,
                Err(why) => {
                    self.note(Event::Skipped { unit, act, why });
                    None
                }
            };
            self.note(Event::Done { unit, task });
            if let Some(deed) = deed {
                return self.carry_out(place, deed);
            }
        }
        let stance = self.state().charges[place].stance;
        self.carry_out(place, deed::by_stance(self.rules, self.position(), place, stance))
    }

    /// What has happened to a unit since it acted last changes its stance, once.
    fn heed_triggers(&mut self, place: usize) {
        let happened = |hand: &Self| {
            let mut triggers = hand.state().charges[place].triggers.iter();
            triggers.find(|(trigger, _)| hand.state().has_happened(hand.rules, place, *trigger)).copied()
        };
        while let Some((trigger, stance)) = happened(self) {
            self.note(Event::Triggered { unit: self.id(place), trigger, stance });
        }
    }

    /// The place in the queue of what comes next: first what waited for something that has happened.
    fn next_task(&self, place: usize) -> Option<usize> {
        let tasks = &self.state().charges[place].tasks;
        let happened = |trigger| self.state().has_happened(self.rules, place, trigger);
        let called = tasks.iter().position(|task| task.when.is_some_and(happened));
        called.or_else(|| tasks.iter().position(|task| task.when.is_none()))
    }

    fn carry_out(&mut self, place: usize, deed: Deed) -> Flow {
        let unit = self.id(place);
        match deed {
            Deed::Move { way, to, delay } => {
                let next = self.now() + delay;
                self.record(Event::Moved { unit, way, to, next })
            }
            Deed::Hold { next } => self.record(Event::Held { unit, next }),
            Deed::Strike { foe } => self.attack(place, foe),
            Deed::Fire { foe } => self.fire(place, foe),
            Deed::Cast { spell, points } => self.cast(place, spell, points),
            Deed::Liken { likeness, at } => self.liken(place, likeness, at),
            Deed::Leave => self.depart(place, Departure::Escaped),
        }
    }
}
