//! What may be ordered, and who may order it: one law for receipts, forms, phases and computer players.

use musterd_engine::hex::Hex;

use crate::battle::{Battle, HexSide};
use crate::data::Acw;
use crate::model::{Arm, BrigadeId, Echelon, HqId, Profile, Side, UnitId, Water};
use crate::order::{Act, Command, Goal};
use crate::state::{Brigade, Holding, Hq, Memory, Presence, State};

/// Why an order can't be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "named after what they say")]
pub enum Refusal {
    #[error("it is not on the map")]
    OffMap,
    #[error("it is gone")]
    Gone,
    #[error("it is out of communication this turn")]
    OutOfTouch,
    #[error("another commander leads it")]
    NotYours,
    #[error("it is under {0}, which orders it")]
    Subordinate(String),
    #[error("it is under {0}, whose formations you don't command yourself")]
    SubordinateHq(String),
    #[error("it is engaged with an enemy")]
    Engaged,
    #[error("it is not engaged with an enemy")]
    NotEngaged,
    #[error("it is surprised, and can't be ordered this turn")]
    Surprised,
    #[error("its opponent is not in a neighbouring hex")]
    TooFar,
    #[error("a river lies between it and its opponent")]
    River,
    #[error("its opponent is next to it, with too little cover for skirmishers")]
    NoCover,
    #[error("its opponent is next to it already")]
    Near,
    #[error("its cohesion is {0}, and reserve is for brigades below {1}")]
    Fresh(i32, i32),
    #[error("its headquarters stands with it")]
    WithHq,
    #[error("it belongs to a division, and marches to that division's objective")]
    OfDivision,
    #[error("it belongs to no division, and has no objective of its own")]
    Independent,
    #[error("the map ends there")]
    OffEdge,
    #[error("it can't enter that ground")]
    Impassable,
    #[error("the enemy controls it")]
    EnemyGround,
    #[error("no brigade of yours that is under attack is within four hexes of you")]
    NobodyTargeted,
    #[error("the army's first commander has fallen, and nobody leads so after him")]
    ChiefLost,
    #[error("that headquarters leads no corps")]
    NoCorps,
    #[error("corps headquarters are not used in this game")]
    NoCorpsUsed,
    #[error("that is for the army's commander")]
    NoArmy,
    #[error("an army's headquarters is given no command")]
    ArmyHq,
}

/// How many hexes from a commander's headquarters brigades can be ordered, whoever leads them (Menu 5).
pub(crate) const PERSONAL: u32 = 4;
/// The cohesion at which a brigade looks shaken, and below (ACW-13).
pub(crate) const SHAKEN: i32 = 3;

/// Whether a brigade is shaken: not in works (ACW-13).
pub(crate) fn is_shaken(battle: &Battle, brigade: &Brigade) -> bool {
    brigade.cohesion <= SHAKEN && works(battle, brigade) == 0
}

/// How a unit looks to the enemy now; `None` off the map.
pub(crate) fn looks(battle: &Battle, state: &State, unit: UnitId) -> Option<Memory> {
    let (turn, at) = (state.turn, state.at(unit)?);
    Some(match unit {
        UnitId::Brigade(id) => {
            let brigade = state.brigade(id);
            Memory { turn, at, formation: Some(brigade.formation), shaken: is_shaken(battle, brigade) }
        }
        UnitId::Hq(_) => Memory { turn, at, formation: None, shaken: false },
    })
}

/// The value of the works that a brigade stands in: what stands there, or what it dug; nothing for a shattered one as far as it was dug (ACW-41).
pub(crate) fn works(battle: &Battle, brigade: &Brigade) -> u8 {
    let fort = brigade.at.and_then(|at| battle.map.forts.get(&at)).copied().unwrap_or(0);
    let dug = if brigade.shattered { 0 } else { brigade.works };
    fort.max(dug)
}

