//! What players order.

use musterd_engine::hex::{Direction, Hex};
use serde::{Deserialize, Serialize};

use crate::model::{BrigadeId, HqId, ObjectiveId, Profile, UnitId};

/// An order as understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `ARMY MOVE`: where the commander's own headquarters goes (Menu 5).
    Goal(Goal),
    /// `PROFILE` (Menu 6).
    Profile(Profile),
    /// `COMMAND`: what a headquarters is to do (Menu 8).
    Command(HqId, Command),
    /// An order to a brigade (Menus 10 and 11).
    Brigade(BrigadeId, Act),
    /// `IF ENGAGED`, `IF SHAKEN`: an order to a brigade for later hours of a block, when this comes true.
    If(BrigadeId, When, Act),
    /// `STOP ON CONTACT`: a block of hours ends when an enemy comes within two hexes of a brigade of one's own.
    StopOnContact(bool),
    /// `RESIGN`: the battle ends with this turn.
    Resign,
}

impl Order {
    /// The unit that it is for.
    pub(crate) const fn unit(&self) -> Option<UnitId> {
        match self {
            Self::Command(id, _) => Some(UnitId::Hq(*id)),
            Self::Brigade(id, _) | Self::If(id, ..) => Some(UnitId::Brigade(*id)),
            Self::Goal(_) | Self::Profile(_) | Self::StopOnContact(_) | Self::Resign => None,
        }
    }

    /// Whether it decides the same as another one, whose place it takes if it is the later one.
    pub(crate) fn replaces(&self, earlier: &Self) -> bool {
        let condition = |order: &Self| if let Self::If(_, when, _) = order { Some(*when) } else { None };
        std::mem::discriminant(self) == std::mem::discriminant(earlier)
            && (self.unit(), condition(self)) == (earlier.unit(), condition(earlier))
    }
}

/// Where a commander's headquarters goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// To an objective in friendly hands.
    Objective(ObjectiveId),
    /// To a corps, which the army commands directly once its headquarters is next to the corps'.
    Corps(HqId),
    /// To a hex in friendly hands.
    Hex(Hex),
    /// Nowhere.
    Stand,
}

/// What a headquarters is to do (Menu 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Go to an objective, by another one if that is named, and attack whoever is near.
    Offensive {
        /// The point that defines the line of march.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        via: Option<ObjectiveId>,
        /// Where to.
        objective: ObjectiveId,
    },
    /// Go to an objective and defend it.
    Defensive(ObjectiveId),
    /// Rest.
    Reserve,
}

impl Command {
    /// Where to, in the end.
    pub const fn objective(self) -> Option<ObjectiveId> {
        match self {
            Self::Offensive { objective, .. } | Self::Defensive(objective) => Some(objective),
            Self::Reserve => None,
        }
    }

    /// Whether it is to attack.
    pub const fn is_offensive(self) -> bool {
        matches!(self, Self::Offensive { .. })
    }
}

/// An order to a brigade. The first four are for brigades that are engaged, the others for those that manoeuvre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Volley and charge.
    Assault,
    /// Stand and fire, or send skirmishers forward.
    Skirmish,
    /// Go next to the opponent, and fire.
    Advance,
    /// Get out of contact.
    Withdraw,
    /// `COLUMN` to the division's objective (`None`), or `OBJECTIVE`: an independent brigade to its own.
    March(Option<ObjectiveId>),
    /// Deploy into a neighbouring hex, in line.
    Deploy(Direction),
    /// To its headquarters, in column.
    Regroup,
    /// Stay.
    Stand,
    /// Rest, and recover.
    Reserve,
}

impl Act {
    /// The orders to engaged brigades (Menu 10).
    pub(crate) const ENGAGED: [Self; 4] = [Self::Assault, Self::Skirmish, Self::Advance, Self::Withdraw];

    /// The first word of its line, in small letters.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Assault => "assault",
            Self::Skirmish => "skirmish",
            Self::Advance => "advance",
            Self::Withdraw => "withdraw",
            Self::March(None) => "column",
            Self::March(Some(_)) => "objective",
            Self::Deploy(_) => "deploy",
            Self::Regroup => "regroup",
            Self::Stand => "stand",
            Self::Reserve => "reserve",
        }
    }

    /// Whether it is for engaged brigades (Menu 10); the others are for manoeuvre (Menu 11).
    pub const fn is_engaged(self) -> bool {
        matches!(self, Self::Assault | Self::Skirmish | Self::Advance | Self::Withdraw)
    }

    /// Whether the brigade moves in column: marching or regrouping.
    pub const fn is_column(self) -> bool {
        matches!(self, Self::March(_) | Self::Regroup)
    }
}

/// When an order of a block's later hours comes true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// The brigade is engaged.
    Engaged,
    /// The brigade is shaken.
    Shaken,
}

/// `ROSTER`, `INFO`: a question. It is no order: its answer stands in the receipt as a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// All of one's units, with those that are gone or to come.
    Roster,
    /// What one's army was advised at the start.
    Advice,
    /// A hex: cost, cover, sight, holder, ground under a road.
    Hex(Hex),
    /// An objective: its turns, how long it was held, its points.
    Objective(ObjectiveId),
    /// A unit of one's own.
    Unit(UnitId),
}
