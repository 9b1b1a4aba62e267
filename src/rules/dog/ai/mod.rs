//! Computer leaders: unit records before the battle, and orders in it, based on their army's knowledge alone.
//!
//! For each unit in turn a leader evaluates where it could go and what it could do there (`choose`), in points of fighting strength (`worth`). A cautious
//! leader orders just that. A planner fights the battle on in his head (`believed`), by several ways of fighting on either side, and improves his plan unit
//! by unit by what comes of it.

mod believed;
mod board;
mod choose;
mod deploy;
mod levy;
mod play;
mod skill;
mod worth;

pub use skill::{LEVELS, Skill};

pub(super) use levy::levy;
pub(super) use play::play;
