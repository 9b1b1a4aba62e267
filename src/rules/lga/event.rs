//! Everything that can happen to a position, with its outcome: folding needs no dice and no rules.

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::model::{Date, Level, Nation, Side, UnitId};
use super::order::Standing;
use super::sight::{Check, CombatResult, FogLoss};
use musterd_dice::Seat;
use musterd_engine::hex::Hex;

/// One change of the position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what happened")]
pub enum Event {
    /// A player turn began: fatigue and moves are fresh (manual 5.1). `turn` counts seasons from 1.
    TurnBegan { date: Date, turn: u32, side: Side },
    /// A unit was called away for good (ruling LGA-41).
    Recalled { unit: UnitId, to: Hex },
    /// Victory points were counted (manual 5.2).
    Counted { side: Side, points: i32, level: Level },
    /// Spring points replaced the old balance (manual 5.3, ruling LGA-8).
    Allocated { nation: Nation, cities: i32, saved: i32, now: i32 },
    /// A unit began its turn out of supply (manual 5.4).
    OutOfSupply { unit: UnitId, at: Hex },
    /// A unit mustered (manual 5.4).
    Mustered { unit: UnitId, at: Hex, check: Check, loss: i8, morale: i8, destroyed: bool },
    /// A seat replaced its standing file.
    StandingFiled { seat: Seat, file: Vec<Standing> },
    /// British points went to an ally (manual 5.5).
    Aided { to: Nation, points: u16 },
    /// A unit of the pool came onto the map (manual 5.5).
    Built { unit: UnitId, at: Hex, cost: u16, morale: i8 },
    /// A unit's morale was raised (manual 5.5).
    Rallied { unit: UnitId, morale: i8, cost: u16 },
    /// A unit went one hex: `left` moves remain to it, `marched` were spent on the march so far.
    Moved { unit: UnitId, from: Hex, to: Hex, left: u8, marched: u8, captured: bool },
    /// Fog of war took moves (manual 5.63).
    Fogged { unit: UnitId, at: Hex, die: u32, loss: FogLoss, left: u8 },
    /// A unit spent its whole allowance marching (manual 5.62); `gained` is the fatigue that it cost.
    LongMarch { unit: UnitId, at: Hex, check: Check, gained: u8, fatigue: u8 },
    /// A garrison that nobody had seen stopped a unit.
    GarrisonFound { unit: UnitId, at: Hex },
    /// A round of combat (manual 5.64); `spent` moves went into it (manual 2.13).
    Attacked {
        attacker: UnitId,
        from: Hex,
        defender: UnitId,
        at: Hex,
        garrison: bool,
        check: Check,
        result: CombatResult,
        spent: u8,
    },
    /// A unit ended its move as the garrison of its city (manual 3.6).
    Garrisoned { unit: UnitId, at: Hex },
    /// A unit ended its move (manual 2.11).
    MoveEnded { unit: UnitId },
    /// A unit went on top of its stack (manual 5.65); a standing order did it where `because` says so.
    Topped { unit: UnitId, at: Hex, because: Option<String> },
    /// A unit tried to reinforce (manual 5.65, 5.67).
    Reinforced { unit: UnitId, from: Hex, to: Hex, check: Option<Check>, arrived: bool, because: String },
    /// A unit withdrew (manual 5.65, 5.67).
    Withdrew {
        unit: UnitId,
        from: Hex,
        to: Hex,
        check: Option<Check>,
        loss: i8,
        destroyed: bool,
        because: String,
    },
    /// An order could not be carried out.
    NotDone { seat: Seat, line: usize, order: String, reason: String },
    /// A unit was destroyed for want of supply (manual 5.7).
    Starved { unit: UnitId, at: Hex },
    /// A garrison stood a siege (manual 5.7).
    Besieged { unit: UnitId, at: Hex, die: u32, loss: i8, morale: i8, destroyed: bool },
    /// The GM changed something by hand.
    Amended { change: Change },
    /// The last turn is over (ruling LGA-45).
    Ended { levels: Vec<(Side, i32, Level)>, winner: Option<Side> },
}
