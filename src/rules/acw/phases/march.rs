//! Movement: in which order, by which way, how far, and what it changes on the map (manual, "Manoeuvre"; ACW-25, 42, 43, 45, 52, 55).

use std::collections::BTreeMap;

use musterd_engine::Scribe;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::way::Ways;

use super::commanders;
use super::dice::random;
use crate::data::Acw;
use crate::event::{Event, Stop};
use crate::facing;
use crate::model::{BrigadeId, Echelon, Formation, HqId, Light, Side, UnitId, Water, Weather};
use crate::numbers::Mover;
use crate::order::{Act, Goal};
use crate::state::State;

/// A unit that moves, and what it has left.
struct Mob {
    unit: UnitId,
    mover: Mover,
    formation: Formation,
    points: u16,
    steps: u16,
    aim: Aim,
    blocked: bool,
    done: bool,
}

/// Where a unit goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// To a hex, or next to it where somebody stands there.
    To(Hex),
    /// Next to a hex.
    Beside(Hex),
    /// One hex in this direction, and it faces there.
    Step(Direction),
    /// Away from the enemy.
    Away,
}

/// Moves everybody, in pulses: the order is thrown once, and whoever is held up by friends waits for the next pulse (ACW-45).
pub(super) fn march(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    let mut mobs = order(rules, scribe);
    for mob in &mut mobs {
        form(scribe, mob);
    }
    let mut board = Board::of(scribe.state());
    loop {
        let mut moved = false;
        for mob in mobs.iter_mut().filter(|mob| !mob.done) {
            moved |= go(rules, scribe, &mut board, mob);
        }
        if !moved {
            break;
        }
    }
    for mob in mobs.iter().filter(|mob| !mob.done && mob.blocked) {
        scribe.record(Event::Stopped { unit: mob.unit, why: Stop::Friends });
    }
    look(scribe);
}

/// Who moves, and in which order: staff, experience, leadership, cohesion, order, a random number (ACW-45).
fn order(rules: &Acw, scribe: &mut Scribe<'_, Acw>) -> Vec<Mob> {
    let battle = rules.battle();
    let mut ranked: Vec<(i32, Mob)> = Vec::new();
    for side in Side::ALL {
        let ids: Vec<BrigadeId> = scribe.state().fielded(side).map(|(id, ..)| id).collect();
        for id in ids {
            let Some(aim) = aim(rules, scribe.state(), id) else { continue };
            let die = random(scribe, ("order", "march"), &id, 3);
            let state = scribe.state();
            let (spec, brigade) = (battle.brigade(id), state.brigade(id));
            let eager = match brigade.act {
                Act::Assault => 3,
                Act::Advance => 2,
                Act::Skirmish => 1,
                _ => 0,
            };
            let rank = state.hq(spec.over).staff
                + spec.experience
                + brigade.leadership
                + brigade.cohesion
                + eager
                + i32::try_from(die).unwrap_or(0);
            let column = brigade.act.is_column();
            let formation = if column { Formation::Column } else { Formation::Line };
            let mover = Mover::from(spec.arm);
            let low = (brigade.cohesion <= 4, brigade.leadership <= 3, brigade.in_touch);
            let points = points(rules, scribe, UnitId::Brigade(id), mover, low);
            let allowance = rules.numbers().allowances[&mover];
            let steps = if column { allowance.column } else { allowance.line };
            let unit = UnitId::Brigade(id);
            ranked.push((
                rank,
                Mob { unit, mover, formation, points, steps, aim, blocked: false, done: false },
            ));
        }
        for hq in seats(rules, scribe.state(), side) {
            let state = scribe.state();
            let Some(goal) = goal(rules, state, hq) else { continue };
            let rank = state.hq(hq).staff + state.hq(hq).leadership + 7;
            let allowance = rules.numbers().allowances[&Mover::Headquarters];
            let points = points(rules, scribe, UnitId::Hq(hq), Mover::Headquarters, (false, false, true));
            let mob = Mob {
                unit: UnitId::Hq(hq),
                mover: Mover::Headquarters,
                formation: Formation::Column,
                points,
                steps: allowance.column,
                aim: goal,
                blocked: false,
                done: false,
            };
            ranked.push((rank, mob));
        }
    }
    ranked.sort_by_key(|(rank, mob)| (-rank, mob.unit));
    ranked.into_iter().map(|(_, mob)| mob).collect()
}

