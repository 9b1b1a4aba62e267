//! The order of battle: each unit with its men, its place, its state and, on one's own side, its orders.

use std::fmt::Write as _;

use musterd_engine::briefing::{Part, Table};

use crate::battle::Spec;
use crate::data::Sa;
use crate::model::{Side, Spell, Way};
use crate::state::{Fate, Last, Lost, Unit};
use crate::view::View;

use super::words;

/// What the columns mean, for whoever reads such a table for the first time.
pub(super) const COLUMNS: &str = "Next: when a unit acts. BS: battles won less battles lost. RS: routs seen, of enemies less of friends. \
     Lost: melees lost in a row, of those at which its class runs. AGAIN: the move that this order repeats.";

/// The units on the field that are wanted, those that are alike under one heading.
pub(super) fn table(rules: &Sa, view: &View, wanted: impl Fn(&Spec) -> bool) -> Table {
    let mut table = Table::new(&["Unit", ">Men", "Where", ">Next", ">BS", ">RS", "Lost", "Notes"]);
    let mut heading = String::new();
    let units = rules.battle().units.iter().zip(&view.position.units);
    for (spec, unit) in units.filter(|(spec, _)| wanted(spec)) {
        let Some(at) = unit.at else { continue };
        let title = arms(rules, spec);
        if title != heading {
            table.group(&title);
            heading = title;
        }
        let bears = rules.numbers().training(spec.class).losses;
        table.row([
            spec.id.to_string(),
            if unit.men == spec.men { unit.men.to_string() } else { format!("{}/{}", unit.men, spec.men) },
            at.to_string(),
            unit.next.to_string(),
            words::signed(unit.battles),
            words::signed(unit.routs),
            if unit.losing == 0 || unit.routing && unit.losing >= bears {
                String::new()
            } else {
                format!("{}/{bears}", unit.losing)
            },
            notes(view, spec, unit),
        ]);
    }
    table
}

/// `Northwold Foot: heavy infantry, class B, long spear, shields`.
pub(crate) fn arms(rules: &Sa, spec: &Spec) -> String {
    let (kind, class, weapon) = (spec.kind.words(), spec.class.word(), spec.weapon.words());
    let mut text = format!("{}: {kind}, class {class}, {weapon}", spec.row);
    if let Some(missile) = spec.missile {
        // Writing to a `String` never fails.
        let _ = write!(text, ", {}", missile.words());
    }
    text.push_str(if spec.shield { ", shields" } else { ", no shields" });
    let battle = rules.battle();
    let is_chosen = battle.units.iter().any(|other| other.id.side == spec.id.side && !other.casts);
    if spec.casts && is_chosen && battle.army(spec.id.side).magic > 0 {
        text.push_str(", casts spells");
    }
    text
}

/// What is to be said of a unit besides, and what it was told if that is known.
fn notes(view: &View, spec: &Spec, unit: &Unit) -> String {
    let mut notes = Vec::new();
    if let Some(real) = view.real.filter(|_| spec.likeness) {
        notes.push(if real == spec.id { "(real)" } else { "(likeness)" }.to_owned());
    }
    if unit.routing {
        notes.push("IN ROUT".to_owned());
    }
    for spell in Spell::ALL {
        let points = unit.spell(spell, view.position.point);
        let until = unit.spells[spell as usize].until;
        let until = until.map_or_else(String::new, |until| format!(" until {until}"));
        if points > 0 {
            notes.push(format!("{} {points}{until}", spell.words()));
        }
    }
    let again = view.orders_now() && view.own.contains(&spec.id) && !unit.routing;
    notes.extend(last(unit, again));
    let charge = view.charges.get(&spec.id).filter(|_| !unit.routing);
    notes.extend(charge.map(|charge| words::charge(spec.id, charge)).filter(|told| !told.is_empty()));
    notes.join("; ")
}

/// What it did last; where that was no move, its own commander is told which one `AGAIN` repeats.
fn last(unit: &Unit, again: bool) -> Option<String> {
    let way = unit.way.map(Way::number);
    let did = match (unit.last, way) {
        (Last::Moved, Some(way)) => return Some(format!("moved {way}")),
        (Last::Moved, None) => Some("moved"),
        (Last::Held, _) => Some("held"),
        (Last::Fought, _) => Some("fought"),
        (Last::Fired, _) => Some("fired"),
        (Last::Cast, _) => Some("cast"),
        (Last::Nothing | Last::Fled, _) => None,
    };
    let again = way.filter(|_| again).map(|way| format!("AGAIN {way}"));
    let told: Vec<String> = did.map(str::to_owned).into_iter().chain(again).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// What became of a unit, and what is to become of it, where there is anything to say.
pub(super) fn fate(spec: &Spec, unit: &Unit) -> Option<String> {
    let fate = match unit.fate {
        Fate::Coming => {
            return spec.arrives.map(|arrival| format!("comes at {} in {}", arrival.point, arrival.at));
        }
        Fate::Fielded if unit.routing => "in rout",
        Fate::Fielded => return None,
        Fate::Gone(Lost::Destroyed) => "destroyed",
        Fate::Gone(Lost::Ran) => "ran off the field",
        Fate::Gone(Lost::Deserted) => "deserted",
        Fate::Gone(Lost::Escaped) => "left the field",
        Fate::Gone(Lost::Vanished) => "a likeness, gone",
    };
    Some(fate.to_owned())
}

/// The units that are off the field. Likenesses yet to be made are told to their own side alone.
pub(super) fn absent(rules: &Sa, view: &View) -> Option<Part> {
    let mut table = Table::new(&["Unit", "Name", "Fate"]);
    let units = rules.battle().units.iter().zip(&view.position.units);
    for (spec, unit) in units.filter(|(_, unit)| unit.fate != Fate::Fielded) {
        let to_make = spec.likeness && view.side == Some(spec.id.side);
        let fate = fate(spec, unit).or_else(|| to_make.then(|| "a likeness, to be made".to_owned()));
        if let Some(fate) = fate {
            table.row([spec.id.to_string(), spec.name.clone(), fate]);
        }
    }
    (!table.rows.is_empty()).then_some(Part::Table(table))
}

/// Men on the field, steady and in rout, and men lost. An enemy's likenesses look like what they pretend to be, and count so.
pub(super) fn strength(rules: &Sa, view: &View, side: Side) -> [u32; 3] {
    let units = rules.battle().units.iter().zip(&view.position.units);
    let knows = view.real.is_some();
    let counts = |spec: &Spec| !spec.likeness || !knows || view.real == Some(spec.id);
    let mut sums = [0; 3];
    for (spec, unit) in units.filter(|(spec, _)| spec.id.side == side && counts(spec)) {
        let here = if unit.at.is_some() { unit.men } else { 0 };
        sums[usize::from(unit.routing)] += here;
        sums[2] += lost(spec, unit);
    }
    sums
}

/// The men that a unit has lost: all of them if it was destroyed, ran off the field or deserted. A likeness that is gone was nobody, and who left the
/// field of his own will lives.
pub(super) fn lost(spec: &Spec, unit: &Unit) -> u32 {
    match unit.fate {
        Fate::Gone(Lost::Destroyed | Lost::Ran | Lost::Deserted) => spec.men,
        Fate::Coming | Fate::Gone(Lost::Vanished) => 0,
        Fate::Fielded | Fate::Gone(Lost::Escaped) => spec.men.saturating_sub(unit.men),
    }
}
