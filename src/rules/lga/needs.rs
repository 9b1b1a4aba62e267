//! Requirements of orders. They are tested on the true position when an order is carried out, and on a view when it is read, so that receipts and
//! play can't differ. Each caller words the reason itself.

use super::data::Lga;
use super::model::{Nation, UnitType};

/// Whether `donor` may give points to a nation: to an ally in the scenario (manual 5.5, ruling LGA-40).
pub(super) fn is_aided(rules: &Lga, donor: Nation, nation: Nation) -> bool {
    let side = rules.scenario().side_of(donor);
    nation != donor && side.is_some() && rules.scenario().side_of(nation) == side
}

/// Why a unit can't be rallied, whatever its nation can pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unrallied {
    /// It has no morale.
    Headquarters,
    /// It has been rallied this season.
    Already,
    /// Its morale is the highest for its type.
    Full,
    /// The numbers give no price for the step.
    NoPrice,
}

/// The military points that raise a unit's morale by one (manual 5.5, ruling LGA-39). `rallied` if they did this season.
///
/// # Errors
/// Why it can't be raised.
pub(super) fn rally_price(rules: &Lga, kind: UnitType, morale: i8, rallied: bool) -> Result<u16, Unrallied> {
    if kind == UnitType::Hq {
        Err(Unrallied::Headquarters)
    } else if rallied {
        Err(Unrallied::Already)
    } else if morale >= rules.stats(kind).max_morale {
        Err(Unrallied::Full)
    } else {
        let step = usize::try_from(morale).unwrap_or_default();
        rules.numbers().rally.get(step).copied().ok_or(Unrallied::NoPrice)
    }
}
