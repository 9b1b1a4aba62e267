//! What is so near that a commander's orders may be wanted.

use super::data::Sa;
use super::law;
use super::model::UnitId;
use super::state::Phase;
use super::view::View;
use musterd_engine::hex::Hex;

/// The first enemy who may fight or fire at a unit of the commander's in the coming mail turn, after which he is asked again; before the first moves,
/// these.
pub(super) fn contact(rules: &Sa, view: &View) -> Option<String> {
    let side = view.side?;
    if matches!(view.phase, Phase::Initial(_)) {
        return Some("the initial move to be ordered".to_owned());
    }
    let battle = rules.battle();
    let fielded = || view.position.fielded().map(|(place, _, at)| (place, battle.units[place].id, at));
    let own: Vec<Hex> = fielded().filter(|(_, id, _)| view.own.contains(id)).map(|(_, _, at)| at).collect();
    let is_near = |(place, id, at): &(usize, UnitId, Hex)| {
        id.side != side && own.iter().any(|own| own.distance(*at) <= threat(rules, view, *place))
    };
    let (_, id, at) = fielded().find(is_near)?;
    Some(format!("the enemy {id} at {at}"))
}

/// How far the unit in this place may go in the coming mail turn and then strike or fire, in hexes.
fn threat(rules: &Sa, view: &View, place: usize) -> u32 {
    let spec = &rules.battle().units[place];
    let arms = spec.missile.map_or(1, |missile| law::range(rules, missile).max(1));
    law::most_steps(rules, spec, rules.block_after(view.paused)) + arms
}
