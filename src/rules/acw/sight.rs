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
    /// The shot itself. Its ids mean nothing.
    #[serde(serialize_with = "figures")]
    pub shot: Shot,
}

/// The figures of a shot, without its ids.
fn figures<S: serde::Serializer>(shot: &Shot, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Figures<'a> {
        act: Act,
        men: (u32, u32),
        value: i32,
        vulnerability: i32,
        hits: u32,
        dice: &'a [u32],
        lost: u32,
        guns_lost: u32,
        cohesion_lost: i32,
    }
    let Shot { act, men, value, vulnerability, hits, dice, lost, guns_lost, cohesion_lost, .. } = shot;
    Figures {
        act: *act,
        men: *men,
        value: *value,
        vulnerability: *vulnerability,
        hits: *hits,
        dice,
        lost: *lost,
        guns_lost: *guns_lost,
        cohesion_lost: *cohesion_lost,
    }
    .serialize(to)
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
            _ => Vec::new(),
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
