//! Movement (manual, "Manoeuvre"): one after another, in pulses, until nobody can move any more.

use std::cmp::Reverse;

use musterd_engine::Scribe;
use musterd_engine::hex::{Direction, Hex};
use musterd_kit::way::Ways;

use super::dice::random;
use super::headquarters;
use super::walk::{self, walk};
use crate::commanders;
use crate::data::Acw;
use crate::event::{Event, Stop};
use crate::facing;
use crate::fold::formation_for;
use crate::going::{self, Fields};
use crate::model::{BrigadeId, Edge, Formation, Side, UnitId};
use crate::numbers::Mover;
use crate::order::Act;
use crate::state::State;

/// How far from enemies that are seen brigades turn to face the nearest.
const FACED: u32 = 5;
/// A brigade that withdraws is out of contact at this distance.
const CLEAR: u32 = 3;

/// A brigade on the move.
struct Body {
    id: BrigadeId,
    how: (Mover, Formation),
    act: Act,
    points: u16,
    hexes: u16,
    /// Where it marches, and the hexes that it has left on its way there in this hour: a column doesn't come back to them.
    goal: Option<Hex>,
    left: Vec<Hex>,
    state: Pace,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// It can go on.
    Going,
    /// A friend is in its way.
    Blocked,
    /// It has ended its movement.
    Ended,
}

struct March<'m, 's> {
    rules: &'m Acw,
    scribe: &'m mut Scribe<'s, Acw>,
    fields: Fields<'m>,
}

/// Everybody moves: brigades in the order of ACW-45, then headquarters.
pub(super) fn march(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    form(scribe);
    let mut bodies = bodies(rules, scribe);
    let mut march = March { rules, scribe, fields: Fields::of(rules) };
    // First friends wait for friends; when nobody can move so, they go around or through each other.
    for detours in [false, true] {
        loop {
            let mut moved = false;
            for body in bodies.iter_mut().filter(|body| body.state != Pace::Ended) {
                moved |= march.go(body, detours);
            }
            if !moved {
                break;
            }
        }
    }
    for body in bodies.iter().filter(|body| body.state == Pace::Blocked) {
        march.stop(body.id, Stop::Friends);
    }
    headquarters::march(rules, scribe);
    face(rules, scribe);
}

/// Brigades take up the formation that their orders want.
fn form(scribe: &mut Scribe<'_, Acw>) {
    let state = scribe.state();
    let all = Side::ALL.into_iter().flat_map(|side| state.fielded(side));
    let changes: Vec<(BrigadeId, Formation)> = all
        .filter(|(_, one, _)| !one.surprised && one.formation != formation_for(one.act))
        .map(|(id, one, _)| (id, formation_for(one.act)))
        .collect();
    for (brigade, formation) in changes {
        scribe.record(Event::Formed { brigade, formation });
    }
}

/// Who moves, in the order in which they do: by staff, experience, leadership, cohesion, order and a random number; of equals the sides go first by turns.
fn bodies(rules: &Acw, scribe: &mut Scribe<'_, Acw>) -> Vec<Body> {
    let state = scribe.state();
    let moves = |act: Act| !matches!(act, Act::Skirmish | Act::Stand | Act::Reserve);
    let all = Side::ALL.into_iter().flat_map(|side| state.fielded(side));
    let ids: Vec<BrigadeId> =
        all.filter(|(_, one, _)| moves(one.act) && !one.surprised).map(|(id, ..)| id).collect();
    let mut order = Vec::new();
    for id in ids {
        let chance = random(scribe, ("order", "move"), &id, 3);
        let state = scribe.state();
        let (brigade, spec) = (state.brigade(id), rules.battle().brigade(id));
        let zeal = match brigade.act {
            Act::Assault => 3,
            Act::Advance => 2,
            _ => 0,
        };
        let rank = state.hq(spec.over).staff
            + spec.experience
            + brigade.leadership
            + brigade.cohesion
            + zeal
            + chance.cast_signed();
        let second = (id.side == Side::A) == state.turn.is_multiple_of(2);
        let (act, in_touch) = (brigade.act, brigade.in_touch);
        let formation = formation_for(act);
        let allowance = going::allowance(rules, state, id, formation);
        // Bad luck, and who has no orders is slower (ACW-25).
        let unlucky = random(scribe, ("luck", "points"), &id, if in_touch { 15 } else { 1 }) == 0;
        let body = Body {
            id,
            how: (Mover::from(spec.arm), formation),
            act,
            points: allowance.points.saturating_sub(u16::from(unlucky)),
            hexes: allowance.hexes,
            goal: None,
            left: Vec::new(),
            state: Pace::Going,
        };
        order.push((Reverse(rank), second, id, body));
    }
    order.sort_by_key(|(rank, second, id, _)| (*rank, *second, *id));
    order.into_iter().map(|(.., body)| body).collect()
}

