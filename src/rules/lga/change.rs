//! The GM's changes of the position.

use serde::{Deserialize, Serialize};

use super::data::Lga;
use super::model::{Nation, Side, UnitId};
use musterd_engine::hex::Hex;

/// One thing that the GM changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "amended", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what is changed")]
pub enum Change {
    /// A unit's morale.
    Morale { unit: UnitId, morale: i8 },
    /// A unit's fatigue.
    Fatigue { unit: UnitId, fatigue: u8 },
    /// The moves that a unit has left this season.
    Moves { unit: UnitId, left: u8 },
    /// A unit stands on top of a hex; one from the pool comes fresh, with this morale.
    Placed { unit: UnitId, at: Hex, morale: i8, left: u8 },
    /// A unit lies on top of its stack.
    Topped { unit: UnitId },
    /// A unit is in the build pool.
    Pooled { unit: UnitId },
    /// Whether a unit is its city's garrison.
    Garrison { unit: UnitId, garrison: bool },
    /// Whether a unit counts as supplied this season.
    Supplied { unit: UnitId, supplied: bool },
    /// Whether a unit was rallied this season.
    Rallied { unit: UnitId, rallied: bool },
    /// A nation's military points.
    Points { nation: Nation, points: i32 },
    /// A side's victory points, until its next count.
    Victory { side: Side, points: i32 },
    /// Who controls a hex.
    Control { at: Hex, side: Side },
}

impl Change {
    /// The unit that it is about, if it is about one.
    pub(super) const fn unit(&self) -> Option<UnitId> {
        match self {
            Self::Morale { unit, .. }
            | Self::Fatigue { unit, .. }
            | Self::Moves { unit, .. }
            | Self::Placed { unit, .. }
            | Self::Topped { unit }
            | Self::Pooled { unit }
            | Self::Garrison { unit, .. }
            | Self::Supplied { unit, .. }
            | Self::Rallied { unit, .. } => Some(*unit),
            Self::Points { .. } | Self::Victory { .. } | Self::Control { .. } => None,
        }
    }

    /// The change in words, for those who may know it.
    pub(super) fn in_words(&self, rules: &Lga) -> String {
        let is = |yes: bool, what: &str| if yes { format!("is {what}") } else { format!("is not {what}") };
        let (place, nation) = (|at: Hex| rules.map.place(at), |nation: Nation| rules.name(nation).to_owned());
        let (subject, verb) = match *self {
            Self::Morale { morale, .. } => (None, format!("has morale {morale}")),
            Self::Fatigue { fatigue, .. } => (None, format!("has fatigue {fatigue}")),
            Self::Moves { left, .. } => (None, format!("has {left} moves left")),
            Self::Placed { at, .. } => (None, format!("is at {}", place(at))),
            Self::Topped { .. } => (None, "lies on top of its stack".to_owned()),
            Self::Pooled { .. } => (None, "is in the build pool".to_owned()),
            Self::Garrison { garrison, .. } => (None, is(garrison, "the garrison of its city")),
            Self::Supplied { supplied, .. } => (None, is(supplied, "in supply")),
            Self::Rallied { rallied, .. } => (None, is(rallied, "rallied this season")),
            Self::Points { nation: of, points } => {
                (Some(nation(of)), format!("has {points} military points"))
            }
            Self::Victory { side, points } => {
                (Some(format!("the {side} side")), format!("has {points} victory points"))
            }
            Self::Control { at, side } => (Some(place(at).into_owned()), format!("is under {side} control")),
        };
        let unit = self.unit().map(|id| format!("{} ({id})", rules.scenario.unit(id).name));
        format!("The GM's amendment: {} {verb}.", unit.or(subject).unwrap_or_default())
    }
}
