//! What is decided about the games. Nothing here is committed.

pub(crate) mod admin;
pub(crate) mod ailing;
pub(crate) mod counting;
pub(crate) mod custody;
pub(crate) mod dispatch;
mod ending;
pub(crate) mod founding;
pub(crate) mod gm;
pub(crate) mod holding;
pub(crate) mod mail;
pub(crate) mod requests;
pub(crate) mod signing;
pub(crate) mod sitting;
pub(crate) mod snapshot;
pub(crate) mod stays;
mod telling;
pub(crate) mod time;
pub(crate) mod withdrawal;
pub(crate) mod witnesses;
pub(crate) mod wording;
