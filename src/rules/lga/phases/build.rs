//! Phase IV: British aid, building and rallying (manual 5.5).

use crate::engine::Scribe;
use crate::hex::Hex;
use crate::rules::lga::data::Lga;
use crate::rules::lga::event::Event;
use crate::rules::lga::model::{Nation, UnitId, UnitType};
use crate::rules::lga::state::State;

/// Gives British points to an ally in the scenario (ruling LGA-40).
///
/// # Errors
/// Why it can't be done, for the player.
pub(super) fn aid(rules: &Lga, scribe: &mut Scribe<'_, Lga>, to: Nation, points: u16) -> Result<(), String> {
    let state = scribe.state();
    let britain = rules.scenario().side_of(Nation::Britain);
    if to == Nation::Britain || britain.is_none() || rules.scenario().side_of(to) != britain {
        return Err(format!("{to} is no ally of Britain in this scenario"));
    }
    let purse = state.points.get(&Nation::Britain).copied().unwrap_or_default();
    if i32::from(points) > purse {
        return Err(format!("Britain has {purse} military points"));
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
    if spec.from_year > state.date.year {
        return Err(format!("it can be built from {} on", spec.from_year));
    }
    let purse = state.points.get(&spec.nation).copied().unwrap_or_default();
    if i32::from(stats.cost) > purse {
        return Err(format!("it costs {} points and {} has {purse}", stats.cost, spec.nation));
    }
    let at = site(rules, state, spec.nation, at)?;
    scribe.record(Event::Built { unit, at, cost: stats.cost, morale: stats.max_morale });
    Ok(())
}

/// Where a new unit appears: a capital of its nation that its side holds; for Spain any Spanish city that it holds
/// (manual 2.3, ruling LGA-37).
fn site(rules: &Lga, state: &State, nation: Nation, wanted: Option<Hex>) -> Result<Hex, String> {
    let side = rules.scenario().side_of(nation);
    let country = rules.numbers().country(nation);
    let capitals = rules.numbers().nations.get(&nation).map_or(&[][..], |home| home.capitals.as_slice());
    let fits = |hex: Hex| {
        let held = side.is_some() && state.control.get(&hex).copied() == side;
        let named = rules.map().area(hex).is_some_and(|area| {
            area.city.as_ref().is_some_and(|city| match nation {
                Nation::Spain => area.country == country,
                _ => capitals.contains(&city.name),
            })
        });
        held && named && side.is_some_and(|side| !state.enemy_at(rules, hex, side))
    };
    let rule = match nation {
        Nation::Spain => "it is built in a Spanish city that we hold",
        _ => "it is built in a capital of its own that we hold",
    };
    let sites: Vec<Hex> = rules.map().cities().map(|(hex, _)| hex).filter(|&hex| fits(hex)).collect();
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
    if spec.kind == UnitType::Hq {
        return Err("a headquarters has no morale to rally".to_owned());
    }
    if unit.rallied {
        return Err("it has been rallied this season".to_owned());
    }
    if unit.morale >= rules.stats(spec.kind).max_morale {
        return Err(format!("its morale is {} already, the most that it can have", unit.morale));
    }
    let step = usize::try_from(unit.morale).unwrap_or_default();
    let Some(&cost) = rules.numbers().rally.get(step) else {
        return Err(format!("no price is set to raise morale {}", unit.morale));
    };
    let purse = state.points.get(&spec.nation).copied().unwrap_or_default();
    if i32::from(cost) > purse {
        return Err(format!("it costs {cost} points and {} has {purse}", spec.nation));
    }
    let morale = unit.morale + 1;
    scribe.record(Event::Rallied { unit: id, morale, cost });
    Ok(())
}
