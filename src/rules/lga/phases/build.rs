//! Phase IV: aid, building and rallying (manual 5.5).

use crate::data::Lga;
use crate::event::Event;
use crate::model::{Nation, UnitId};
use crate::needs::{Unrallied, is_aided, rally_price};
use crate::setting::Builds;
use crate::sites::build_sites;
use crate::state::State;
use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

/// Gives points of the nation that can to an ally in the scenario (ruling LGA-40).
///
/// # Errors
/// Why it can't be done, for the player.
pub(super) fn aid(rules: &Lga, scribe: &mut Scribe<'_, Lga>, to: Nation, points: u16) -> Result<(), String> {
    let state = scribe.state();
    let Some(donor) = rules.setting().donor() else {
        return Err("nobody gives aid in this scenario".to_owned());
    };
    if !is_aided(rules, donor, to) {
        return Err(format!("{} is no ally of {} in this scenario", rules.name(to), rules.name(donor)));
    }
    let purse = state.points.get(&donor).copied().unwrap_or_default();
    if i32::from(points) > purse {
        return Err(format!("{} has {purse} military points", rules.name(donor)));
    }
    if points > 0 {
        scribe.record(Event::Aided { to, points });
    }
    Ok(())
}

/// Builds a unit of the pool with full morale; it may move this season (ruling LGA-38).
///
/// # Errors
/// Why it can't be done, for the player.
pub(super) fn build(
    rules: &Lga,
    scribe: &mut Scribe<'_, Lga>,
    unit: UnitId,
    at: Option<Hex>,
) -> Result<(), String> {
    let state = scribe.state();
    let spec = rules.scenario().unit(unit);
    let stats = rules.stats(spec.kind);
    if state.unit(unit).at.is_some() {
        return Err("it is on the map already".to_owned());
    }
    if rules.scenario().called_away(unit, state.date).is_some() {
        return Err("it has been called away for good".to_owned());
    }
    if spec.from_year > state.date.year {
        return Err(format!("it can be built from {} on", spec.from_year));
    }
    let purse = state.points.get(&spec.nation).copied().unwrap_or_default();
    if i32::from(stats.cost) > purse {
        return Err(format!("it costs {} points and {} has {purse}", stats.cost, rules.name(spec.nation)));
    }
    let at = site(rules, state, spec.nation, at)?;
    scribe.record(Event::Built { unit, at, cost: stats.cost, morale: stats.max_morale });
    Ok(())
}

/// Where a new unit appears: where its order says, or in the only place that there is.
fn site(rules: &Lga, state: &State, nation: Nation, wanted: Option<Hex>) -> Result<Hex, String> {
    let Some(side) = rules.scenario().side_of(nation) else {
        return Err(format!("{} is not in this scenario", rules.name(nation)));
    };
    let traits = rules.setting().of(nation);
    let rule = match traits.builds {
        Builds::AnyCity => {
            format!("it is built in a {} city that we hold, free of enemies", traits.adjective)
        }
        Builds::Capitals => "it is built in a capital of its own that we hold, free of enemies".to_owned(),
    };
    let sites = build_sites(rules, &state.control, |hex| state.enemy_at(rules, hex, side), nation);
    match (wanted, sites.as_slice()) {
        (Some(hex), sites) if sites.contains(&hex) => Ok(hex),
        (Some(hex), _) => Err(format!("{rule}, and {} is none", rules.map().place(hex))),
        (None, [only]) => Ok(*only),
        (None, []) => Err(format!("{rule}, and there is none")),
        (None, _) => Err("there are several places to build it: say AT which".to_owned()),
    }
}

/// Raises a unit's morale by one step, once a season (ruling LGA-39).
///
/// # Errors
/// Why it can't be done, for the player.
pub(super) fn rally(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId) -> Result<(), String> {
    let state = scribe.state();
    let spec = rules.scenario().unit(id);
    let unit = state.unit(id);
    if unit.at.is_none() {
        return Err("it is not on the map".to_owned());
    }
    let cost = rally_price(rules, spec.kind, unit.morale, unit.rallied).map_err(|why| match why {
        Unrallied::Headquarters => "a headquarters has no morale to rally".to_owned(),
        Unrallied::Already => "it has been rallied this season".to_owned(),
        Unrallied::Full => format!("its morale is {} already, the most that it can have", unit.morale),
        Unrallied::NoPrice => format!("no price is set to raise morale {}", unit.morale),
    })?;
    let purse = state.points.get(&spec.nation).copied().unwrap_or_default();
    if i32::from(cost) > purse {
        return Err(format!("it costs {cost} points and {} has {purse}", rules.name(spec.nation)));
    }
    let morale = unit.morale + 1;
    scribe.record(Event::Rallied { unit: id, morale, cost });
    Ok(())
}
