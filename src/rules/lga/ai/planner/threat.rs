//! What the enemy's next turn could reach, past the stacks that hold and through the zones that they exert.

use crate::model::{Nation, UnitType};
use crate::spots::{Spot, Spots};

/// More moves than a ruleset's file can give a unit.
const MOST_MOVES: usize = 51;

/// An enemy stack in sight.
#[derive(Clone)]
pub(super) struct Enemy {
    pub(super) at: Spot,
    pub(super) nation: Nation,
    pub(super) kind: UnitType,
    /// The number of its units, as far as known.
    pub(super) units: i32,
    /// The number of its roads.
    pub(super) roads: usize,
}

/// The steps that a kind of unit can take over land, and their costs.
pub(super) struct Roads {
    /// From each hex: the hexes that can be entered, each with its cost.
    pub(super) steps: Vec<Vec<(Spot, u8)>>,
    /// The moves of a season.
    pub(super) moves: u8,
    /// The extra cost of leaving a zone.
    pub(super) leave_zone: u8,
}

impl Roads {
    /// The hexes in reach from a hex, and those of them from which it can still attack, when the hexes `blocked` can't be passed and leaving `zones`
    /// costs extra.
    fn reach(&self, from: Spot, blocked: &Spots, zones: &Spots) -> (Spots, Spots) {
        let hexes = self.steps.len();
        let (mut reach, mut fresh) = (Spots::empty(hexes), Spots::empty(hexes));
        let mut open: [Vec<Spot>; MOST_MOVES] = [const { Vec::new() }; MOST_MOVES];
        let moves = usize::from(self.moves).min(MOST_MOVES - 1);
        open[moves].push(from);
        for left in (0..=moves).rev() {
            while let Some(here) = open[left].pop() {
                if reach.has(here) {
                    continue;
                }
                reach.add(here);
                if left == 0 {
                    continue;
                }
                fresh.add(here);
                let leave = if zones.has(here) { usize::from(self.leave_zone) } else { 0 };
                for &(next, cost) in &self.steps[here] {
                    let Some(rest) = left.checked_sub(usize::from(cost) + leave) else { continue };
                    if !reach.has(next) && !blocked.has(next) {
                        open[rest].push(next);
                    }
                }
            }
        }
        (reach, fresh)
    }
}

/// The enemy's reach in one position.
#[derive(Default)]
pub(super) struct Threat {
    /// The hexes that each enemy stack can march to.
    pub(super) reach: Vec<Spots>,
    /// The number of enemy units that could be in each hex, and that could attack it.
    pub(super) visitors: Vec<i32>,
    pub(super) attackers: Vec<i32>,
}

impl Threat {
    /// The reach of the enemies that are not `pinned`, when our units are sure to hold `firm` and exert `zones`. `rings` are the hexes next to each hex.
    pub(super) fn new(
        (roads, rings): (&[Roads], &[Spots]),
        enemies: &[Enemy],
        pinned: impl Fn(&Enemy) -> bool,
        firm: &Spots,
        zones: &Spots,
    ) -> Self {
        let hexes = rings.len();
        let mut threat = Self {
            reach: Vec::with_capacity(enemies.len()),
            visitors: vec![0; hexes],
            attackers: vec![0; hexes],
        };
        for enemy in enemies {
            if enemy.units == 0 || pinned(enemy) {
                threat.reach.push(Spots::empty(hexes));
                continue;
            }
            let (reach, fresh) = roads[enemy.roads].reach(enemy.at, firm, zones);
            let mut struck = Spots::empty(hexes);
            fresh.spots().for_each(|spot| struck.join(&rings[spot]));
            reach.spots().for_each(|spot| threat.visitors[spot] += enemy.units);
            struck.spots().for_each(|spot| threat.attackers[spot] += enemy.units);
            threat.reach.push(reach);
        }
        threat
    }
}
