//! Questions about odds outside a game.

use musterd_engine::calls::Calls;

pub(crate) const ODDS: Calls = Calls::NONE;
