//! Where a nation builds, what supplies a side, which units can be garrisons, and where a unit that is called away goes: the same on the true
//! position and on a view (manual 2.3, 5.4, 5.5 and 6.0).

use std::collections::BTreeMap;

use super::data::Lga;
use super::map::{Area, Map};
use super::model::{CityRank, Nation, Side, Terrain};
use super::needs::can_garrison;
use super::scenario::Recall;
use super::setting::{Builds, Traits, lists};
use super::view::{OwnUnit, View};
use musterd_engine::hex::Hex;

/// The cities where a nation of `side` may build now, in the order of its capitals or of the map: its capitals that the side
/// holds, or any city of its country that it holds, as the setting says (ruling LGA-37); never where an enemy piece stands (ruling LGA-79).
pub(super) fn build_sites(
    rules: &Lga,
    control: &BTreeMap<Hex, Side>,
    enemy_at: impl Fn(Hex) -> bool,
    nation: Nation,
) -> Vec<Hex> {
    let Some(side) = rules.scenario.side_of(nation) else { return Vec::new() };
    let free = |hex: &Hex| control.get(hex) == Some(&side) && !enemy_at(*hex);
    let traits = rules.setting.of(nation);
    if traits.builds == Builds::AnyCity {
        return cities_of(rules, nation).filter(free).collect();
    }
    traits.capitals.iter().filter_map(|city| rules.map.city(city)).filter(free).collect()
}

/// [`build_sites`] as a seat of the nation's side knows them: an enemy in a city that the side holds is never hidden.
pub(super) fn known_build_sites(rules: &Lga, view: &View, nation: Nation) -> Vec<Hex> {
    build_sites(rules, &view.control, |hex| view.enemies.contains_key(&hex), nation)
}

/// The capitals that supply a side while it holds them: those of the nation that leads it, or else of every nation that leads none (manual 2.3, ruling
/// LGA-34).
pub(super) fn supply_capitals(rules: &Lga, side: Side) -> impl Iterator<Item = Hex> + '_ {
    let leads = rules.setting.leader(side).and(Some(side));
    let suppliers = rules.setting.nations().filter(move |(_, of)| of.supplies && of.leads == leads);
    suppliers.flat_map(|(_, of)| &of.capitals).filter_map(|city| rules.map.city(city))
}

/// Whether units in this hex can't be destroyed for want of supply: a capital (manual 2.3, ruling LGA-55).
pub(super) fn is_safe(map: &Map, hex: Hex) -> bool {
    let city = map.city_at(hex);
    city.is_some_and(|city| city.rank == CityRank::Capital)
}

/// Whether an own unit could become the garrison of a city where it stands (manual 3.6).
pub(super) fn could_garrison(map: &Map, view: &View, unit: &OwnUnit) -> bool {
    let held = view.own.values().find(|other| other.hex == unit.hex && other.garrison).map(|other| other.id);
    can_garrison(map, unit.kind.arm, unit.hex, held).is_ok()
}

/// The destination of a unit that is called away: the city named, or, if that is in enemy hands or an enemy stands in it, the nearest city of its
/// country that is not (rulings LGA-63 and LGA-79). `None` if there is no such city.
pub(super) fn refuge(
    rules: &Lga,
    control: &BTreeMap<Hex, Side>,
    enemy_at: impl Fn(Hex) -> bool,
    recall: &Recall,
) -> Option<Hex> {
    let spec = rules.scenario.unit(recall.unit);
    let free = |hex: &Hex| control.get(hex) == Some(&spec.side) && !enemy_at(*hex);
    if free(&recall.to) {
        return Some(recall.to);
    }
    cities_of(rules, spec.nation).filter(free).min_by_key(|hex| hex.distance(recall.to))
}

/// The cities in the country of a nation, in the map's order.
fn cities_of(rules: &Lga, nation: Nation) -> impl Iterator<Item = Hex> + '_ {
    let country = &rules.setting.of(nation).country.value;
    let inside = move |hex: &Hex| rules.map.area(*hex).is_some_and(|area| area.country == *country);
    rules.map.cities().map(|(hex, _)| hex).filter(inside)
}

impl Traits {
    /// Whether its units are in supply in a hex without a line: where the setting says so, and at sea (manual 2.3 and 5.4, rulings LGA-29 and LGA-34).
    pub(super) fn needs_no_line(&self, map: &Map, hex: Hex) -> bool {
        !self.needs_supply
            || map
                .area(hex)
                .is_some_and(|area| area.terrain == Terrain::Sea || lists(&self.supplied_in, &area.country))
    }

    /// The country of an area, if its units can't live off it.
    pub(super) fn hungry<'a>(&self, area: &'a Area) -> Option<&'a str> {
        lists(&self.hungry_in, &area.within).then_some(area.within.as_str())
    }
}
