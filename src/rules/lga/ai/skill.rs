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
    Level::of("cautious", "holds, rests its units, attacks at good odds only", Skill::Cautious),
    Level::of("planner", "plans for victory points and protects its supply", Skill::Planner),
];
