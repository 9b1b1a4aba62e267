//! The words and the frame of the host's mails.

pub(crate) mod answers;
pub(crate) mod dispatches;
pub(crate) mod enclosures;
pub(crate) mod frame;
pub(crate) mod invitation;
pub(crate) mod mailroom;
pub(crate) mod notices;
