//! What the ledger keeps, and what is on its way there.

pub(crate) mod batch;
pub(crate) mod bookkeeper;
pub(crate) mod decided;
pub(crate) mod ledger;
pub(crate) mod logbook;
pub(crate) mod tally;
