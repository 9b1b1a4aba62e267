//! What a commander learns of events. Enemies have no names in it: nobody but `fog.rs` makes one.

use musterd_engine::hex::Hex;
use serde::Serialize;

use crate::event::{Change, CheckResult, Lost, Outcome, Part, Shot, Stop, Touch};
use crate::model::{BrigadeId, Fate, Formation, HqId, ObjectiveId, Profile, Side, UnitId};
use crate::order::{Act, Command, Goal, When};
use crate::view::FoeKind;

/// A unit as a commander knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A brigade of his side.
    Own(BrigadeId),
    /// A headquarters of his side.
    OwnHq(HqId),
    /// An enemy.
    Enemy(Enemy),
}

impl Who {
    /// The unit, if it is of his side.
    pub(crate) const fn own(self) -> Option<UnitId> {
        match self {
            Self::Own(id) => Some(UnitId::Brigade(id)),
            Self::OwnHq(id) => Some(UnitId::Hq(id)),
            Self::Enemy(_) => None,
        }
    }
}

/// An enemy as it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Enemy {
    /// What it is.
    pub kind: FoeKind,
    /// Where.
    pub at: Hex,
    /// How it stands.
    pub formation: Option<Formation>,
}

/// A shot as a commander sees it: the strength of both is known by the fight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeenShot {
    /// Who fired.
    pub attacker: Who,
    /// At whom.
    pub target: Who,
    /// The shot itself.
    pub shot: Figures,
}

/// The figures of a shot, as in [`Shot`]: all but who fired at whom, which a commander knows by looks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    #[serde(skip)]
    pub from: Hex,
    #[serde(skip)]
    pub at: Hex,
    pub act: Act,
    #[serde(skip)]
    pub guns_alone: bool,
    pub men: (u32, u32),
    #[serde(skip)]
    pub fire: Vec<Part>,
    pub value: i32,
    #[serde(skip)]
    pub target_parts: Vec<Part>,
    pub vulnerability: i32,
    pub hits: u32,
    pub dice: Vec<u32>,
    pub lost: u32,
    pub guns_lost: u32,
    pub cohesion_lost: i32,
}

impl Figures {
    /// The figures of a shot.
    pub(crate) fn of(shot: &Shot) -> Self {
        Self {
            from: shot.from,
            at: shot.at,
            act: shot.act,
            guns_alone: shot.guns_alone,
            men: shot.men,
            fire: shot.fire.clone(),
            value: shot.value,
            target_parts: shot.target_parts.clone(),
            vulnerability: shot.vulnerability,
            hits: shot.hits,
            dice: shot.dice.clone(),
            lost: shot.lost,
            guns_lost: shot.guns_lost,
            cohesion_lost: shot.cohesion_lost,
        }
    }
}

impl Sight {
    /// The units of his own that are known to have been there only by what they report. The end of a brigade is not among it: others tell of that.
    pub(crate) fn own(&self) -> Vec<UnitId> {
        match self {
            Self::Fired(shot) => [shot.attacker, shot.target].into_iter().filter_map(Who::own).collect(),
            Self::HqFired { by, hq, .. } => [by, hq].into_iter().filter_map(|who| who.own()).collect(),
            Self::Shattered { who } | Self::Retreated { who, .. } | Self::Moved { who, .. } => {
                who.own().into_iter().collect()
            }
            Self::Checked { brigade, .. }
            | Self::Startled { brigade, .. }
            | Self::Cornered { brigade, .. }
            | Self::Rallied { brigade, .. }
            | Self::Dug { brigade, .. }
            | Self::WorksLost { brigade } => vec![UnitId::Brigade(*brigade)],
            Self::Stopped { unit, .. } | Self::LeaderHit { unit, .. } => vec![*unit],
            Self::Obeyed { hq, .. }
            | Self::Heard { hq }
            | Self::Reached { hq, .. }
            | Self::Joined { hq, .. } => vec![UnitId::Hq(*hq)],
            // What others tell: pickets and fugitives, his own orders, the standing. A unit that arrives reports; whom a brigade was told to fight isn't
            // told of at all.
            Self::Founded
            | Self::Began { .. }
            | Self::Arrived { .. }
            | Self::OutOfTouch { .. }
            | Self::Bound { .. }
            | Self::Profiled { .. }
            | Self::Commanded { .. }
            | Self::Told { .. }
            | Self::Set { .. }
            | Self::Targeted { .. }
            | Self::Destroyed { .. }
            | Self::Controlled { .. }
            | Self::Found { .. }
            | Self::Sighted { .. }
            | Self::Scored { .. }
            | Self::Taken { .. }
            | Self::Resigned { .. }
            | Self::Ended { .. }
            | Self::Amended { .. } => Vec::new(),
        }
    }
}

