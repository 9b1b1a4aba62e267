//! Everything that can happen in a battle, with its outcome: folding needs no dice and no rules.

use serde::{Deserialize, Serialize};

use super::change::Change;
use super::model::{ArmyId, UnitId, Waiting};
use super::order::IfAttacked;
use musterd_dice::Seat;
use musterd_engine::hex::Hex;

/// One change of the position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold; the variants say what happened")]
pub enum Event {
    /// Leaders fill in their unit records from here on (manual 4.1).
    SetUpBegan,
    /// A unit took the field.
    Raised(Waiting),
    /// Units of several armies were to start in the same hex: their leaders place them anew (manual 4.6).
    Clashed { at: Hex, units: Vec<Waiting> },
    /// A unit can't stand at its place, because others came first: it stands elsewhere, or is not on the field (ruling DOG-41).
    Displaced { unit: UnitId, from: Hex, to: Option<Hex> },
    /// All records are in.
    SetUpEnded,
    /// A search for a hidden unit, with its chance in six (manual 4.6, ruling DOG-23). `plain`: whether the chance would be the same for searchers of
    /// any people, so that it gives nothing away about them (ruling DOG-50).
    Searched {
        unit: UnitId,
        at: Hex,
        die: u32,
        chance: i32,
        found: bool,
        #[serde(default)]
        plain: bool,
    },
    /// A hidden unit is seen from here on.
    Revealed { unit: UnitId, at: Hex, because: Seen },
    /// A unit hid.
    Hid { unit: UnitId, at: Hex },
    /// The armies threw for their order: each throw of each army; ties are thrown again (manual 4.1, ruling DOG-22).
    InitiativeThrown { throws: Vec<(ArmyId, Vec<u32>)>, order: Vec<ArmyId> },
    /// A round began, in this order of armies (manual 4.3).
    RoundBegan { round: u16, order: Vec<ArmyId> },
    /// Whether a unit of an army with too much pride obeys. It doesn't if the die is at most `limit` of 100 (ruling DOG-21).
    ObedienceTested { unit: UnitId, die: u32, limit: u32, obeys: bool },
    /// A unit went one hex; `spent` halves of points went into it, `left` remain (manual 4.2).
    Moved { unit: UnitId, from: Hex, to: Hex, spent: u16, left: u16 },
    /// A unit saves points for a hex that costs more than it has in a round (ruling DOG-13).
    Saved { unit: UnitId, toward: Hex, points: u16, cost: u16 },
    /// A unit stopped before the end of its march.
    Stopped { unit: UnitId, at: Hex, because: Stop },
    /// Part of a unit became a unit of its own (manual 4.4): so many of each sort.
    Split { unit: UnitId, part: UnitId, at: Hex, fighters: Vec<u16> },
    /// A chariots' crew went on foot (ruling DOG-36).
    Dismounted { unit: UnitId, part: UnitId, at: Hex, spent: u16 },
    /// A unit went aboard a boat.
    Boarded { unit: UnitId, from: Hex, boat: u8, at: Hex },
    /// A unit went ashore.
    Landed { unit: UnitId, boat: u8, from: Hex, to: Hex },
    /// A unit that was left gave a bonus strike (manual 4.4, ruling DOG-17).
    StruckFleeing { strike: Strike },
    /// The moves are over; combat follows.
    MovesEnded,
    /// A unit's stance in this round's combat (manual 4.3, ruling DOG-15).
    Stood { unit: UnitId, stance: Stance, because: StanceReason },
    /// A melee attack and its retaliation, at the same time (manual 4.3, ruling DOG-16).
    Exchanged { strike: Strike, answer: Option<Strike>, silent: Option<Silence> },
    /// A volley (ruling DOG-14).
    Shot { strike: Strike, hexes: u32, left: Vec<u16> },
    /// A unit gave up (manual 4.5, ruling DOG-28).
    Surrendered { unit: UnitId, to: UnitId, loot: u64 },
    /// A captive is free again (ruling DOG-34).
    Freed { unit: UnitId, at: Hex, by: UnitId },
    /// Some of a unit drowned (ruling DOG-24).
    Drowned { unit: UnitId, at: Hex, killed: Vec<u16>, hp: u32 },
    /// An order could not be carried out.
    NotDone { seat: Seat, line: usize, order: String, reason: String },
    /// What a leader's units do from here on if they are attacked before they strike.
    Instructed { army: ArmyId, if_attacked: IfAttacked },
    /// The round is over.
    RoundEnded { round: u16 },
    /// The battle is over.
    Ended { winner: Option<String>, reckonings: Vec<Reckoning> },
    /// The GM changed something by hand.
    Amended { change: Change },
}

