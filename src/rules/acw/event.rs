//! What can happen.

use musterd_dice::Seat;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::named;
use serde::{Deserialize, Serialize};

use crate::model::{BrigadeId, Fate, Formation, HqId, ObjectiveId, Profile, Side, UnitId};
use crate::order::{Act, Command, Goal, When};

/// One change of the position, with its outcome. Nothing of it has to be computed anew: dice, values and losses stand in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub enum Event {
    /// The armies stand on the map, and turn 1 begins.
    Founded,
    /// A turn begins: what was noted of the last one is over.
    Began { turn: u16 },
    /// A brigade comes onto the map; the headquarters over it come with their first.
    Arrived { brigade: BrigadeId, at: Hex },
    /// The army's headquarters comes onto the map.
    HqArrived { hq: HqId, at: Hex },
    /// Who is in communication with the headquarters over it, one throw each.
    Communicated { side: Side, checks: Vec<Touch> },
    /// Where a commander's headquarters is to go.
    Bound { hq: HqId, goal: Goal },
    /// The army's commander leads so. `fallback`: what he chose was not to be had any more (ACW-40).
    Profiled {
        side: Side,
        profile: Profile,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        fallback: bool,
    },
    /// A headquarters was given a command.
    Commanded { hq: HqId, command: Command },
    /// A headquarters that has a command to begin threw for it, or the corps over it did (ACW-39): `die` from 0 to 9, at most the leadership of `by` to begin.
    Obeyed { hq: HqId, by: HqId, command: Command, die: u32, begins: bool },
    /// A headquarters marches against an enemy whom it saw or heard there, or does no more.
    Heard { hq: HqId, at: Option<Hex> },
    /// A brigade has passed the point that defines its line of march.
    Passed { brigade: BrigadeId },
    /// A headquarters goes with another of its brigades.
    Joined { hq: HqId, brigade: BrigadeId },
    /// A headquarters has passed the point on its line of march, or has come to its objective.
    Reached { hq: HqId, objective: ObjectiveId },
    /// A player gave a brigade an order.
    Told {
        brigade: BrigadeId,
        act: Act,
        /// Whether it was left for this hour: `IF ENGAGED`, `IF SHAKEN`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        when: Option<When>,
    },
    /// A brigade's commanders chose its order.
    Set { brigade: BrigadeId, act: Act },
    /// A side's orders for later hours of the block, in the place of earlier ones.
    Left { side: Side, ifs: Vec<(BrigadeId, When, Act)>, stop: bool },
    /// Whom a brigade is to fight, or that it has nobody to fight any more.
    Targeted {
        brigade: BrigadeId,
        target: Option<(UnitId, Hex)>,
        /// Whether it is engaged with him (Menu 9), and has him not in range alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        engaged: bool,
        /// Against the order of preference (ACW-29).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        astray: bool,
    },
    /// A brigade that was in column, in reserve or in camp was engaged: a random number of 0 to 15 against its experience and leadership (ACW-20); in reserve without one.
    Startled { brigade: BrigadeId, die: Option<u32>, against: i32, surprised: bool },
    /// A brigade fired at an enemy brigade, or charged it.
    Fired(Box<Shot>),
    /// A brigade fired at a headquarters, which got away (ACW-28).
    HqFired { brigade: BrigadeId, hq: HqId, from: Hex, to: Hex },
    /// A brigade that was fired at held its order, or not (step three).
    Checked(Box<Check>),
    /// A brigade shattered.
    Shattered { brigade: BrigadeId },
    /// A brigade fell back from the enemy by its check, a hex at a time.
    Retreated { brigade: BrigadeId, from: Hex, way: Vec<Hex>, flees: bool },
    /// A brigade that had to fall back could not, and lost cohesion (ACW-53).
    Cornered { brigade: BrigadeId, cohesion: i32 },
    /// A brigade is gone.
    Destroyed { brigade: BrigadeId, at: Hex, how: Lost },
    /// A leader was hit.
    LeaderHit {
        unit: UnitId,
        fate: Fate,
        /// The leadership of whoever leads now.
        leadership: i32,
        /// The value of the headquarters' staff now, if it has changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        staff: Option<i32>,
        /// He was the army's second in command, who had succeeded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        second: bool,
    },
    /// A brigade changed how it stands.
    Formed { brigade: BrigadeId, formation: Formation },
    /// A unit moved a hex.
    Moved { unit: UnitId, from: Hex, to: Hex },
    /// A unit had to stop before it was where it was to go.
    Stopped { unit: UnitId, why: Stop },
    /// A brigade faces there.
    Faced { brigade: BrigadeId, way: Direction },
    /// A side controls these hexes from now on.
    Controlled { side: Side, hexes: Vec<Hex> },
    /// Pickets of a side met an enemy unit: it is seen.
    Picketed { by: Side, unit: UnitId },
    /// What a side sees at the end of a turn by sight: the sum of sight of each enemy near enough.
    Sighted { by: Side, units: Vec<UnitId> },
    /// A brigade in reserve threw to recover (ACW-19).
    Rallied { brigade: BrigadeId, die: u32, most: i32, recovers: bool },
    /// A brigade that neither moved nor fired dug, or not (ACW-21).
    Dug { brigade: BrigadeId, works: u8 },
    /// A brigade's works are lost.
    WorksLost { brigade: BrigadeId },
    /// An active objective counted for its holder.
    Scored { objective: ObjectiveId, side: Side, points: u32 },
    /// An objective changed hands.
    Taken { objective: ObjectiveId, side: Side },
    /// The turn is over: the standing.
    Closed,
    /// What a seat's formations are to do for longer than this mail turn: nothing of it may become public while it stands. Recorded as a mail turn ends.
    Stood {
        seat: Seat,
        goal: Goal,
        commands: Vec<(HqId, Command)>,
        objectives: Vec<(BrigadeId, ObjectiveId)>,
    },
    /// A side resigned.
    Resigned { side: Side },
    /// The battle is over.
    Ended { outcome: Outcome },
    /// The GM changed something.
    Amended { change: Change },
}

