//! Orders in words, on one line, for the report of orders that could not be carried out.

use super::data::Lga;
use super::model::UnitId;
use super::order::{Act, Limit, Order, Path};

/// An order in words: `Attack Ulm 1507 with III Davout (3)`.
pub(super) fn order(rules: &Lga, order: &Order) -> String {
    let place = |hex| rules.map.place(hex);
    let name = |unit: UnitId| match rules.scenario.find(unit) {
        Some(spec) => format!("{} ({unit})", spec.name),
        None => format!("unit {unit}"),
    };
    let act = match &order.act {
        Act::Aid { to, points } => format!("Aid {} with {points}", rules.name(*to)),
        Act::Build { unit, at: Some(at) } => format!("Build {} at {}", name(*unit), place(*at)),
        Act::Build { unit, at: None } => format!("Build {}", name(*unit)),
        Act::Rally { unit } => format!("Rally {}", name(*unit)),
        Act::Move { unit, path } => format!("Move {}{}", name(*unit), way(rules, path)),
        Act::Attack { unit, at, limit, enter } => {
            let rounds = match limit.rounds {
                1 => String::new(),
                Limit::MOST_ROUNDS => ", until it is clear".to_owned(),
                rounds => format!(", up to {rounds} rounds"),
            };
            let enter = if *enter { ", then enter" } else { "" };
            format!("Attack {} with {}{rounds}{enter}", place(*at), name(*unit))
        }
        Act::Garrison { unit, at: Some(at) } => format!("Garrison {} with {}", place(*at), name(*unit)),
        Act::Garrison { unit, at: None } => format!("Garrison with {}", name(*unit)),
        Act::End { unit } => format!("End the move of {}", name(*unit)),
        Act::Top { unit, at: Some(at) } => format!("Put {} on top at {}", name(*unit), place(*at)),
        Act::Top { unit, at: None } => format!("Put {} on top", name(*unit)),
        Act::Standing { .. } => "Standing orders".to_owned(),
    };
    match order.guard {
        None => act,
        Some(guard) => format!("If {} is {}: {act}", place(guard.hex), guard.is),
    }
}

fn way(rules: &Lga, path: &Path) -> String {
    match path {
        Path::To(goal) => format!(" to {}", rules.map.place(*goal)),
        Path::Hexes(hexes) => hexes.iter().map(|hex| format!(" {hex}")).collect(),
        Path::Directions(directions) => directions.iter().map(|d| format!(" {}", d.abbreviation())).collect(),
    }
}
