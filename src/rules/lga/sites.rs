//! Where a nation builds, and where somebody called away goes: the same on the true position and on a view (manual 2.3, 5.5
//! and 6.0).

use std::collections::BTreeMap;

use super::data::Lga;
use super::model::{Nation, Side};
use super::scenario::Recall;
use super::view::View;
use crate::hex::Hex;

/// The cities where a nation of `side` may build now, in the order of its capitals or of the map: its capitals that the side
/// holds, for Spain any Spanish city that it holds (ruling LGA-37); never where an enemy piece stands (ruling LGA-79).
pub(super) fn build_sites(
    rules: &Lga,
    control: &BTreeMap<Hex, Side>,
    enemy_at: impl Fn(Hex) -> bool,
    nation: Nation,
) -> Vec<Hex> {
    let Some(side) = rules.scenario().side_of(nation) else { return Vec::new() };
    let free = |hex: &Hex| control.get(hex) == Some(&side) && !enemy_at(*hex);
    if nation == Nation::Spain {
        return cities_of(rules, nation).filter(free).collect();
    }
    let home = rules.numbers().nations.get(&nation);
    let capitals = home.map_or(&[][..], |home| home.capitals.as_slice());
    capitals.iter().filter_map(|city| rules.map().city(city)).filter(free).collect()
}

/// [`build_sites`] as a seat of the nation's side knows them: an enemy in a city that the side holds is never hidden.
#[must_use]
pub(super) fn known_build_sites(rules: &Lga, view: &View, nation: Nation) -> Vec<Hex> {
    build_sites(rules, &view.control, |hex| view.enemies.contains_key(&hex), nation)
}

/// Where a unit that is called away goes: the city named, or if that is in enemy hands or an enemy stands in it, the nearest
/// city of its country that is not (rulings LGA-63 and LGA-79). None if there is none.
pub(super) fn refuge(
    rules: &Lga,
    control: &BTreeMap<Hex, Side>,
    enemy_at: impl Fn(Hex) -> bool,
    recall: &Recall,
) -> Option<Hex> {
    let spec = rules.scenario().unit(recall.unit);
    let free = |hex: &Hex| control.get(hex) == Some(&spec.side) && !enemy_at(*hex);
    if free(&recall.to) {
        return Some(recall.to);
    }
    cities_of(rules, spec.nation).filter(free).min_by_key(|hex| hex.distance(recall.to))
}

/// The cities in the country of a nation, in the map's order.
fn cities_of(rules: &Lga, nation: Nation) -> impl Iterator<Item = Hex> + '_ {
    let country = rules.numbers().country(nation);
    let inside = move |hex: &Hex| rules.map().area(*hex).is_some_and(|area| area.country == country);
    rules.map().cities().map(|(hex, _)| hex).filter(inside)
}
