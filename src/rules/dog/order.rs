//! What leaders order.

use super::model::{Sort, UnitId};
use crate::hex::Hex;

/// One order, understood. Its grammar stands in `docs/dog/orders.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// A unit record before the battle: `UNIT 3 heavy infantry 18 AT 0405 HIDDEN`.
    Record(Record),
    /// A march: `MOVE 3 TO 0405`, `MOVE 3 0304 0405 LEAVE 6`, `FLEE 3 TO 0101`.
    March(March),
    /// Hiding where it stands: `HIDE 3`.
    Hide {
        /// Who.
        unit: UnitId,
    },
    /// Going aboard a boat next to the unit: `BOARD 3`.
    Board {
        /// Who.
        unit: UnitId,
        /// Which boat lies there; any next to the unit where none is named.
        boat: Option<Hex>,
    },
    /// Going ashore from a boat: `LAND 3 TO 0405`.
    Land {
        /// Who.
        unit: UnitId,
        /// Where to.
        to: Hex,
    },
    /// A chariots' crew goes on foot: `DISMOUNT 4 TO 0405` (ruling DOG-36).
    Dismount {
        /// The chariots.
        unit: UnitId,
        /// Where to; their own hex, which they then leave, where none is named.
        to: Option<Hex>,
    },
    /// A melee attack: `ATTACK 3 D2`.
    Attack {
        /// Who.
        unit: UnitId,
        /// Whom; whoever it harms most where none is named (ruling DOG-42).
        target: Option<UnitId>,
    },
    /// A volley: `SHOOT 3 D2`.
    Shoot {
        /// Who.
        unit: UnitId,
        /// At whom; whoever it harms most where none is named.
        target: Option<UnitId>,
    },
    /// Standing in defence: `DEFEND 3`.
    Defend {
        /// Who.
        unit: UnitId,
    },
    /// What a unit with an attack to make does if it is attacked before (ruling DOG-15): `IF ATTACKED DEFEND 3`.
    IfAttacked {
        /// Who; every unit where none is named.
        unit: Option<UnitId>,
        /// Whether it keeps to its attack.
        keep: bool,
    },
    /// Giving up to an enemy next to it: `SURRENDER 3 TO D2`.
    Surrender {
        /// Who.
        unit: UnitId,
        /// To whom.
        to: UnitId,
    },
}

impl Order {
    /// Whose order it is; none where it is for all.
    #[must_use]
    pub const fn unit(&self) -> Option<UnitId> {
        match self {
            Self::Record(record) => Some(record.unit),
            Self::March(march) => Some(march.unit),
            Self::IfAttacked { unit, .. } => *unit,
            Self::Hide { unit }
            | Self::Board { unit, .. }
            | Self::Land { unit, .. }
            | Self::Dismount { unit, .. }
            | Self::Attack { unit, .. }
            | Self::Shoot { unit, .. }
            | Self::Defend { unit }
            | Self::Surrender { unit, .. } => Some(*unit),
        }
    }

    /// Whether it is carried out in the phase of moves.
    #[must_use]
    pub const fn is_move(&self) -> bool {
        matches!(
            self,
            Self::March(_)
                | Self::Hide { .. }
                | Self::Board { .. }
                | Self::Land { .. }
                | Self::Dismount { .. }
        )
    }

    /// Whether it is carried out in the phase of combat.
    #[must_use]
    pub const fn is_combat(&self) -> bool {
        matches!(
            self,
            Self::Attack { .. } | Self::Shoot { .. } | Self::Defend { .. } | Self::Surrender { .. }
        )
    }
}

/// A unit record (manual 4.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its letter and number.
    pub unit: UnitId,
    /// Its name, if it is given one.
    pub name: Option<String>,
    /// Who is in it; nobody where the unit is one of the battle file's.
    pub sorts: Vec<Sort>,
    /// Where it starts.
    pub at: Option<Hex>,
    /// Whether it starts hidden.
    pub hidden: bool,
}

/// A march.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct March {
    /// Who.
    pub unit: UnitId,
    /// Where to, hex by hex or the best way to a hex.
    pub way: Way,
    /// How many stay behind as a unit of their own (manual 4.4, ruling DOG-18).
    pub leave: Option<u16>,
    /// Whether it leaves enemies next to it in spite of their strikes.
    pub flee: bool,
}

/// The way of a march.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    /// The cheapest way to a hex.
    To(Hex),
    /// These hexes, each next to the one before.
    By(Vec<Hex>),
}

impl Way {
    /// Where it ends.
    #[must_use]
    pub fn end(&self) -> Option<Hex> {
        match self {
            Self::To(hex) => Some(*hex),
            Self::By(hexes) => hexes.last().copied(),
        }
    }
}
