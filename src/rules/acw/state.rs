//! The position, with everything hidden, and how events change it.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::hex::{Direction, Hex};
use serde::Serialize;

use crate::battle::{Battle, Start};
use crate::board::Board;
use crate::data::Acw;
use crate::event::{Change, Lost, Outcome};
use crate::model::{
    Arm, BrigadeId, Echelon, Fate, Formation, HqId, ObjectiveId, Profile, Side, UnitId, strength,
};
use crate::order::{Act, Command, Goal, When};

/// The position.
#[derive(Clone)]
pub struct State {
    /// What is waited for.
    pub(crate) phase: Phase,
    /// The turn that orders are for, or that runs: from 1; 0 before the founding.
    pub(crate) turn: u16,
    /// The brigades of both sides by their numbers.
    pub(crate) brigades: [Vec<Brigade>; 2],
    /// Where they stand.
    pub(crate) board: Board,
    /// The headquarters of both sides by their numbers.
    pub(crate) hqs: [Vec<Hq>; 2],
    /// The two army commanders.
    pub(crate) chiefs: [Chief; 2],
    /// Who controls each hex, row by row.
    pub(crate) control: Vec<Side>,
    /// The objectives.
    pub(crate) holdings: Vec<Holding>,
    /// Points for objectives so far.
    pub(crate) earned: [u32; 2],
    /// Retreats and losses of this turn and the two before: they count in cohesion checks.
    pub(crate) deeds: Vec<Deed>,
    /// What each side sees of the enemy, and has seen.
    pub(crate) eyes: [Eyes; 2],
    /// Orders for later hours of a block.
    pub(crate) ifs: BTreeMap<BrigadeId, Vec<(When, Act)>>,
    /// The sides that want a block to end on contact.
    pub(crate) stops: [bool; 2],
    /// The side that resigned.
    pub(crate) resigned: Option<Side>,
    /// The course of the battle: the standing at the end of each turn.
    pub(crate) course: Vec<Standing>,
    /// How it ended.
    pub(crate) outcome: Option<Outcome>,
}

/// What the game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The founding.
    Unfounded,
    /// Orders.
    Battle,
    /// Nothing.
    Over,
}

/// A brigade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state by itself")]
pub struct Brigade {
    /// Where it stands; `None` off the map.
    pub at: Option<Hex>,
    /// What became of it.
    pub presence: Presence,
    /// Its men.
    pub men: u32,
    /// Its guns.
    pub guns: u32,
    /// Its cohesion, 0 to 7.
    pub cohesion: i32,
    /// Whether it has shattered.
    pub shattered: bool,
    /// Where it faces.
    pub facing: Direction,
    /// How it stands.
    pub formation: Formation,
    /// Its order.
    pub act: Act,
    /// Whether a player gave it that order for this turn; else its commanders chose it.
    pub told: bool,
    /// Its own objective, if it is under a corps or an army and has one.
    pub objective: Option<ObjectiveId>,
    /// Whether it is in communication with the headquarters over it.
    pub in_touch: bool,
    /// The works that it has dug: 0 to 3.
    pub works: u8,
    /// Whether it is surprised in its camp.
    pub encamped: bool,
    /// Whether it moved in the last turn, retreats included.
    pub moved: bool,
    /// Whether it has moved in this turn.
    #[serde(skip)]
    pub(crate) moves: bool,
    /// Whether it has fired in this turn.
    pub fired: bool,
    /// Its order in the last turn.
    #[serde(skip)]
    pub(crate) was: Act,
    /// Whether it has passed the point that defines its line of march (Menu 8).
    #[serde(skip)]
    pub(crate) passed: bool,
    /// Whether it was engaged in the last turn.
    #[serde(skip)]
    pub(crate) was_engaged: bool,
    /// The enemy that it is to fight, whether it is engaged with him or has him in range alone.
    pub target: Option<Target>,
    /// Whether it is surprised this turn (ACW-20).
    pub surprised: bool,
    /// Whether an enemy has it for a target.
    pub targeted: bool,
    /// Its commander's leadership.
    pub leadership: i32,
    /// What became of its first commander; a deputy leads since (ACW-37).
    pub leader: Option<Fate>,
    /// What it reported last: for commanders who hear by despatches.
    #[serde(skip)]
    pub(crate) despatch: Option<Box<Despatch<Self>>>,
}

