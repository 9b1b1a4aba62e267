//! The receipt's account of a set of orders: each in full words, with what it costs and may do.

mod forecast;

use std::collections::BTreeSet;

use forecast::Forecast;

use super::data::Dog;
use super::model::UnitId;
use super::order::{Arm, March, Order, Record};
use super::read::read_records;
use super::roster::Roster;
use super::scores;
use super::view::{OwnUnit, View, Wait};
use super::words;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Placed, Reading, Recap, Remark, Understood};
use musterd_kit::lists::joined;
use musterd_kit::set::Remarks;
use musterd_report::text::sentence;

/// Reads orders, and says them back with what every unit without one will do. Everything comes from the view.
pub fn read_back(rules: &Dog, view: &View, text: &str) -> (Reading<Order>, Recap) {
    let (mut reading, roster) = read_records(rules, view, text);
    let told = Teller { rules, view, forecast: Forecast::of(rules, view, &reading.orders) };
    let said = reading.orders.iter().enumerate().map(|(place, placed)| Understood {
        line: placed.line,
        order: told.order(&placed.order),
        effect: told.effect(place, &placed.order),
    });
    let orders = said.collect();
    let defaults = told.defaults(&reading, roster);
    reading.remarks = told.doubts(&reading).finish_with(reading.remarks);
    (reading, Recap { orders, defaults, ahead: Vec::new() })
}

struct Teller<'a> {
    rules: &'a Dog,
    view: &'a View,
    forecast: Forecast<'a>,
}

/// How a march ends that is a set of its own, if that can be known: where, what it spends in halves of points, and who strikes at the unit's back on the
/// way.
pub(super) fn arrival(rules: &Dog, view: &View, march: March) -> Option<(Hex, u16, BTreeSet<UnitId>)> {
    let unit = march.unit;
    let alone = [Placed { line: 1, order: Order::March(march) }];
    Forecast::of(rules, view, &alone).arrival(0, unit)
}

/// An own unit with its name, or what it is made of: `E3 King's Axes`.
pub(super) fn own_unit(rules: &Dog, id: UnitId, unit: &OwnUnit) -> String {
    format!("{id} {}", called(rules, unit))
}

fn called(rules: &Dog, unit: &OwnUnit) -> String {
    match unit.name.as_str() {
        "" => words::fighters(rules.numbers(), &unit.sorts),
        name => name.to_owned(),
    }
}

