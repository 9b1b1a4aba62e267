//! What a leader learns of one event: made by `fog.rs` and by nobody else.

use serde::Serialize;

use super::event::{Reckoning, Seen, Silence, Stance, StanceReason, Stop};
use super::model::{ArmyId, UnitId};
use musterd_engine::hex::Hex;

/// What a leader learns of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "sight", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "fields are named after what they hold; the variants are those of the events"
)]
pub enum Sight {
    /// Records are to be filled in.
    SetUpBegan,
    /// Own units were to stand where somebody else's were.
    Clashed { at: Hex, units: Vec<UnitId> },
    /// An own unit's place was another's: it stands elsewhere, or nowhere.
    Displaced { unit: UnitId, from: Hex, to: Option<Hex> },
    /// Somebody looked for an own or allied unit; the die and the chance, where they tell nothing of who looked (ruling DOG-50).
    Searched { unit: Named, at: Hex, die: Option<u32>, chance: Option<i32>, found: bool },
    /// A unit is seen from here on.
    Revealed { unit: Named, at: Hex, because: Seen },
    /// An own or allied unit hid.
    Hid { unit: Named, at: Hex },
    /// An enemy is out of sight.
    Vanished { unit: Named, at: Hex },
    /// The throw for the order of armies.
    InitiativeThrown { throws: Vec<(ArmyId, Vec<u32>)>, order: Vec<ArmyId> },
    /// A round began.
    RoundBegan { round: u16, order: Vec<ArmyId> },
    /// Whether an own unit obeys.
    ObedienceTested { unit: Named, die: u32, limit: u32, obeys: bool },
    /// A unit went one hex.
    Moved { unit: Named, from: Hex, to: Hex },
    /// An own unit saves points.
    Saved { unit: Named, toward: Hex, points: u16, cost: u16 },
    /// An own unit stopped.
    Stopped { unit: Named, at: Hex, because: Stop },
    /// Part of a unit became a unit of its own; how many, where that is seen.
    Split { unit: Named, part: UnitId, at: Hex, fighters: Option<u16> },
    /// A crew went on foot.
    Dismounted { unit: Named, part: UnitId, at: Hex },
    /// A unit went aboard.
    Boarded { unit: Named, at: Hex },
    /// A unit went ashore.
    Landed { unit: Named, to: Hex },
    /// A bonus strike on a unit that fled.
    StruckFleeing { strike: SeenStrike },
    /// How an own unit stands.
    Stood { unit: Named, stance: Stance, because: StanceReason },
    /// An attack and its retaliation.
    Exchanged { strike: SeenStrike, answer: Option<SeenStrike>, silent: Option<Silence> },
    /// A volley.
    Shot { strike: SeenStrike, hexes: u32 },
    /// A unit gave up; the loot, for those concerned.
    Surrendered { unit: Named, to: Named, loot: Option<u64> },
    /// A captive is free.
    Freed { unit: Named, at: Hex },
    /// Some drowned; how many, where that is seen.
    Drowned { unit: Named, at: Hex, dead: Option<u16> },
    /// An own order came to nothing.
    NotDone { line: usize, order: String, reason: String },
    /// The round is over.
    RoundEnded { round: u16 },
    /// The battle is over.
    Ended { winner: Option<String>, reckonings: Vec<Reckoning> },
    /// The GM changed something that this leader sees.
    Amended { text: String },
}

/// A unit as a report calls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its letter and number.
    pub id: UnitId,
    /// What it is: `heavy infantry`; for a mixed unit the first of its sorts.
    pub what: String,
    /// Whether it is of the reader's own army.
    pub own: bool,
}

impl Named {
    /// How a report calls it: `your E1 (elite heavy infantry)`.
    pub fn called(&self) -> String {
        let whose = if self.own { "your " } else { "" };
        format!("{whose}{} ({})", self.id, self.what)
    }
}

/// A strike as a leader sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeenStrike {
    /// Who strikes.
    pub by: Named,
    /// From where.
    pub from: Hex,
    /// Whom.
    pub on: Named,
    /// Where.
    pub at: Hex,
    /// Force, die and damage: for those who strike and those who are struck, and their allies.
    pub sum: Option<Sum>,
    /// How many died; none where nobody of the reader's is near enough to count.
    pub killed: Option<u16>,
    /// Whether nobody is left.
    pub destroyed: bool,
}

/// How a strike came to what it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Fighters times score; none of a striker whose fighters are not counted, since it tells how many they are.
    pub force: Option<u32>,
    /// The die, and the damage: with the force or not at all, since they tell it.
    pub die: Option<u32>,
    /// Damage.
    pub damage: Option<u32>,
    /// The hit points of those who died, where the dead are counted.
    pub hp: Option<u32>,
    /// How many of those who were struck are left, where they are counted.
    pub left: Option<u16>,
}
