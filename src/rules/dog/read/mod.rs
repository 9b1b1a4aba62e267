//! Reading orders: docs/dog/orders.md is the grammar.
//!
//! Every line is understood by itself, against what the leader knows and nothing else; then each is checked against the lines before it.

mod examples;
mod forms;
mod line;
mod order;
mod record;
mod troops;

pub(crate) use line::{NAME_WORDS, only};
pub use order::written;

use std::collections::BTreeSet;

use self::examples::Examples;
use self::forms::{GRAMMAR, Kind, Verb};
use self::line::Line;
use super::data::Dog;
use super::model::UnitId;
use super::order::{Order, Record};
use super::roster::Roster;
use super::view::{View, Wait};
use musterd_engine::orders::{Likeness, OrderUse, Placed, Reading, Remark};
use musterd_engine::tokens::Cursor;
use musterd_kit::reach;
use musterd_kit::set::{MOST_ORDERS, Remarks, lines_of, too_many};
use musterd_report::text::sentence;

/// Remarks at most in version 1, which reads no further.
const MOST_REMARKS: usize = 100;

/// Reads a set of orders against what its leader knows. Any text gives a reading.
pub fn read_orders(rules: &Dog, view: &View, text: &str) -> Reading<Order> {
    read_records(rules, view, text).0
}

/// Reads orders, and gives the roster that the unit records among them lead to; none unless units are recorded.
pub(super) fn read_records<'a>(
    rules: &'a Dog,
    view: &'a View,
    text: &str,
) -> (Reading<Order>, Option<Roster<'a>>) {
    let mut reading = Reading::default();
    let mut given = Given::new(rules, view);
    for (number, line) in lines_of(text) {
        if line.is_ok() && reading.orders.len() >= MOST_ORDERS {
            reading.remarks.push(too_many(number));
            break;
        }
        let read = line.and_then(|bare| {
            order::read(rules, view, bare).map_err(|remark| Remark { line: number, ..remark })
        });
        match read {
            Ok(order::LineOrders { orders, all, doubt }) => {
                // Version 1 counts remarks, and reads no further than so many: it keeps the ones that it had.
                let doubt = doubt.filter(|_| rules.policies().reads_whole_sets);
                reading.remarks.extend(doubt.map(|doubt| Remark { line: number, ..doubt }));
                let open = |order: &Order| !all || !given.is_spoken_for(order);
                let orders: Vec<Order> = orders.into_iter().filter(open).collect();
                if all && orders.is_empty() {
                    reading.remarks.push(Remark::warning(number, "Nobody is left whom this could be for."));
                }
                for order in orders {
                    match given.take(&order) {
                        Ok(doubt) => {
                            reading.remarks.extend(doubt.map(|text| Remark::warning(number, text)));
                            reading.orders.push(Placed { line: number, order });
                        }
                        Err(text) => reading.remarks.push(Remark::error(number, text)),
                    }
                }
            }
            Err(remark) => reading.remarks.push(remark),
        }
        if !rules.policies().reads_whole_sets && reading.remarks.len() > MOST_REMARKS {
            reading.remarks.truncate(MOST_REMARKS);
            reading.remarks.push(Remark::error(0, "There are more mistakes than are shown here."));
            return (reading, given.roster);
        }
    }
    if rules.policies().reads_whole_sets {
        let mut remarks = Remarks::default();
        reading.remarks.into_iter().for_each(|remark| remarks.push(remark));
        reading.remarks = remarks.finish();
    }
    (reading, given.roster)
}

/// A unit record behind its verb, as the GM writes it for the leader of `view`.
///
/// # Errors
/// What is wrong with it.
pub(super) fn record_of(rules: &Dog, view: &View, cursor: &mut Cursor<'_>) -> Result<Record, Remark> {
    let line = Line { rules, view, parts: true };
    GRAMMAR.read_rest(&line, Verb::Unit, cursor).and_then(|read| record::of(&read))
}

/// The orders of one line, whatever the lines beside it say.
///
/// # Errors
/// What can't be understood.
pub fn understood(rules: &Dog, view: &View, line: &str) -> Result<Vec<Order>, Remark> {
    order::read(rules, view, line).map(|line| line.orders)
}

/// Reads the own units that a leader asks about, named as in his orders.
///
/// # Errors
/// The text names none, or too many.
pub(super) fn asked(rules: &Dog, view: &View, text: &str) -> Result<Vec<UnitId>, Remark> {
    let line = Line { rules, view, parts: false };
    let example = view.own.keys().next().map(ToString::to_string);
    let units = reach::asked(&line, |_| Kind::Own, text, example.as_deref())?;
    Ok(units.into_iter().map(|(noun, _)| noun.unit()).collect())
}

