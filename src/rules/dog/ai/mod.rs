//! Computer leaders: unit records before the battle, and orders in it, from what their army knows and nothing else.
//!
//! A leader weighs for each unit in turn where it could go and what it could do there (`play`), in points of fighting strength (`worth`):
//! what it takes from the enemy, what that costs, what the enemy could do to it there, and how far it comes on its way.

mod deploy;
mod levy;
mod play;
mod reach;
mod worth;

pub(super) use levy::levy;
pub(super) use play::play;
