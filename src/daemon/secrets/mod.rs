//! The secrets of the games.

pub mod escrow;
pub(crate) mod vault;