/// The headquarters of armies: those of corps stand with a brigade.
fn seats(rules: &Acw, state: &State, side: Side) -> Vec<HqId> {
    let hqs = rules.battle().army(side).hqs.iter().filter(|spec| spec.echelon == Echelon::Army);
    hqs.map(|spec| spec.id).filter(|id| state.hq(*id).at.is_some()).collect()
}

/// Where a brigade goes by its order.
fn aim(rules: &Acw, state: &State, id: BrigadeId) -> Option<Aim> {
    let brigade = state.brigade(id);
    let battle = rules.battle();
    match brigade.act {
        // Where the enemy has gone who was charged, or to be charged.
        Act::Assault => {
            brigade.target.filter(|target| state.brigade_at(target.at).is_none()).map(|one| Aim::To(one.at))
        }
        Act::Advance => brigade.target.filter(|target| target.distance > 1).map(|one| Aim::Beside(one.at)),
        Act::Withdraw => Some(Aim::Away),
        Act::March(_) => commanders::destination(rules, state, id).map(Aim::To),
        Act::Deploy(way) => Some(Aim::Step(way)),
        Act::Regroup => {
            let hq = state.hq(battle.brigade(id).over);
            hq.at.filter(|_| hq.with != Some(id)).map(Aim::Beside)
        }
        Act::Skirmish | Act::Stand | Act::Reserve => None,
    }
}

/// Where an army's headquarters goes.
fn goal(rules: &Acw, state: &State, id: HqId) -> Option<Aim> {
    let hex = match state.hq(id).goal {
        Goal::Objective(objective) => rules.battle().objective(objective).hex,
        Goal::Corps(corps) => return state.hq(corps).at.map(Aim::Beside),
        Goal::Hex(hex) => hex,
        Goal::Stand => return None,
    };
    (state.hq(id).at != Some(hex)).then_some(Aim::To(hex))
}

/// Movement points: weather first, then halved at night, then the rest (ACW-25).
fn points(
    rules: &Acw,
    scribe: &mut Scribe<'_, Acw>,
    unit: UnitId,
    mover: Mover,
    (worn, led, in_touch): (bool, bool, bool),
) -> u16 {
    let hour = rules.battle().hour(scribe.state().turn);
    let mut points = rules.numbers().allowances[&mover].points;
    if matches!(hour.weather, Weather::Rain | Weather::Snow) {
        points = points.saturating_sub(2);
    }
    if hour.light == Light::Night {
        points /= 2;
    }
    points = points.saturating_sub(2 * u16::from(worn) + u16::from(led));
    let UnitId::Brigade(id) = unit else { return points };
    let (kind, most) = if in_touch { ("ill", 15) } else { ("lost", 1) };
    points.saturating_sub(u16::from(random(scribe, ("luck", kind), &id, most) == 0))
}

/// A brigade that moves takes the formation for it.
fn form(scribe: &mut Scribe<'_, Acw>, mob: &Mob) {
    let UnitId::Brigade(id) = mob.unit else { return };
    if scribe.state().brigade(id).formation != mob.formation {
        scribe.record(Event::Formed { brigade: id, formation: mob.formation });
    }
}

/// Who stands where: so that no step searches for it.
struct Board {
    brigades: BTreeMap<Hex, BrigadeId>,
}

impl Board {
    fn of(state: &State) -> Self {
        let all = Side::ALL.into_iter().flat_map(|side| state.fielded(side));
        Self { brigades: all.map(|(id, _, at)| (at, id)).collect() }
    }

    fn is_taken(&self, hex: Hex) -> bool {
        self.brigades.contains_key(&hex)
    }

    fn is_enemys(&self, hex: Hex, side: Side) -> bool {
        self.brigades.get(&hex).is_some_and(|id| id.side != side)
    }

    /// Whether an enemy brigade stands next to a hex.
    fn is_watched(&self, hex: Hex, side: Side) -> bool {
        hex.around().any(|near| self.is_enemys(near, side))
    }

    fn nearest_foe(&self, hex: Hex, side: Side) -> u32 {
        let foes = self.brigades.iter().filter(|(_, id)| id.side != side);
        foes.map(|(at, _)| at.distance(hex)).min().unwrap_or(u32::MAX)
    }
}

