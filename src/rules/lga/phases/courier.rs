//! Couriers between the commanders of a side (ruling LGA-77).

use std::cmp::Reverse;

use crate::data::{Command, Lga};
use crate::model::{Arm, Side};
use crate::state::State;
use musterd_engine::hex::Hex;
use musterd_engine::{Ride, Seat};
use musterd_kit::way::Ways;

/// The way of a courier: the fewest hexes over land and sea, and among such ways the one with the fewest in an enemy's reach.
pub(crate) fn ride(rules: &Lga, state: &State, from: &Seat, to: &Seat) -> Option<Ride> {
    let writer = rules.command(from)?;
    let start = commander(rules, state, writer)?;
    let goal = commander(rules, state, rules.command(to)?)?;
    // Areas closed to armies are not closed to a courier.
    let steps = |here: Hex, (hexes, perils): (u32, u32)| {
        let peril = |hex: Hex| u32::from(in_reach(rules, state, hex, writer.side));
        rules.map.neighbours(here).map(move |next| (next, (hexes + 1, perils + peril(next))))
    };
    let is_goal = |_: &Ways<_>, here: Hex, _| here == goal;
    let ways = Ways::search(rules.map.last(), [(start, (0, 0))], |_, cost| cost, is_goal, steps);
    ways.cost(goal).map(|(hexes, perils)| Ride { hexes, perils })
}

/// Whether a courier of this side is in danger there: an enemy unit stands in the hex, or its zone covers it.
fn in_reach(rules: &Lga, state: &State, hex: Hex, side: Side) -> bool {
    state.occupied_by_enemy(rules, hex, side) || state.in_enemy_zone(rules, hex, side)
}

/// The place of a commander: with his headquarters that has the best modifier; without one, with his first unit on the map; without any, in the first
/// of his capitals.
fn commander(rules: &Lga, state: &State, command: &Command) -> Option<Hex> {
    let own = rules.scenario.units.iter().filter(|spec| command.nations.contains(&spec.nation));
    let placed = own.filter_map(|spec| Some((spec, state.unit(spec.id).at?)));
    let best = placed.min_by_key(|(spec, _)| (spec.kind.arm != Arm::Hq, Reverse(spec.modifier), spec.id));
    best.map(|(_, at)| at).or_else(|| {
        let mut capitals = command.nations.iter().flat_map(|nation| &rules.setting.of(*nation).capitals);
        capitals.find_map(|city| rules.map.city(city))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::shipped;
    use musterd_engine::Ruleset;

    #[test]
    fn a_courier_takes_the_shortest_way_and_of_these_the_safest() {
        let names = ["french", "allied.austria", "allied.russia", "allied.britain"];
        let seats: Vec<Seat> = names.iter().map(|name| name.parse().unwrap()).collect();
        let rules = Lga::from_files(&shipped("austrian-1805").unwrap(), &seats).unwrap();
        let state = rules.found();
        let at = |seat: &Seat| commander(&rules, &state, rules.command(seat).unwrap()).unwrap();
        for from in &seats[1..] {
            for to in &seats[1..] {
                let there = ride(&rules, &state, from, to);
                let there = there.unwrap();
                assert!(there.hexes >= at(from).distance(at(to)) && there.perils <= there.hexes);
                assert_eq!(there.hexes, ride(&rules, &state, to, from).unwrap().hexes, "as far back");
                assert_eq!(there.hexes == 0, at(from) == at(to));
            }
        }
        let enemy = ride(&rules, &state, &seats[0], &seats[1]).unwrap();
        assert!(enemy.perils > 0, "into the enemy's camp: {enemy:?}");
    }
}
