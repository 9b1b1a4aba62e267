//! Couriers between the commanders of a side.

use musterd_engine::hex::Hex;
use musterd_engine::{Ride, Seat};
use musterd_kit::way::Ways;

use crate::data::Acw;
use crate::going;
use crate::model::{Formation, Side};
use crate::numbers::Mover;
use crate::state::State;

/// The way of a courier: the fewest hexes, and among such ways the one with the fewest in the enemy's reach. `None` where a headquarters is off the map, or
/// there is no way.
pub(crate) fn ride(rules: &Acw, state: &State, from: &Seat, to: &Seat) -> Option<Ride> {
    let battle = rules.battle();
    let (side, writer) = battle.commander(from)?;
    let (_, reader) = battle.commander(to)?;
    let (start, goal) = (state.hq(writer.hq).at?, state.hq(reader.hq).at?);
    let how = (Mover::Headquarters, Formation::Column);
    let ways = Ways::reach(battle.map.last(), [(start, (0_u32, 0_u32))], |here, (hexes, perils)| {
        going::steps(rules, how, here)
            .map(move |(next, _)| (next, (hexes + 1, perils + u32::from(is_peril(rules, state, side, next)))))
    });
    ways.cost(goal).map(|(hexes, perils)| Ride { hexes, perils })
}

/// Whether a courier of a side is in danger there: the enemy controls the hex, or has a brigade next to it.
fn is_peril(rules: &Acw, state: &State, side: Side, hex: Hex) -> bool {
    state.control[rules.battle().map.place(hex)] != side || state.is_beside(side.other(), hex)
}
