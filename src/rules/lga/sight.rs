//! What a seat learns of an event: the sentences of "what happened" are made of these.

use serde::{Deserialize, Serialize};

use super::model::{Date, Level, Nation, Side, UnitId, UnitType};
use musterd_engine::hex::Hex;

/// A unit as a report names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its number.
    pub id: UnitId,
    /// Its name.
    pub name: String,
    /// The nation that it belongs to.
    pub nation: Nation,
    /// Its type.
    pub kind: UnitType,
}

/// One line of a die roll's arithmetic: `morale +3`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifier {
    /// Why: `major city`, `across a river`.
    pub why: String,
    /// Its value. The table says which side a positive value helps.
    pub by: i8,
}

/// A die with its arithmetic: `face + modifiers = total`, read in the table as `used`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The face of the die.
    pub die: u32,
    /// The modifiers.
    pub modifiers: Vec<Modifier>,
    /// The sum.
    pub total: i32,
    /// The column of the table: the sum, held to the table's ends.
    pub used: i32,
}

/// The loss by fog of war (manual 5.63).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FogLoss {
    /// All remaining moves.
    All,
    /// One move.
    One,
}

/// The result of one round of combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CombatResult {
    /// Morale that the attacker lost.
    pub attacker_loss: i8,
    /// Morale that the defender lost.
    pub defender_loss: i8,
    /// Whether the attacker was destroyed.
    pub attacker_destroyed: bool,
    /// Whether the defender was destroyed.
    pub defender_destroyed: bool,
}

/// One thing that a seat learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "saw", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what happened")]
pub enum Sight {
    /// A player turn began.
    TurnBegan { date: Date, side: Side },
    /// Victory points were counted (manual 5.2).
    Counted { side: Side, points: i32, level: Level },
    /// Spring points were allocated (manual 5.3): for cities, and for a quarter of what was unspent.
    Allocated { nation: Nation, cities: i32, saved: i32, now: i32 },
    /// Own units found out of supply at the start of the turn (manual 5.4).
    OutOfSupply { unit: Named, at: Hex },
    /// An own unit mustered (manual 5.4).
    Mustered { unit: Named, at: Hex, check: Check, loss: i8, morale: i8, destroyed: bool },
    /// British aid (manual 5.5).
    Aided { to: Nation, points: u16 },
    /// An own unit was built.
    Built { unit: Named, at: Hex, cost: u16 },
    /// An own unit was rallied.
    Rallied { unit: Named, morale: i8, cost: u16 },
    /// A unit went one hex. Control may have changed by it.
    Moved { unit: Named, own: bool, from: Hex, to: Hex, captured: bool },
    /// Fog of war hit an own unit.
    Fogged { unit: Named, at: Hex, die: u32, loss: FogLoss },
    /// An own unit rolled for a long march, and `gained` fatigue by it.
    LongMarch { unit: Named, at: Hex, check: Check, gained: u8 },
    /// A round of combat.
    Attacked {
        attacker: Named,
        from: Hex,
        defender: Named,
        at: Hex,
        garrison: bool,
        check: Check,
        result: CombatResult,
    },
    /// An own unit became a garrison.
    Garrisoned { unit: Named, at: Hex },
    /// An own unit went on top of its stack by the standing order `because`.
    Topped { unit: Named, at: Hex, because: String },
    /// A unit tried to reinforce (manual 5.67).
    Reinforced {
        unit: Named,
        own: bool,
        from: Hex,
        to: Hex,
        check: Option<Check>,
        arrived: bool,
        because: String,
    },
    /// A unit withdrew (manual 5.65); `loss` is its rout result. What a rout did to an enemy is not seen.
    Withdrew {
        unit: Named,
        own: bool,
        from: Hex,
        to: Hex,
        check: Option<Check>,
        loss: i8,
        destroyed: bool,
        because: String,
    },
    /// An own order could not be carried out.
    NotDone { line: usize, order: String, reason: String },
    /// An own unit was destroyed for want of supply (manual 5.7).
    Starved { unit: Named, at: Hex },
    /// An own garrison stood a siege (manual 5.7).
    Besieged { unit: Named, at: Hex, die: u32, loss: i8, destroyed: bool },
    /// Napoleon left Spain, Swedes came: something that a scenario does by itself.
    Special { text: String },
    /// The own standing file was replaced.
    StandingFiled { count: usize },
    /// The game is over.
    Ended { levels: Vec<(Side, i32, Level)>, winner: Option<Side> },
}
