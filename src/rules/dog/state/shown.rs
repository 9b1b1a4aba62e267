//! What a leader has been shown of units that aren't his.

use std::collections::BTreeMap;

use crate::model::UnitId;
use crate::view::SeenUnit;
use musterd_kit::seen::Memory;

/// What an army's leader has been shown of others' units.
#[derive(Clone, Default)]
pub(super) struct Shown {
    /// Those in sight, in his last report.
    pub(super) report: BTreeMap<UnitId, SeenUnit>,
    /// Those who have hidden since they were in sight, with the round.
    pub(super) hid: Memory<UnitId, u16, SeenUnit>,
}
