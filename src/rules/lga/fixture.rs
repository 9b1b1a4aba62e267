//! Positions for the tests of this ruleset: views of a scenario's opening, as a seat of each side sees it.

use std::collections::BTreeMap;

use super::data::{Lga, shipped};
use super::model::{Side, UnitId, UnitType};
use super::view::{EnemyStack, OwnUnit, PoolUnit, View};
use crate::hex::Hex;

/// A shipped scenario, one seat a side.
pub(super) fn rules(scenario: &str) -> Lga {
    Lga::from_files(&shipped(scenario).unwrap(), &[]).unwrap()
}

/// What the seat of `side` sees at the start, all of it in supply, with the turn its own.
pub(super) fn opening(rules: &Lga, side: Side) -> View {
    let scenario = rules.scenario();
    let seat = side.to_string().to_lowercase().parse().unwrap();
    let mut own = BTreeMap::new();
    let mut stacks: BTreeMap<Hex, Vec<UnitId>> = BTreeMap::new();
    let mut enemies: BTreeMap<Hex, EnemyStack> = BTreeMap::new();
    let mut pool = Vec::new();
    for unit in scenario.units() {
        let stats = rules.stats(unit.kind);
        match unit.start {
            None if unit.side == side => pool.push(PoolUnit {
                id: unit.id,
                name: unit.name.clone(),
                nation: unit.nation,
                kind: unit.kind,
                cost: stats.cost,
                from_year: unit.from_year,
            }),
            None => {}
            Some(start) if unit.side == side => {
                stacks.entry(start.hex).or_default().push(unit.id);
                own.insert(
                    unit.id,
                    OwnUnit {
                        id: unit.id,
                        name: unit.name.clone(),
                        nation: unit.nation,
                        kind: unit.kind,
                        hex: start.hex,
                        garrison: start.garrison,
                        morale: start.morale,
                        max_morale: stats.max_morale,
                        fatigue: start.fatigue,
                        moves: stats.moves,
                        supplied: true,
                        modifier: unit.modifier,
                    },
                );
            }
            Some(start) => {
                let stack = enemies.entry(start.hex).or_insert_with(|| EnemyStack {
                    nation: unit.nation,
                    kind: unit.kind,
                    name: unit.name.clone(),
                    count: Some(0),
                });
                stack.count = stack.count.filter(|_| stack.kind != UnitType::Cavalry).map(|n| n + 1);
            }
        }
    }
    let mine = |(_, held): &(&Hex, &Side)| **held == side;
    View {
        seat,
        side,
        nations: scenario.side(side).unwrap().nations.iter().map(|(nation, _)| *nation).collect(),
        date: scenario.start,
        turn: 1,
        turns: scenario.turns(),
        phasing: Some(side),
        control: scenario.control().clone(),
        supplied: scenario.control().iter().filter(mine).map(|(hex, _)| *hex).collect(),
        own,
        stacks,
        pool,
        enemies,
        points: scenario.nations().collect(),
        victory: Vec::new(),
        standing: Vec::new(),
        history: Vec::new(),
        record: super::record::Record::default(),
    }
}