/// Moves a unit as far as it comes in this pulse. Whether it moved at all.
fn go(rules: &Acw, scribe: &mut Scribe<'_, Acw>, board: &mut Board, mob: &mut Mob) -> bool {
    let mut moved = false;
    mob.blocked = false;
    loop {
        let state = scribe.state();
        let Some(at) = state.at(mob.unit) else {
            mob.done = true;
            return moved;
        };
        let Some(next) = next(rules, state, board, mob, at) else {
            mob.done = mob.done || !mob.blocked;
            return moved;
        };
        let cost = cost(rules, (mob.mover, mob.formation), at, next).unwrap_or(u16::MAX);
        if cost > mob.points || mob.steps == 0 {
            mob.done = true;
            return moved;
        }
        (mob.points, mob.steps, moved) = (mob.points - cost, mob.steps - 1, true);
        step(rules, scribe, board, mob, (at, next));
        if mob.done {
            return moved;
        }
    }
}

/// The next hex of a unit's way; `None` where it is there, or where it is held up.
fn next(rules: &Acw, state: &State, board: &Board, mob: &mut Mob, at: Hex) -> Option<Hex> {
    let side = side_of(mob.unit);
    let is_brigade = matches!(mob.unit, UnitId::Brigade(_));
    let open = |hex: Hex| !is_brigade || !board.is_taken(hex);
    let chosen = match mob.aim {
        Aim::Step(way) => {
            mob.done = true;
            at.step(way).filter(|hex| rules.battle().map.has(*hex) && open(*hex))
        }
        Aim::Away => away(rules, board, mob, at),
        Aim::To(goal) if at == goal => None,
        Aim::Beside(goal) if at.distance(goal) <= 1 => None,
        Aim::To(goal) | Aim::Beside(goal) => {
            let first = way(rules, state, board, mob, (at, goal)).and_then(|way| way.first().copied());
            if first.is_none() {
                mob.done = true;
                return None;
            }
            first
        }
    }?;
    if open(chosen) {
        return Some(chosen);
    }
    // Before the goal somebody of one's own may stand: then one is there.
    let there = matches!(mob.aim, Aim::To(goal) if chosen == goal || at.distance(goal) <= 2);
    mob.blocked = !there && !board.is_enemys(chosen, side);
    None
}

/// The way of a unit to a goal, by points and then by steps. Friends in the way count for their delay.
fn way(rules: &Acw, state: &State, board: &Board, mob: &Mob, (at, goal): (Hex, Hex)) -> Option<Vec<Hex>> {
    /// What going around a friend is worth, in movement points.
    const DELAY: u32 = 6;
    let map = &rules.battle().map;
    let side = side_of(mob.unit);
    let is_hq = matches!(mob.unit, UnitId::Hq(_));
    let steps = |here: Hex, spent: (u32, u32)| {
        map.around(here).filter_map(move |(_, hex)| {
            if hex != goal && board.is_enemys(hex, side) {
                return None;
            }
            // Headquarters don't enter enemy territory (ACW-43).
            if is_hq && state.control[map.place(hex)] != side {
                return None;
            }
            let cost = u32::from(cost(rules, (mob.mover, mob.formation), here, hex)?);
            let friend = if hex != goal && board.is_taken(hex) { DELAY } else { 0 };
            // The last step next to an enemy ends the march: ways along him are dear.
            let watched = if !is_hq && hex != goal && board.is_watched(hex, side) { DELAY } else { 0 };
            Some((hex, (spent.0 + cost + friend + watched, spent.1 + 1)))
        })
    };
    Ways::cheapest(map.last(), (at, (0, 0)), |hex| hex == goal, steps)
}

/// A hex farther from the enemy, by the cheapest step.
fn away(rules: &Acw, board: &Board, mob: &Mob, at: Hex) -> Option<Hex> {
    let side = side_of(mob.unit);
    let now = board.nearest_foe(at, side);
    // Out of contact is far enough.
    if now > 3 {
        return None;
    }
    let map = &rules.battle().map;
    let better = map.around(at).map(|(_, hex)| hex).filter(|hex| {
        !board.is_taken(*hex)
            && board.nearest_foe(*hex, side) > now
            && cost(rules, (mob.mover, mob.formation), at, *hex).is_some_and(|cost| cost <= mob.points)
    });
    better.max_by_key(|hex| {
        let cost = cost(rules, (mob.mover, mob.formation), at, *hex).unwrap_or(u16::MAX);
        (board.nearest_foe(*hex, side), std::cmp::Reverse(cost), std::cmp::Reverse(*hex))
    })
}

