//! Computer leaders: unit records before the battle, and orders in it, based on their army's knowledge alone.
//!
//! For each unit in turn a leader evaluates where it could go and what it could do there (`play`), in points of fighting strength (`worth`): the
//! damage to the enemy, the cost, the danger from the enemy there, and the progress on its way.

mod deploy;
mod levy;
mod play;
mod reach;
mod skill;
mod worth;

pub use skill::{LEVELS, Skill};

pub(super) use levy::levy;
pub(super) use play::play;
