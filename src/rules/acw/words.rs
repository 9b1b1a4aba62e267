//! Words of the rules.

use crate::battle::Battle;
use crate::data::Acw;
use crate::state::State;

/// The hours of a mail turn: `21 July 1861, 5 a.m.`.
#[must_use]
pub fn hours(battle: &Battle, first: u16, last: u16) -> String {
    let one = |turn: u16| {
        let hour = battle.hour(turn);
        format!("{}, {}", hour.day, clock(hour.hour))
    };
    match (first == last, battle.hour(first).day == battle.hour(last).day) {
        (true, _) => one(first),
        (false, true) => format!("{} to {}", one(first), clock(battle.hour(last).hour)),
        (false, false) => format!("{} to {}", one(first), one(last)),
    }
}

/// An hour of the day: `05:00`.
#[must_use]
pub fn clock(hour: u8) -> String {
    format!("{hour:02}:00")
}

/// How the battle ended: a line a side, and who won.
pub(crate) fn results(_: &Acw, _: &State) -> Vec<String> {
    todo!()
}
