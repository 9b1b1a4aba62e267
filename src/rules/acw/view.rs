//! What a commander knows of the battle: made by `fog.rs` and by nobody else.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use serde::Serialize;

use crate::data::Acw;
use crate::event::Outcome;
use crate::law::Refusal;
use crate::model::{Arm, BrigadeId, Echelon, Formation, HqId, Side, UnitId};
use crate::order::{Act, When};
use crate::state::{Brigade, Chief, Holding, Hq, Phase, Struck};

/// What a commander knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// The commander's seat.
    pub seat: Seat,
    /// His side; `None` for a seat that has none.
    pub side: Option<Side>,
    /// His headquarters; `None` for a seat that has none.
    pub hq: Option<HqId>,
    /// What is waited for.
    pub phase: Phase,
    /// The turn that orders are for.
    pub turn: u16,
    /// The last turn of the mail turn that orders are for: a block of hours, and all no-move turns that follow it.
    pub until: u16,
    /// The brigades of his side by their numbers, as he knows them.
    pub brigades: Vec<Brigade>,
    /// Whether he hears of his army by despatches (ACW-86): until the battle is over.
    pub hears: bool,
    /// With despatches: the turn at whose beginning he last heard of each unit, where that is not now; 0 if he knows of it what was before the battle.
    pub heard: BTreeMap<UnitId, u16>,
    /// The headquarters of his side by their numbers, as he knows them. The leadership of a successor is 4 here, whatever it is (Menu 7).
    pub hqs: Vec<Hq>,
    /// His army's commander.
    pub chief: Option<Chief>,
    /// The units that he can order now.
    pub orderable: BTreeSet<UnitId>,
    /// Why he can't order his other units.
    #[serde(skip)]
    pub refused: BTreeMap<UnitId, Refusal>,
    /// The headquarters whose formations his army commands directly now (Menu 5).
    pub direct: Option<HqId>,
    /// The enemies that he sees or remembers, by hex.
    pub foes: Vec<Foe>,
    /// What fire at an enemy brigade in the last hour told of it, by the hex in which it stood: who stands there now is taken for it (ACW-84). Nothing with
    /// despatches.
    #[serde(skip)]
    pub struck: BTreeMap<Hex, Struck>,
    /// Who controls each hex, row by row: pickets show it to all.
    pub control: Vec<Side>,
    /// The objectives.
    pub holdings: Vec<Holding>,
    /// Points for objectives and for casualties if the battle ended now, those at the end among them. With despatches none for casualties, and the men lost
    /// of his own alone, as they were reported (ACW-86).
    pub now: Outcome,
    /// Points of both sides at the end of each turn, for objectives.
    pub course: Vec<Standings>,
    /// What his units were left for later hours of the block.
    pub ifs: BTreeMap<BrigadeId, Vec<(When, Act)>>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// The standing at the end of a turn, as everybody knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standings {
    /// The turn.
    pub turn: u16,
    /// Points for objectives so far.
    pub earned: [u32; 2],
    /// Men that his own side had lost; nobody sums them up from despatches.
    pub lost: Option<u32>,
    /// Who held each objective.
    pub holders: Vec<Side>,
}

/// An enemy unit as it looks: who it is isn't seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Foe {
    /// Where.
    pub at: Hex,
    /// What.
    pub kind: FoeKind,
    /// How it stands.
    pub formation: Option<Formation>,
    /// Whether it looks shaken.
    pub shaken: bool,
    /// How it is known.
    pub seen: Seen,
}

impl Foe {
    /// Whether it is in sight, or was met by pickets: else it is remembered.
    pub const fn is_seen(&self) -> bool {
        !matches!(self.seen, Seen::Remembered(_))
    }
}

/// What an enemy unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FoeKind {
    /// A brigade of this type.
    Brigade(Arm),
    /// A headquarters.
    Hq(Echelon),
}

/// How an enemy is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// It is in sight.
    Sighted,
    /// Pickets have met it.
    Picketed,
    /// It is out of sight: seen last in this turn.
    Remembered(u16),
}

impl View {
    /// One of his brigades, by number.
    ///
    /// # Panics
    /// It is an enemy's, or there is none of this number.
    pub fn brigade(&self, id: BrigadeId) -> &Brigade {
        assert_eq!(Some(id.side), self.side, "{id} is not of this side");
        &self.brigades[id.place()]
    }

    /// One of his headquarters, by number.
    ///
    /// # Panics
    /// It is an enemy's, or there is none of this number.
    pub fn hq(&self, id: HqId) -> &Hq {
        assert_eq!(Some(id.side), self.side, "{id} is not of this side");
        &self.hqs[id.place()]
    }

    /// His brigades with their ids; none for a seat without a side.
    pub fn own_brigades(&self) -> impl Iterator<Item = (BrigadeId, &Brigade)> {
        let id = |number: u8| self.side.map(|side| BrigadeId::new(side, number));
        (1..).zip(&self.brigades).filter_map(move |(number, brigade)| Some((id(number)?, brigade)))
    }

    /// His headquarters with their ids; none for a seat without a side.
    pub fn own_hqs(&self) -> impl Iterator<Item = (HqId, &Hq)> {
        let id = |number: u8| self.side.map(|side| HqId::new(side, number));
        (1..).zip(&self.hqs).filter_map(move |(number, hq)| Some((id(number)?, hq)))
    }

    /// The enemies in sight or met by pickets.
    pub fn foes_seen(&self) -> impl Iterator<Item = &Foe> {
        self.foes.iter().filter(|foe| foe.is_seen())
    }

    /// Whether he can order a brigade now.
    pub fn can_order(&self, id: BrigadeId) -> bool {
        self.orderable.contains(&UnitId::Brigade(id))
    }

    /// Whether he can command a headquarters now.
    pub fn can_command(&self, id: HqId) -> bool {
        self.orderable.contains(&UnitId::Hq(id))
    }

    /// Whether orders are given now by this seat.
    pub fn orders_now(&self) -> bool {
        self.phase == Phase::Battle && self.side.is_some()
    }

    /// Who controls a hex.
    ///
    /// # Panics
    /// The hex is off the map.
    pub fn controller(&self, rules: &Acw, hex: Hex) -> Side {
        self.control[rules.battle().map.place(hex)]
    }
}
