//! What is so near that a commander's orders may be wanted.

use musterd_engine::hex::Hex;

use super::Acw;
use super::going::most_hexes;
use super::model::UnitId;
use super::numbers::Mover;
use super::view::{FoeKind, View};
use super::words::place;

/// The first enemy in sight or met by pickets who may come next to a unit of the commander's, or take an objective of his side's, before he is asked
/// again.
pub(super) fn contact(rules: &Acw, view: &View) -> Option<String> {
    let held = held(rules, view);
    let foe = view.foes_seen().find(|foe| {
        let mover = match foe.kind {
            FoeKind::Brigade(arm) => Mover::from(arm),
            FoeKind::Hq(_) => Mover::Headquarters,
        };
        let far = most_hexes(rules, mover, view.turn..=view.until) + 1;
        held.iter().any(|own| own.distance(foe.at) <= far)
    })?;
    Some(format!("an enemy at {}", place(rules.battle(), foe.at)))
}

/// The commander's headquarters and the brigades that he leads, and the objectives that his side holds.
fn held(rules: &Acw, view: &View) -> Vec<Hex> {
    let battle = rules.battle();
    let mine = |unit: UnitId| Some(battle.leader_of(unit).hq) == view.hq;
    let brigades = view.own_brigades().filter(|(id, _)| mine(UnitId::Brigade(*id)));
    let hq = view.hq.and_then(|id| view.hq(id).at);
    let objectives = battle.objectives().map(|(_, objective)| objective.hex);
    let objectives = objectives.filter(|hex| Some(view.controller(rules, *hex)) == view.side);
    brigades.filter_map(|(_, brigade)| brigade.at).chain(hq).chain(objectives).collect()
}
