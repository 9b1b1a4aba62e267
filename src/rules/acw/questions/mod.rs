//! The questions that `musterd odds acw` answers.

mod check;
mod fire;
mod staff;
mod unit;

use musterd_engine::calls::Calls;

/// All of them.
pub(crate) const ODDS: Calls = Calls {
    about: "The odds of Decisive Battles: fire, cohesion checks, communications, obedience",
    examples: &[
        "musterd odds acw fire 1800 infantry rifle-musket at 2400 infantry in woods",
        "musterd odds acw check --cohesion 4 --confidence -1 --front",
        "musterd odds acw touch --hexes 5 --staff 4",
        "musterd odds acw obey --leadership 6",
    ],
    notes: &[unit::UNITS],
    calls: &[fire::FIRE, check::CHECK, staff::TOUCH, staff::OBEY],
};
