//! A computer leader's unit records: the units that he hires, and their first places.

use std::collections::BTreeSet;

use crate::battle::Army;
use crate::data::Dog;
use crate::model::Sort;
use crate::order::{Order, Record};
use crate::read::written;
use crate::roster::Roster;
use crate::scores;
use crate::view::View;
use musterd_engine::hex::Hex;

/// Order lines with a record for every unit whose place or hire is left to the leader.
pub(super) fn records(rules: &Dog, view: &View) -> Vec<String> {
    let Some(mut roster) = Roster::of(rules, view) else { return Vec::new() };
    let army = roster.army;
    if view.again {
        // Units with an open place are put where there is room.
        return view.waiting.iter().map(|unit| format!("UNIT {}", unit.unit)).collect();
    }
    let open = army.units.iter().filter(|unit| unit.at.is_none());
    let open = open.map(|unit| (unit.sorts.clone(), Record { hidden: unit.hidden, ..Record::of(unit.id) }));
    let hired = super::levy(rules, view).into_iter().map(|record| (record.sorts.clone(), record));
    let mut all: Vec<(Vec<Sort>, Record)> = open.chain(hired).collect();
    // Units that fight hand to hand choose first, because they stand in front.
    all.sort_by_key(|(sorts, record)| (shoots(rules, sorts), record.unit));
    let enemy = starts(rules, army);
    let mut lines = Vec::new();
    for (sorts, record) in all {
        let hidden = record.hidden;
        let mut places: Vec<Hex> =
            rules.battle().field.hexes().filter(|hex| army.zone.contains(*hex)).collect();
        places.sort_by_key(|hex| (std::cmp::Reverse(suits(rules, army, &enemy, &sorts, *hex)), *hex));
        for at in places {
            let record = Record {
                at: Some(at),
                hidden: hidden || may_lie_hidden(rules, &sorts, at),
                ..record.clone()
            };
            if roster.take(&record).is_ok() {
                lines.push(written(rules, &Order::Record(record)));
                break;
            }
        }
    }
    lines
}

/// Whether a unit is stronger with its bows than hand to hand.
fn shoots(rules: &Dog, sorts: &[Sort]) -> bool {
    let numbers = rules.numbers();
    let power = |sort: &Sort| scores::distance(numbers, sort).map_or(0, |arm| arm.power);
    sorts.iter().any(|sort| power(sort) > numbers.troop(sort.troop).attack)
}

/// The hexes where the enemy may start, as the battle file defines them.
fn starts(rules: &Dog, army: &Army) -> BTreeSet<Hex> {
    let battle = rules.battle();
    let foes = || battle.armies().iter().filter(|other| !battle.allied(army.id, other.id));
    battle.field.hexes().filter(|hex| foes().any(|foe| foe.zone.contains(*hex))).collect()
}

/// The suitability of a hex for a unit at the start: walls and cover, the foot in front, the bows a hex or two behind, nobody at the edge.
fn suits(rules: &Dog, army: &Army, enemy: &BTreeSet<Hex>, sorts: &[Sort], at: Hex) -> i64 {
    let (numbers, battle) = (rules.numbers(), rules.battle());
    let Some(ground) = battle.field.ground(at) else { return i64::MIN };
    let away = |hex: Hex| enemy.iter().map(|foe| foe.distance(hex)).min().map_or(0, i64::from);
    let front = battle.field.hexes().filter(|hex| army.zone.contains(*hex)).map(away).min().unwrap_or(0);
    let depth = away(at) - front;
    let wanted = if shoots(rules, sorts) { 2 } else { 0 };
    let cover =
        sorts.first().map_or(0, |sort| i64::from(scores::cover(numbers, battle.switches, sort, ground)));
    let middle = i64::from(battle.field.columns) + 1;
    let aside = (2 * i64::from(at.col) - middle).abs();
    cover * 3 - (depth - wanted).abs() * 4 - aside
}

/// Whether a unit may stay unseen in a hex until the battle begins (ruling DOG-23).
fn may_lie_hidden(rules: &Dog, sorts: &[Sort], at: Hex) -> bool {
    let (numbers, scale) = (rules.numbers(), rules.battle().scale);
    let Some(ground) = rules.battle().field.ground(at) else { return false };
    scores::found_by_strangers(numbers, scale, sorts, ground) < 6
}
