//! The orders of the game, understood. How they are written is in `read/` and docs/lga/orders.md.

use super::model::{Nation, UnitId};
use musterd_engine::hex::{Direction, Hex};
use musterd_engine::orders::Placed;
use musterd_kit::named;

/// One order, with the condition that guards it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// `IF hex EMPTY|HELD|CONTROLLED`, looked at when the order's turn comes.
    pub guard: Option<Guard>,
    /// The action.
    pub act: Act,
}

/// The action of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// `AID Austria 4`: British military points for an ally (manual 5.5).
    Aid {
        /// The nation that receives them.
        to: Nation,
        /// The number of points.
        points: u16,
    },
    /// `BUILD 17 AT Paris` (manual 5.5).
    Build {
        /// A unit of the build pool.
        unit: UnitId,
        /// The capital, or any Spanish city; `None` if there is only one choice.
        at: Option<Hex>,
    },
    /// `RALLY 6` (manual 5.5).
    Rally {
        /// The unit.
        unit: UnitId,
    },
    /// `MOVE 1 E E NE`, `MOVE 1 1405 1406`, `MOVE 1 TO Ulm` (manual 5.61). Never attacks.
    Move {
        /// The unit.
        unit: UnitId,
        /// The way.
        path: Path,
    },
    /// `ATTACK 1507 WITH 3 x2 THEN ENTER` (manual 5.64).
    Attack {
        /// The unit.
        unit: UnitId,
        /// The hex.
        at: Hex,
        /// How often it is repeated.
        limit: Limit,
        /// Whether to move in once nobody is left.
        enter: bool,
    },
    /// `GARRISON 3`, `GARRISON Ulm WITH 3`: end the move as the city's garrison (manual 3.6).
    Garrison {
        /// The unit.
        unit: UnitId,
        /// The place where the unit has to stand, if the player states one.
        at: Option<Hex>,
    },
    /// `END 3`: no further move this season (manual 2.11).
    End {
        /// The unit.
        unit: UnitId,
    },
    /// `TOP 3`, `TOP 1204 3`: put it on top of its stack (manual 3.5, 5.65).
    Top {
        /// The unit.
        unit: UnitId,
        /// The place where the unit has to stand, if the player states one.
        at: Option<Hex>,
    },
    /// A whole `STANDING` section: it replaces the seat's standing file; `STANDING NONE` is an empty one.
    Standing {
        /// The reactions, in order, each with the line that it stands on.
        file: Vec<Placed<Standing>>,
    },
}

impl Act {
    /// When it is carried out.
    pub const fn stage(&self) -> Stage {
        match self {
            Self::Standing { .. } => Stage::Standing,
            Self::Aid { .. } => Stage::Aid,
            Self::Build { .. } | Self::Rally { .. } => Stage::Muster,
            Self::Move { .. }
            | Self::Attack { .. }
            | Self::Garrison { .. }
            | Self::End { .. }
            | Self::Top { .. } => Stage::Field,
        }
    }

    /// The unit that it is for.
    pub const fn unit(&self) -> Option<UnitId> {
        match self {
            Self::Build { unit, .. }
            | Self::Rally { unit }
            | Self::Move { unit, .. }
            | Self::Attack { unit, .. }
            | Self::Garrison { unit, .. }
            | Self::End { unit }
            | Self::Top { unit, .. } => Some(*unit),
            Self::Aid { .. } | Self::Standing { .. } => None,
        }
    }

    /// The hex that its unit has to stand in; `None` if the unit may stand anywhere.
    pub const fn stands_at(&self) -> Option<Hex> {
        match self {
            Self::Garrison { at, .. } | Self::Top { at, .. } => *at,
            _ => None,
        }
    }
}

/// When in its turn a side carries an order out (manual 5.1, ruling LGA-57).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// British aid.
    Aid,
    /// Building and rallying.
    Muster,
    /// Movement and combat.
    Field,
    /// The standing file, taken before all others: it concerns the enemy's turn.
    Standing,
}

/// A way over the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// Step by step.
    Directions(Vec<Direction>),
    /// Hex by hex, each adjacent to the one before.
    Hexes(Vec<Hex>),
    /// The cheapest legal path as known when the order is carried out; ties by fewest enemy zones, then fixed direction order.
    To(Hex),
}

/// How often an attack is repeated. Every condition given has to hold before each round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// `x3`: rounds at most; `UNTIL CLEAR` without a number is [`Limit::MOST_ROUNDS`].
    pub rounds: u8,
    /// `WHILE MORALE >= 2`: the attacker's own.
    pub while_morale: Option<i8>,
    /// `WHILE ODDS >= 0`: the sum of the known modifiers.
    pub while_odds: Option<i8>,
}

impl Limit {
    /// No unit survives more rounds than this against itself.
    pub const MOST_ROUNDS: u8 = 20;
}

/// A condition on a hex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    /// The hex.
    pub hex: Hex,
    /// The condition on it.
    pub is: HexIs,
}

named! {
    /// The conditions of an `IF`, by their words in orders.
    pub enum HexIs {
        /// No enemy is known there.
        Empty = "empty",
        /// An enemy is known there.
        Held = "held",
        /// Our side controls it.
        Controlled = "controlled",
    }
}

/// One standing reaction on somebody else's turn (manual 5.65, ruling LGA-46).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Standing {
    /// The line as the player wrote it, tidied: reports and forms show it.
    pub line: String,
    /// The action.
    pub reaction: Reaction,
    /// The trigger.
    pub when: Trigger,
}

/// A reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Reaction {
    /// `REINFORCE 4 TO 1507`.
    Reinforce {
        /// The unit.
        unit: UnitId,
        /// The adjacent hex that it goes to.
        to: Hex,
    },
    /// `WITHDRAW 4 TO 1608`.
    Withdraw {
        /// The unit.
        unit: UnitId,
        /// The adjacent hex that it goes to.
        to: Hex,
    },
    /// `TOP 4`, `TOP 1507 4`.
    Top {
        /// The unit.
        unit: UnitId,
        /// The place where the unit has to stand, if the player states one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Hex>,
    },
}

impl Reaction {
    /// The unit that reacts.
    pub const fn unit(self) -> UnitId {
        match self {
            Self::Reinforce { unit, .. } | Self::Withdraw { unit, .. } | Self::Top { unit, .. } => unit,
        }
    }
}

/// The events that trigger a reaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "when", rename_all = "snake_case")]
pub enum Trigger {
    /// `WHEN 1507 ATTACKED`.
    HexAttacked {
        /// The hex.
        hex: Hex,
    },
    /// `WHEN 4 ATTACKED`.
    UnitAttacked {
        /// The unit, one of our own.
        unit: UnitId,
    },
    /// `WHEN 4 MORALE <= 1`.
    MoraleAtMost {
        /// The unit, one of our own.
        unit: UnitId,
        /// The morale at or below which it applies.
        morale: i8,
    },
    /// `WHEN 1507 ENTERED`.
    HexEntered {
        /// The hex.
        hex: Hex,
    },
    /// `ALWAYS`: as soon as it is allowed.
    Always,
}
