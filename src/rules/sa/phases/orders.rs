//! Orders are heard: where units stand before the battle, and what they are told.

use musterd_engine::Input;
use musterd_engine::hex::Hex;

use super::{Flow, Hand};
use crate::event::Event;
use crate::law;
use crate::model::{Side, UnitId};
use crate::order::{Order, Taste};

impl Hand<'_, '_> {
    /// Hears the orders of all seats, or of one side's, in the order of the seats. `deploys` before the battle.
    pub(super) fn hear(&mut self, input: &Input<Order>, of: Option<Side>, deploys: bool) -> Flow {
        let battle = self.rules.battle();
        for side in Side::ALL.into_iter().filter(|side| of.is_none_or(|of| of == *side)) {
            for commander in &battle.army(side).commanders {
                let Some(reading) = input.orders.get(&commander.seat) else { continue };
                for placed in &reading.orders {
                    let taste = self.state().taste(&commander.seat);
                    let taste = match &placed.order {
                        Order::Deploy { unit, at } if commander.units.contains(unit) => {
                            self.deploy(*unit, *at, deploys);
                            continue;
                        }
                        Order::Detail(detail) => Taste { detail: *detail, ..taste },
                        Order::Map(map) => Taste { map: *map, ..taste },
                        Order::Symbols(symbols) => Taste { symbols: *symbols, ..taste },
                        _ => continue,
                    };
                    self.note(Event::Reported { seat: commander.seat.clone(), taste });
                }
                for unit in &commander.units {
                    let before = &self.state().charges[battle.place(*unit)];
                    let charge =
                        before.clone().after(*unit, reading.orders.iter().map(|placed| &placed.order));
                    if charge != *before {
                        self.note(Event::Told { unit: *unit, charge });
                    }
                }
            }
        }
        self.look_at_morale()
    }

    /// A unit is deployed anew, if it may be.
    fn deploy(&mut self, unit: UnitId, at: Hex, deploys: bool) {
        let place = self.rules.battle().place(unit);
        let moves = self.unit(place).at != Some(at);
        if deploys && moves && law::deploy(self.rules, self.position(), place, at).is_ok() {
            self.note(Event::Deployed { unit, at });
        }
    }
}