/// Brigades that aim at nobody face the nearest enemy whom their side sees (ACW-14).
fn face(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    for side in Side::ALL {
        let state = scribe.state();
        let foes = commanders::known(rules, state, side);
        let mut turns = Vec::new();
        for (brigade, one, at) in state.fielded(side).filter(|(_, one, _)| one.target.is_none() || one.moves)
        {
            let near = foes.iter().map(|(foe, there)| (at.distance(*there), *foe, *there)).min();
            let Some((_, _, there)) = near.filter(|(far, ..)| *far <= FACED) else { continue };
            if let Some(way) = facing::toward(at, there, one.facing).filter(|way| *way != one.facing) {
                turns.push(Event::Faced { brigade, way });
            }
        }
        turns.into_iter().for_each(|event| scribe.record(event));
    }
}

impl March<'_, '_> {
    fn state(&self) -> &State {
        self.scribe.state()
    }

    fn stop(&mut self, id: BrigadeId, why: Stop) {
        self.scribe.record(Event::Stopped { unit: UnitId::Brigade(id), why });
    }

    /// A brigade goes on as far as it can. Whether it moved.
    fn go(&mut self, body: &mut Body, detours: bool) -> bool {
        let Some(at) = self.state().brigade(body.id).at else {
            body.state = Pace::Ended;
            return false;
        };
        match body.act {
            Act::March(_) | Act::Regroup => self.column(body, detours),
            Act::Deploy(way) => self.deploy(body, at, way),
            Act::Assault => self.assault(body, at),
            Act::Advance => self.advance(body, at),
            _ => self.withdraw(body, at),
        }
    }

    /// One step of a body, for so many points. Whether it has to stop there: next to the enemy (ACW-52).
    fn step(&mut self, body: &mut Body, (from, to): (Hex, Hex), cost: u16) -> bool {
        body.points = body.points.saturating_sub(cost);
        body.hexes -= 1;
        body.left.push(from);
        walk(self.rules, self.scribe, UnitId::Brigade(body.id), (from, to));
        let stops = self.state().is_beside(body.id.side.other(), to);
        if stops {
            body.state = Pace::Ended;
        }
        stops
    }

    /// A march to a goal, along the cheapest way that there is.
    fn column(&mut self, body: &mut Body, detours: bool) -> bool {
        let mut moved = false;
        loop {
            body.state = Pace::Ended;
            let id = body.id;
            let (Some(at), Some(goal)) =
                (self.state().brigade(id).at, walk::goal(self.rules, self.state(), id))
            else {
                return moved;
            };
            if body.hexes == 0 || self.is_there(body, at, goal) {
                return moved;
            }
            if body.goal.replace(goal) != Some(goal) {
                body.left.clear();
            }
            let mover = body.how.0;
            let field = if detours {
                self.fields.around(self.scribe.state(), id.side, goal, mover)
            } else {
                self.fields.to(goal, mover)
            };
            let Some(left) = field.cost(at) else {
                self.stop(id, Stop::NoWay);
                return moved;
            };
            let mut ways: Vec<(u16, Hex, u16)> = going::steps(self.rules, body.how, at)
                .filter_map(|(to, cost)| Some((field.cost(to)?, to, cost)))
                .filter(|(rest, ..)| *rest < left)
                .map(|(rest, to, cost)| (rest + cost, to, cost))
                .collect();
            ways.sort_by_key(|(sum, ..)| *sum);
            if ways.iter().any(|(_, to, _)| body.left.contains(to)) {
                body.state = Pace::Blocked;
                ways.retain(|(_, to, _)| !body.left.contains(to));
            }
            if !detours {
                ways.truncate(1);
            }
            ways.retain(|(_, _, cost)| *cost <= body.points);
            let mut went = false;
            for (_, to, cost) in ways {
                match self.state().brigade_at(to) {
                    Some(foe) if foe.side != id.side => {
                        self.stop(id, Stop::Enemy);
                        return moved;
                    }
                    Some(_) if detours && self.pass_through(body, (at, to, cost), &field) => {
                        (moved, went) = (true, true);
                        break;
                    }
                    Some(_) => body.state = Pace::Blocked,
                    None if self.halts(body, at, to) => {
                        body.state = Pace::Ended;
                        self.stop(id, Stop::Enemy);
                        return moved;
                    }
                    None => {
                        (moved, went) = (true, true);
                        if self.step(body, (at, to), cost) {
                            self.stop(id, Stop::Enemy);
                            return true;
                        }
                        break;
                    }
                }
            }
            if !went {
                return moved;
            }
        }
    }

