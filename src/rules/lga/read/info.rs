//! The answer to `INFO`: what the seat knows of a hex, as the original's scroll mode told it (manual 2.9).

use crate::data::Lga;
use crate::known::Known;
use crate::map::{Area, City};
use crate::model::Terrain;
use crate::view::{EnemyStack, View};
use musterd_engine::hex::Hex;

/// Terrain, city, controller, supply, and the units known there, in a sentence or two.
pub(super) fn about(rules: &Lga, view: &View, hex: Hex) -> String {
    let mut facts = Vec::new();
    let area = rules.map.area(hex);
    let terrain = area.map_or(Terrain::Prohibited, |area| area.terrain);
    let ground = || area.map_or_else(|| terrain.to_string(), Area::ground);
    if let Some(city) = area.and_then(|area| area.city.as_ref()) {
        facts.push(city_words(rules, view, hex, city));
    }
    facts.push(match area.map(|area| area.country.as_str()).filter(|country| !country.is_empty()) {
        Some(country) => format!("{} in {country}", ground()),
        None => ground(),
    });
    if terrain != Terrain::Sea {
        match view.control.get(&hex) {
            Some(side) => facts.push(format!("{side} control")),
            None => facts.push("not in play".to_owned()),
        }
    }
    if view.control.get(&hex) == Some(&view.side) {
        facts.push(if view.supplied.contains(&hex) { "in supply" } else { "out of supply" }.to_owned());
    }
    if Known::new(rules, view).in_enemy_zone(hex) {
        facts.push("in an enemy zone of control".to_owned());
    }
    let own: Vec<_> = view
        .stack(hex)
        .map(|unit| format!("{} ({}){}", unit.name, unit.id, if unit.garrison { " as garrison" } else { "" }))
        .collect();
    if !own.is_empty() {
        facts.push(format!("ours: {}", own.join(", ")));
    }
    let nation = |enemy: &EnemyStack| rules.adjective(enemy.nation);
    match view.enemies.get(&hex) {
        Some(enemy) => facts.push(match enemy.count {
            Some(1) => format!("enemy: {} {}, {}", nation(enemy), enemy.kind, enemy.name),
            Some(count) => {
                format!("enemy: {count} pieces, on top {} {}, {}", nation(enemy), enemy.kind, enemy.name)
            }
            None => format!(
                "enemy: {} {}, {} on top, behind it nobody knows what",
                nation(enemy),
                enemy.kind,
                enemy.name
            ),
        }),
        None if own.is_empty() => facts.push("no unit seen".to_owned()),
        None => {}
    }
    facts.extend(view.hqs.get(&hex).map(|hq| {
        format!("a fight has shown an HQ {:+} with them, {}, {}", hq.modifier, hq.turn.date, hq.turn.side)
    }));
    facts.extend(view.remembered_at(hex).map(|(id, seen)| {
        let spec = rules.scenario.unit(id);
        let (nation, turn) = (rules.adjective(spec.nation), seen.turn);
        let garrison = if seen.glimpse.garrison { ", as its garrison" } else { "" };
        let (name, kind) = (&spec.name, spec.kind);
        format!("last seen there: {name} ({nation} {kind}{garrison}), {}, {}", turn.date, turn.side)
    }));
    facts.extend(view.garrisons.get(&hex).map(|turn| {
        format!("a march met a garrison there, whose name isn't known, {}, {}", turn.date, turn.side)
    }));
    format!("{}: {}.", rules.map.place(hex), facts.join("; "))
}

fn city_words(rules: &Lga, view: &View, hex: Hex, city: &City) -> String {
    let rank = city.rank;
    let worth = if rules.scenario.in_play(hex) {
        rules.numbers.victory.of(city.rank, rules.scenario.is_home(hex, view.side))
    } else {
        0
    };
    let port = if city.port { ", port" } else { "" };
    match worth {
        0 => format!("{rank}{port}"),
        1 => format!("{rank}{port}, 1 victory point to us"),
        n => format!("{rank}{port}, {n} victory points to us"),
    }
}
