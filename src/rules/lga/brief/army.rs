//! Who stands where: the own order of battle, the enemy as known, what can be built, the standing orders.

use super::super::data::Lga;
use super::super::model::{CityRank, UnitType};
use super::super::view::{OwnUnit, View};
use super::sums::adjective;
use crate::engine::briefing::{Item, Part, Table};
use crate::hex::Hex;

/// The own side's units by place, each stack from its top.
pub(super) fn own(rules: &Lga, view: &View) -> Vec<Part> {
    if view.stacks.is_empty() {
        return vec![text("Not one of your units is on the map.")];
    }
    let mut table = Table::new(&[">no", "unit", "type", ">morale", ">fatigue", ">moves", ""]);
    for (hex, stack) in &view.stacks {
        table.group(place_in_words(rules, view, *hex));
        for unit in stack.iter().filter_map(|id| view.own.get(id)) {
            table.row(unit_row(view, unit));
        }
    }
    vec![Part::Table(table)]
}

fn text(text: &str) -> Part {
    Part::Text { text: text.to_owned() }
}

/// `Ulm 1507, minor city, out of supply`.
fn place_in_words(rules: &Lga, view: &View, hex: Hex) -> String {
    let mut words = vec![rules.map().place(hex)];
    if let Some(area) = rules.map().area(hex) {
        words.push(match area.city.as_ref().map(|city| city.rank) {
            Some(CityRank::Capital) => "capital".to_owned(),
            Some(CityRank::Major) => "major city".to_owned(),
            Some(CityRank::Minor) => "minor city".to_owned(),
            None => area.terrain.to_string(),
        });
        let mut here = view.own.values().filter(|unit| unit.hex == hex);
        if area.is_land() && !view.supplied.contains(&hex) && here.any(|u| view.nations.contains(&u.nation)) {
            words.push("OUT OF SUPPLY".to_owned());
        }
    }
    words.join(", ")
}

fn unit_row(view: &View, unit: &OwnUnit) -> [String; 7] {
    let mut notes = Vec::new();
    if unit.garrison {
        notes.push("garrison".to_owned());
    }
    if unit.kind == UnitType::Hq {
        notes.push(format!("{:+} in combat", unit.modifier));
    } else if unit.morale == 0 {
        notes.push("demoralised".to_owned());
    }
    if !unit.supplied {
        notes.push("began unsupplied: can't act".to_owned());
    }
    if !view.nations.contains(&unit.nation) {
        notes.push("not yours to command".to_owned());
    }
    let (morale, fatigue) = match unit.kind {
        UnitType::Hq => ("-".to_owned(), "-".to_owned()),
        _ => (format!("{}/{}", unit.morale, unit.max_morale), unit.fatigue.to_string()),
    };
    [
        unit.id.to_string(),
        unit.name.clone(),
        format!("{} {}", adjective(unit.nation), unit.kind),
        morale,
        fatigue,
        unit.moves.to_string(),
        notes.join(", "),
    ]
}

/// The enemy's stacks in sight.
pub(super) fn enemy(rules: &Lga, view: &View) -> Vec<Part> {
    if view.enemies.is_empty() {
        return vec![text("No enemy is in sight.")];
    }
    let mut table = Table::new(&["at", "on top", "type", "pieces"]);
    for (hex, stack) in &view.enemies {
        let pieces = stack.count.map_or_else(|| "unknown behind the cavalry".to_owned(), |n| n.to_string());
        let kind = format!("{} {}", adjective(stack.nation), stack.kind);
        table.row([rules.map().place(*hex), stack.name.clone(), kind, pieces]);
    }
    vec![Part::Table(table)]
}

/// Own units off the map, those that can be built now first.
pub(super) fn pool(rules: &Lga, view: &View) -> Vec<Part> {
    let mut pool: Vec<_> = view.pool.iter().filter(|unit| view.nations.contains(&unit.nation)).collect();
    if pool.is_empty() {
        return vec![text("Empty: all your units are on the map.")];
    }
    pool.sort_by_key(|unit| (unit.from_year > view.date.year, unit.id));
    let mut table = Table::new(&[">no", "unit", "type", ">points", ""]);
    for unit in pool {
        let purse = view.points.get(&unit.nation).copied().unwrap_or_default();
        let note = if unit.from_year > view.date.year {
            format!("from {}", unit.from_year)
        } else if i32::from(unit.cost) > purse {
            format!("{} has {purse}", unit.nation)
        } else {
            String::new()
        };
        let kind = format!("{} {}", adjective(unit.nation), unit.kind);
        table.row([unit.id.to_string(), unit.name.clone(), kind, unit.cost.to_string(), note]);
    }
    let capitals: Vec<String> = view
        .nations
        .iter()
        .filter_map(|nation| Some((nation, rules.numbers().nations.get(nation)?)))
        .map(|(nation, home)| format!("{} units at {}", adjective(*nation), home.capitals.join(" or ")))
        .collect();
    vec![Part::Table(table), text(&format!("Built at a capital that you hold: {}.", capitals.join(", ")))]
}

/// The standing orders in force; none where there are none.
pub(super) fn standing(view: &View) -> Option<Vec<Part>> {
    if view.standing.is_empty() {
        return None;
    }
    let items = view.standing.iter().map(|order| Item { text: order.line.clone(), details: Vec::new() });
    Some(vec![Part::Items { numbered: true, items: items.collect() }])
}
