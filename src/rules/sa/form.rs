//! The order form of a dispatch: every own unit with what it was told, ready to edit.

use std::collections::BTreeSet;

use musterd_engine::hex::Hex;
use musterd_kit::form::{HOW_TO, shortened};

use crate::data::Sa;
use crate::law;
use crate::model::UnitId;
use crate::order::{Act, Charge, Order, Task};
use crate::read::{Reader, deploys, offered, written};
use crate::state::{Fate, Phase, Unit};
use crate::view::View;
use crate::words;

/// The form, without its frame. Sent back as it is, it changes nothing: what units were told already is told them again.
pub(crate) fn form(rules: &Sa, view: &View) -> Vec<String> {
    if !view.orders_now() {
        return Vec::new();
    }
    let mut lines = vec![HOW_TO.to_owned()];
    if matches!(view.phase, Phase::Initial(_)) {
        lines.push("# Each unit acts once before the clock begins; the rest of its queue stands.".to_owned());
        lines
            .push("# Every order there is, with units of yours (HELP ORDERS tells what they do):".to_owned());
        let examples = offered(rules, view).into_iter().filter_map(|one| one.lines.into_iter().next());
        lines.extend(examples.map(|line| format!("# {line}")));
        if deploys(rules, view) {
            lines.push(shortened(format!("# {}", zone(rules, view))));
        }
    }
    let mut writer = Writer { rules, view, reader: Reader::new(rules, view), goals: BTreeSet::new() };
    lines.extend(view.own.iter().flat_map(|id| writer.unit(*id)));
    lines
}

/// Writes the lines of the units.
struct Writer<'a> {
    rules: &'a Sa,
    view: &'a View,
    reader: Reader<'a>,
    /// The hexes to which marches are suggested: each to one unit.
    goals: BTreeSet<Hex>,
}

impl Writer<'_> {
    /// The lines of one unit.
    fn unit(&mut self, id: UnitId) -> Vec<String> {
        let (rules, place) = (self.rules, self.rules.battle().place(id));
        let (spec, unit) = (&rules.battle().units[place], &self.view.position.units[place]);
        let called = words::called(rules, id);
        match (unit.fate, unit.at) {
            (Fate::Fielded, Some(at)) => {
                let state = if unit.routing { ", in rout" } else { "" };
                let of = format!("{} of {} men{state}, acts at {}", unit.men, spec.men, unit.next);
                let mut lines = vec![shortened(format!("# {called} in {}: {of}", words::place(rules, at)))];
                let charge = self.view.charges.get(&id).cloned().unwrap_or_default();
                lines.extend(self.told(id, &charge));
                if lines.len() == 1 && !unit.routing {
                    let task = self.suggested(place, unit, at);
                    let order = Order::Do { units: vec![id], tasks: vec![Task::plain(task)] };
                    lines.extend(written(&order).into_iter().map(|line| format!("# {line}")));
                }
                lines
            }
            (Fate::Coming, _) => {
                let comes = |arrival: crate::battle::Arrival| {
                    let at = words::place(rules, arrival.at);
                    shortened(format!("# {called} comes at time-point {} in {at}", arrival.point))
                };
                spec.arrives.map(comes).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a unit was told, as orders; what can no longer be done is a comment, with the reason.
    fn told(&mut self, id: UnitId, charge: &Charge) -> Vec<String> {
        let lines = charge.orders(id).into_iter().flat_map(|order| written(&order));
        let told = |line: String| match self.reader.understood(&line) {
            Ok(_) => vec![line],
            Err(why) => vec![shortened(format!("# Not now: {}", why.text)), format!("# {line}")],
        };
        lines.flat_map(told).collect()
    }

    /// An order for a unit without one: at whom it can strike, at whom it can fire, or toward the nearest enemy.
    fn suggested(&mut self, place: usize, unit: &Unit, at: Hex) -> Act {
        let (rules, position) = (self.rules, &self.view.position);
        let id = |foe: usize| rules.battle().units[foe].id;
        let shot = law::enemies(rules, position, place)
            .filter(|(foe, _)| law::fire(rules, position, place, *foe).is_ok())
            .min_by_key(|(_, distance)| *distance);
        match (law::nearest(rules, position, place), shot) {
            (Some((foe, 1)), _) => Act::Attack(id(foe)),
            (_, Some((foe, _))) => Act::Fire(id(foe)),
            (Some((foe, _)), _) => {
                let to = position.units[foe].at.and_then(|hex| self.toward(place, at, hex));
                to.map_or(Act::Hold, Act::To)
            }
            (None, _) if unit.way.is_some() => Act::Again,
            (None, _) => Act::Hold,
        }
    }

    /// The hex that is nearest to an enemy, and of several to a unit, among those that it can enter and to which nobody is sent yet.
    fn toward(&mut self, place: usize, from: Hex, foe: Hex) -> Option<Hex> {
        let (rules, kind) = (self.rules, self.rules.battle().units[place].kind);
        let free =
            |hex: &Hex| law::is_free(rules, &self.view.position, kind, *hex) && !self.goals.contains(hex);
        let hexes = rules.battle().field.hexes().filter(free);
        let goal = hexes.min_by_key(|hex| (hex.distance(foe), hex.distance(from), *hex))?;
        self.goals.insert(goal);
        Some(goal)
    }
}

/// Where units may be deployed: the first and the last hex of each row.
fn zone(rules: &Sa, view: &View) -> String {
    let Some(side) = view.side else { return String::new() };
    let mut rows: Vec<(Hex, Hex)> = Vec::new();
    for hex in &rules.battle().army(side).zone {
        match rows.last_mut() {
            Some((_, last)) if last.row == hex.row && last.col + 1 == hex.col => *last = *hex,
            _ => rows.push((*hex, *hex)),
        }
    }
    let rows: Vec<String> = rows.iter().map(|(first, last)| format!("{first}-{last}")).collect();
    format!("Units may be deployed in {}.", rows.join(", "))
}
