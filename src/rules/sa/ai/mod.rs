//! Computer commanders: orders by the grammar of every player, from what a commander sees.

mod advanced;
mod beginning;
mod board;
mod march;
mod wizard;
mod worth;

use musterd_engine::Level;

use board::Board;

use crate::data::Sa;
use crate::read::written;
use crate::view::View;

/// How well a computer commander plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// As a beginner.
    Beginning,
    /// As an old hand.
    Advanced,
}

/// The levels, the weakest first.
pub(crate) const LEVELS: &[Level<Skill>] = &[
    Level::of("beginning", "charges the nearest enemy", Skill::Beginning),
    Level::of("advanced", "chooses its fights", Skill::Advanced),
];

/// A computer commander's order lines. The same view gives the same orders: no ties are left to the seed.
pub(crate) fn play(rules: &Sa, view: &View, skill: Skill, _seed: u64) -> String {
    let Some(mut board) = Board::new(rules, view) else { return String::new() };
    let orders = match skill {
        Skill::Beginning => beginning::orders(&board),
        Skill::Advanced => advanced::orders(&mut board),
    };
    orders.iter().flat_map(written).map(|line| line + "\n").collect()
}