/// A brigade's opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Target {
    /// Who.
    #[serde(skip)]
    pub unit: UnitId,
    /// Where it stands.
    pub at: Hex,
    /// How far that is.
    pub distance: u32,
    /// Whether the brigade is engaged with him, and has the menu of engaged orders (Menu 9). Guns have targets at a distance without that.
    pub engaged: bool,
}

/// What a unit reported last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Despatch<T> {
    /// The turn at whose beginning it was true; 0 for the position before the battle.
    pub turn: u16,
    /// The unit then.
    pub unit: T,
}

/// What became of a brigade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It is yet to come.
    Awaited,
    /// It is on the map.
    Fielded,
    /// It is gone, so.
    Gone(Lost),
}

/// A headquarters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state by itself")]
pub struct Hq {
    /// Where it stands; `None` off the map.
    pub at: Option<Hex>,
    /// The brigade that it stands with; an army's has none.
    pub with: Option<BrigadeId>,
    /// What it does.
    pub command: Command,
    /// A command that it was given and has not begun (ACW-39).
    pub pending: Option<Command>,
    /// Whether it has thrown in this turn whether it begins a command: it throws once (ACW-39).
    #[serde(skip)]
    pub(crate) tried: bool,
    /// Whether it has passed the point that defines its line of march.
    pub passed: bool,
    /// Whether it has come to its objective.
    pub arrived: bool,
    /// The enemy that it marches against, whom it saw or heard: to the sound of the guns (ACW-39).
    #[serde(skip)]
    pub(crate) guns: Option<Hex>,
    /// Whether it is in communication with the headquarters over it.
    pub in_touch: bool,
    /// Where a seat's own headquarters is to go.
    pub goal: Goal,
    /// Whether it moved in the last turn.
    pub moved: bool,
    /// Whether it has moved in this turn.
    #[serde(skip)]
    pub(crate) moves: bool,
    /// Its commander's leadership.
    pub leadership: i32,
    /// The value of its staff.
    pub staff: i32,
    /// What became of its first commander: a successor leads since, whose ratings his own side doesn't know (ACW-37).
    pub leader: Option<Fate>,
    /// What it reported last: for commanders who hear by despatches.
    #[serde(skip)]
    pub(crate) despatch: Option<Box<Despatch<Self>>>,
}

/// An army commander.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Chief {
    /// How he leads.
    pub profile: Profile,
    /// What became of the second in command, who succeeded him and was lost too.
    pub second: Option<Fate>,
}

/// An objective's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Holding {
    /// Who holds it.
    pub holder: Side,
    /// Active turns at whose end each side held it.
    pub turns: [u16; 2],
}

/// What happened to a brigade, and where: it weighs on those near it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Deed {
    /// The turn.
    pub turn: u16,
    /// Which brigade.
    pub brigade: BrigadeId,
    /// Where it stood.
    pub at: Hex,
    /// What happened.
    pub kind: DeedKind,
}

/// What happened to a brigade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeedKind {
    /// It retreated.
    Retreated,
    /// It shattered.
    Shattered,
    /// It is gone.
    Destroyed,
}

/// What a side sees of the enemy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Eyes {
    /// The units that were sighted at the end of the last turn.
    pub sighted: BTreeSet<UnitId>,
    /// The units that pickets have met this turn, or that were sighted a turn ago.
    pub picketed: BTreeSet<UnitId>,
    /// Units that are out of sight, where and as they were seen last.
    pub memory: BTreeMap<UnitId, Memory>,
    /// What shots of this turn and the last told of their targets, by the targets' hexes (ACW-84).
    pub struck: BTreeMap<Hex, Struck>,
}

/// An enemy as it was seen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Memory {
    /// The turn in which.
    pub turn: u16,
    /// Where.
    pub at: Hex,
    /// How it stood; none of a headquarters.
    pub formation: Option<Formation>,
    /// Whether it looked shaken.
    pub shaken: bool,
}

