//! Computer commanders.

use musterd_engine::Level;

use crate::data::Sa;
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
    Level { name: "beginning", about: "charges the nearest enemy", skill: Skill::Beginning },
    Level { name: "advanced", about: "chooses its fights", skill: Skill::Advanced },
];

/// A computer commander's orders.
pub(crate) fn play(_rules: &Sa, _view: &View, _skill: Skill, _seed: u64) -> String {
    String::new()
}
