//! Searches for good posts: of single pieces, of whole stacks, and of pairs that surround an enemy.

use std::collections::BTreeMap;

use super::board::Course;
use super::field::Spot;
use super::worth::{Judge, Post};
use crate::model::Arm;

/// The most passes over all pieces.
const SWEEPS: usize = 3;
/// A change must be worth this much, or the pieces stay as they are.
const WORTH_IT: i32 = 3;

/// The posts so far, and what can still be changed.
pub(super) struct Search<'a> {
    pub(super) judge: &'a Judge<'a>,
    /// Where each piece can march to.
    pub(super) marches: Vec<BTreeMap<Spot, Course>>,
    pub(super) posts: Vec<Post>,
    /// Pieces that have their orders.
    pub(super) fixed: Vec<bool>,
    pub(super) worth: i32,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        judge: &'a Judge<'a>,
        marches: Vec<BTreeMap<Spot, Course>>,
        posts: Vec<Post>,
        fixed: Vec<bool>,
    ) -> Self {
        let worth = judge.worth(&posts);
        Self { judge, marches, posts, fixed, worth }
    }

    /// The post of a piece that has marched to a hex.
    pub(super) fn post(&self, man: usize, to: Spot, garrison: bool) -> Option<Post> {
        let march = self.marches[man].get(&to)?;
        Some(Post { at: to, garrison, way: march.way.clone(), left: march.left, worn: 0 })
    }

    /// Tries some changes together. Returns the worth of the position, if it is more than `least`.
    pub(super) fn trial(&mut self, changes: &[(usize, Post)], least: i32) -> Option<i32> {
        let kept: Vec<(usize, Post)> = changes
            .iter()
            .map(|(man, post)| (*man, std::mem::replace(&mut self.posts[*man], post.clone())))
            .collect();
        let worth = self.judge.worth_above(&self.posts, least);
        for (man, post) in kept.into_iter().rev() {
            self.posts[man] = post;
        }
        worth
    }

    /// Makes some changes.
    pub(super) fn make(&mut self, changes: Vec<(usize, Post)>) {
        for (man, post) in changes {
            self.posts[man] = post;
        }
        self.worth = self.judge.worth(&self.posts);
    }

    /// Makes the best of some sets of changes, if it improves the position enough.
    pub(super) fn best_of(&mut self, trials: Vec<Vec<(usize, Post)>>) -> bool {
        let mut best: Option<(i32, Vec<(usize, Post)>)> = None;
        for changes in trials {
            let least = best.as_ref().map_or(self.worth + WORTH_IT - 1, |(worth, _)| *worth);
            if let Some(worth) = self.trial(&changes, least) {
                best = Some((worth, changes));
            }
        }
        match best {
            Some((_, changes)) => {
                self.make(changes);
                true
            }
            None => false,
        }
    }

    /// Improves the posts until nothing does.
    pub(super) fn improve(&mut self) {
        for _ in 0..SWEEPS {
            let stacks = self.move_stacks();
            let pairs = self.encircle() | self.shut_in();
            let single = self.move_pieces();
            if !(stacks || pairs || single) {
                return;
            }
        }
    }

    /// Each free piece to its best post.
    fn move_pieces(&mut self) -> bool {
        let mut moved = false;
        for man in 0..self.posts.len() {
            if self.fixed[man] {
                continue;
            }
            let trials = self.posts_of(man).into_iter().map(|post| vec![(man, post)]).collect();
            moved |= self.best_of(trials);
        }
        moved
    }

    /// Every post that a piece can take. A headquarters goes only where units are.
    fn posts_of(&self, man: usize) -> Vec<Post> {
        let board = self.judge.board;
        let arm = self.judge.men[man].kind.arm;
        let guards = arm.can_garrison();
        let mut posts = Vec::new();
        for &to in self.marches[man].keys() {
            if arm == Arm::Hq && !self.is_held(man, to) {
                continue;
            }
            let useful = board.ports.has(to) || board.prizes.iter().any(|prize| prize.at == to);
            if guards && useful && !self.is_garrisoned(man, to) {
                posts.extend(self.post(man, to, true));
            }
            posts.extend(self.post(man, to, false));
        }
        posts.retain(|post| *post != self.posts[man]);
        posts
    }

    /// Whether another unit is to stand in a hex.
    fn is_held(&self, man: usize, spot: Spot) -> bool {
        self.others(man).any(|(other, post)| post.at == spot && self.judge.men[other].is_unit())
    }

    fn is_garrisoned(&self, man: usize, spot: Spot) -> bool {
        self.others(man).any(|(_, post)| post.at == spot && post.garrison)
    }

    fn others(&self, man: usize) -> impl Iterator<Item = (usize, &Post)> {
        self.posts.iter().enumerate().filter(move |(other, _)| *other != man)
    }

    /// Tries whole stacks in one hex, with all pieces that get there.
    fn move_stacks(&mut self) -> bool {
        let mut stacks: BTreeMap<Spot, Vec<usize>> = BTreeMap::new();
        for (man, post) in self.posts.iter().enumerate() {
            if !self.fixed[man] && !post.garrison {
                stacks.entry(post.at).or_default().push(man);
            }
        }
        let mut moved = false;
        for men in stacks.into_values().filter(|men| men.len() > 1) {
            let mut goals: Vec<Spot> =
                men.iter().flat_map(|man| self.marches[*man].keys().copied()).collect();
            goals.sort_unstable();
            goals.dedup();
            let trials = goals
                .into_iter()
                .map(|to| men.iter().filter_map(|man| Some((*man, self.post(*man, to, false)?))).collect())
                .filter(|changes: &Vec<_>| changes.len() > 1)
                .collect();
            moved |= self.best_of(trials);
        }
        moved
    }

    /// Tries two units on opposite sides of an enemy stack: it can't be supplied through them.
    fn shut_in(&mut self) -> bool {
        let judge = self.judge;
        let mut moved = false;
        for enemy in judge.board.enemies.iter().filter(|enemy| enemy.units > 0) {
            let mut trials = Vec::new();
            for &(a, b) in &judge.jaws[enemy.at] {
                let (first, second) = (self.who_reaches(a), self.who_reaches(b));
                for one in first.iter().take(3) {
                    for two in second.iter().filter(|two| *two != one).take(3) {
                        let changes =
                            [(*one, a), (*two, b)].map(|(man, to)| Some((man, self.post(man, to, false)?)));
                        if let [Some(one), Some(two)] = changes {
                            trials.push(vec![one, two]);
                        }
                    }
                }
            }
            moved |= self.best_of(trials);
        }
        moved
    }

    /// The free units that can march to a hex, the most dispensable first.
    fn who_reaches(&self, spot: Spot) -> Vec<usize> {
        let free = |man: &usize| !self.fixed[*man] && self.judge.men[*man].is_unit();
        let mut men: Vec<usize> =
            (0..self.posts.len()).filter(free).filter(|man| self.marches[*man].contains_key(&spot)).collect();
        men.sort_by_key(|man| {
            (self.posts[*man].garrison, self.posts[*man].at != spot, self.judge.men[*man].value)
        });
        men
    }
}
