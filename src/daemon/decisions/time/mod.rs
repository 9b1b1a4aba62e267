//! What time asks of the games.

pub(crate) mod beacon;
pub(crate) mod observers;
pub(crate) mod recall;
pub(crate) mod reroll;
pub(crate) mod rounds;
pub(crate) mod seats;
