//! Searches for good posts: of single pieces, of whole stacks, and of pairs that surround an enemy.

use std::collections::BTreeMap;

use super::cordon::Cordon;
use super::posts::{Change, Search};
use super::worth::Post;
use crate::model::Arm;
use crate::spots::Spot;
use musterd_kit::search::{self, Effort};

/// What is tried: a change must be worth three, or the pieces stay as they are.
const EFFORT: Effort = Effort { evaluations: u32::MAX, samples: 1, passes: 3, gain: 3 };

/// Where the posts can be changed.
pub(super) enum Step {
    /// A stack of pieces that go together.
    Stack(Vec<usize>),
    /// An enemy stack that could be cut off from its supply.
    Cordon(Spot),
    /// An enemy stack with room for two units on opposite sides of it.
    Pincers(Spot),
    /// A single piece.
    Piece(usize),
}

impl Search<'_> {
    /// Cuts enemy stacks off.
    pub(super) fn encircle(&mut self) {
        self.encircles = true;
        self.posts = search::search(self, Effort { passes: 1, ..EFFORT }, 0);
        self.encircles = false;
        self.worth = self.judge.worth(&self.posts);
    }

    /// The posts, improved until nothing does.
    pub(super) fn improved(&self) -> Vec<Post> {
        search::search(self, EFFORT, 0)
    }

    /// The enemy stacks that could be cut off, the largest first.
    fn cordons(&self) -> Vec<Step> {
        let enemies = self.judge.board.enemies.iter().filter(|enemy| enemy.units > 0);
        let mut enemies: Vec<(i32, Spot)> = enemies.map(|enemy| (-enemy.units, enemy.at)).collect();
        enemies.sort_unstable();
        enemies.into_iter().map(|(_, at)| Step::Cordon(at)).collect()
    }

    /// Every post that a piece can take. A headquarters goes only where units are.
    fn posts_of(&self, posts: &[Post], man: usize) -> Vec<Post> {
        let board = self.judge.board;
        let arm = self.judge.men[man].kind.arm;
        let others = || posts.iter().enumerate().filter(|(other, _)| *other != man);
        let is_held = |spot| others().any(|(other, post)| post.at == spot && self.judge.men[other].is_unit());
        let is_garrisoned = |spot| others().any(|(_, post)| post.at == spot && post.garrison);
        let mut found = Vec::new();
        for &to in self.marches[man].keys() {
            if arm == Arm::Hq && !is_held(to) {
                continue;
            }
            let useful = board.ports.has(to) || board.prizes.iter().any(|prize| prize.at == to);
            if arm.can_garrison() && useful && !is_garrisoned(to) {
                found.extend(self.post(man, to, true));
            }
            found.extend(self.post(man, to, false));
        }
        found
    }

    /// The free pieces that are to stand together.
    fn stacks(&self, posts: &[Post]) -> impl Iterator<Item = Vec<usize>> {
        let mut stacks: BTreeMap<Spot, Vec<usize>> = BTreeMap::new();
        for (man, post) in posts.iter().enumerate() {
            if !self.fixed[man] && !post.garrison {
                stacks.entry(post.at).or_default().push(man);
            }
        }
        stacks.into_values().filter(|men| men.len() > 1)
    }

    /// A whole stack in each hex that one of it reaches, with all pieces that get there.
    fn stack_moves(&self, men: &[usize]) -> Vec<Change> {
        let mut goals: Vec<Spot> = men.iter().flat_map(|man| self.marches[*man].keys().copied()).collect();
        goals.sort_unstable();
        goals.dedup();
        let go = |to: Spot| men.iter().filter_map(|man| Some((*man, self.post(*man, to, false)?))).collect();
        goals.into_iter().map(go).filter(|change: &Change| change.len() > 1).collect()
    }

    /// Two units on opposite sides of an enemy stack: it can't be supplied through them.
    fn pincers(&self, posts: &[Post], enemy: Spot) -> Vec<Change> {
        let mut changes = Vec::new();
        for &(a, b) in &self.judge.jaws[enemy] {
            let (first, second) = (self.who_reaches(posts, a), self.who_reaches(posts, b));
            for one in first.iter().take(3) {
                for two in second.iter().filter(|two| *two != one).take(3) {
                    let change =
                        [(*one, a), (*two, b)].map(|(man, to)| Some((man, self.post(man, to, false)?)));
                    if let [Some(one), Some(two)] = change {
                        changes.push(vec![one, two]);
                    }
                }
            }
        }
        changes
    }

    /// The free units that can march to a hex, the most dispensable first.
    fn who_reaches(&self, posts: &[Post], spot: Spot) -> Vec<usize> {
        let free = |man: &usize| !self.fixed[*man] && self.judge.men[*man].is_unit();
        let mut men: Vec<usize> =
            (0..posts.len()).filter(free).filter(|man| self.marches[*man].contains_key(&spot)).collect();
        men.sort_by_key(|man| (posts[*man].garrison, posts[*man].at != spot, self.judge.men[*man].value));
        men
    }
}

impl search::Judge for Search<'_> {
    type Choice = Post;
    type Step = Step;

    fn openings(&self) -> Vec<Vec<Post>> {
        vec![self.posts.clone()]
    }

    fn steps(&self, posts: &[Post]) -> Vec<Step> {
        if self.encircles {
            return self.cordons();
        }
        let enemies = self.judge.board.enemies.iter().filter(|enemy| enemy.units > 0);
        let pieces = (0..posts.len()).filter(|man| !self.fixed[*man]);
        let stacks = self.stacks(posts).map(Step::Stack);
        let pincers = enemies.map(|enemy| Step::Pincers(enemy.at));
        stacks.chain(self.cordons()).chain(pincers).chain(pieces.map(Step::Piece)).collect()
    }

    fn changes(&self, step: &Step, posts: &[Post]) -> Vec<Change> {
        match step {
            Step::Stack(men) => self.stack_moves(men),
            Step::Cordon(at) => Cordon::new(self, posts).around(*at),
            Step::Pincers(at) => self.pincers(posts, *at),
            Step::Piece(man) => {
                self.posts_of(posts, *man).into_iter().map(|post| vec![(*man, post)]).collect()
            }
        }
    }

    fn worth(&self, posts: &[Post], _: u32) -> i64 {
        self.judge.worth(posts).into()
    }

    fn worth_above(&self, posts: &[Post], _: u32, least: i64) -> Option<i64> {
        let least = i32::try_from(least).unwrap_or(if least > 0 { i32::MAX } else { i32::MIN });
        self.judge.worth_above(posts, least).map(i64::from)
    }
}