/// An enemy brigade after the last shot at it, as the report of the shot tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Struck {
    /// The turn of the shot.
    pub turn: u16,
    /// Its type.
    pub arm: Arm,
    /// Its men after the shot.
    pub men: u32,
    /// Its cohesion after the shot.
    pub cohesion: i32,
    /// Half of its experience and leadership together, rounded down.
    pub quality: i32,
}

/// The standing at the end of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Standing {
    /// The turn.
    pub turn: u16,
    /// Points for objectives so far.
    pub earned: [u32; 2],
    /// Men lost so far.
    pub lost: [u32; 2],
    /// Who holds each objective.
    pub holders: Vec<Side>,
}

impl Eyes {
    /// Whether a unit is seen now.
    pub(crate) fn sees(&self, unit: UnitId) -> bool {
        self.sighted.contains(&unit) || self.picketed.contains(&unit)
    }
}

impl Brigade {
    /// Whether it is on the map.
    pub fn is_fielded(&self) -> bool {
        self.presence == Presence::Fielded
    }

    /// The enemy that it is engaged with.
    pub fn engaged(&self) -> Option<Target> {
        self.target.filter(|target| target.engaged)
    }

    /// Its strength points: a hundred men each, half up, at least 1 (ACW-50).
    pub fn strength(&self) -> i32 {
        strength(self.men)
    }

    /// What it is worth in a fight as commanders judge it, in tenths of a strength point: its men and guns, as far as its cohesion leaves them (ACW-39).
    pub(crate) fn power(&self) -> i64 {
        let tenths = match self.cohesion {
            6.. => 10,
            4 | 5 => 7,
            2 | 3 => 4,
            _ => 1,
        };
        (i64::from(self.strength()) + i64::from(self.guns / 2)) * tenths
    }
}

impl State {
    /// The position before the founding: nobody is on the map yet.
    pub(crate) fn at_start(rules: &Acw) -> Self {
        let battle = rules.battle();
        let brigade = |side: Side| {
            let toward = toward_enemy(battle, side);
            battle
                .army(side)
                .brigades
                .iter()
                .map(|spec| Brigade {
                    at: None,
                    presence: Presence::Awaited,
                    men: spec.men,
                    guns: spec.guns.as_ref().map_or(0, |(guns, _)| *guns),
                    cohesion: spec.cohesion,
                    shattered: spec.shattered,
                    facing: spec.facing.unwrap_or(toward),
                    formation: if spec.column { Formation::Column } else { Formation::Line },
                    act: Act::Stand,
                    told: false,
                    objective: spec.objective,
                    in_touch: false,
                    works: spec.works,
                    encamped: spec.encamped,
                    moved: false,
                    moves: false,
                    fired: false,
                    was: Act::Stand,
                    passed: false,
                    was_engaged: false,
                    target: None,
                    surprised: false,
                    targeted: false,
                    leadership: spec.leadership,
                    leader: None,
                    despatch: None,
                })
                .collect()
        };
        let hqs = |side: Side| {
            let hq = |spec: &crate::battle::HqSpec| Hq {
                at: None,
                with: None,
                command: spec.command,
                pending: None,
                tried: false,
                passed: false,
                arrived: false,
                guns: None,
                in_touch: spec.echelon == Echelon::Army,
                goal: Goal::Stand,
                moved: false,
                moves: false,
                leadership: spec.leadership,
                staff: spec.staff,
                leader: None,
                despatch: None,
            };
            battle.army(side).hqs.iter().map(hq).collect()
        };
        let holding =
            |objective: &crate::battle::Objective| Holding { holder: objective.held, turns: [0, 0] };
        let chief = Chief { profile: Profile::Sensible, second: None };
        Self {
            phase: Phase::Unfounded,
            turn: 0,
            brigades: Side::ALL.map(brigade),
            board: Board::of(&battle.map),
            hqs: Side::ALL.map(hqs),
            chiefs: [chief; 2],
            control: first_control(battle),
            holdings: battle.objectives.iter().map(holding).collect(),
            earned: [0, 0],
            deeds: Vec::new(),
            eyes: [Eyes::default(), Eyes::default()],
            ifs: BTreeMap::new(),
            stops: [false, false],
            resigned: None,
            course: Vec::new(),
            outcome: None,
        }
    }

