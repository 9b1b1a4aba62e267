//! The sides of a scenario.

use std::collections::BTreeSet;

use crate::model::{Level, Nation, Side};
use musterd_engine::hex::Hex;

/// A side of a scenario.
#[derive(Debug, Clone)]
pub struct SideSpec {
    /// The side.
    pub side: Side,
    /// Its nations with their military points at the start, in the order in which they act.
    pub nations: Vec<(Nation, i32)>,
    /// The victory points needed for each level, from strategic defeat to absolute victory.
    pub levels: Vec<(Level, i32)>,
    /// Cities that are home to it though somebody else holds them at the start.
    pub home: BTreeSet<Hex>,
}

impl SideSpec {
    /// The level that so many victory points give (manual 5.2).
    pub fn level(&self, points: i32) -> Level {
        self.levels
            .iter()
            .rev()
            .find(|(_, least)| points >= *least)
            .map_or(Level::AbsoluteDefeat, |(level, _)| *level)
    }
}
