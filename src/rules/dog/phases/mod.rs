//! The rules of a battle, from one wait to the next: set-up, then rounds of moves and combat (manual 4).

mod close;
mod combat;
mod moves;
mod setup;

use std::collections::BTreeMap;

use super::data::Dog;
use super::event::{Event, Seen, Strike};
use super::legality::{Mover, Observation, Refusal};
use super::model::{ArmyId, UnitId};
use super::order::Order;
use super::read;
use super::scores;
use super::state::{State, Unit};
use super::view::Wait;
use musterd_engine::LabelStem;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Placed, Reading};
use musterd_engine::{Input, Scribe, Seat};

/// The hand of a battle: rules, and the scribe that writes it.
pub(super) struct Hand<'h, 's> {
    rules: &'h Dog,
    scribe: &'h mut Scribe<'s, Dog>,
    /// What is said of the orders so far, by their lines.
    asides: Asides,
}

/// What becomes of an order to move beside its events, for receipts.
pub(super) enum Aside {
    /// The way that a march is to go.
    Way(Vec<Hex>),
    /// Who stands in the way.
    Taken(UnitId),
    /// Why it is not carried out.
    Refused(Refusal),
}

/// What is said of orders, by their lines.
pub(super) type Asides = Vec<(Option<usize>, Aside)>;

/// Each army's orders, as read.
type Orders = BTreeMap<ArmyId, Vec<Placed<Order>>>;

/// Runs the rules until the next wait.
pub(super) fn step(rules: &Dog, scribe: &mut Scribe<'_, Dog>, input: &Input<Order>) {
    let of = |(seat, reading): (&Seat, &Reading<Order>)| Some((rules.led_by(seat)?, reading.orders.clone()));
    let orders: Orders = input.orders.iter().filter_map(of).collect();
    let mut hand = Hand { rules, scribe, asides: Asides::new() };
    let wait = hand.state().wait;
    match wait {
        Wait::Founding if rules.battle().is_set_up_by_mail() => hand.record(Event::SetUpBegan),
        Wait::Founding | Wait::SetUp => hand.set_up(&orders),
        Wait::Orders | Wait::Moves | Wait::Combat => hand.instruct(&orders),
        Wait::Over => {}
    }
    if wait.is_for_moves() {
        hand.test_obedience();
        hand.move_all(&orders);
    }
    if matches!(wait, Wait::Orders | Wait::Combat) {
        hand.fight(&orders);
        hand.close();
    }
}

/// The moves of one army as far as nobody else acts, for a foresight.
pub(super) fn own_moves(
    rules: &Dog,
    scribe: &mut Scribe<'_, Dog>,
    army: ArmyId,
    orders: &[Placed<Order>],
) -> Asides {
    let mut hand = Hand { rules, scribe, asides: Asides::new() };
    hand.move_army(army, orders);
    hand.asides
}

impl Hand<'_, '_> {
    fn state(&self) -> &State {
        self.scribe.state()
    }

    fn record(&mut self, event: Event) {
        self.scribe.record(event);
    }

    fn die(&mut self, phase: &'static str, kind: &'static str, subject: String, sides: u32) -> u32 {
        self.scribe.die(&LabelStem { phase, kind, subject }, sides)
    }

    /// A unit that can act: on the field and nobody's prisoner.
    fn active(&self, id: UnitId) -> Option<&Unit> {
        self.state().active(id)
    }

    /// What an army's leader sees.
    fn observation(&self, army: ArmyId) -> Observation<'_> {
        Observation { rules: self.rules, state: self.state(), army }
    }

    /// A unit that can act, as its leader sees it.
    fn mover(&self, id: UnitId) -> Option<Mover<'_>> {
        self.observation(self.active(id)?.army).mover(id)
    }

    fn aside(&mut self, aside: Aside) {
        self.asides.push((self.scribe.line_in_hand(), aside));
    }

    /// An order that came to nothing.
    fn refuse(&mut self, army: ArmyId, placed: &Placed<Order>, reason: String) {
        let seat = self.rules.battle().army(army).seat.clone();
        let order = read::written(self.rules, &placed.order);
        self.record(Event::NotDone { seat, line: placed.line, order, reason });
    }

    /// What leaders' units do if they are attacked before they strike (ruling DOG-15).
    fn instruct(&mut self, orders: &Orders) {
        for army in self.state().order.clone() {
            let before = self.state().if_attacked.get(&army).cloned().unwrap_or_default();
            let mut after = before.clone();
            for placed in orders.get(&army).into_iter().flatten() {
                if let Order::IfAttacked { unit, keep } = placed.order {
                    after.say(unit, keep);
                }
            }
            // Instructions for units that are gone lapse, so that they hold back no reveal.
            after.except.retain(|id| self.state().unit(*id).is_some());
            if after != before {
                self.record(Event::Instructed { army, if_attacked: after });
            }
        }
    }

    /// Shows a hidden unit.
    fn reveal(&mut self, id: UnitId, because: Seen) {
        let hidden = self.state().unit(id).filter(|unit| unit.hidden).map(|unit| unit.at);
        if let Some(at) = hidden {
            self.record(Event::Revealed { unit: id, at, because });
        }
    }

    /// A strike of so much force: its die thrown, its dead counted, nothing made so yet.
    fn strike(&mut self, kind: &'static str, by: UnitId, on: UnitId, force: u32) -> Option<Strike> {
        let (from, at) = (self.state().unit(by)?.at, self.state().unit(on)?.at);
        let phase = if kind == "pursuit" { "move" } else { "combat" };
        let die = self.die(phase, kind, format!("{}-{}", by.label(), on.label()), 6);
        let damage = scores::damage(self.rules.battle().switches, force, die);
        let target = self.state().unit(on)?;
        let (killed, hp) = scores::deaths(self.rules.numbers(), &target.sorts, damage);
        let left = target.fighters() - killed.iter().sum::<u16>();
        Some(Strike { by, from, on, at, force, die, damage, killed, hp, left })
    }
}
