//! Computer commanders.

use musterd_engine::Level;

use crate::data::Acw;
use crate::view::View;

/// How well a computer commander plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// He leaves his army to its commanders.
    Cautious,
    /// He concentrates, and judges each fight.
    Bold,
}

pub(crate) const LEVELS: &[Level<Skill>] = &[
    Level { name: "cautious", about: "leaves the army to its commanders", skill: Skill::Cautious },
    Level { name: "seasoned", about: "concentrates, and judges each fight", skill: Skill::Bold },
];

pub(crate) fn play(_: &Acw, _: &View, _: Skill, _: u64) -> String {
    String::new()
}
