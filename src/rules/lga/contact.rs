//! What is so near that a leader's orders may be wanted.

use super::data::Lga;
use super::model::Arm;
use super::needs::can_build;
use super::view::View;
use musterd_engine::hex::Hex;

/// The first enemy who may reach a piece of the seat's or a city of its side before the seat is asked again: he moves once until then. Without a piece on
/// the map, that units can be built.
pub(super) fn contact(rules: &Lga, view: &View) -> Option<String> {
    let may_come = enemies(view).find(|enemy| {
        // Who is at sea lands on any coast (ruling LGA-29).
        rules.map.is_sea(*enemy) || held(rules, view).any(|own| own.distance(*enemy) <= near(rules, view))
    });
    match may_come {
        Some(enemy) => Some(format!("an enemy at {}", rules.map.place(enemy))),
        None => nothing_but_to_build(rules, view)
            .then(|| "nothing of yours on the map; units can be built".to_owned()),
    }
}

/// The hexes in which enemies are seen, or may be out of sight.
fn enemies(view: &View) -> impl Iterator<Item = Hex> {
    let unseen = view.remembered.values().filter(|seen| seen.may_be_there).map(|seen| seen.at);
    view.enemies.keys().copied().chain(unseen).chain(view.garrisons.keys().copied())
}

/// What the enemy may be after: the seat's pieces, and the cities that its side holds.
fn held(rules: &Lga, view: &View) -> impl Iterator<Item = Hex> {
    let own = view.mine().map(|unit| unit.hex);
    let cities = rules.map.cities().map(|(hex, _)| hex);
    own.chain(cities.filter(|hex| view.control.get(hex) == Some(&view.side)))
}

/// The hexes that the fastest enemy gets in a turn, and one more, as far as his zone goes. Whoever lies on top of a stack, cavalry may be below.
fn near(rules: &Lga, view: &View) -> u32 {
    let enemies = rules.scenario.units.iter().filter(|spec| spec.side != view.side);
    let fighting = enemies.filter(|spec| spec.kind.arm != Arm::Hq);
    fighting.map(|spec| u32::from(rules.stats(spec.kind).moves) + 1).max().unwrap_or(0)
}

/// Whether the seat has nothing on the map and can build.
fn nothing_but_to_build(rules: &Lga, view: &View) -> bool {
    let gone = view.mine().next().is_none();
    gone && view.pool.iter().any(|unit| {
        let purse = view.points.get(&unit.nation).is_some_and(|points| *points >= i32::from(unit.cost));
        purse && view.commands(unit.nation) && can_build(rules, unit.id, view.date).is_ok()
    })
}
