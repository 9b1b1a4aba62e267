//! Where units can go: this round, with the way; and the distance to the enemy from everywhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Sort;
use crate::view::OwnUnit;
use crate::way::Ways;
use musterd_engine::hex::Hex;
use musterd_kit::way as kit;

/// The hexes where a unit can end this round's move, each with the way without its first hex; its present hex has no way.
pub(super) fn this_round(
    ways: &Ways<'_>,
    foes: &BTreeSet<Hex>,
    unit: &OwnUnit,
    points: u16,
) -> BTreeMap<Hex, Vec<Hex>> {
    let field = &ways.rules.battle().field;
    let steps = |here: Hex, spent: u16| {
        // A step that leaves an enemy is not taken: fleeing is no plan.
        let beside: Vec<Hex> = here.around().filter(|hex| foes.contains(hex)).collect();
        let stays = move |next: &Hex| beside.iter().all(|foe| foe.distance(*next) <= 1);
        field.around(here).filter(|hex| !ways.taken.contains(hex)).filter(stays).filter_map(move |next| {
            let cost = ways.step(&unit.sorts, unit.aboard, here, next).ok()?;
            let saved = unit.saved.filter(|(toward, _)| *toward == next && here == unit.at);
            let cost = cost.saturating_sub(saved.map_or(0, |(_, saved)| saved));
            Some((next, spent.saturating_add(cost))).filter(|(_, sum)| *sum <= points)
        })
    };
    let reach = kit::Ways::reach(field.last(), [(unit.at, 0_u16)], steps);
    reach.reached().filter_map(|(end, _)| Some((end, reach.way_to(end)?))).collect()
}

/// The cost of the way from each hex to the nearest of these, in halves of points, ignoring units between.
pub(super) fn costs_to(
    ways: &Ways<'_>,
    sorts: &[Sort],
    afloat: bool,
    goals: &BTreeSet<Hex>,
) -> kit::Ways<u16> {
    let field = &ways.rules.battle().field;
    let steps = |here: Hex, price: u16| {
        field.around(here).filter_map(move |before| {
            let enters = match goals.contains(&here) {
                true => 0,
                false => ways.step(sorts, afloat, before, here).ok()?,
            };
            Some((before, price.saturating_add(enters)))
        })
    };
    kit::Ways::reach(field.last(), goals.iter().map(|hex| (*hex, 0)), steps)
}
