//! The pieces that a report is made of.

use crate::data::Dog;
use crate::model::ArmyId;

/// Armies by name, in this order.
pub(crate) fn names(rules: &Dog, order: &[ArmyId]) -> String {
    let names: Vec<&str> = order.iter().map(|army| rules.battle().army(*army).name.as_str()).collect();
    names.join(", then ")
}
