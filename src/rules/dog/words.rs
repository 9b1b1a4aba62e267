//! How units, sorts and orders are called in reports.

use std::fmt::Write as _;

use super::model::Sort;
use super::numbers::Numbers;
use super::order::{Order, Way};
use musterd_text::nouns::count;

/// A sort of fighters: `elite heavy infantry`, `chariots with archers`, `barbarians (forest)`.
#[must_use]
pub(super) fn sort_name(numbers: &Numbers, sort: &Sort) -> String {
    named(numbers, sort, &numbers.troop(sort.troop).name)
}

/// How many of a sort: `18 elite heavy infantry`, `1 pikeman`.
#[must_use]
pub(super) fn counted(numbers: &Numbers, sort: &Sort) -> String {
    let name = named(numbers, sort, &numbers.troop(sort.troop).called(sort.fighters));
    format!("{} {name}", sort.fighters)
}

/// So many fighters of whatever type: `1 fighter`, `12 fighters`.
#[must_use]
pub(super) fn heads(fighters: u16) -> String {
    count(fighters, "fighter")
}

fn named(numbers: &Numbers, sort: &Sort, troop: &str) -> String {
    let mut name = String::new();
    if sort.elite {
        name.push_str("elite ");
    }
    name.push_str(troop);
    if let Some(crew) = sort.crew {
        name.push_str(" with ");
        name.push_str(&numbers.troop(crew).name);
    }
    if let Some(people) = sort.people {
        // Writing to a `String` never fails.
        let _ = write!(name, " ({people})");
    }
    name
}

/// A unit's fighters: `18 heavy infantry`, `40 pikemen and 20 archers`.
#[must_use]
pub(super) fn fighters(numbers: &Numbers, sorts: &[Sort]) -> String {
    let each: Vec<String> = sorts.iter().map(|sort| counted(numbers, sort)).collect();
    musterd_report::text::listed(&each)
}

/// Which faces of a die find a hidden unit: `found at 4 or less`, `always found`.
#[must_use]
pub(super) fn found(chance: i32) -> String {
    if chance >= 6 { "always found".to_owned() } else { format!("found at {chance} or less") }
}

/// An order as its line is written.
#[must_use]
pub(super) fn written(numbers: &Numbers, order: &Order) -> String {
    let mut line = String::new();
    // Writing to a `String` never fails.
    let _ = match order {
        Order::Record(record) => {
            let _ = write!(line, "UNIT {}", record.unit);
            for sort in &record.sorts {
                let _ = write!(line, " {} {}", sort.fighters, sort_name(numbers, sort));
            }
            if let Some(at) = record.at {
                let _ = write!(line, " AT {at}");
            }
            write!(line, "{}", if record.hidden { " HIDDEN" } else { "" })
        }
        Order::March(march) => {
            let _ = write!(line, "{} {}", if march.flee { "FLEE" } else { "MOVE" }, march.unit);
            match &march.way {
                Way::To(to) => _ = write!(line, " TO {to}"),
                Way::By(hexes) => hexes.iter().for_each(|hex| _ = write!(line, " {hex}")),
            }
            march.leave.map_or(Ok(()), |leave| write!(line, " LEAVE {leave}"))
        }
        Order::Hide { unit } => write!(line, "HIDE {unit}"),
        Order::Board { unit, boat: None } => write!(line, "BOARD {unit}"),
        Order::Board { unit, boat: Some(hex) } => write!(line, "BOARD {unit} {hex}"),
        Order::Land { unit, to } => write!(line, "LAND {unit} TO {to}"),
        Order::Dismount { unit, to: None } => write!(line, "DISMOUNT {unit}"),
        Order::Dismount { unit, to: Some(to) } => write!(line, "DISMOUNT {unit} TO {to}"),
        Order::Attack { unit, target: None } => write!(line, "ATTACK {unit}"),
        Order::Attack { unit, target: Some(target) } => write!(line, "ATTACK {unit} {target}"),
        Order::Shoot { unit, target: None } => write!(line, "SHOOT {unit}"),
        Order::Shoot { unit, target: Some(target) } => write!(line, "SHOOT {unit} {target}"),
        Order::Defend { unit } => write!(line, "DEFEND {unit}"),
        Order::IfAttacked { unit, keep } => {
            let _ = write!(line, "IF ATTACKED {}", if *keep { "KEEP" } else { "DEFEND" });
            unit.map_or(Ok(()), |unit| write!(line, " {unit}"))
        }
        Order::Surrender { unit, to } => write!(line, "SURRENDER {unit} TO {to}"),
    };
    line
}

/// Halves of points as a player reads them: `2`, `1/2`, `2 1/2`.
pub(super) fn halves(halves: u16) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "1/2".to_owned(),
        (whole, _) => format!("{whole} 1/2"),
    }
}
