//! Cuts enemy stacks off: finds the places from which a few units bar every way back to the enemy's sources of supply. Units without supply can't move
//! or attack in their own turn, and are lost at its end (manual 5.4 and 5.7).

use super::posts::{Change, Search};
use super::worth::Post;
use crate::spots::{Spot, Spots, way_to};

/// The most units that bar the ways back of one stack.
const MOST_GUARDS: usize = 3;
/// The most ways that are searched for one stack.
const PATIENCE: u32 = 400;
/// The most sets of places that are compared for one stack.
const MOST_SETS: usize = 40;

/// The enemy's lines of supply, and the units that may bar them.
pub(super) struct Cordon<'a> {
    search: &'a Search<'a>,
    theirs: Spots,
    /// Hexes that no line continues from, as the posts are.
    barred: Spots,
    /// Hexes with a line of supply whatever our free units do.
    safe: Spots,
    /// Hexes that a free unit can cover.
    barrable: Spots,
    /// The free units that reach each hex, the most dispensable first.
    guards: Vec<Vec<usize>>,
    patience: u32,
    found: Vec<Change>,
}

impl<'a> Cordon<'a> {
    pub(super) fn new(search: &'a Search<'a>, posts: &[Post]) -> Self {
        let judge = search.judge;
        let board = judge.board;
        let (ours, barred) = judge.ground(posts);
        let mut theirs = board.theirs.clone();
        theirs.strip(&ours);
        let mut guards: Vec<Vec<usize>> = vec![Vec::new(); board.hexes];
        let mut men: Vec<usize> =
            (0..judge.men.len()).filter(|&man| !search.fixed[man] && judge.men[man].is_unit()).collect();
        men.sort_by_key(|&man| (posts[man].garrison, judge.men[man].value, man));
        let mut barrable = barred.clone();
        for &man in &men {
            for &spot in search.marches[man].keys().filter(|&&spot| board.land.has(spot)) {
                guards[spot].push(man);
                barrable.join(&board.disc[spot]);
            }
        }
        let safe = board.trace(&board.their_sources, &theirs, &barrable);
        Self { search, theirs, barred, safe, barrable, guards, patience: PATIENCE, found: Vec::new() }
    }

    /// The sets of orders that cut a stack off with the fewest units.
    pub(super) fn around(mut self, stack: Spot) -> Vec<Change> {
        if self.safe.has(stack) {
            return Vec::new();
        }
        for most in 1..=MOST_GUARDS {
            let barred = self.barred.clone();
            self.extend(stack, &barred, &mut Vec::new(), most);
            if !self.found.is_empty() {
                break;
            }
        }
        self.found
    }

    /// Adds guards on the shortest way that is open, up to `most`.
    fn extend(&mut self, stack: Spot, barred: &Spots, chosen: &mut Change, most: usize) {
        if self.patience == 0 || self.found.len() >= MOST_SETS {
            return;
        }
        self.patience -= 1;
        let board = self.search.judge.board;
        let Some(way) = way_to(&board.near, stack, &self.safe, &self.theirs, barred) else {
            if !chosen.is_empty() {
                self.found.push(chosen.clone());
            }
            return;
        };
        if most == 0 {
            return;
        }
        for stand in board.stands(&way, &self.barrable) {
            let free =
                self.guards[stand].iter().copied().find(|man| chosen.iter().all(|(other, _)| other != man));
            let Some((man, post)) = free.and_then(|man| Some((man, self.search.post(man, stand, false)?)))
            else {
                continue;
            };
            let mut barred = barred.clone();
            barred.join(&board.disc[stand]);
            chosen.push((man, post));
            self.extend(stack, &barred, chosen, most - 1);
            chosen.pop();
        }
    }
}
