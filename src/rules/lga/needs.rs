//! Requirements of orders. They are tested on the true position when an order is carried out, and on a view when it is read, so that receipts and
//! play can't differ. Each caller words the reason itself.

use super::data::Lga;
use super::map::Map;
use super::model::{Arm, Date, Nation, UnitId, UnitType};
use musterd_engine::hex::Hex;

/// Whether `donor` may give points to a nation: to an ally in the scenario (manual 5.5, ruling LGA-40).
pub(super) fn is_aided(rules: &Lga, donor: Nation, nation: Nation) -> bool {
    let side = rules.scenario.side_of(donor);
    nation != donor && side.is_some() && rules.scenario.side_of(nation) == side
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
    if kind.arm == Arm::Hq {
        Err(Unrallied::Headquarters)
    } else if rallied {
        Err(Unrallied::Already)
    } else if morale >= rules.stats(kind).max_morale {
        Err(Unrallied::Full)
    } else {
        let step = usize::try_from(morale).unwrap_or_default();
        rules.numbers.rally.get(step).copied().ok_or(Unrallied::NoPrice)
    }
}

/// Why a unit can neither move nor attack this season, wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inactive {
    /// It began the season out of supply (rulings LGA-35 and LGA-68).
    Unsupplied,
    /// It has been called away, and waits where it is (rulings LGA-41 and LGA-63).
    CalledAway,
}

/// Whether a unit can move and attack this season.
///
/// # Errors
/// Why it can't.
pub(super) fn can_act(rules: &Lga, unit: UnitId, supplied: bool, now: Date) -> Result<(), Inactive> {
    if !supplied {
        Err(Inactive::Unsupplied)
    } else if rules.scenario.called_away(unit, now).is_some() {
        Err(Inactive::CalledAway)
    } else {
        Ok(())
    }
}

/// Why a unit can't become a garrison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ungarrisoned {
    /// Its type garrisons no city.
    Type,
    /// There is no city.
    NoCity,
    /// The city has another garrison.
    Garrison(UnitId),
}

/// Whether a unit of an arm can become the garrison of the city where it stands; `held` is the garrison that the city has (manual 3.6).
///
/// # Errors
/// Why it can't.
pub(super) fn can_garrison(map: &Map, arm: Arm, at: Hex, held: Option<UnitId>) -> Result<(), Ungarrisoned> {
    if !arm.can_garrison() {
        Err(Ungarrisoned::Type)
    } else if map.city_at(at).is_none() {
        Err(Ungarrisoned::NoCity)
    } else {
        held.map_or(Ok(()), |garrison| Err(Ungarrisoned::Garrison(garrison)))
    }
}

/// Whether a unit can lie on top of its stack: headquarters and garrisons are never attacked first (manual 3.5).
pub(super) fn can_top(arm: Arm, garrison: bool) -> bool {
    arm != Arm::Hq && !garrison
}

/// Why a unit that is not on the map can't be built, whatever its nation can pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unbuilt {
    /// It has been called away for good (ruling LGA-63).
    CalledAway,
    /// It is not raised before this year.
    Before(u16),
}

/// Whether a unit of the pool can be built now.
///
/// # Errors
/// Why it can't.
pub(super) fn can_build(rules: &Lga, unit: UnitId, now: Date) -> Result<(), Unbuilt> {
    let year = rules.scenario.unit(unit).from_year;
    if rules.scenario.called_away(unit, now).is_some() {
        Err(Unbuilt::CalledAway)
    } else if now.year < year {
        Err(Unbuilt::Before(year))
    } else {
        Ok(())
    }
}

/// Why there is no place to build in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Siteless {
    /// The nation has none.
    Nowhere,
    /// It has others than the one that was named.
    Elsewhere(Hex),
    /// It has several, and none was named.
    Unnamed,
}

/// The place in which a nation builds that has these; `wanted` is the one that was named.
///
/// # Errors
/// Why there is none.
pub(super) fn site(sites: &[Hex], wanted: Option<Hex>) -> Result<Hex, Siteless> {
    match (wanted, sites) {
        (_, []) => Err(Siteless::Nowhere),
        (Some(hex), _) if sites.contains(&hex) => Ok(hex),
        (Some(hex), _) => Err(Siteless::Elsewhere(hex)),
        (None, [only]) => Ok(*only),
        (None, _) => Err(Siteless::Unnamed),
    }
}

/// Why no points are given to a nation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unaided {
    /// Nobody gives aid in this setting.
    NoDonor,
    /// The nation is no ally of the donor.
    NoAlly(Nation),
    /// The donor has only so many.
    TooFew(Nation, i32),
}

/// The nation that gives these points; `purse` is what a nation has (manual 5.5, ruling LGA-40).
///
/// # Errors
/// Why none are given.
pub(super) fn donor(
    rules: &Lga,
    to: Nation,
    points: u16,
    purse: impl Fn(Nation) -> i32,
) -> Result<Nation, Unaided> {
    let donor = rules.setting.donor().ok_or(Unaided::NoDonor)?;
    if !is_aided(rules, donor, to) {
        return Err(Unaided::NoAlly(donor));
    }
    let purse = purse(donor);
    if i32::from(points) > purse { Err(Unaided::TooFew(donor, purse)) } else { Ok(donor) }
}
