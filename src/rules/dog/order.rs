//! The orders of leaders.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::model::{Sort, UnitId};
use musterd_engine::hex::Hex;

/// One order, understood. Its grammar stands in `docs/dog/orders.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what is ordered")]
pub enum Order {
    /// A unit record before the battle: `UNIT 3 heavy infantry 18 AT 0405 HIDDEN`.
    Record(Record),
    /// A march: `MOVE 3 TO 0405`, `MOVE 3 0304 0405 LEAVE 6`, `FLEE 3 TO 0101`.
    March(March),
    /// Hiding where it stands: `HIDE 3`.
    Hide { unit: UnitId },
    /// Going aboard a boat next to the unit, in the hex that is named, or in any: `BOARD 3`.
    Board { unit: UnitId, boat: Option<Hex> },
    /// Going ashore from a boat: `LAND 3 TO 0405`.
    Land { unit: UnitId, to: Hex },
    /// A chariots' crew goes on foot, if no hex is named into the one that the chariots then leave: `DISMOUNT 4 TO 0405` (ruling DOG-36).
    Dismount { unit: UnitId, to: Option<Hex> },
    /// A melee attack or a volley, if no target is named on the unit that it harms most (ruling DOG-42): `ATTACK 3 D2`, `SHOOT 3`.
    Strike { unit: UnitId, arm: Arm, target: Option<UnitId> },
    /// Standing in defence: `DEFEND 3`.
    Defend { unit: UnitId },
    /// Whether a unit, every unit if none is named, keeps to its attack if it is attacked before (ruling DOG-15): `IF ATTACKED DEFEND 3`.
    IfAttacked { unit: Option<UnitId>, keep: bool },
    /// Giving up to an enemy next to it: `SURRENDER 3 TO D2`.
    Surrender { unit: UnitId, to: UnitId },
}

impl Order {
    /// The unit that the order is for; `None` if it is for all.
    pub const fn unit(&self) -> Option<UnitId> {
        match self {
            Self::Record(record) => Some(record.unit),
            Self::March(march) => Some(march.unit),
            Self::IfAttacked { unit, .. } => *unit,
            Self::Hide { unit }
            | Self::Board { unit, .. }
            | Self::Land { unit, .. }
            | Self::Dismount { unit, .. }
            | Self::Strike { unit, .. }
            | Self::Defend { unit }
            | Self::Surrender { unit, .. } => Some(*unit),
        }
    }

    /// Whether it is carried out in the phase of moves.
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
    pub const fn is_combat(&self) -> bool {
        matches!(self, Self::Strike { .. } | Self::Defend { .. } | Self::Surrender { .. })
    }
}

/// What a unit strikes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arm {
    /// Its weapons of close combat.
    Melee,
    /// Its bows.
    Volley,
}

/// A unit record (manual 4.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its letter and number.
    pub unit: UnitId,
    /// Its name, if it is given one.
    pub name: Option<String>,
    /// The fighters in it; empty if the unit is one of the battle file's.
    pub sorts: Vec<Sort>,
    /// Where it starts.
    pub at: Option<Hex>,
    /// Whether it starts hidden.
    pub hidden: bool,
}

impl Record {
    /// A record that says nothing of a unit.
    pub const fn of(unit: UnitId) -> Self {
        Self { unit, name: None, sorts: Vec::new(), at: None, hidden: false }
    }
}

/// A march.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct March {
    /// The unit.
    pub unit: UnitId,
    /// The way, hex by hex or the best way to a hex.
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
    /// The hex in which it ends.
    pub fn end(&self) -> Option<Hex> {
        match self {
            Self::To(hex) => Some(*hex),
            Self::By(hexes) => hexes.last().copied(),
        }
    }
}

/// A leader's standing instructions for units that are attacked before they strike (ruling DOG-15). Usually a unit keeps to its attack.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct IfAttacked {
    /// Whether units give up their attack and defend themselves.
    pub defend: bool,
    /// The units that do the opposite.
    pub except: BTreeSet<UnitId>,
}

impl IfAttacked {
    /// Whether a unit keeps to its attack.
    pub fn keeps(&self, unit: UnitId) -> bool {
        self.defend == self.except.contains(&unit)
    }

    /// Adds an instruction for a unit, or for all units, which replaces the earlier ones of each.
    pub fn say(&mut self, unit: Option<UnitId>, keep: bool) {
        match unit {
            None => *self = Self { defend: !keep, except: BTreeSet::new() },
            Some(unit) if keep == self.defend => _ = self.except.insert(unit),
            Some(unit) => _ = self.except.remove(&unit),
        }
    }

    /// Gives a part that leaves a unit the instruction of that unit.
    pub fn inherit(&mut self, unit: UnitId, part: UnitId) {
        if self.except.contains(&unit) {
            self.except.insert(part);
        }
    }

    /// The instructions, with each part replaced by the unit that it split off.
    pub fn of_origins(&self) -> Self {
        let except = self.except.iter().map(|id| UnitId { part: 0, ..*id }).collect();
        Self { except, ..*self }
    }

    /// The order lines for these instructions; empty if all are the usual ones.
    pub fn lines(&self) -> Vec<String> {
        let word = |keep: bool| if keep { "KEEP" } else { "DEFEND" };
        let all = self.defend.then(|| format!("IF ATTACKED {}", word(false)));
        let each = self.except.iter().map(|unit| format!("IF ATTACKED {} {unit}", word(self.defend)));
        all.into_iter().chain(each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_all_takes_the_place_of_what_was_said_of_each() {
        let unit = |number| UnitId::new('E', number);
        let mut said = IfAttacked::default();
        assert!(said.keeps(unit(1)) && said.lines().is_empty());
        said.say(Some(unit(1)), false);
        assert_eq!(said.lines(), ["IF ATTACKED DEFEND E1"]);
        assert!(!said.keeps(unit(1)) && said.keeps(unit(2)));
        said.say(None, false);
        said.say(Some(unit(2)), true);
        assert_eq!(said.lines(), ["IF ATTACKED DEFEND", "IF ATTACKED KEEP E2"]);
        assert!(!said.keeps(unit(1)) && said.keeps(unit(2)));
        said.say(Some(unit(2)), false);
        said.say(None, true);
        assert_eq!(said, IfAttacked::default());
    }
}
