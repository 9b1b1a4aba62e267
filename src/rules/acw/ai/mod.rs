//! Computer commanders: orders by the grammar of every player, from what a commander sees.

mod cautious;
mod fights;
mod look;
mod plan;
mod seasoned;
mod staff;

use musterd_engine::Level;

use crate::data::Acw;
use crate::read::written;
use crate::view::View;
use look::Look;

/// How well a computer commander plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// He holds what he has, and attacks where he is stronger.
    Cautious,
    /// He concentrates, and judges each fight.
    Seasoned,
}

/// The levels, the weakest first.
pub(crate) const LEVELS: &[Level<Skill>] = &[
    Level::of("cautious", "holds what he has, and attacks where he is stronger", Skill::Cautious),
    Level::of("seasoned", "concentrates, and judges each fight", Skill::Seasoned),
];

/// A computer commander's order lines. The same view gives the same orders: nothing is left to the seed.
pub(crate) fn play(rules: &Acw, view: &View, skill: Skill, _seed: u64) -> String {
    let Some(mut look) = Look::of(rules, view) else { return String::new() };
    let orders = match skill {
        Skill::Cautious => cautious::orders(&mut look),
        Skill::Seasoned => seasoned::orders(&mut look),
    };
    orders.iter().map(|order| written(rules.battle(), order) + "\n").collect()
}