    /// Whether a column has come where it was to go: into the hex, or next to it where a friend has it. To its headquarters it comes next to it.
    fn is_there(&self, body: &Body, at: Hex, goal: Hex) -> bool {
        let taken = self.state().brigade_at(goal).is_some_and(|other| other.side == body.id.side);
        at == goal || (at.distance(goal) <= 1 && (taken || body.act == Act::Regroup))
    }

    /// A column that no player told halts before enemies it sees, in time to deploy (ACW-76).
    fn halts(&self, body: &Body, at: Hex, to: Hex) -> bool {
        let state = self.state();
        let side = body.id.side;
        !state.brigade(body.id).told
            && walk::is_fronted(self.rules, state, side, to)
            && !(body.act == Act::Regroup && walk::is_fronted(self.rules, state, side, at))
    }

    /// A column passes through a friend who has ended his movement, if it gets out of his hex again (ACW-77).
    fn pass_through(
        &mut self,
        body: &mut Body,
        (at, middle, cost): (Hex, Hex, u16),
        field: &going::Field,
    ) -> bool {
        let Some(left) = field.cost(middle) else { return false };
        if body.hexes < 2 || self.state().is_beside(body.id.side.other(), middle) {
            return false;
        }
        let beyond = going::steps(self.rules, body.how, middle)
            .filter_map(|(to, more)| Some((field.cost(to)?, to, more)))
            .filter(|(rest, to, more)| {
                *rest < left
                    && !body.left.contains(to)
                    && self.state().brigade_at(*to).is_none()
                    && cost + more <= body.points
            })
            .min_by_key(|(rest, _, more)| rest + more);
        let Some((_, to, more)) = beyond.filter(|(_, to, _)| !self.halts(body, at, *to)) else {
            return false;
        };
        self.step(body, (at, middle), cost);
        if self.step(body, (middle, to), more) {
            self.stop(body.id, Stop::Enemy);
        } else {
            body.state = Pace::Going;
        }
        true
    }

    /// A hex in line.
    fn deploy(&mut self, body: &mut Body, at: Hex, way: Direction) -> bool {
        body.state = Pace::Ended;
        let Some((to, cost)) = going::step(self.rules, body.how, at, way) else { return false };
        if cost > body.points {
            return false;
        }
        match self.state().brigade_at(to) {
            Some(other) if other.side == body.id.side => body.state = Pace::Blocked,
            Some(_) => self.stop(body.id, Stop::Enemy),
            None => {
                self.step(body, (at, to), cost);
                body.state = Pace::Ended;
                return true;
            }
        }
        false
    }

    /// The hex that an assault has emptied is entered free (ACW-18).
    fn assault(&mut self, body: &mut Body, at: Hex) -> bool {
        body.state = Pace::Ended;
        let Some(target) = self.state().brigade(body.id).target else { return false };
        let side = self.rules.battle().map.between(at, target.at);
        let enters = at.distance(target.at) == 1
            && side.is_open()
            && self.state().brigade_at(target.at).is_none()
            && crate::law::can_enter(self.rules, self.rules.battle().brigade(body.id).arm, at, target.at);
        if enters {
            self.step(body, (at, target.at), 0);
        }
        enters
    }

