//! How well a computer player plays.

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
    Level {
        name: "cautious",
        about: "lets the enemy come, attacks where little can be lost",
        skill: Skill::Cautious,
    },
    Level {
        name: "planner",
        about: "fights the battle on in its head, and improves its plan unit by unit",
        skill: Skill::Planner,
    },
];
