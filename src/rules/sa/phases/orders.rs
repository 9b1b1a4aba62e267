//! Orders are heard: where units stand before the battle, and what they are told.

use std::collections::BTreeMap;

use musterd_engine::Input;

use super::{Flow, Hand};
use crate::event::Event;
use crate::law;
use crate::model::{Side, UnitId};
use crate::order::{Charge, Order};

impl Hand<'_, '_> {
    /// Hears the orders of all seats, or of one side's, in the order of the seats. `deploys` before the battle.
    pub(super) fn hear(&mut self, input: &Input<Order>, of: Option<Side>, deploys: bool) -> Flow {
        let battle = self.rules.battle();
        for side in Side::ALL.into_iter().filter(|side| of.is_none_or(|of| of == *side)) {
            for commander in &battle.army(side).commanders {
                let Some(reading) = input.orders.get(&commander.seat) else { continue };
                let mut charges: BTreeMap<UnitId, (Charge, bool)> = BTreeMap::new();
                for placed in &reading.orders {
                    let order = &placed.order;
                    for id in order.units().iter().filter(|id| commander.units.contains(*id)) {
                        let Some(place) = battle.index(*id) else { continue };
                        if let Order::Deploy { at, .. } = order {
                            self.deploy(place, *at, deploys);
                            continue;
                        }
                        let (charge, begun) = charges
                            .entry(*id)
                            .or_insert_with(|| (self.scribe.state().charges[place].clone(), false));
                        charge.hear(order, !*begun);
                        *begun |= matches!(order, Order::Do { .. });
                    }
                    let taste = self.state().taste(&commander.seat);
                    let (detail, map) = match order {
                        Order::Detail(detail) => (*detail, taste.map),
                        Order::Map(map) => (taste.detail, *map),
                        _ => continue,
                    };
                    self.note(Event::Reported { seat: commander.seat.clone(), detail, map });
                }
                for (unit, (charge, _)) in charges {
                    let changed =
                        battle.index(unit).is_some_and(|place| self.state().charges[place] != charge);
                    if changed {
                        self.note(Event::Told { unit, charge });
                    }
                }
            }
        }
        self.look_at_morale()
    }

    /// A unit is deployed anew, if it may be.
    fn deploy(&mut self, place: usize, at: musterd_engine::hex::Hex, deploys: bool) {
        let moves = self.unit(place).at != Some(at);
        if deploys && moves && law::deploy(self.rules, self.position(), place, at).is_ok() {
            self.note(Event::Deployed { unit: self.id(place), at });
        }
    }
}
