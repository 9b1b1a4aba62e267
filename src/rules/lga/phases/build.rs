//! Phase IV: aid, building and rallying (manual 5.5).

use crate::data::Lga;
use crate::event::Event;
use crate::model::{Nation, UnitId};
use crate::needs::{Siteless, Unaided, Unbuilt, Unrallied, can_build, donor, rally_price, site};
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
    donor(rules, to, points, |nation| state.purse(nation)).map_err(|why| match why {
        Unaided::NoDonor => "nobody gives aid in this scenario".to_owned(),
        Unaided::NoAlly(donor) => {
            format!("{} is no ally of {} in this scenario", rules.name(to), rules.name(donor))
        }
        Unaided::TooFew(donor, purse) => format!("{} has {purse} military points", rules.name(donor)),
    })?;
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
    let spec = rules.scenario.unit(unit);
    let stats = rules.stats(spec.kind);
    if state.unit(unit).at.is_some() {
        return Err("it is on the map already".to_owned());
    }
    can_build(rules, unit, state.date).map_err(|why| match why {
        Unbuilt::CalledAway => "it has been called away for good".to_owned(),
        Unbuilt::Before(year) => format!("it can be built from {year} on"),
    })?;
    affords(rules, state, spec.nation, stats.cost)?;
    let at = place(rules, state, spec.nation, at)?;
    scribe.record(Event::Built { unit, at, cost: stats.cost, morale: stats.max_morale });
    Ok(())
}

/// Where a new unit appears: where its order says, or in the only place that there is.
fn place(rules: &Lga, state: &State, nation: Nation, wanted: Option<Hex>) -> Result<Hex, String> {
    let Some(side) = rules.scenario.side_of(nation) else {
        return Err(format!("{} is not in this scenario", rules.name(nation)));
    };
    let traits = rules.setting.of(nation);
    let rule = match traits.builds {
        Builds::AnyCity => {
            format!("it is built in a {} city that we hold, free of enemies", traits.adjective)
        }
        Builds::Capitals => "it is built in a capital of its own that we hold, free of enemies".to_owned(),
    };
    let sites = build_sites(rules, &state.control, |hex| state.enemy_at(rules, hex, side), nation);
    site(&sites, wanted).map_err(|why| match (why, wanted) {
        (Siteless::Unnamed, _) => "there are several places to build it: say AT which".to_owned(),
        (_, Some(hex)) => format!("{rule}, and {} is none", rules.map.place(hex)),
        (_, None) => format!("{rule}, and there is none"),
    })
}

fn affords(rules: &Lga, state: &State, nation: Nation, cost: u16) -> Result<(), String> {
    let purse = state.purse(nation);
    match i32::from(cost) <= purse {
        true => Ok(()),
        false => Err(format!("it costs {cost} points and {} has {purse}", rules.name(nation))),
    }
}

/// Raises a unit's morale by one step, once a season (ruling LGA-39).
///
/// # Errors
/// Why it can't be done, for the player.
pub(super) fn rally(rules: &Lga, scribe: &mut Scribe<'_, Lga>, id: UnitId) -> Result<(), String> {
    let state = scribe.state();
    let spec = rules.scenario.unit(id);
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
    affords(rules, state, spec.nation, cost)?;
    let morale = unit.morale + 1;
    scribe.record(Event::Rallied { unit: id, morale, cost });
    Ok(())
}
