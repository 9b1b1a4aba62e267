//! The questions that `musterd odds sa` answers.

mod fights;
mod morale;
mod unit;

use musterd_engine::calls::Calls;

/// All of them.
pub(crate) const ODDS: Calls = Calls {
    about: "The odds of The Shattered Alliance: melees, fire, morale checks",
    examples: &[
        "musterd odds sa melee 1000 B EHC lance at 1000 C HI pike",
        "musterd odds sa morale --class B --close -2 --lost 25 --battles -1",
    ],
    notes: &[unit::UNITS],
    calls: &[fights::MELEE, fights::FIRE, morale::MORALE],
};
