//! The audit from outside: what anybody can tell of a game from audit files and from the mails that people kept.
//!
//! Nothing here trusts a host, a mail or a file. [`replay`] plays a game again from its audit file.

mod difference;
mod replay;

pub use difference::{Difference, Divergence, Unable};
pub use replay::{Replayed, replay};