/// Movement points from a hex to its neighbour; `None` where one can't go. Along a road columns move cheaply (manual; ACW-48).
pub(crate) fn cost(rules: &Acw, (mover, formation): (Mover, Formation), from: Hex, to: Hex) -> Option<u16> {
    let (map, numbers) = (&rules.battle().map, rules.numbers());
    let side = map.between(from, to);
    if !side.is_open() {
        return None;
    }
    let terrain = numbers.terrain(map.ground(to));
    terrain.column?;
    let ground = match (side.road, formation) {
        (true, Formation::Column) => numbers.road,
        _ => terrain.cost(mover, formation)?,
    };
    let water = match (side.crossing, side.water) {
        (Some(crossing), _) => numbers.crossing(crossing),
        (None, Some(Water::Stream)) => numbers.waters.stream,
        (None, _) => 0,
    };
    Some(ground + water)
}

/// A unit enters a hex: it faces there, its pickets take the hexes around, whoever controlled them sees it, and next to an enemy it stops.
fn step(rules: &Acw, scribe: &mut Scribe<'_, Acw>, board: &mut Board, mob: &mut Mob, (from, to): (Hex, Hex)) {
    let map = &rules.battle().map;
    let side = side_of(mob.unit);
    if let UnitId::Brigade(id) = mob.unit {
        if scribe.state().brigade(id).works > 0 {
            scribe.record(Event::WorksLost { brigade: id });
        }
        board.brigades.remove(&from);
        board.brigades.insert(to, id);
    }
    scribe.record(Event::Moved { unit: mob.unit, from, to });
    let state = scribe.state();
    let UnitId::Brigade(id) = mob.unit else {
        if scribe.state().hq(hq_of(mob.unit)).at == Some(to) && matches!(mob.aim, Aim::To(goal) if goal == to)
        {
            mob.done = true;
        }
        return;
    };
    let reach = |hex: Hex| map.around(hex).filter(move |(way, _)| !map.side(hex, *way).is_barrier());
    let foreign = |hex: Hex| state.control[map.place(hex)] != side;
    let met = reach(to).any(|(_, hex)| foreign(hex));
    let taken: Vec<Hex> = reach(to)
        .map(|(_, hex)| hex)
        .filter(|hex| foreign(*hex) && !board.is_watched(*hex, side) && !board.is_enemys(*hex, side))
        .collect();
    let seen = state.eyes[side.other().index()].sees(mob.unit);
    let way = from.direction_to(to).filter(|way| *way != state.brigade(id).facing);
    if met && !seen {
        scribe.record(Event::Picketed { by: side.other(), unit: mob.unit });
    }
    if !taken.is_empty() {
        scribe.record(Event::Controlled { side, hexes: taken });
    }
    if let Some(way) = way {
        scribe.record(Event::Faced { brigade: id, way });
    }
    if board.is_watched(to, side) && mob.aim != Aim::Away {
        mob.done = true;
        let wants_more = !matches!(mob.aim, Aim::Beside(_) | Aim::Step(_))
            && !matches!(mob.aim, Aim::To(goal) if goal == to);
        if wants_more {
            scribe.record(Event::Stopped { unit: mob.unit, why: Stop::Enemy });
        }
    }
}

/// Brigades that have no target face the nearest enemy that their side sees (ACW-14).
fn look(scribe: &mut Scribe<'_, Acw>) {
    let state = scribe.state();
    let mut turned = Vec::new();
    for side in Side::ALL {
        for (id, brigade, at) in state.fielded(side).filter(|(_, one, _)| one.formation == Formation::Line) {
            let foe = commanders::seen_near(state, side, at);
            let way = foe.and_then(|foe| facing::toward(at, foe, brigade.facing));
            turned.extend(
                way.filter(|way| *way != brigade.facing).map(|way| Event::Faced { brigade: id, way }),
            );
        }
    }
    turned.into_iter().for_each(|event| scribe.record(event));
}

const fn side_of(unit: UnitId) -> Side {
    match unit {
        UnitId::Brigade(id) => id.side,
        UnitId::Hq(id) => id.side,
    }
}

fn hq_of(unit: UnitId) -> HqId {
    match unit {
        UnitId::Hq(id) => id,
        UnitId::Brigade(_) => unreachable!("a brigade is no headquarters"),
    }
}