/// A throw for communication: `die` from 0 to 15, at most `chance` to be in touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub struct Touch {
    pub unit: UnitId,
    /// The distance to the headquarters over it, in hexes.
    pub distance: u32,
    /// The chance with all modifiers, at least 0.
    pub chance: i32,
    pub die: u32,
}

impl Touch {
    /// Whether the unit is in communication.
    pub fn is_made(&self) -> bool {
        i64::from(self.die) <= i64::from(self.chance)
    }
}

/// Why a unit stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It came next to the enemy (ACW-52).
    Enemy,
    /// The way was blocked by friends.
    Friends,
    /// There is no way.
    NoWay,
    /// The army's headquarters does not enter enemy territory (ACW-43).
    Territory,
}

named! {
    /// How a brigade was lost.
    pub enum Lost {
        /// Its cohesion was gone.
        Broken = "broken",
        /// It was shattered, and failed its check.
        Routed = "routed",
        /// Its last men fell.
        Annihilated = "annihilated",
        /// The GM took it away.
        Removed = "removed" => "taken away by the GM",
    }
}

/// A shot, volley or charge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub struct Shot {
    pub attacker: BrigadeId,
    pub target: BrigadeId,
    /// Where they stood.
    pub from: Hex,
    pub at: Hex,
    pub act: Act,
    /// Whether it is the shot of its guns alone (ACW-6).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guns_alone: bool,
    /// The men of both before it.
    pub men: (u32, u32),
    /// What the fire value is made of, in the manual's order.
    pub fire: Vec<Part>,
    /// The fire value, rounded down (ACW-5).
    pub value: i32,
    /// What the vulnerability is made of.
    pub target_parts: Vec<Part>,
    pub vulnerability: i32,
    pub hits: u32,
    /// A random number for each hit, one of so many: 0 costs cohesion. Where it is one of one, each hit does, and none is thrown (ACW-2).
    pub faces: u32,
    pub dice: Vec<u32>,
    /// What the target lost.
    pub lost: u32,
    pub guns_lost: u32,
    pub cohesion_lost: i32,
    /// Whether it came through the sides that the target faces (ACW-14).
    pub frontal: bool,
}

/// A part of a value, in quarters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part(pub Factor, pub i32);

