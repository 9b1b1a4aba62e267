//! How far units get: what steps cost, what a turn allows, and the ways to a goal.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use musterd_engine::hex::{Direction, Hex};
use musterd_kit::way::Ways;

use crate::battle::{Battle, HexSide};
use crate::data::Acw;
pub(crate) use crate::found::Field;
use crate::found::MOVERS;
use crate::model::{BrigadeId, Formation, Light, Side, Water, Weather};
use crate::numbers::{Mover, Numbers};
use crate::state::{Brigade, State};

/// The ways that are needed in a turn.
pub(crate) struct Fields<'a> {
    rules: &'a Acw,
    others: BTreeMap<(Hex, Mover), Arc<Field>>,
    crowded: BTreeMap<(Side, Hex, Mover), Arc<Field>>,
}

/// Movement points that a hex with a friend in it counts more to who looks for a way around, and one with an enemy.
const CROWD: u16 = 8;
const FOE: u16 = 20;

impl<'a> Fields<'a> {
    pub(crate) const fn of(rules: &'a Acw) -> Self {
        Self { rules, others: BTreeMap::new(), crowded: BTreeMap::new() }
    }

    /// The ways to a hex.
    pub(crate) fn to(&mut self, goal: Hex, mover: Mover) -> Arc<Field> {
        let objective = self.rules.battle().objectives.iter().position(|objective| objective.hex == goal);
        let rules = self.rules;
        match objective {
            Some(place) => {
                let slot = &rules.going().fields[place * MOVERS + mover as usize];
                Arc::clone(slot.get_or_init(|| Arc::new(field(rules, goal, mover))))
            }
            None => Arc::clone(
                self.others.entry((goal, mover)).or_insert_with(|| Arc::new(field(rules, goal, mover))),
            ),
        }
    }

    /// The ways to a hex around those who stand in them, as they stood when somebody of a side first looked for one.
    pub(crate) fn around(&mut self, state: &State, side: Side, goal: Hex, mover: Mover) -> Arc<Field> {
        let rules = self.rules;
        let crowd = |hex: Hex| match state.brigade_at(hex) {
            None => 0,
            Some(other) if other.side == side => CROWD,
            Some(_) => FOE,
        };
        let find = || Arc::new(field_among(rules, goal, mover, crowd));
        Arc::clone(self.crowded.entry((side, goal, mover)).or_insert_with(find))
    }
}

/// The ways to an objective's hex; `None` to any other.
pub(crate) fn ways(rules: &Acw, goal: Hex, mover: Mover) -> Option<&Field> {
    let place = rules.battle().objectives.iter().position(|objective| objective.hex == goal)?;
    let slot = &rules.going().fields[place * MOVERS + mover as usize];
    Some(slot.get_or_init(|| Arc::new(field(rules, goal, mover))).as_ref())
}

fn field(rules: &Acw, goal: Hex, mover: Mover) -> Field {
    field_among(rules, goal, mover, |_| 0)
}

fn field_among(rules: &Acw, goal: Hex, mover: Mover, crowd: impl Fn(Hex) -> u16) -> Field {
    let map = &rules.battle().map;
    Ways::reach(map.last(), [(goal, 0)], |here, spent: u16| {
        let spent = spent + crowd(here);
        map.around(here).filter_map(move |(way, from)| {
            let side = map.side(here, way);
            let cost = cost(rules.numbers(), rules.battle(), (mover, Formation::Column), side, here)?;
            Some((from, spent + cost))
        })
    })
}

/// Movement points to enter a hex by one of its sides; `None` where that can't be (ACW-48, ACW-55). Roads serve columns alone.
fn cost(
    numbers: &Numbers,
    battle: &Battle,
    (mover, formation): (Mover, Formation),
    side: HexSide,
    to: Hex,
) -> Option<u16> {
    if !side.is_open() {
        return None;
    }
    let terrain = numbers.terrain(battle.map.ground(to));
    let column = mover == Mover::Headquarters || formation == Formation::Column;
    // Where a road leads onto ground that is closed to it, a unit deploys from the road.
    let ground = match (side.road, column) {
        (true, true) => terrain.column.map(|_| numbers.road),
        (true, false) => terrain.cost(mover, formation).or(terrain.column),
        (false, _) => terrain.cost(mover, formation),
    }?;
    let water = match (side.crossing, side.water) {
        (Some(crossing), _) => numbers.crossing(crossing),
        (None, Some(Water::Stream)) => numbers.waters.stream,
        (None, _) => 0,
    };
    Some(ground + water)
}

/// Movement points for a step in some direction; `None` where that can't be.
pub(crate) fn step(rules: &Acw, how: (Mover, Formation), from: Hex, way: Direction) -> Option<(Hex, u16)> {
    let map = &rules.battle().map;
    let to = from.step(way).filter(|to| map.has(*to))?;
    Some((to, cost(rules.numbers(), rules.battle(), how, map.side(from, way), to)?))
}

/// The steps from a hex with their movement points, in the order of directions.
pub(crate) fn steps(
    rules: &Acw,
    how: (Mover, Formation),
    from: Hex,
) -> impl Iterator<Item = (Hex, u16)> + '_ {
    Direction::ALL.into_iter().filter_map(move |way| step(rules, how, from, way))
}

/// What a unit may spend in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Movement points.
    pub(crate) points: u16,
    /// The most hexes.
    pub(crate) hexes: u16,
}

/// Points that weather and light leave: 2 less in rain or snow, then half at night (ACW-25).
fn in_weather(rules: &Acw, turn: u16, points: u16) -> u16 {
    let hour = rules.battle().hour(turn);
    let wet = matches!(hour.weather, Weather::Rain | Weather::Snow);
    let points = if wet { points.saturating_sub(2) } else { points };
    if hour.light == Light::Night { points / 2 } else { points }
}

/// What a brigade may spend this turn, but for bad luck: less in bad weather and at night, worn, or poorly led (ACW-25, ACW-42).
pub(crate) fn allowance(rules: &Acw, state: &State, id: BrigadeId, formation: Formation) -> Allowance {
    allowance_in(rules, state.turn, (id, state.brigade(id)), formation)
}

/// The same of a brigade as a commander knows it.
pub(crate) fn allowance_in(
    rules: &Acw,
    turn: u16,
    (id, brigade): (BrigadeId, &Brigade),
    formation: Formation,
) -> Allowance {
    let mover = Mover::from(rules.battle().brigade(id).arm);
    let table = rules.numbers().allowances[&mover];
    let worn = if brigade.cohesion <= 4 { 2 } else { 0 };
    let poor = u16::from(brigade.leadership <= 3);
    let points = in_weather(rules, turn, table.points).saturating_sub(worn + poor);
    let hexes = if formation == Formation::Column { table.column } else { table.line };
    Allowance { points, hexes }
}

/// What a headquarters may spend this turn.
pub(crate) fn hq_allowance(rules: &Acw, turn: u16) -> Allowance {
    let table = rules.numbers().allowances[&Mover::Headquarters];
    Allowance { points: in_weather(rules, turn, table.points), hexes: table.column }
}

/// The most hexes that a unit goes in these turns.
pub(crate) fn most_hexes(rules: &Acw, mover: Mover, turns: RangeInclusive<u16>) -> u32 {
    let moving = turns.filter(|turn| !rules.battle().hour(*turn).still).count();
    let hexes = usize::from(rules.numbers().allowances[&mover].column);
    u32::try_from(moving * hexes).unwrap_or(u32::MAX)
}