/// What can be ordered before the battle, or in it.
pub fn uses(before: bool) -> Vec<OrderUse> {
    GRAMMAR.uses(|verb| verb.is_record() == before)
}

/// What a leader can order now, with examples from his battle.
pub fn offered(rules: &Dog, view: &View) -> Vec<OrderUse> {
    let examples =
        Examples { line: Line { rules, view, parts: false }, roster: Given::new(rules, view).roster };
    let general = uses(matches!(view.wait, Wait::Founding | Wait::SetUp));
    general.into_iter().filter_map(|one| examples.of_battle(one)).collect()
}

/// What a lone line of a mail looks like, for players who write no order block.
pub fn likeness(rules: &Dog, line: &str) -> Likeness {
    GRAMMAR.likeness(rules, line)
}

/// What the lines so far ordered.
struct Given<'a> {
    view: &'a View,
    roster: Option<Roster<'a>>,
    moved: BTreeSet<UnitId>,
    fights: BTreeSet<UnitId>,
    dismounts: BTreeSet<UnitId>,
}

impl<'a> Given<'a> {
    fn new(rules: &'a Dog, view: &'a View) -> Self {
        Self {
            view,
            roster: Roster::of(rules, view).filter(|_| matches!(view.wait, Wait::SetUp | Wait::Founding)),
            moved: BTreeSet::new(),
            fights: BTreeSet::new(),
            dismounts: BTreeSet::new(),
        }
    }

    /// Whether an order can be carried out beside those before it; a doubt, if there is one.
    fn take(&mut self, order: &Order) -> Result<Option<String>, String> {
        let wait = self.view.wait;
        if let Order::Record(record) = order {
            let Some(roster) = &mut self.roster else {
                return Err("The battle has begun: units are recorded before it.".to_owned());
            };
            return roster.take(record).map(|()| None).map_err(|reason| sentence(&reason) + ".");
        }
        match wait {
            Wait::Founding | Wait::SetUp => {
                let such = self.roster.as_ref().and_then(such_as).unwrap_or_default();
                return Err(format!("The battle has not begun: now units are recorded{such}."));
            }
            Wait::Over => return Err("The battle is over.".to_owned()),
            Wait::Combat if order.is_move() => {
                return Err("The moves of this round are over: now it is combat.".to_owned());
            }
            Wait::Moves if order.is_combat() => {
                return Err("Combat is ordered after the moves: now it is the moves.".to_owned());
            }
            _ => {}
        }
        let Some(id) = order.unit() else { return Ok(None) };
        if let Some(own) = self.view.own.get(&id) {
            if let Some(captor) = own.captive {
                return Err(format!("{id} is {captor}'s prisoner and takes no orders."));
            }
            if own.guards && !is_for_guards(order) {
                return Err(format!("{id} guards prisoners this round (DOG-28)."));
            }
        }
        if let Order::Dismount { .. } = order {
            return match self.dismounts.insert(id) {
                true => Ok(None),
                false => Err(format!("{id} has that order already.")),
            };
        }
        if order.is_move() && !self.moved.insert(id) {
            return Err(format!("{id} has an order to move already: one a round."));
        }
        if order.is_combat() && !self.fights.insert(id) {
            return Err(format!("{id} has an order to fight already: one a round (manual 4.3)."));
        }
        Ok(self.doubt(order, id))
    }

    /// Whether a unit has an order of this kind by the lines before, or can have none.
    fn is_spoken_for(&self, order: &Order) -> bool {
        let Some(id) = order.unit() else { return false };
        let guards = self.view.own.get(&id).is_some_and(|own| own.guards);
        guards && !is_for_guards(order)
            || order.is_move() && self.moved.contains(&id)
            || order.is_combat() && self.fights.contains(&id)
    }

    fn doubt(&self, order: &Order, id: UnitId) -> Option<String> {
        let own = self.view.own.get(&id)?;
        match (order, own.pursues) {
            (Order::Strike { target: Some(target), .. }, Some(prey)) if *target != prey => Some(format!(
                "{id} hunts {prey}, who fled from it, and strikes nobody else this round (DOG-17)."
            )),
            _ => None,
        }
    }
}

/// A record that an army can make, as an example; none if it has neither units nor money.
fn such_as(roster: &Roster<'_>) -> Option<String> {
    let (placed, open) = roster.clone().settled();
    let own = placed.first().map(|unit| (unit.unit, unit.at));
    let (unit, at) = own.or_else(|| open.example().and_then(|record| Some((record.unit, record.at?))))?;
    Some(format!(", such as UNIT {} AT {at}", unit.number))
}

/// Whether a unit that guards prisoners can be ordered so (ruling DOG-28).
const fn is_for_guards(order: &Order) -> bool {
    matches!(order, Order::Defend { .. } | Order::IfAttacked { .. })
}