named! {
    /// What a value is made of.
    pub enum Factor {
        /// Strength points, the first eight whole, the next eight by halves, the rest by quarters; all of them in a charge.
        Strength = "strength",
        /// Battery strength points: of the guns.
        Batteries = "batteries",
        /// Experience above 4.
        Experience = "experience",
        /// Leadership above 4.
        Leadership = "leadership",
        /// Regiments above 4.
        Regiments = "regiments",
        /// The fire value of the small arms.
        SmallArms = "small_arms" => "small arms",
        /// Twice the melee value of the small arms, in an assault.
        Melee = "melee",
        /// The rate of fire of the guns.
        Rate = "rate" => "rate of fire",
        /// The effectiveness of the guns.
        Effectiveness = "effectiveness",
        /// The penetration of the guns.
        Penetration = "penetration",
        /// Hexes between, for guns.
        Distance = "distance",
        /// The cover where the firer stands.
        OwnCover = "own_cover" => "own cover",
        /// The cover where the target stands.
        Cover = "cover",
        /// The works where the target stands.
        Works = "works",
        /// A sum below 0 counts 0: the part is what lifts it.
        Least = "least" => "at least nothing",
        /// The sum is cut to what the state of the firer, or weather and light, allow: the part is what is cut off.
        Cap = "cap" => "limit",
        /// Firing at a distance: a quarter is left. The part is what is taken off.
        Far = "far" => "not adjacent",
        /// What low cohesion takes off.
        Worn = "worn" => "low cohesion",
        /// What bad weather or night takes off a charge.
        Weather = "weather",
        /// The army's commander leads.
        Heroic = "heroic" => "heroic commander",
        /// The army's commander is near.
        Bold = "bold" => "bold commander",
        /// Cohesion.
        Cohesion = "cohesion",
        /// Half of experience and leadership.
        Quality = "quality" => "experience and leadership",
        /// The type of brigade.
        Kind = "kind" => "type",
        /// Its size.
        Size = "size",
        /// Works of its own hex, in a check.
        OwnWorks = "own_works" => "own works",
        /// Fired at from the front alone.
        Front = "front" => "from the front",
        /// Friends near, less enemies near.
        Confidence = "confidence" => "friends less enemies near",
        /// The army's commander, in a check.
        Command = "command" => "the army's commander",
        /// Its order, in a check or in the order of fire.
        Order = "order",
        /// What happened near it in the last turn.
        Before = "before" => "the last turn",
        /// A random number.
        Chance = "chance" => "random",
    }
}

/// A cohesion check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "fields are named after what they hold")]
pub struct Check {
    pub brigade: BrigadeId,
    pub parts: Vec<Part>,
    pub total: i32,
    pub result: CheckResult,
}

/// What a cohesion check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    /// (a): a shattered brigade is eliminated, any other shatters and flees.
    Broken,
    /// (b): it shatters and flees.
    Shattered,
    /// (c): it retreats a hex or two.
    Retreats,
    /// (d): no effect.
    Holds,
}

impl CheckResult {
    /// The result of a sum; below 0 it is the first row's (ACW-10).
    pub const fn of(total: i32) -> Self {
        match total {
            ..=6 => Self::Broken,
            7..=10 => Self::Shattered,
            11..=15 => Self::Retreats,
            16.. => Self::Holds,
        }
    }
}

/// How the battle ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Who won; `None` for a draw (ACW-46).
    pub won: Option<Side>,
    /// Points for objectives, those at the end among them.
    pub objectives: [u32; 2],
    /// Points for the enemy's losses.
    pub casualties: [u32; 2],
    /// Men lost.
    pub lost: [u32; 2],
    /// Who resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Side>,
}

impl Outcome {
    /// The victory points of a side.
    pub const fn points(&self, side: Side) -> u32 {
        self.objectives[side.index()] + self.casualties[side.index()]
    }
}

/// A GM's change: each value takes the place of what was there. The bounds are those of `amend.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A brigade's men, from 1 to ten times its first ones.
    Men(BrigadeId, u32),
    /// A brigade's guns, from 0 to ten times its first ones.
    Guns(BrigadeId, u32),
    /// A brigade's cohesion, 1 to 7; at most 4 if it is shattered.
    Cohesion(BrigadeId, i32),
    /// Whether a brigade has shattered.
    Shattered(BrigadeId, bool),
    /// The value of the works that a brigade has dug where it stands, 0 to 3.
    Works(BrigadeId, u8),
    /// The leadership of whoever leads a brigade or a headquarters, 0 to 9.
    Leadership(UnitId, i32),
    /// The value of a headquarters' staff, 0 to 9.
    Staff(HqId, i32),
    /// Where a brigade or an army's headquarters stands. A brigade that was gone or awaited is on the map with it, controls the hex, and takes along the
    /// headquarters that stand with it.
    Place(UnitId, Hex),
    /// A brigade that was on the map or awaited is gone: taken away by the GM. Its men count as they are.
    Removed(BrigadeId),
    /// The side that controls a hex.
    Control(Hex, Side),
    /// The command that a corps' or division's headquarters carries out, begun already.
    Command(HqId, Command),
    /// Whether a unit is in communication with the headquarters over it, until the next throw. Not of an army's headquarters.
    Touch(UnitId, bool),
    /// All points that a side has had for objectives so far, 0 to 99,999; they are set, not added.
    Earned(Side, u32),
}
