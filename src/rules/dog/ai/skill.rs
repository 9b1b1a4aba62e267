//! How well a computer player plays.

use musterd_engine::Level;

/// How well a computer player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Lets the enemy come: advances later, and attacks only where little can be lost.
    Cautious,
    /// Attacks where it expects to win more than it loses.
    Planner,
}

/// The levels, the weakest first.
pub const LEVELS: &[Level<Skill>] = &[
    Level {
        name: "cautious",
        about: "lets the enemy come, attacks where little can be lost",
        skill: Skill::Cautious,
    },
    Level {
        name: "planner",
        about: "attacks where it expects to win more than it loses",
        skill: Skill::Planner,
    },
];
