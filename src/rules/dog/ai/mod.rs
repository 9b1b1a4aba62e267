//! Computer leaders: unit records before the battle, and orders in it, from what their army knows.

mod levy;
mod play;

use super::order::Order;

pub(super) use levy::levy;
pub(super) use play::play;
