//! What a mail changes.

pub(crate) mod bounce;
pub(crate) mod consider;
pub(crate) mod press;
pub(crate) mod refusals;
pub(crate) mod strangers;