/// What a commander learns of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named after the events, and fields after what they hold")]
pub enum Sight {
    Founded,
    Began {
        turn: u16,
    },
    Arrived {
        unit: UnitId,
        at: Hex,
    },
    /// Those of his units that are out of communication, of so many that were thrown for.
    OutOfTouch {
        checks: Vec<Touch>,
        all: usize,
    },
    Bound {
        hq: HqId,
        goal: Goal,
    },
    Profiled {
        profile: Profile,
        fallback: bool,
    },
    Commanded {
        hq: HqId,
        command: Command,
    },
    /// `die` is not told of a successor.
    Obeyed {
        hq: HqId,
        /// Whose leadership it was thrown against.
        by: HqId,
        command: Command,
        die: Option<u32>,
        begins: bool,
    },
    Heard {
        hq: HqId,
    },
    Reached {
        hq: HqId,
        objective: ObjectiveId,
    },
    Joined {
        hq: HqId,
        brigade: BrigadeId,
    },
    Told {
        brigade: BrigadeId,
        act: Act,
        when: Option<When>,
    },
    Set {
        brigade: BrigadeId,
        act: Act,
    },
    Targeted {
        brigade: BrigadeId,
        target: Who,
        astray: bool,
    },
    Startled {
        brigade: BrigadeId,
        die: Option<u32>,
        against: i32,
        surprised: bool,
    },
    Fired(Box<SeenShot>),
    /// Where the headquarters went is known of his own.
    HqFired {
        by: Who,
        hq: Who,
        to: Option<Hex>,
    },
    Checked {
        brigade: BrigadeId,
        parts: Vec<Part>,
        total: i32,
        result: CheckResult,
    },
    Shattered {
        who: Who,
    },
    Retreated {
        who: Who,
        from: Hex,
        to: Option<Hex>,
        flees: bool,
    },
    Cornered {
        brigade: BrigadeId,
        cohesion: i32,
    },
    Destroyed {
        who: Who,
        at: Hex,
        how: Lost,
    },
    /// The leadership of a headquarters' successor is not told.
    LeaderHit {
        unit: UnitId,
        fate: Fate,
        leadership: Option<i32>,
        second: bool,
    },
    Moved {
        who: Who,
        from: Hex,
        to: Hex,
    },
    Stopped {
        unit: UnitId,
        why: Stop,
    },
    Controlled {
        side: Side,
        hexes: Vec<Hex>,
    },
    /// An enemy that his pickets have met.
    Found {
        enemy: Who,
        pickets: bool,
    },
    /// Enemies that came into sight.
    Sighted {
        enemies: Vec<Who>,
    },
    Rallied {
        brigade: BrigadeId,
        die: u32,
        most: i32,
        recovers: bool,
    },
    Dug {
        brigade: BrigadeId,
        works: u8,
    },
    WorksLost {
        brigade: BrigadeId,
    },
    Scored {
        objective: ObjectiveId,
        side: Side,
        points: u32,
    },
    Taken {
        objective: ObjectiveId,
        side: Side,
    },
    Resigned {
        side: Side,
    },
    Ended {
        outcome: Outcome,
    },
    Amended {
        change: Change,
    },
}
