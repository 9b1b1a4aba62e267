//! Questions about odds that can be asked outside a game.

mod attack;
mod march;
mod rolls;
mod unit;

use unit::UNITS;

use musterd_engine::calls::Calls;

/// The questions.
pub(crate) const ODDS: Calls = Calls {
    about: "The odds of La Grande Armee",
    examples: &["musterd odds lga attack --with infantry:3 --against militia:2 --river"],
    notes: &[UNITS],
    calls: &[attack::ATTACK, rolls::MUSTER, rolls::WITHDRAW, rolls::REINFORCE, rolls::SIEGE, march::MARCH],
};