    /// A brigade.
    pub(crate) fn brigade(&self, id: BrigadeId) -> &Brigade {
        &self.brigades[id.side.index()][id.place()]
    }

    pub(crate) fn brigade_mut(&mut self, id: BrigadeId) -> &mut Brigade {
        &mut self.brigades[id.side.index()][id.place()]
    }

    /// A headquarters.
    pub(crate) fn hq(&self, id: HqId) -> &Hq {
        &self.hqs[id.side.index()][id.place()]
    }

    pub(crate) fn hq_mut(&mut self, id: HqId) -> &mut Hq {
        &mut self.hqs[id.side.index()][id.place()]
    }

    /// The brigades of a side with their ids.
    pub(crate) fn brigades_of(&self, side: Side) -> impl Iterator<Item = (BrigadeId, &Brigade)> {
        (1..).map(move |number| BrigadeId::new(side, number)).zip(&self.brigades[side.index()])
    }

    /// The brigades of a side that are on the map, with their hexes.
    pub(crate) fn fielded(&self, side: Side) -> impl Iterator<Item = (BrigadeId, &Brigade, Hex)> {
        self.brigades_of(side).filter_map(|(id, brigade)| Some((id, brigade, brigade.at?)))
    }

    /// The headquarters of a side with their ids.
    pub(crate) fn hqs_of(&self, side: Side) -> impl Iterator<Item = (HqId, &Hq)> {
        (1..).map(move |number| HqId::new(side, number)).zip(&self.hqs[side.index()])
    }

    /// The brigade in a hex.
    pub(crate) fn brigade_at(&self, hex: Hex) -> Option<BrigadeId> {
        self.board.at(hex)
    }

    /// Whether a brigade of a side stands next to a hex.
    pub(crate) fn is_beside(&self, side: Side, hex: Hex) -> bool {
        hex.around().any(|near| self.board.at(near).is_some_and(|id| id.side == side))
    }

    /// A brigade stands there now, and the headquarters that are with it.
    pub(crate) fn put(&mut self, id: BrigadeId, to: Option<Hex>) {
        let from = std::mem::replace(&mut self.brigade_mut(id).at, to);
        if let Some(from) = from {
            self.board.lift(from, id);
        }
        if let Some(to) = to {
            self.board.put(to, id);
        }
        for hq in self.hqs[id.side.index()].iter_mut().filter(|hq| hq.with == Some(id)) {
            hq.at = to;
        }
    }

    /// A headquarters does this from now on, and its troops march anew.
    pub(crate) fn command(&mut self, battle: &Battle, id: HqId, command: Command) {
        let hq = self.hq_mut(id);
        (hq.command, hq.pending, hq.passed, hq.arrived, hq.guns) = (command, None, false, false, None);
        for spec in battle.brigades_under(id) {
            self.brigade_mut(spec.id).passed = false;
        }
    }

    /// Parts a unit from all whom it was to fight and who were to fight it: they have no opponent any more, and stand if their order was for a fight.
    pub(crate) fn part(&mut self, unit: UnitId) {
        let all = Side::ALL.into_iter().flat_map(|side| self.brigades_of(side));
        let parted: Vec<BrigadeId> = all
            .filter(|(id, one)| {
                one.target.is_some_and(|target| target.unit == unit || UnitId::Brigade(*id) == unit)
            })
            .map(|(id, _)| id)
            .collect();
        for id in parted {
            let one = self.brigade_mut(id);
            one.target = None;
            if one.act.is_engaged() {
                one.act = Act::Stand;
            }
        }
        for side in Side::ALL {
            let aimed: BTreeSet<UnitId> =
                self.fielded(side.other()).filter_map(|(_, one, _)| Some(one.target?.unit)).collect();
            let own = (1..).map(|number| UnitId::Brigade(BrigadeId::new(side, number)));
            for (unit, one) in own.zip(&mut self.brigades[side.index()]) {
                one.targeted &= aimed.contains(&unit);
            }
        }
    }

