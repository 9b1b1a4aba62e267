//! The questions that `musterd odds sa` answers.

use musterd_engine::calls::Calls;

/// All of them.
pub(crate) const ODDS: Calls = Calls::NONE;
