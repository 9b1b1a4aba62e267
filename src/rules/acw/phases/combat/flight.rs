//! The way of a brigade or a headquarters that gets away from the enemy (ACW-53).

use musterd_engine::hex::Hex;

use crate::data::Acw;
use crate::law;
use crate::model::{BrigadeId, Edge, HqId, Side};
use crate::state::State;

/// How far the nearest enemy brigade is from a brigade; as far as can be from one that is off the map.
pub(super) fn nearest(state: &State, id: BrigadeId) -> u32 {
    state.brigade(id).at.map_or(u32::MAX, |at| enemy_near(state, id.side, at))
}

fn enemy_near(state: &State, side: Side, at: Hex) -> u32 {
    state.fielded(side.other()).map(|(_, _, there)| at.distance(there)).min().unwrap_or(u32::MAX)
}

/// Who flees, and by what he goes.
struct Flight<'a> {
    rules: &'a Acw,
    state: &'a State,
    side: Side,
    /// Whether he can go from a hex to a neighbour.
    goes: &'a dyn Fn(Hex, Hex) -> bool,
    /// Whether he can stay in a hex.
    stays: &'a dyn Fn(Hex) -> bool,
}

/// How good a way is: the longest first, then the one with the fewest hexes of the enemy's, then the one that ends nearest to one's own edge of the map.
type Worth = (usize, std::cmp::Reverse<usize>, std::cmp::Reverse<u8>);

impl Flight<'_> {
    /// The best way of at most so many hexes, each of them farther from the nearest enemy than the one before. It may lead through friends, but not end
    /// with them (ACW-66).
    fn best(&self, from: Hex, steps: u32) -> Vec<Hex> {
        let (mut best, mut way) = (None, Vec::new());
        self.search(from, steps, &mut way, &mut best);
        best.map(|(_, way)| way).unwrap_or_default()
    }

    fn search(&self, at: Hex, steps: u32, way: &mut Vec<Hex>, best: &mut Option<(Worth, Vec<Hex>)>) {
        if !way.is_empty() && (self.stays)(at) {
            let worth = self.worth(way);
            if best.as_ref().is_none_or(|(other, _)| worth > *other) {
                *best = Some((worth, way.clone()));
            }
        }
        if steps == 0 {
            return;
        }
        let near = enemy_near(self.state, self.side, at);
        for (_, next) in self.rules.battle().map.around(at) {
            if enemy_near(self.state, self.side, next) > near && (self.goes)(at, next) {
                way.push(next);
                self.search(next, steps - 1, way, best);
                way.pop();
            }
        }
    }

    fn worth(&self, way: &[Hex]) -> Worth {
        let map = &self.rules.battle().map;
        let foreign = way.iter().filter(|hex| self.state.control[map.place(**hex)] != self.side).count();
        let last = way[way.len() - 1];
        let edge = match self.rules.battle().army(self.side).rear {
            Edge::North => last.row,
            Edge::South => map.rows - last.row,
            Edge::West => last.col,
            Edge::East => map.columns - last.col,
        };
        (way.len(), std::cmp::Reverse(foreign), std::cmp::Reverse(edge))
    }
}

/// The way of a brigade that falls back; empty if there is none.
pub(super) fn way(rules: &Acw, state: &State, id: BrigadeId, steps: u32) -> Vec<Hex> {
    let Some(from) = state.brigade(id).at else { return Vec::new() };
    let arm = rules.battle().brigade(id).arm;
    let goes = |from, to| law::can_enter(rules, arm, from, to);
    let stays = |hex| state.brigade_at(hex).is_none();
    Flight { rules, state, side: id.side, goes: &goes, stays: &stays }.best(from, steps)
}

/// Where a headquarters gets to that flees; `None` if it can't. It never enters enemy territory (ACW-43).
pub(in crate::phases) fn hq_way(rules: &Acw, state: &State, hq: HqId, steps: u32) -> Option<Hex> {
    let from = state.hq(hq).at?;
    let map = &rules.battle().map;
    let goes = |from, to| {
        let enters = rules.numbers().terrain(map.ground(to)).column.is_some();
        enters && map.between(from, to).is_open() && state.control[map.place(to)] == hq.side
    };
    let flight = Flight { rules, state, side: hq.side, goes: &goes, stays: &|_| true };
    flight.best(from, steps).last().copied()
}