    /// The hexes that a brigade in line reaches this turn past nobody, each with its cost.
    fn reach(&self, body: &Body, at: Hex) -> Ways<(u16, u16)> {
        let (rules, state) = (self.rules, self.state());
        let enemy = body.id.side.other();
        Ways::reach(rules.battle().map.last(), [(at, (0, 0))], |here, (spent, hexes)| {
            let held = here != at && state.is_beside(enemy, here);
            going::steps(rules, body.how, here)
                .filter(move |(to, cost)| {
                    !held
                        && spent + cost <= body.points
                        && hexes < body.hexes
                        && state.brigade_at(*to).is_none()
                })
                .map(move |(to, cost)| (to, (spent + cost, hexes + 1)))
        })
    }

    /// A brigade goes a way that it has found.
    fn follow(&mut self, body: &mut Body, at: Hex, way: &[Hex]) -> bool {
        let mut from = at;
        for to in way {
            let step = going::steps(self.rules, body.how, from).find(|(next, _)| next == to);
            let Some((_, cost)) = step else { break };
            if self.step(body, (from, *to), cost) {
                break;
            }
            from = *to;
        }
        body.state = Pace::Ended;
        from != at || !way.is_empty()
    }

    /// Next to its opponent, where that can be: on his side of the water rather than across it, then the cheapest way, then the best cover.
    fn advance(&mut self, body: &mut Body, at: Hex) -> bool {
        body.state = Pace::Ended;
        let state = self.state();
        let Some(UnitId::Brigade(foe)) = state.brigade(body.id).target.map(|target| target.unit) else {
            return false;
        };
        let Some(there) = state.brigade(foe).at else { return false };
        let map = &self.rules.battle().map;
        let beside = |hex: Hex| hex.distance(there) == 1;
        if beside(at) && !map.between(at, there).is_barrier() {
            return false;
        }
        let ways = self.reach(body, at);
        let cover = |hex: Hex| self.rules.numbers().terrain(map.ground(hex)).cover;
        let best = ways
            .reached()
            .filter(|(hex, _)| beside(*hex) && *hex != at)
            .min_by_key(|(hex, cost)| (map.between(*hex, there).is_barrier(), *cost, Reverse(cover(*hex))));
        let best = best.filter(|(hex, _)| !beside(at) || !map.between(*hex, there).is_barrier());
        let way = best.and_then(|(hex, _)| ways.way_to(hex)).unwrap_or_default();
        self.follow(body, at, &way)
    }

    /// Out of contact with all enemies that are seen, or as far from them as it can: into friendly hexes rather, and toward its own edge of the map.
    fn withdraw(&mut self, body: &mut Body, at: Hex) -> bool {
        body.state = Pace::Ended;
        let side = body.id.side;
        let foes = commanders::known(self.rules, self.state(), side);
        let near =
            |hex: Hex| foes.iter().map(|(_, foe)| foe.distance(hex)).min().unwrap_or(u32::MAX).min(CLEAR);
        let map = &self.rules.battle().map;
        let own = |hex: Hex| self.state().control[map.place(hex)] == side;
        let edge = |hex: Hex| match self.rules.battle().army(side).rear {
            Edge::North => hex.row,
            Edge::South => map.rows - hex.row,
            Edge::West => hex.col,
            Edge::East => map.columns - hex.col,
        };
        let ways = self.reach(body, at);
        let best = ways
            .reached()
            .filter(|(hex, _)| near(*hex) > near(at))
            .min_by_key(|(hex, cost)| (Reverse(near(*hex)), !own(*hex), cost.1, edge(*hex), *cost, *hex));
        let way = best.and_then(|(hex, _)| ways.way_to(hex)).unwrap_or_default();
        if way.is_empty() {
            self.stop(body.id, Stop::NoWay);
        }
        self.follow(body, at, &way)
    }
}
