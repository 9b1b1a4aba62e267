//! The worth of cities to the side that holds them, and the levels of victory (manual 5.2, rulings LGA-33 and LGA-62).

use std::collections::BTreeMap;

use super::data::Lga;
use super::map::City;
use super::model::{Level, Side};
use musterd_engine::hex::Hex;

/// The cities with a worth for a side that controls these hexes, each with its worth.
pub(super) fn worth<'a>(
    rules: &'a Lga,
    control: &'a BTreeMap<Hex, Side>,
    side: Side,
) -> impl Iterator<Item = (Hex, &'a City, i32)> {
    rules.map.cities().filter(move |(hex, _)| control.get(hex) == Some(&side)).map(move |(hex, city)| {
        let at_home = rules.scenario.is_home(hex, side);
        (hex, city, rules.numbers.victory.of(city.rank, at_home))
    })
}

/// The victory points of a side that controls these hexes.
pub(super) fn points(rules: &Lga, control: &BTreeMap<Hex, Side>, side: Side) -> i32 {
    worth(rules, control, side).map(|(_, _, points)| points).sum()
}

/// The level that so many points give a side.
pub(super) fn level(rules: &Lga, side: Side, points: i32) -> Level {
    rules.scenario.side(side).map_or(Level::AbsoluteDefeat, |spec| spec.level(points))
}
