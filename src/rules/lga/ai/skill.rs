//! How well a computer player plays.

use musterd_engine::Level;

/// How well a computer player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Holds, rallies, and attacks at good odds only.
    Cautious,
    /// Plans for victory points and protects its supply.
    Planner,
}

/// The levels, the weakest first.
pub const LEVELS: &[Level<Skill>] = &[
    Level {
        name: "cautious",
        about: "holds, rests its units, attacks at good odds only",
        skill: Skill::Cautious,
    },
    Level {
        name: "planner",
        about: "plans for victory points and protects its supply",
        skill: Skill::Planner,
    },
];
