//! The posts of the pieces, and what can still be changed of them.

use std::collections::BTreeMap;

use super::board::Course;
use super::worth::{Judge, Post};
use crate::spots::Spot;

/// Other posts for some pieces.
pub(super) type Change = Vec<(usize, Post)>;

/// The posts so far, and what can still be changed.
pub(super) struct Search<'a> {
    pub(super) judge: &'a Judge<'a>,
    /// Where each piece can march to.
    pub(super) marches: Vec<BTreeMap<Spot, Course>>,
    pub(super) posts: Vec<Post>,
    /// Pieces that have their orders.
    pub(super) fixed: Vec<bool>,
    pub(super) worth: i32,
    /// Whether nothing is looked for but ways to cut enemy stacks off.
    pub(super) encircles: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        judge: &'a Judge<'a>,
        marches: Vec<BTreeMap<Spot, Course>>,
        posts: Vec<Post>,
        fixed: Vec<bool>,
    ) -> Self {
        let worth = judge.worth(&posts);
        Self { judge, marches, posts, fixed, worth, encircles: false }
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
}
