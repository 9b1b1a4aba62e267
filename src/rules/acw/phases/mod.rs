//! The course of a turn.

mod combat;
mod dice;
pub mod drill;

use musterd_engine::{Input, Ride, Scribe, Seat};

use crate::data::Acw;
use crate::order::Order;
use crate::state::State;

pub(crate) fn step(_: &Acw, _: &mut Scribe<'_, Acw>, _: &Input<Order>) {
    todo!()
}

/// A courier's way between two commanders.
pub(crate) fn ride(_: &Acw, _: &State, _: &Seat, _: &Seat) -> Option<Ride> {
    todo!()
}
