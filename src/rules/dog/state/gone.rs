//! Fighters who are gone from a unit, and how they went.

use crate::model::{ArmyId, Sort};

/// How fighters went.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// An army struck them down.
    Struck { by: ArmyId },
    /// The water took them.
    Drowned,
    /// The GM took them off the field: no ledger has them.
    TakenOff,
}

/// Fighters of a sort, as many as are gone, who went at the same time.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Gone {
    pub(super) sort: Sort,
    pub(super) how: How,
}
