//! What a leader remembers of units that aren't his.

use std::collections::BTreeMap;

use crate::model::UnitId;
use crate::view::SeenUnit;
use musterd_kit::seen;

/// What an army's leader remembers of others' units.
#[derive(Clone, Default)]
pub(super) struct Memory {
    /// Those that his last report showed in sight.
    pub(super) report: BTreeMap<UnitId, SeenUnit>,
    /// Those who have hidden since they were in sight, with the round.
    pub(super) hid: seen::Memory<UnitId, u16, SeenUnit>,
}