/// Whether an order can be given to an engaged brigade: what the menu of engaged orders offers (Menu 10).
///
/// # Errors
/// Why it can't.
pub fn engaged(rules: &Acw, brigade: &Brigade, act: Act) -> Result<(), Refusal> {
    let Some(target) = brigade.engaged() else { return Err(Refusal::NotEngaged) };
    if brigade.surprised {
        return Err(Refusal::Surprised);
    }
    let Some(at) = brigade.at else { return Err(Refusal::OffMap) };
    let map = &rules.battle().map;
    let near = target.distance <= 1;
    let side: HexSide = map.between(at, target.at);
    match act {
        Act::Assault if !near => Err(Refusal::TooFar),
        Act::Assault if side.water == Some(Water::River) && side.crossing.is_none() => Err(Refusal::River),
        Act::Skirmish if near && works(rules.battle(), brigade) == 0 && !side.is_barrier() => {
            let cover = |hex: Hex| rules.numbers().terrain(map.ground(hex)).cover;
            if cover(at) + cover(target.at) < 4 { Err(Refusal::NoCover) } else { Ok(()) }
        }
        Act::Advance if near && !side.is_barrier() => Err(Refusal::Near),
        Act::Assault | Act::Skirmish | Act::Advance | Act::Withdraw => Ok(()),
        _ => Err(Refusal::Engaged),
    }
}

/// Whether an order can be given to a brigade, whether it is engaged or manoeuvres (Menus 10 and 11).
///
/// # Errors
/// Why it can't.
pub fn act(rules: &Acw, (id, brigade): (BrigadeId, &Brigade), hqs: &[Hq], act: Act) -> Result<(), Refusal> {
    let Some(at) = brigade.at else { return Err(Refusal::OffMap) };
    if brigade.engaged().is_some() {
        return engaged(rules, brigade, act);
    }
    let battle = rules.battle();
    match act {
        Act::March(None) if battle.is_independent(id) => Err(Refusal::Independent),
        Act::March(Some(_)) if !battle.is_independent(id) => Err(Refusal::OfDivision),
        Act::Deploy(way) => match at.step(way).filter(|hex| battle.map.has(*hex)) {
            None => Err(Refusal::OffEdge),
            Some(to) if !can_enter(rules, battle.brigade(id).arm, at, to) => Err(Refusal::Impassable),
            Some(_) => Ok(()),
        },
        Act::Regroup if hqs[battle.brigade(id).over.place()].with == Some(id) => Err(Refusal::WithHq),
        Act::Reserve => {
            let most = if brigade.shattered { 4 } else { 6 };
            if brigade.cohesion >= most { Err(Refusal::Fresh(brigade.cohesion, most)) } else { Ok(()) }
        }
        act if act.is_engaged() => Err(Refusal::NotEngaged),
        _ => Ok(()),
    }
}

/// Whether a type of brigade can go from a hex to a neighbour in line.
pub(crate) fn can_enter(rules: &Acw, arm: Arm, from: Hex, to: Hex) -> bool {
    let map = &rules.battle().map;
    let terrain = rules.numbers().terrain(map.ground(to));
    let enters = terrain.cost(arm.into(), crate::model::Formation::Line).is_some();
    let rides = map.between(from, to).road && terrain.column.is_some();
    map.between(from, to).is_open() && (enters || rides)
}

/// Whether a headquarters can be given a command (Menu 8).
///
/// # Errors
/// Why it can't.
pub(crate) fn command(holdings: &[Holding], side: Side, command: Command) -> Result<(), Refusal> {
    match command {
        Command::Defensive(objective) if holdings[objective.place()].holder != side => {
            Err(Refusal::EnemyGround)
        }
        Command::Offensive { .. } | Command::Defensive(_) | Command::Reserve => Ok(()),
    }
}

/// Whether a commander's headquarters can be sent there (Menu 5, ACW-43).
///
/// # Errors
/// Why it can't.
pub fn goal(rules: &Acw, control: &[Side], side: Side, goal: Goal) -> Result<(), Refusal> {
    let battle = rules.battle();
    let is_own = |hex: Hex| control[battle.map.place(hex)] == side;
    match goal {
        Goal::Objective(id) if !is_own(battle.objective(id).hex) => Err(Refusal::EnemyGround),
        Goal::Hex(hex) if !battle.map.has(hex) => Err(Refusal::OffEdge),
        Goal::Hex(hex) if !is_own(hex) => Err(Refusal::EnemyGround),
        Goal::Corps(_) if rules.has_radio() => Err(Refusal::NoCorpsUsed),
        Goal::Corps(hq) if battle.hq(hq).echelon != Echelon::Corps => Err(Refusal::NoCorps),
        // A corps with a seat has its commander, who is not relieved.
        Goal::Corps(hq) if battle.has_seat(hq) => Err(Refusal::NotYours),
        _ => Ok(()),
    }
}