impl Teller<'_> {
    fn own(&self, id: UnitId) -> String {
        let unit = self.view.own.get(&id);
        unit.map_or_else(|| id.to_string(), |unit| own_unit(self.rules, id, unit))
    }

    fn other(&self, id: UnitId) -> String {
        let kind = self.view.others.get(&id).and_then(|unit| unit.kinds.first());
        match kind {
            Some((troop, elite)) => {
                let elite = if *elite { "elite " } else { "" };
                format!("{id} {elite}{}", self.rules.numbers().troop(*troop).name)
            }
            None => id.to_string(),
        }
    }

    fn order(&self, order: &Order) -> String {
        match order {
            Order::Record(record) => {
                let what = words::fighters(self.rules.numbers(), &record.sorts);
                let name = record.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
                let at = record.at.map_or_else(String::new, |at| format!(" at {}", self.rules.place(at)));
                let hidden = if record.hidden { ", hidden" } else { "" };
                format!("{}{name} {what}{at}{hidden}", record.unit).replace("  ", " ")
            }
            Order::March(March { unit, way, leave, flee }) => {
                let verb = if *flee { "Flee with" } else { "Move" };
                let to = way.end().map_or_else(String::new, |hex| self.rules.place(hex));
                let leave = leave.map_or_else(String::new, |leave| format!(", leaving {leave} behind"));
                format!("{verb} {} to {to}{leave}", self.own(*unit))
            }
            Order::Hide { unit } => format!("Hide {}", self.own(*unit)),
            Order::Board { unit, .. } => format!("Put {} aboard a boat", self.own(*unit)),
            Order::Land { unit, to } => format!("Land {} in {}", self.own(*unit), self.rules.place(*to)),
            Order::Dismount { unit, to } => {
                let to = to.map_or_else(String::new, |to| format!(" in {}", self.rules.place(to)));
                format!("Dismount the crew of {}{to}", self.own(*unit))
            }
            Order::Strike { unit, arm, target } => {
                let own = self.own(*unit);
                match (arm, target.map(|target| self.other(target))) {
                    (Arm::Melee, Some(target)) => format!("Attack {target} with {own}"),
                    (Arm::Melee, None) => format!("Attack with {own} whomever it harms most"),
                    (Arm::Volley, Some(target)) => format!("Shoot at {target} with {own}"),
                    (Arm::Volley, None) => format!("Shoot with {own} at whomever it harms most"),
                }
            }
            Order::Defend { unit } => format!("Defend with {}", self.own(*unit)),
            Order::IfAttacked { unit, keep } => {
                let who = unit.map_or_else(|| "every unit".to_owned(), |unit| self.own(unit));
                let what = if *keep { "keeps to its attack" } else { "turns to defend itself" };
                format!("If attacked before it strikes, {who} {what}")
            }
            Order::Surrender { unit, to } => format!("Surrender {} to {}", self.own(*unit), self.other(*to)),
        }
    }

    /// The cost and the possible effect of the order with this index.
    fn effect(&self, place: usize, order: &Order) -> String {
        match order {
            Order::Record(record) => {
                let numbers = self.rules.numbers();
                let price = (!record.sorts.is_empty()).then(|| {
                    format!(
                        "costs {}, ego {}, maintenance {}",
                        scores::hire(numbers, &record.sorts),
                        scores::ego(numbers, &record.sorts),
                        scores::maintenance(numbers, &record.sorts),
                    )
                });
                joined(price.into_iter().chain(self.found(record)), "; ")
            }
            order => self.forecast.of_order(place, order).unwrap_or_default(),
        }
    }

    /// The risk that a unit which is to hide is found in its hex, ignoring searchers who know the ground better (manual 4.6).
    fn found(&self, record: &Record) -> Option<String> {
        let at = record.at.filter(|_| record.hidden)?;
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let listed = self
            .view
            .army
            .and_then(|army| self.rules.battle().army(army).units.iter().find(|unit| unit.id == record.unit));
        let waiting = self.view.waiting.iter().find(|unit| unit.unit == record.unit);
        let given = waiting.map(|unit| &unit.sorts).or(listed.map(|unit| &unit.sorts));
        let sorts = Some(&record.sorts).filter(|sorts| !sorts.is_empty()).or(given)?;
        let sight =
            scores::visibility(numbers, None, self.view.works.ground(&self.rules.battle().field, at)?);
        let chance = scores::chance_to_find(scores::hide_factor(numbers, scale, sorts), sight);
        Some(format!("hidden: {}", words::found(chance)))
    }

    /// Warnings of orders that can't be carried out whatever others do.
    fn doubts(&self, reading: &Reading<Order>) -> Remarks {
        let mut doubts = Remarks::default();
        for (place, placed) in reading.orders.iter().enumerate() {
            if let Some((reason, instead)) = self.forecast.never(place, &placed.order) {
                let futile = Remark::futile(placed.line, sentence(&reason) + ".");
                doubts.push(instead.into_iter().fold(futile, Remark::hint));
            }
        }
        doubts
    }

    fn defaults(&self, reading: &Reading<Order>, roster: Option<Roster<'_>>) -> Vec<String> {
        let has = |which: fn(&Order) -> bool, id: &UnitId| {
            reading.orders.iter().any(|placed| which(&placed.order) && placed.order.unit() == Some(*id))
        };
        let free = || self.view.free().map(|(id, _)| id);
        let names = |ids: Vec<UnitId>| joined(ids, ", ");
        let mut lines = Vec::new();
        match self.view.wait {
            Wait::SetUp | Wait::Founding => {
                let Some(roster) = roster else { return lines };
                if roster.is_nobody() {
                    lines.push("You hire nobody: the computer hires for you.".to_owned());
                }
                lines.extend(
                    roster
                        .money()
                        .filter(|money| *money > 0)
                        .map(|money| format!("{money} of your money is left.")),
                );
                // The units that a record gives a place.
                let recorded = reading.orders.iter().filter_map(|placed| match &placed.order {
                    Order::Record(record) => record.at.map(|_| record.unit),
                    _ => None,
                });
                let recorded: Vec<UnitId> = recorded.collect();
                for unit in roster.finish().into_iter().filter(|unit| !recorded.contains(&unit.unit)) {
                    let hidden = if unit.hidden { ", hidden" } else { "" };
                    lines.push(format!("{} stands in {}{hidden}.", unit.unit, self.rules.place(unit.at)));
                }
            }
            Wait::Orders | Wait::Moves => {
                let moves =
                    |id: &UnitId| has(Order::is_move, id) || self.forecast.unordered_flight(*id).is_some();
                let still: Vec<UnitId> = free().filter(|id| !moves(id)).collect();
                if !still.is_empty() {
                    lines.push(format!("{}: no move.", names(still)));
                }
            }
            Wait::Combat | Wait::Over => {}
        }
        lines.extend(self.forecast.unordered());
        if matches!(self.view.wait, Wait::Orders | Wait::Combat) {
            let idle = |id: &UnitId| !has(Order::is_combat, id) && !self.forecast.surely_falls(*id);
            let still: Vec<UnitId> = free().filter(idle).collect();
            if !still.is_empty() {
                let defence = match still.as_slice() {
                    [_] => "no order to fight, so it only defends itself",
                    _ => "no order to fight, so they only defend themselves",
                };
                lines.push(format!("{}: {defence}.", names(still)));
            }
        }
        lines
    }
}
