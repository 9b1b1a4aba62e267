//! The quickest ways over the field, a step at a time.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

use crate::data::Sa;
use crate::law;
use crate::model::{Terrain, Way};
use crate::state::Position;

/// Where a way leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To this hex.
    Hex(Hex),
    /// To whichever enemy is reached first.
    Foe,
}

/// What a way through a friend's hex costs more than one through a free hex, in hexes of clear ground: so far goes a detour.
const FRIEND: u32 = 2;
/// The same of an enemy's hex.
const FOE: u32 = 6;
/// Parts of a time-point in which costs are counted: more than a field is wide and high.
const FINE: u32 = 256;

/// How a unit's quickest way begins; `None` if no way leads there. Spells don't count. The way leads round other units unless the detour is too long:
/// its first hex may be taken. An enemy in the goal may stand on any ground.
pub fn first(rules: &Sa, position: &Position, place: usize, goal: Goal) -> Option<Way> {
    let battle = rules.battle();
    let (spec, field) = (&battle.units[place], &battle.field);
    let costs = Terrain::ALL.map(|terrain| Some(u32::from(law::pace(rules, spec, terrain)?) * FINE));
    let clear = costs[Terrain::Clear as usize]?;
    let least = costs.iter().flatten().copied().min()?;
    let foes = battle.army(spec.id.side.other()).units;
    let is_foe = |other: u8| (foes.0..foes.1).contains(&usize::from(other));
    let is_goal = |hex: Hex, index: usize| match goal {
        Goal::Hex(goal) => hex == goal,
        Goal::Foe => position.board[index].is_some_and(is_foe),
    };
    let cost = |hex: Hex| {
        let index = field.index(hex)?;
        let (chart, there) = (costs[field.ground[index] as usize], position.board[index]);
        match there {
            Some(other) if is_goal(hex, index) => {
                if is_foe(other) {
                    Some(clear)
                } else {
                    chart
                }
            }
            Some(other) if is_foe(other) => Some(chart? + FOE * clear),
            Some(_) => Some(chart? + FRIEND * clear),
            None => chart,
        }
    };
    // Of hexes through which ways may be as quick, the one that is nearest to the goal is looked at first.
    let hoped = |hex: Hex, cost: u32| match goal {
        Goal::Hex(goal) => cost + hex.distance(goal) * (least + 1),
        Goal::Foe => cost,
    };
    let from = position.units[place].at?;
    let steps =
        |here: Hex, spent: u32| here.around().filter_map(move |next| Some((next, spent + cost(next)?)));
    let mut reached = None;
    let stops = |_: &Ways<u32>, here: Hex, _: u32| {
        reached = field.index(here).filter(|index| is_goal(here, *index)).map(|_| here);
        reached.is_some()
    };
    let ways = Ways::search(field.last(), [(from, 0)], hoped, stops, steps);
    from.direction_to(*ways.way_to(reached?)?.first()?).map(Way)
}
