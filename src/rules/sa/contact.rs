//! What is so near that a commander's orders may be wanted.

use super::data::Sa;
use super::state::Unit;
use super::view::View;
use musterd_engine::hex::Hex;

/// How near an enemy is to a unit of the commander's, in hexes, that may soon be fought or shot at.
const NEAR: u32 = 6;

/// The first enemy on the field that is near; before the first moves, these.
pub(super) fn contact(rules: &Sa, view: &View) -> Option<String> {
    let side = view.side?;
    if view.position.point == 0 {
        return Some("the initial move to be ordered".to_owned());
    }
    let battle = rules.battle();
    let placed = || {
        battle
            .units
            .iter()
            .zip(&view.position.units)
            .filter_map(|(spec, unit): (_, &Unit)| Some((spec.id, unit.at?)))
    };
    let own: Vec<Hex> = placed().filter(|(id, _)| view.own.contains(id)).map(|(_, at)| at).collect();
    let (id, at) =
        placed().find(|(id, at)| id.side != side && own.iter().any(|own| own.distance(*at) <= NEAR))?;
    Some(format!("the enemy {id} at {at}"))
}
