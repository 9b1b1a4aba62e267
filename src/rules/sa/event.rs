//! What can happen.

use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use serde::{Deserialize, Serialize};

use crate::model::{Side, Spell, UnitId, Way};
use crate::order::{Act, Charge, Stance, Taste, Trigger};

/// One change of the position, with its outcome. Nothing of it has to be computed anew: dice, factors and losses stand in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "fields are named after what they hold; `next` is the time-point at which a unit acts next"
)]
pub enum Event {
    /// The battle is laid out: the side whose initial move it is, or both.
    Began {
        /// The real wizard, if likenesses stand on the field from the start: drawn in secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        real: Option<UnitId>,
    },
    /// A unit stands elsewhere before the battle; whoever stood there stands in its place.
    Deployed { unit: UnitId, at: Hex },
    /// A unit has these orders from now on.
    Told { unit: UnitId, charge: Charge },
    /// How a seat wants its reports.
    Reported { seat: Seat, taste: Taste },
    /// The clock shows this time-point.
    Ticked { point: u16 },
    /// A unit moved a hex. It acts next at `next`.
    Moved { unit: UnitId, way: Way, to: Hex, next: u16 },
    /// A unit held.
    Held { unit: UnitId, next: u16 },
    /// A unit fought with its neighbour hand to hand. The attacker acts next at `next`.
    Fought { attacker: Blow, defender: Blow, next: u16, won: Option<UnitId> },
    /// A unit fired at another, which may have fired back.
    Fired {
        attacker: Blow,
        defender: Blow,
        /// Whether the target fired back: else its blow says only what it lost.
        answered: bool,
        next: u16,
        won: Option<UnitId>,
    },
    /// A unit's morale was checked.
    Checked {
        unit: UnitId,
        why: Why,
        check: Check,
        /// When it acts next, if it halts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<u16>,
    },
    /// A unit ran. It moves at `next` at the latest.
    Routed { unit: UnitId, cause: Cause, next: u16 },
    /// A routing unit moved a hex.
    Fled { unit: UnitId, way: Way, to: Hex, next: u16 },
    /// A routing unit could go nowhere.
    Cornered { unit: UnitId, next: u16 },
    /// A unit left the field.
    Left {
        unit: UnitId,
        how: Departure,
        /// Where it stood: for whoever tells of it.
        from: Hex,
    },
    /// A unit is under control again.
    Rallied { unit: UnitId },
    /// A unit cast a spell on itself. It lasts through `until`, if it has an end by time.
    Cast {
        unit: UnitId,
        spell: Spell,
        points: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<u16>,
        next: u16,
    },
    /// The wizard stands in two hexes: who of the two is real was drawn in secret, and his side alone sees it.
    Likened { unit: UnitId, likeness: UnitId, at: Hex, real: Option<UnitId>, points: u32, next: u16 },
    /// A likeness was hit and is gone.
    Vanished { unit: UnitId, from: Hex },
    /// A unit came onto the field.
    Arrived { unit: UnitId, at: Hex, next: u16 },
    /// A die was thrown for a unit that may desert.
    Wavered { unit: UnitId, die: u32, deserts: bool },
    /// A task came to nothing.
    Skipped { unit: UnitId, act: Act, why: Refusal },
    /// A march waits for a friend in its way: noted once in a mail turn. The task stays.
    Waited { unit: UnitId, act: Act, friend: UnitId },
    /// A task was taken from the queue, being done or under way.
    Done {
        unit: UnitId,
        /// Its place in the queue.
        task: usize,
    },
    /// Something changed a unit's stance.
    Triggered { unit: UnitId, trigger: Trigger, stance: Stance },
    /// Units that are due at one time-point, in the order that was drawn.
    Drawn { point: u16, order: Vec<UnitId> },
    /// The orders of a seat's units that stand when a mail turn is over, and who is the wizard among likenesses: nothing of it may become public
    /// while it stands.
    Stood {
        seat: Seat,
        charges: Vec<(UnitId, Charge)>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        real: Option<UnitId>,
    },
    /// A mail turn is over.
    Paused { point: u16 },
    /// The battle is over.
    Ended { outcome: Outcome },
    /// The GM changed something.
    Amended { change: Change },
}

/// One unit's part in a fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blow {
    /// The unit.
    pub unit: UnitId,
    /// Its men before.
    pub men: u32,
    /// The men that it lost.
    pub lost: u32,
    /// Its factors.
    pub factors: Factors,
    /// The percentage of its own men that the other loses.
    pub percent: u32,
}

/// What a combat total is made of: each is 0 where it doesn't apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Factors {
    /// WF: the weapon.
    pub weapon: i32,
    /// +1 for the attacker in melee.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attack: i32,
    /// +1 or +2 against a unit without shields.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shieldless: i32,
    /// The tribe's gifts: bows, demons, dwarves against Zorgs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tribe: i32,
    /// What the opponent's tribe takes away.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub daunted: i32,
    /// The terrain.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub terrain: i32,
    /// -1 in fire at a unit that moved last.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub moved: i32,
    /// Own Blade Enhancer.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub blade: i32,
    /// The opponent's Shield.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shield: i32,
    /// The dice as thrown: two average dice in melee, one die of three in fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<[u32; 2]>,
    /// RF: the random factor, after the bounds of the class.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random: i32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
