//! Computer leaders: unit records before the battle, and orders in it, based on their army's knowledge alone.
//!
//! For each unit in turn a leader evaluates where it could go and what it could do there (`choose`), in points of fighting strength (`worth`). A cautious
//! leader orders just that. A planner fights the battle on in his head (`believed`), by several ways of fighting on either side, and improves his plan unit
//! by unit by what comes of it.

mod believed;
mod board;
mod choose;
mod deploy;
mod levy;
mod play;
mod worth;

pub(super) use levy::levy;
pub(super) use play::play;

use musterd_engine::Level;

/// How well a computer player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Weighs each unit's round by itself: lets the enemy come, and attacks only where little can be lost.
    Cautious,
    /// Fights the battle on in its head, and improves its plan unit by unit by what comes of it.
    Planner,
}

/// The levels, the weakest first.
pub const LEVELS: &[Level<Skill>] = &[
    Level::of("cautious", "lets the enemy come, attacks where little can be lost", Skill::Cautious),
    Level::of(
        "planner",
        "fights the battle on in its head, and improves its plan unit by unit",
        Skill::Planner,
    ),
];