    /// Where a unit stands.
    pub(crate) fn at(&self, unit: UnitId) -> Option<Hex> {
        match unit {
            UnitId::Brigade(id) => self.brigade(id).at,
            UnitId::Hq(id) => self.hq(id).at,
        }
    }

    /// Whether a unit is in communication with the headquarters over it.
    pub(crate) fn in_touch(&self, unit: UnitId) -> bool {
        match unit {
            UnitId::Brigade(id) => self.brigade(id).in_touch,
            UnitId::Hq(id) => self.hq(id).in_touch,
        }
    }

    /// Men that a side has lost, those of brigades that are gone among them.
    pub(crate) fn lost(&self, battle: &Battle, side: Side) -> u32 {
        let specs = battle.army(side).brigades.iter();
        specs
            .zip(&self.brigades[side.index()])
            .map(|(spec, brigade)| spec.men.saturating_sub(brigade.men))
            .sum()
    }

    /// What the losses of a side are worth to its enemy: 1 for a hundred men, 10 for a brigade, 25 for a general (ACW-31).
    pub(crate) fn casualty_points(&self, battle: &Battle, side: Side) -> u32 {
        #[expect(clippy::expect_used, reason = "an army has so few units")]
        let count = |n: usize| u32::try_from(n).expect("a number of units");
        let brigades = &self.brigades[side.index()];
        let gone = brigades.iter().filter(|one| matches!(one.presence, Presence::Gone(_))).count();
        let fallen = brigades.iter().filter(|one| one.leader.is_some()).count()
            + self.hqs[side.index()].iter().filter(|one| one.leader.is_some()).count()
            + usize::from(self.chiefs[side.index()].second.is_some());
        self.lost(battle, side) / 100 + 10 * count(gone) + 25 * count(fallen)
    }

    /// How the battle would end now: the points for objectives at the end among them (ACW-24, ACW-46, ACW-59).
    pub(crate) fn reckoned(&self, battle: &Battle) -> Outcome {
        self.standing(battle, Side::ALL.map(|side| self.casualty_points(battle, side.other())))
    }

    /// The same with these points for casualties.
    pub(crate) fn standing(&self, battle: &Battle, casualties: [u32; 2]) -> Outcome {
        let at_end = |side: Side| -> u32 {
            let held =
                battle.objectives.iter().zip(&self.holdings).filter(|(_, holding)| holding.holder == side);
            held.map(|(objective, _)| objective.worth[side.index()].end).sum()
        };
        let objectives = Side::ALL.map(|side| self.earned[side.index()] + at_end(side));
        let [a, b] = Side::ALL.map(|side| objectives[side.index()] + casualties[side.index()]);
        // Less than a fifth of the larger sum apart is a draw.
        let is_decided = a.abs_diff(b) * 5 >= a.max(b) && a != b;
        let ahead = if a > b { Side::A } else { Side::B };
        let won = match self.resigned {
            Some(side) => Some(side.other()),
            None => is_decided.then_some(ahead),
        };
        let lost = Side::ALL.map(|side| self.lost(battle, side));
        Outcome { won, objectives, casualties, lost, resigned: self.resigned }
    }

    /// Puts the headquarters that stand with brigades where these are. One whose brigade is gone stands with the nearest of its own that is on the map.
    pub(crate) fn settle_hqs(&mut self, battle: &Battle) {
        for side in Side::ALL {
            for spec in battle.army(side).hqs.iter().rev().filter(|spec| spec.echelon != Echelon::Army) {
                let id = spec.id;
                let stands = self.hq(id).with.filter(|with| self.brigade(*with).is_fielded());
                let before = self.hq(id).at;
                let own = battle.all_under(id).filter_map(|own| Some((own.id, self.brigade(own.id).at?)));
                let near = |at: Hex| before.map_or(0, |before| before.distance(at));
                let with =
                    stands.or_else(|| own.min_by_key(|(own, at)| (near(*at), *own)).map(|(own, _)| own));
                let at = with.and_then(|with| self.brigade(with).at);
                let hq = self.hq_mut(id);
                (hq.with, hq.at) = (with, at);
            }
        }
    }
}

