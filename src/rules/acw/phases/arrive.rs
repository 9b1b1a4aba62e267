//! Reinforcements (ACW-56).

use musterd_engine::Scribe;
use musterd_engine::hex::Hex;

use crate::data::Acw;
use crate::event::Event;
use crate::going;
use crate::model::{Formation, HqId, Side};
use crate::numbers::Mover;
use crate::state::{Presence, State};

/// Whoever is due comes: a brigade in its hex or the nearest free one, an army's headquarters in its own or the nearest that its side controls.
pub(super) fn arrive(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let battle = rules.battle();
    let turn = scribe.state().turn;
    for side in Side::ALL {
        let due = battle.army(side).brigades.iter().filter(|spec| spec.start.turn <= turn);
        for spec in due {
            if scribe.state().brigade(spec.id).presence != Presence::Awaited {
                continue;
            }
            let mover = Mover::from(spec.arm);
            let free = |hex: Hex| scribe.state().brigade_at(hex).is_none() && can_stand(rules, mover, hex);
            if let Some(at) = nearest(rules, spec.start.at, free) {
                scribe.record(Event::Arrived { brigade: spec.id, at });
            }
        }
        let hq = HqId::army(side);
        let start = battle.hq(hq).start.filter(|start| start.turn <= turn);
        let state = scribe.state();
        let start = start.filter(|_| state.hq(hq).at.is_none());
        let at = start.and_then(|start| nearest(rules, start.at, |hex| is_home(rules, state, side, hex)));
        if let Some(at) = at {
            scribe.record(Event::HqArrived { hq, at });
        }
    }
}

/// Whether a headquarters of a side can be in a hex.
fn is_home(rules: &Acw, state: &State, side: Side, hex: Hex) -> bool {
    let theirs = state.brigade_at(hex).is_some_and(|id| id.side != side);
    state.control[rules.battle().map.place(hex)] == side
        && !theirs
        && can_stand(rules, Mover::Headquarters, hex)
}

/// Whether a unit can come into a hex from any of its sides.
fn can_stand(rules: &Acw, mover: Mover, hex: Hex) -> bool {
    let terrain = rules.numbers().terrain(rules.battle().map.ground(hex));
    let by_road = rules.battle().map.around(hex).any(|(way, _)| rules.battle().map.side(hex, way).road);
    terrain.cost(mover, Formation::Column).is_some() || (by_road && terrain.column.is_some())
}

/// The nearest hex that will do; of equals the first in the order of the map.
pub(super) fn nearest(rules: &Acw, at: Hex, will_do: impl Fn(Hex) -> bool) -> Option<Hex> {
    let map = &rules.battle().map;
    map.hexes().filter(|hex| will_do(*hex)).min_by_key(|hex| (hex.distance(at), *hex))
}

/// Where a headquarters gets to that the enemy has come upon, if there is no way for it: the nearest hex of its side.
pub(super) fn refuge(rules: &Acw, state: &State, hq: HqId) -> Option<Hex> {
    let at = state.hq(hq).at?;
    nearest(rules, at, |hex| hex != at && is_home(rules, state, hq.side, hex))
}

/// The steps that a headquarters can take from a hex: never into enemy territory (ACW-43).
pub(super) fn home_steps<'a>(
    rules: &'a Acw,
    state: &'a State,
    side: Side,
    from: Hex,
) -> impl Iterator<Item = (Hex, u16)> + 'a {
    let how = (Mover::Headquarters, Formation::Column);
    going::steps(rules, how, from).filter(move |(to, _)| is_home(rules, state, side, *to))
}
