//! The special rules of a setting in words, as far as they matter on the ground and to the nations of a scenario: closed ground, supply and hunger by
//! country, where nations build, who goes to sea.

use super::data::Lga;
use super::map::Area;
use super::model::Nation;
use super::setting::{Builds, Traits, Zone, lists};
use musterd_kit::data::At;
use musterd_report::text::listed;

/// A sentence for each rule of the setting.
pub(super) fn in_words(rules: &Lga) -> Vec<String> {
    let nations: Vec<&Traits> =
        rules.setting.nations().filter(|(nation, _)| takes_part(rules, *nation)).map(|(_, of)| of).collect();
    let of_nations = nations.iter().flat_map(|of| traits(rules, of));
    closed_ground(rules).into_iter().chain(of_nations).chain(foreign_soil(rules)).collect()
}

/// A sentence for each zone of the setting that keeps units of the scenario off ground in play.
pub(super) fn closed_ground(rules: &Lga) -> Vec<String> {
    rules.setting.zones.iter().filter_map(|zone| closed(rules, zone)).collect()
}

/// `French units may not enter Russian Hinterland.`, `Spanish militia may not leave Spain and Portugal.`
fn closed(rules: &Lga, zone: &Zone) -> Option<String> {
    let bound = zone.nations.iter().filter(|nation| takes_part(rules, nation.value));
    let nations: Vec<&str> = bound.map(|nation| rules.adjective(nation.value)).collect();
    let (verb, countries) = if zone.closed().is_empty() {
        let is_outside = |area: &Area| !lists(zone.confined(), &area.within);
        (
            "leave",
            if is_in_play(rules, is_outside) {
                zone.confined().iter().map(|country| country.value.as_str()).collect()
            } else {
                Vec::new()
            },
        )
    } else {
        let is_part = |country: &&At<String>| is_in_play(rules, |area| area.country == country.value);
        (
            "enter",
            zone.closed().iter().filter(is_part).map(|country| country.value.as_str()).collect::<Vec<_>>(),
        )
    };
    let types: Vec<String> = zone.types.iter().map(ToString::to_string).collect();
    let types = if types.is_empty() { "units".to_owned() } else { listed(&types) };
    (!nations.is_empty() && !countries.is_empty())
        .then(|| format!("{} {types} may not {verb} {}.", listed(&nations), listed(&countries)))
}

/// What the units and cities of a nation may do that those of others may not, and the other way round.
fn traits(rules: &Lga, of: &Traits) -> Vec<String> {
    let (name, adjective) = (&of.name, &of.adjective);
    let there = |countries: &[At<String>], is_part: fn(&Area, &str) -> bool| -> Option<String> {
        let is_part = |country: &&str| is_in_play(rules, |area| is_part(area, country));
        let countries: Vec<&str> =
            countries.iter().map(|country| country.value.as_str()).filter(is_part).collect();
        (!countries.is_empty()).then(|| listed(&countries))
    };
    let mut said = Vec::new();
    if !of.needs_supply {
        said.push(format!("{adjective} units need no line of supply."));
    } else if let Some(countries) = there(&of.supplied_in, |area, country| area.country == country) {
        said.push(format!("{adjective} units need no line of supply in {countries}."));
    }
    let hungry = rules.numbers.muster.hungry;
    if let Some(countries) = there(&of.hungry_in, |area, country| area.within == country)
        && hungry != 0
    {
        said.push(format!("{adjective} units can't live off {countries}: {hungry:+} at the muster there."));
    }
    if !of.supplies && !of.capitals.is_empty() {
        said.push(format!("No line of supply begins at {}.", listed(&of.capitals)));
    }
    if of.builds == Builds::AnyCity {
        said.push(format!("{name} builds in any city of {} that its side holds.", of.country.value));
    }
    match (of.sails, of.port_supply) {
        (true, true) => said.push(format!(
            "{adjective} units go to sea, and a garrison of theirs in a port supplies its side."
        )),
        (true, false) => said.push(format!("{adjective} units go to sea.")),
        (false, true) => said.push(format!("A {adjective} garrison in a port supplies its side.")),
        (false, false) => {}
    }
    if of.aids {
        said.push(format!("{name} can give military points to its allies."));
    }
    said
}

/// The cities in play that stand on the soil of another country than the one they belong to (ruling LGA-62).
fn foreign_soil(rules: &Lga) -> Vec<String> {
    let areas = rules.map.cities().filter_map(|(hex, _)| Some((hex, rules.map.area(hex)?)));
    areas
        .filter(|(hex, area)| area.within != area.country && rules.scenario.in_play(*hex))
        .map(|(hex, area)| {
            format!(
                "{} belongs to {} and stands on the soil of {}, which counts at the muster and for units that may not leave it.",
                rules.map.place(hex),
                area.country,
                area.within
            )
        })
        .collect()
}

fn takes_part(rules: &Lga, nation: Nation) -> bool {
    rules.scenario.side_of(nation).is_some()
}

/// Whether any land in play is so.
fn is_in_play(rules: &Lga, is_so: impl Fn(&Area) -> bool) -> bool {
    let map = &rules.map;
    let in_play = map.hexes().filter(|hex| rules.scenario.in_play(*hex));
    in_play.filter_map(|hex| map.area(hex)).any(|area| area.is_land() && is_so(area))
}
