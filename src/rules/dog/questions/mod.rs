//! Questions about odds that can be asked outside a game.

mod asked;
mod rounds;
mod strike;

pub(crate) use asked::FIGHTERS;

use musterd_engine::calls::Calls;

/// The questions.
pub(crate) const ODDS: Calls = Calls {
    about: "The odds of Death or Glory: strikes, exchanges, rounds until a side is beaten",
    examples: &[
        "musterd odds dog strike 18 heavy infantry at 40 orcs in forest",
        "musterd odds dog rounds 20 knights at 20 pikemen",
    ],
    notes: &[FIGHTERS],
    calls: &[strike::STRIKE, strike::SHOOT, rounds::EXCHANGE, rounds::ROUNDS],
};