const fn is_zero(number: &i32) -> bool {
    *number == 0
}

impl Factors {
    /// TF: all but weapon and chance.
    pub const fn tactical(&self) -> i32 {
        self.attack
            + self.shieldless
            + self.tribe
            + self.daunted
            + self.terrain
            + self.moved
            + self.blade
            + self.shield
    }

    /// All together.
    pub const fn total(&self) -> i32 {
        self.weapon + self.tactical() + self.random
    }
}

/// A morale check (SA-11 to SA-13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The three average dice.
    pub dice: [u32; 3],
    /// Friends less enemies near it.
    pub close: i32,
    /// Tenths of its men lost, as a deduction.
    pub dead: i32,
    /// BS: battles won less battles lost.
    pub battles: i32,
    /// RS: routs seen, of enemies less of friends.
    pub routs: i32,
    /// What demons near it take away.
    pub fear: i32,
    /// Courage.
    pub courage: i32,
    /// The result.
    pub result: Nerve,
}

impl Check {
    /// All together.
    pub const fn total(&self) -> i32 {
        (self.dice[0] + self.dice[1] + self.dice[2]) as i32 + self.modifiers()
    }

    /// What is added to the dice.
    pub const fn modifiers(&self) -> i32 {
        self.close + self.dead + self.battles + self.routs + self.fear + self.courage
    }
}

/// The result of a morale check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nerve {
    /// It runs.
    Rout,
    /// It refuses orders for a while.
    Halt,
    /// It takes orders.
    Orders,
}

/// Why morale is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It attacks after a move (SA-14).
    Attack,
    /// This friend near it routed (SA-15).
    Rout(UnitId),
    /// It is away from all enemies and may rally (SA-16).
    Rally,
}

/// Why a unit routs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// It failed a morale check.
    Nerve,
    /// It lost one melee too many (SA-17).
    Losses,
}

/// How a unit leaves the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Departure {
    /// All its men are gone.
    Destroyed,
    /// It ran over the edge.
    Ran,
    /// It deserted.
    Deserted,
    /// It left of its own will.
    Escaped,
}

/// Why a task comes to nothing: what [`crate::law`] says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// That way lies the end of the field.
    OffField,
    /// Its type can't enter that ground.
    Prohibited(Hex),
    /// A unit stands there.
    Occupied(UnitId),
    /// It may not be deployed there.
    NotInZone(Hex),
    /// There is no way.
    NoWay(Hex),
    /// It has made no move that it could repeat.
    NeverMoved,
    /// Nobody to attack or to fire at stands there.
    Nobody(Hex),
    /// That is a friend.
    Friend(UnitId),
    /// That unit is gone.
    Gone(UnitId),
    /// It has no missiles.
    NoMissiles,
    /// The target is too far: so many hexes, and its missiles fly so many.
    OutOfRange(u32, u32),
    /// This hex is in the way.
    NoSight(Hex),
    /// It casts no spells.
    NoCaster,
    /// So many spell points are left.
    NoPoints(u32),
    /// So many points at most go into one spell.
    OverCap(u32),
    /// It may not move before this time-point.
    NotBefore(u16),
    /// No more likenesses can be made.
    NoLikeness,
    /// It may leave the field only after this time-point.
    TooEarly(u16),
    /// It may leave the field only from its own edge.
    NotAtEdge,
    /// It has so many tasks already.
    Busy(usize),
    /// It isn't on the field.
    NotFielded,
    /// It is neither the wizard nor a likeness of him.
    NoWizard,
    /// It is a likeness: only the real wizard does that.
    Unreal,
}

/// How a battle ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// What each side has left, in hundredths of a light infantryman of class C.
    pub left: [u64; 2],
    /// By how many percent the stronger exceeds the weaker.
    pub margin: u64,
    /// Who won, and whether decisively; `None` for a draw.
    pub won: Option<(Side, bool)>,
}

/// Why a battle ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Night fell.
    Nightfall,
    /// The morale of this side is gone: it retreats.
    Retreat(Side),
    /// The wizard is dead.
    WizardDead,
    /// The wizard ran off the field.
    WizardRan,
    /// The wizard got away.
    WizardGone,
    /// The wizard lives at nightfall.
    WizardLives,
}

/// What a GM changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A unit's men.
    Men(UnitId, u32),
    /// Where a unit stands; `None` takes it off the field.
    Place(UnitId, Option<Hex>),
    /// Whether a unit routs.
    Rout(UnitId, bool),
    /// When a unit acts next.
    Next(UnitId, u16),
    /// A unit's battles won less battles lost.
    Battles(UnitId, i32),
    /// A unit's routs seen.
    Routs(UnitId, i32),
    /// The melees that a unit has lost in a row.
    Losing(UnitId, u8),
    /// A unit is rid of all spells.
    Plain(UnitId),
    /// The morale of an army.
    Morale(Side, i32),
    /// The spell points of an army.
    Magic(Side, u32),
    /// Which of the likenesses is the wizard: known to his side alone.
    Wizard(UnitId),
}