/// Whether the army's commander can lead so (Menu 6).
///
/// # Errors
/// Why he can't.
pub fn profile(brigades: &[Brigade], hq: &Hq, profile: Profile) -> Result<(), Refusal> {
    match profile {
        Profile::Sensible | Profile::Cautious => Ok(()),
        Profile::Heroic if hq.leader.is_some() => Err(Refusal::ChiefLost),
        Profile::Heroic | Profile::Bold => {
            let Some(at) = hq.at else { return Err(Refusal::OffMap) };
            let near = |one: &Brigade| one.targeted && one.at.is_some_and(|hex| hex.distance(at) <= PERSONAL);
            if brigades.iter().any(near) { Ok(()) } else { Err(Refusal::NobodyTargeted) }
        }
    }
}

/// The corps whose formations an army commands directly: its headquarters was sent to that corps', and stands next to it or with it (Menu 5).
pub(crate) fn direct(state: &State, side: Side) -> Option<HqId> {
    let army = state.hq(HqId::army(side));
    let Goal::Corps(corps) = army.goal else { return None };
    let (here, there) = (army.at?, state.hq(corps).at?);
    (here.distance(there) <= 1).then_some(corps)
}

/// Whose leadership counts when a headquarters throws whether it begins a command: that of the corps over it, which sees to its formations; its own where none
/// is over it, and where a player leads the formations himself: the army's commander, who directs this corps, or the corps' own seat (ACW-73).
pub(crate) fn obeys(battle: &Battle, hq: HqId, direct: Option<HqId>) -> HqId {
    let corps = battle.hq(hq).over.filter(|over| battle.hq(*over).echelon == Echelon::Corps);
    corps.filter(|corps| direct != Some(*corps) && !battle.has_seat(*corps)).unwrap_or(hq)
}

/// Whether a seat can order a unit now (Menus 7 and 9). `hq` is the seat's headquarters.
///
/// # Errors
/// Why it can't.
pub(crate) fn reach(rules: &Acw, state: &State, hq: HqId, unit: UnitId) -> Result<(), Refusal> {
    let battle = rules.battle();
    if matches!(unit, UnitId::Hq(id) if id.is_army()) {
        return Err(Refusal::ArmyHq);
    }
    if matches!(unit, UnitId::Brigade(id) if matches!(state.brigade(id).presence, Presence::Gone(_))) {
        return Err(Refusal::Gone);
    }
    let Some(at) = state.at(unit) else { return Err(Refusal::OffMap) };
    let Some(over) = battle.over(unit) else { return Ok(()) };
    if battle.leader_of(unit).hq != hq && unit != UnitId::Hq(battle.leader_of(unit).hq) {
        return Err(Refusal::NotYours);
    }
    // A corps with a commander of its own is told what the army wants by its seat's headquarters.
    if rules.has_radio() {
        return Ok(());
    }
    if is_briefed(rules, state) && matches!(unit, UnitId::Hq(_)) {
        return Ok(());
    }
    let directly = over == hq || direct(state, hq.side) == Some(over);
    let near = matches!(unit, UnitId::Brigade(_))
        && state.hq(hq).at.is_some_and(|here| here.distance(at) <= PERSONAL);
    if !directly && !near {
        let name = battle.hq(over).name.clone();
        return Err(if matches!(unit, UnitId::Hq(_)) {
            Refusal::SubordinateHq(name)
        } else {
            Refusal::Subordinate(name)
        });
    }
    if state.in_touch(unit) { Ok(()) } else { Err(Refusal::OutOfTouch) }
}

/// Whether word of a unit comes to the commander who orders it: through each headquarters between them, or because it is a brigade within four hexes of his
/// own headquarters, which reaches its own (ACW-86).
pub(crate) fn reports(battle: &Battle, state: &State, unit: UnitId) -> bool {
    let seat = battle.leader_of(unit).hq;
    let here = state.hq(seat).at;
    let mut next = unit;
    loop {
        let Some(over) = battle.over(next) else { return true };
        let in_touch = state.in_touch(next);
        let at = state.at(next).filter(|_| matches!(next, UnitId::Brigade(_)));
        let near = here.zip(at).is_some_and(|(here, at)| here.distance(at) <= PERSONAL);
        if !in_touch || near || over == seat {
            return in_touch;
        }
        next = UnitId::Hq(over);
    }
}

/// Whether this turn is the first of a morning after six turns without a move: all headquarters on the map can be commanded (ACW-27).
pub(crate) fn is_briefed(rules: &Acw, state: &State) -> bool {
    let turn = usize::from(state.turn);
    let hours = &rules.battle().hours;
    let Some(hour) = turn.checked_sub(1).and_then(|now| hours.get(now)) else { return false };
    !hour.still && turn > 6 && hours[turn - 7..turn - 1].iter().all(|hour| hour.still)
}