/// Where a side's units look at the start: away from the edge behind it.
fn toward_enemy(battle: &Battle, side: Side) -> Direction {
    use crate::model::Edge;
    match battle.army(side).rear {
        Edge::North => Direction::SouthEast,
        Edge::South => Direction::NorthWest,
        Edge::East => Direction::West,
        Edge::West => Direction::East,
    }
}

/// Who controls each hex at the start: whom the scenario names, else the side whose unit is nearest.
fn first_control(battle: &Battle) -> Vec<Side> {
    let map = &battle.map;
    let mut control: Vec<Option<Side>> = vec![None; usize::from(map.columns) * usize::from(map.rows)];
    for side in Side::ALL {
        for hex in &battle.army(side).ground {
            control[map.place(*hex)] = Some(side);
        }
    }
    let starts = |side: Side| -> Vec<Hex> {
        let at_start = |start: &Start| (start.turn == 0).then_some(start.at);
        battle.army(side).brigades.iter().filter_map(|spec| at_start(&spec.start)).collect()
    };
    let [a, b] = Side::ALL.map(starts);
    let near = |units: &[Hex], hex: Hex| units.iter().map(|at| at.distance(hex)).min().unwrap_or(u32::MAX);
    let nearest = |hex: Hex| if near(&b, hex) < near(&a, hex) { Side::B } else { Side::A };
    let mut control: Vec<Side> =
        map.hexes().zip(control).map(|(hex, side)| side.unwrap_or_else(|| nearest(hex))).collect();
    for (side, units) in [(Side::A, &a), (Side::B, &b)] {
        units.iter().for_each(|hex| control[map.place(*hex)] = side);
    }
    for objective in &battle.objectives {
        let hex = objective.hex;
        if !a.contains(&hex) && !b.contains(&hex) {
            control[map.place(hex)] = objective.held;
        }
    }
    control
}

/// Applies a GM's change.
pub(crate) fn amend(state: &mut State, battle: &Battle, change: &Change) {
    match change {
        Change::Men(id, men) => state.brigade_mut(*id).men = *men,
        Change::Guns(id, guns) => state.brigade_mut(*id).guns = *guns,
        Change::Cohesion(id, cohesion) => state.brigade_mut(*id).cohesion = *cohesion,
        Change::Shattered(id, shattered) => state.brigade_mut(*id).shattered = *shattered,
        Change::Works(id, works) => state.brigade_mut(*id).works = *works,
        Change::Leadership(unit, leadership) => match unit {
            UnitId::Brigade(id) => state.brigade_mut(*id).leadership = *leadership,
            UnitId::Hq(id) => state.hq_mut(*id).leadership = *leadership,
        },
        Change::Staff(id, staff) => state.hq_mut(*id).staff = *staff,
        Change::Place(UnitId::Brigade(id), at) => {
            state.put(*id, Some(*at));
            state.brigade_mut(*id).presence = Presence::Fielded;
            state.control[battle.map.place(*at)] = id.side;
            state.settle_hqs(battle);
            state.part(UnitId::Brigade(*id));
        }
        Change::Place(UnitId::Hq(id), at) => {
            state.hq_mut(*id).at = Some(*at);
            state.part(UnitId::Hq(*id));
        }
        Change::Removed(id) => {
            state.put(*id, None);
            let brigade = state.brigade_mut(*id);
            brigade.presence = Presence::Gone(Lost::Removed);
            state.settle_hqs(battle);
            state.part(UnitId::Brigade(*id));
        }
        Change::Control(hex, side) => state.control[battle.map.place(*hex)] = *side,
        Change::Command(id, command) => state.command(battle, *id, *command),
        Change::Touch(unit, in_touch) => match unit {
            UnitId::Brigade(id) => state.brigade_mut(*id).in_touch = *in_touch,
            UnitId::Hq(id) => state.hq_mut(*id).in_touch = *in_touch,
        },
        Change::Earned(side, points) => state.earned[side.index()] = *points,
    }
}
