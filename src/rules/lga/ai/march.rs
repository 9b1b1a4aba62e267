//! Marches: together towards the most valuable goal.

use std::collections::BTreeMap;

use super::Player;
use crate::model::{Arm, UnitId};
use crate::order::{Act, Path};
use crate::plan::Piece;
use musterd_engine::hex::Hex;

/// An enemy this near keeps a garrison in its city.
const WATCH: u32 = 5;
/// The greatest distance between units that march as one army.
const ARMY: u32 = 3;

impl Player<'_> {
    /// Marches the rest: armies with their headquarters towards the best goal, single units and headquarters to an army.
    pub(super) fn gather(&mut self) {
        for hq in self.idle_of(true) {
            let Some(leader) = self.plan.piece(hq).cloned() else { continue };
            let near = |p: &&Piece| !self.is_bound(p) && p.hex.distance(leader.hex) <= ARMY;
            let idle = self.idle_of(false);
            let army: Vec<UnitId> =
                idle.iter().filter_map(|id| self.plan.piece(*id)).filter(near).map(|p| p.id).collect();
            if army.is_empty() {
                self.join(&leader);
            } else if let Some(goal) = self.goal_for(&leader) {
                self.march_together(&leader, &army, goal);
            }
        }
        for unit in self.idle_of(false) {
            let Some(piece) = self.plan.piece(unit).cloned() else { continue };
            if self.is_bound(&piece) {
                continue;
            }
            let hq = self.plan.pieces().filter(|p| p.kind.arm == Arm::Hq && p.hex != piece.hex);
            let goal = match hq.map(|p| (p.hex.distance(piece.hex), p.hex)).min() {
                Some((_, hex)) => Some(hex),
                None => self.goal_for(&piece),
            };
            if let Some(goal) = goal.filter(|goal| *goal != piece.hex) {
                self.march_together(&piece, &[], goal);
            }
        }
    }

    /// Idle headquarters, or idle units.
    fn idle_of(&self, hq: bool) -> Vec<UnitId> {
        let kind = |id: &UnitId| self.plan.piece(*id).is_some_and(|p| (p.kind.arm == Arm::Hq) == hq);
        self.idle().into_iter().filter(kind).collect()
    }

    /// Brings a headquarters without troops to the nearest large stack that has none.
    fn join(&mut self, hq: &Piece) {
        self.used.push(hq.id);
        let mut stacks: BTreeMap<Hex, (u32, bool)> = BTreeMap::new();
        for piece in self.plan.pieces().filter(|p| p.id != hq.id) {
            let stack = stacks.entry(piece.hex).or_default();
            match piece.kind.arm {
                Arm::Hq => stack.1 = true,
                _ => stack.0 += 1,
            }
        }
        let alone = stacks.get(&hq.hex).is_none_or(|(units, _)| *units == 0);
        let nearest = stacks
            .iter()
            .filter(|(_, (units, led))| *units >= 2 && !led || alone && *units > 0)
            .min_by_key(|(hex, (units, _))| (hex.distance(hq.hex), std::cmp::Reverse(*units)));
        if let Some((hex, _)) = nearest {
            self.send(hq.id, *hex);
        }
    }

    /// The goal of an army: an own city under threat.
    fn goal_for(&self, leader: &Piece) -> Option<Hex> {
        let reachable = |hex: &Hex| self.known.closed(leader.traveller(), *hex).is_none();
        let near = |hex: Hex| i32::try_from(hex.distance(leader.hex)).unwrap_or(99);
        let offer = |hex: Hex, value: i32| (value * 12 / (near(hex) + 2), hex);
        let own = self.own_cities().into_iter().filter(|hex| self.threat(*hex, 4) > 0);
        own.map(|hex| offer(hex, self.swing(hex)))
            .filter(|(_, hex)| reachable(hex))
            .max_by_key(|(score, hex)| (*score, self.lot(*hex)))
            .map(|(_, hex)| hex)
    }

    /// Moves a leader towards a goal, and its army to the same hex, as far as all of them get and are safe and in supply.
    fn march_together(&mut self, leader: &Piece, army: &[UnitId], goal: Hex) {
        self.used.push(leader.id);
        let Some(path) = self.known.way(leader.traveller(), leader.hex, goal) else { return };
        let reach: Vec<_> =
            army.iter().filter_map(|id| self.plan.piece(*id)).map(|p| self.reach(p)).collect();
        let own = self.reach(leader);
        let strength = u32::try_from(army.len().max(1)).unwrap_or(1);
        let most = reach.len().div_ceil(2);
        let fits = |hex: &Hex| {
            own.left_at(*hex).is_some()
                && reach.iter().filter(|r| r.left_at(*hex).is_some()).count() >= most
                && self.threat(*hex, 1) <= strength
                && (leader.kind.arm == Arm::Hq || self.would_be_supplied(leader, *hex))
        };
        let Some(stop) = path.iter().rev().find(|hex| fits(hex)).copied() else { return };
        for &unit in army {
            if self.plan.piece(unit).is_some_and(|p| self.would_be_supplied(p, stop)) {
                self.order(Act::Move { unit, path: Path::To(stop) });
                self.used.push(unit);
            }
        }
        self.send(leader.id, stop);
    }

    /// Whether a unit at the end of its cheapest way would have a line of supply.
    fn would_be_supplied(&self, piece: &Piece, to: Hex) -> bool {
        let way = self.known.way(piece.traveller(), piece.hex, to).unwrap_or_default();
        self.supplied(piece.nation, to, &way.into_iter().collect())
    }

    /// Whether a unit must stay: it is the garrison of a valuable city with an enemy near.
    fn is_bound(&self, piece: &Piece) -> bool {
        let near = self.to_enemy(piece.hex) <= self.watch(piece.hex, WATCH);
        piece.garrison && self.swing(piece.hex) > 0 && near
    }
}
