//! Finds out whether the enemy's next turn could cut a stack off. He needs no battle for it, only units behind the stack whose zones bar every way
//! back (manual 5.4). A stack that is cut off can't move in its own turn, and is lost at its end (manual 5.7).

use super::board::Board;
use super::threat::Threat;
use crate::spots::{Spot, Spots, way_to};

/// The most enemy units that are assumed to work together against one stack.
const MOST_RAIDERS: usize = 3;
/// The most ways that are searched to answer one question. A stack that needs more counts as safe.
const PATIENCE: u32 = 300;

/// The ways back to the sources of supply, as the enemy's next turn may leave them.
pub(super) struct Lifelines<'a> {
    board: &'a Board<'a>,
    ours: &'a Spots,
    /// The number of units of each enemy stack that can take part.
    units: Vec<i32>,
    /// The hexes that each enemy stack can march to.
    reach: &'a [Spots],
    /// Hexes that have a line of supply whatever the enemy does.
    safe: Spots,
    /// Hexes that he can enter, or cover with a zone.
    barrable: Spots,
}

impl<'a> Lifelines<'a> {
    /// The lines over `ours` under a threat.
    pub(super) fn new(board: &'a Board<'a>, sources: &[Spot], ours: &'a Spots, threat: &'a Threat) -> Self {
        let mut barrable = board.zones.clone();
        for reach in &threat.reach {
            reach.spots().for_each(|spot| barrable.join(&board.disc[spot]));
        }
        let reach = threat.reach.as_slice();
        let safe = board.trace(sources, ours, &barrable);
        let units = board.enemies.iter().map(|enemy| enemy.units).collect();
        Self { board, ours, units, reach, safe, barrable }
    }

    /// The number of units that the enemy needs to cut a stack off; `None` if he can't in one turn, or the search found no way.
    pub(super) fn raiders(&self, stack: Spot) -> Option<usize> {
        if self.safe.has(stack) {
            return None;
        }
        (1..=MOST_RAIDERS).find(|&most| {
            let mut raid = Raid { lines: self, stack, units: self.units.clone(), patience: PATIENCE };
            raid.succeeds(&self.board.zones, most)
        })
    }
}

/// The enemy's attempt to cut one stack off.
struct Raid<'a> {
    lines: &'a Lifelines<'a>,
    stack: Spot,
    /// The units that each of his stacks has left for the attempt.
    units: Vec<i32>,
    patience: u32,
}

impl Raid<'_> {
    /// Whether `most` more units can bar every way. Each of them has to bar the shortest way that is open.
    fn succeeds(&mut self, barred: &Spots, most: usize) -> bool {
        if self.patience == 0 {
            return false;
        }
        self.patience -= 1;
        let lines = self.lines;
        let board = lines.board;
        let way = way_to(&board.near, self.stack, &lines.safe, lines.ours, barred);
        let Some(way) = way else { return true };
        if most == 0 {
            return false;
        }
        for stand in board.stands(&way, &lines.barrable) {
            let Some(raider) = (0..self.units.len())
                .filter(|&raider| self.units[raider] > 0 && lines.reach[raider].has(stand))
                .max_by_key(|&raider| self.units[raider])
            else {
                continue;
            };
            let mut barred = barred.clone();
            barred.join(&board.disc[stand]);
            self.units[raider] -= 1;
            let done = self.succeeds(&barred, most - 1);
            self.units[raider] += 1;
            if done {
                return true;
            }
        }
        false
    }
}