/// A strike or a volley.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strike {
    /// The striking unit.
    pub by: UnitId,
    /// Its hex.
    pub from: Hex,
    /// The unit that is struck.
    pub on: UnitId,
    /// Its hex.
    pub at: Hex,
    /// The force: fighters times score.
    pub force: u32,
    /// The die.
    pub die: u32,
    /// Hit points' worth of damage (manual 4.3).
    pub damage: u32,
    /// The number of dead, by sort.
    pub killed: Vec<u16>,
    /// The hit points of the dead (ruling DOG-2).
    pub hp: u32,
    /// How many of those struck are left.
    pub left: u16,
}

/// Why a unit is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// It was found.
    Found,
    /// It moved.
    Moved,
    /// It struck or shot.
    Struck,
    /// Somebody walked into it.
    Met,
    /// It gave up.
    Surrendered,
}

/// Why a march ended early.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "stop")]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub enum Stop {
    /// Its points are spent.
    Points,
    /// The next hex is taken.
    Taken { hex: Hex },
    /// It came upon a unit that nobody had seen.
    Ambush { unit: UnitId, hex: Hex },
    /// Going on would mean leaving enemies, and the march was not a flight (ruling DOG-40).
    Engaged { by: Vec<UnitId> },
    /// The ground bars it.
    Barred { hex: Hex, reason: String },
    /// There is no way.
    NoWay { hex: Hex },
}

/// How a unit stands in combat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// It strikes, and retaliates once, against this unit only.
    Attack(UnitId),
    /// It retaliates against everybody.
    Defence,
}

/// Why a unit stands as it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StanceReason {
    /// It was ordered so.
    Ordered,
    /// It was attacked before it struck, and turned to defend itself.
    Attacked,
    /// It had no order, or none that could be carried out.
    Unordered,
    /// It disobeyed.
    Disobeyed,
    /// It hunts a unit that fled from it (ruling DOG-17).
    Pursuing,
    /// It guards prisoners (ruling DOG-28).
    Guarding,
}

/// Why there was no retaliation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Silence {
    /// It attacks somebody else.
    Elsewhere,
    /// It has retaliated once already.
    Once,
    /// It has no defence.
    Defenceless,
}

/// What the battle cost an army and its leader (manual 2.3, ruling DOG-20).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reckoning {
    /// The army.
    pub army: ArmyId,
    /// Hit points that it lost.
    pub lost: u64,
    /// Hit points that its enemies lost.
    pub enemy: u64,
    /// The factor of its own losses, in halves: less in victory, more in defeat.
    pub factor: i64,
    /// Leadership before.
    pub before: u32,
    /// Leadership lost; below 0 it is won.
    pub change: i64,
    /// Leadership after.
    pub after: u32,
    /// Loot from prisoners.
    pub loot: u64,
    /// Maintenance of the survivors for a unit of time.
    pub maintenance: u64,
}

impl Reckoning {
    /// The leadership by this calculation, never below zero; any difference afterwards is a change by the GM.
    pub fn summed(&self) -> u32 {
        u32::try_from((i64::from(self.before) - self.change).max(0)).unwrap_or(u32::MAX)
    }
}
