//! Where units can go: this round, with the way; and the distance to the enemy from everywhere.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::model::Sort;
use crate::view::OwnUnit;
use crate::way::Ways;
use musterd_engine::hex::Hex;

/// The hexes where a unit can end this round's move, each with the way without its first hex; its present hex has no way.
pub(super) fn this_round(
    ways: &Ways<'_>,
    foes: &BTreeSet<Hex>,
    unit: &OwnUnit,
    points: u16,
) -> BTreeMap<Hex, Vec<Hex>> {
    // The cost of each hex, and the hex before it.
    let mut spent: BTreeMap<Hex, (u16, Hex)> = BTreeMap::from([(unit.at, (0, unit.at))]);
    let mut open = BinaryHeap::from([Reverse((0_u16, unit.at))]);
    while let Some(Reverse((price, here))) = open.pop() {
        if spent.get(&here).is_some_and(|(best, _)| *best < price) {
            continue;
        }
        let beside: Vec<Hex> = here.around().filter(|hex| foes.contains(hex)).collect();
        for next in ways.rules.battle().field.around(here).filter(|hex| !ways.taken.contains(hex)) {
            // A step that leaves an enemy is not taken: fleeing is no plan.
            if beside.iter().any(|foe| foe.distance(next) > 1) {
                continue;
            }
            let Ok(cost) = ways.step(&unit.sorts, unit.aboard, here, next) else { continue };
            let saved = unit
                .saved
                .filter(|(toward, _)| *toward == next && here == unit.at)
                .map_or(0, |(_, saved)| saved);
            let sum = price.saturating_add(cost.saturating_sub(saved));
            if sum <= points && spent.get(&next).is_none_or(|(best, _)| sum < *best) {
                spent.insert(next, (sum, here));
                open.push(Reverse((sum, next)));
            }
        }
    }
    let way_to = |end: Hex| {
        let mut way = Vec::new();
        let mut here = end;
        while let Some((_, before)) = spent.get(&here).filter(|_| here != unit.at) {
            way.push(here);
            here = *before;
        }
        way.reverse();
        way
    };
    spent.keys().map(|end| (*end, way_to(*end))).collect()
}

/// The cost of the way from each hex to the nearest of these, in halves of points, ignoring units between.
pub(super) fn costs_to(
    ways: &Ways<'_>,
    sorts: &[Sort],
    afloat: bool,
    goals: &BTreeSet<Hex>,
) -> BTreeMap<Hex, u16> {
    let mut costs: BTreeMap<Hex, u16> = goals.iter().map(|hex| (*hex, 0)).collect();
    let mut open: BinaryHeap<_> = goals.iter().map(|hex| Reverse((0_u16, *hex))).collect();
    while let Some(Reverse((price, here))) = open.pop() {
        if costs.get(&here).is_some_and(|best| *best < price) {
            continue;
        }
        for before in ways.rules.battle().field.around(here) {
            let enters = match goals.contains(&here) {
                true => 0,
                false => match ways.step(sorts, afloat, before, here) {
                    Ok(cost) => cost,
                    Err(_) => continue,
                },
            };
            let sum = price.saturating_add(enters);
            if costs.get(&before).is_none_or(|best| sum < *best) {
                costs.insert(before, sum);
                open.push(Reverse((sum, before)));
            }
        }
    }
    costs
}
