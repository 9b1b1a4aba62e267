//! What a leader knows of the battle: made by `fog.rs` and by nobody else.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::battle::Works;
use super::data::Dog;
use super::event::Reckoning;
use super::model::{ArmyId, Sort, TroopId, UnitId, Waiting};
use super::order::IfAttacked;
use musterd_dice::Seat;
use musterd_engine::hex::Hex;

/// What a leader knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct View {
    /// The leader's seat.
    pub seat: Seat,
    /// The leader's army; `None` for a seat that leads none.
    pub army: Option<ArmyId>,
    /// What the battle waits for.
    pub wait: Wait,
    /// Which round, from 1; 0 before the first.
    pub round: u16,
    /// The armies in the order in which they act.
    pub order: Vec<ArmyId>,
    /// Own units, by name.
    pub own: BTreeMap<UnitId, OwnUnit>,
    /// All other units in sight.
    pub others: BTreeMap<UnitId, SeenUnit>,
    /// Enemies that have hidden since they were in sight, and may be where they hid. Not in the digest: it follows from the events, and the digests of
    /// old journals stay the same.
    #[serde(skip)]
    pub remembered: BTreeMap<UnitId, LastSeen>,
    /// Enemies in sight that nobody counts now and whose number can't have changed since it was told. Not in the digest either.
    #[serde(skip)]
    pub counted: BTreeMap<UnitId, LastCounted>,
    /// Own units that are to be placed anew, because another army wanted the hex.
    pub waiting: Vec<Waiting>,
    /// Whether units are placed for the second time.
    pub again: bool,
    /// Boats, with the visible unit aboard, if any.
    pub boats: Vec<(Hex, Option<UnitId>)>,
    /// What has become of the field.
    #[serde(flatten)]
    pub works: Works,
    /// Own leadership.
    pub leadership: u32,
    /// The ego of all own units (ruling DOG-21).
    pub ego: u64,
    /// Hit points that the army lost.
    pub lost: u64,
    /// Of these, lost to the water.
    pub drowned: u64,
    /// Hit points that it took from enemies. Until the battle is over only the dead that it could count are included.
    pub inflicted: u64,
    /// Money from prisoners.
    pub loot: u64,
    /// What own units do if attacked before they strike, if it is not the usual behaviour.
    pub if_attacked: IfAttacked,
    /// How it ended: the alliance that won, if one did, and what it cost every leader.
    pub result: Option<(Option<String>, Vec<Reckoning>)>,
}

impl View {
    /// How many fighters a unit of somebody else's has, as far as that was told and still holds.
    pub fn count(&self, id: UnitId, unit: &SeenUnit) -> Count {
        self.counted.get(&id).map_or(unit.count, |counted| Count::Exactly(counted.fighters))
    }

    /// The enemies in sight that are nobody's prisoners.
    pub(super) fn foes<'v>(&'v self, rules: &'v Dog) -> impl Iterator<Item = (UnitId, &'v SeenUnit)> {
        let is_foe = |unit: &SeenUnit| self.army.is_some_and(|own| !rules.battle().allied(own, unit.army));
        let free = self.others.iter().filter(|(_, unit)| unit.captive.is_none());
        free.filter(move |(_, unit)| is_foe(unit)).map(|(id, unit)| (*id, unit))
    }

    /// The hexes where somebody stands in sight.
    pub(super) fn taken(&self) -> BTreeSet<Hex> {
        self.own.values().map(|unit| unit.at).chain(self.others.values().map(|unit| unit.at)).collect()
    }

    /// The leader's own units that are nobody's prisoners.
    pub(super) fn free(&self) -> impl Iterator<Item = (UnitId, &OwnUnit)> {
        self.own.iter().filter(|(_, unit)| unit.captive.is_none()).map(|(id, unit)| (*id, unit))
    }
}

/// The input that the battle waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// The founding.
    Founding,
    /// Unit records.
    SetUp,
    /// Moves, and combat orders with them.
    Orders,
    /// Moves only.
    Moves,
    /// Combat orders.
    Combat,
    /// Nothing.
    Over,
}

impl Wait {
    /// Whether moves can be ordered.
    pub(super) const fn is_for_moves(self) -> bool {
        matches!(self, Self::Orders | Self::Moves)
    }
}

/// A unit of one's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwnUnit {
    /// Its name; may be empty.
    pub name: String,
    /// The fighters in it.
    pub sorts: Vec<Sort>,
    /// How many each sort had at first.
    pub first: Vec<u16>,
    /// Volleys that each sort has left.
    pub shots: Vec<u16>,
    /// Where it stands.
    pub at: Hex,
    /// Whether hidden.
    pub hidden: bool,
    /// Points saved toward a hex, in halves (ruling DOG-13).
    pub saved: Option<(Hex, u16)>,
    /// The unit that it pursues this round (ruling DOG-17).
    pub pursues: Option<UnitId>,
    /// Whether it guards prisoners this round (ruling DOG-28).
    pub guards: bool,
    /// The unit whose prisoner it is.
    pub captive: Option<UnitId>,
    /// Whether it is in a boat.
    pub aboard: bool,
    /// Rounds that it has been in deep water (ruling DOG-24).
    pub swimming: u16,
    /// Whether it obeyed, once that was thrown for this round.
    pub obeys: bool,
}

/// A unit of somebody else's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeenUnit {
    /// The army.
    pub army: ArmyId,
    /// Its name; may be empty.
    pub name: String,
    /// The sorts in it: type, and whether elite.
    pub kinds: Vec<(TroopId, bool)>,
    /// The number of fighters.
    pub count: Count,
    /// Where it stands.
    pub at: Hex,
    /// Whether it is hidden from its enemies: an ally's.
    pub hidden: bool,
    /// The unit whose prisoner it is.
    pub captive: Option<UnitId>,
    /// Whether it is in a boat.
    pub aboard: bool,
}

/// An enemy that has hidden, as it was last seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSeen {
    /// The unit, where it hid.
    pub unit: SeenUnit,
    /// In which round it hid.
    pub round: u16,
}

/// How many fighters of an enemy were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastCounted {
    /// So many.
    pub fighters: u16,
    /// In which round that was told.
    pub round: u16,
}

/// How many fighters somebody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// So many: an ally's, or seen from the next hex.
    Exactly(u16),
    /// From so many to so many: from afar.
    About(u16, u16),
}

impl Count {
    /// The fewest and the most.
    pub const fn ends(self) -> (u16, u16) {
        match self {
            Self::Exactly(count) => (count, count),
            Self::About(least, most) => (least, most),
        }
    }
}
