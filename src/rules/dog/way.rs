//! Ways over the field: what a step costs, and the best way to a hex; who holds and who strikes whoever leaves one.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::battle::Works;
use super::data::Dog;
use super::model::{Sort, Terrain, UnitId};
use super::scores;
use musterd_engine::hex::Hex;
use musterd_kit::way as kit;

/// The field as somebody who travels sees it.
pub(crate) struct Ways<'a> {
    pub(crate) rules: &'a Dog,
    pub(crate) works: &'a Works,
    /// Hexes with a unit in sight.
    pub(crate) taken: BTreeSet<Hex>,
    /// Hexes next to an enemy in sight: of two ways as long, the one that meets fewer of them.
    pub(crate) watched: BTreeSet<Hex>,
}

impl Ways<'_> {
    /// What a step costs, in halves of points.
    ///
    /// # Errors
    /// Why the unit can't go there, in words, whoever stands there.
    pub(crate) fn step(&self, sorts: &[Sort], afloat: bool, from: Hex, to: Hex) -> Result<u16, String> {
        let Some(ground) = self.works.ground(&self.rules.battle().field, to) else {
            return Err("it is off the field".to_owned());
        };
        let numbers = self.rules.numbers();
        if afloat {
            // A boat goes where there is water, a point a hex (ruling DOG-35).
            return match numbers.cover(ground.terrain).is_water() {
                true => Ok(numbers.cover(Terrain::CLEAR).cost),
                false => Err("a boat goes by water: LAND goes ashore".to_owned()),
            };
        }
        let battle = self.rules.battle();
        let crossing = self.works.crossings.contains(&(from.min(to), from.max(to)));
        let bridged = self.works.bridges.contains(&to);
        scores::may_stand(numbers, battle.switches, sorts, ground, bridged)?;
        let plain = scores::cost(numbers, battle.switches, sorts, ground);
        let road = numbers.cover(Terrain::ROAD).cost;
        Ok(if bridged || crossing { plain.min(road) } else { plain })
    }

    /// The cheapest way, without the hex that it starts from; none where there is none. To a hex that is taken it goes by the cheapest free
    /// one next to it, for a march that stops before it (ruling DOG-12).
    pub(crate) fn best(&self, sorts: &[Sort], afloat: bool, from: Hex, to: Hex) -> Option<Vec<Hex>> {
        if !self.taken.contains(&to) {
            return self.cheapest(sorts, afloat, from, |hex| hex == to);
        }
        let mut way = self.cheapest(sorts, afloat, from, |hex| hex.distance(to) == 1)?;
        way.push(to);
        Some(way)
    }

    /// The cheapest way to a free hex that will do; empty where the one it starts from does.
    pub(crate) fn cheapest(
        &self,
        sorts: &[Sort],
        afloat: bool,
        from: Hex,
        goal: impl FnMut(Hex) -> bool,
    ) -> Option<Vec<Hex>> {
        let steps = |here: Hex, (points, watched, hexes): (u32, u32, u32)| {
            self.steps(sorts, afloat, here).map(move |(next, cost)| {
                let watched = watched + u32::from(self.watched.contains(&next));
                (next, (points + cost, watched, hexes + 1))
            })
        };
        kit::Ways::cheapest(self.rules.battle().field.last(), (from, (0, 0, 0)), goal, steps)
    }

    /// The free hexes to which ways of no more than so many halves of points lead.
    pub(crate) fn within(&self, sorts: &[Sort], afloat: bool, from: Hex, points: u32) -> Vec<Hex> {
        let steps = |here: Hex, spent: u32| {
            let next = self.steps(sorts, afloat, here).map(move |(next, cost)| (next, spent + cost));
            next.filter(move |(_, spent)| *spent <= points)
        };
        let ways = kit::Ways::reach(self.rules.battle().field.last(), [(from, 0)], steps);
        ways.reached().map(|(hex, _)| hex).filter(|hex| *hex != from).collect()
    }

    /// The steps to free hexes, each with its cost in halves of points.
    fn steps<'w>(
        &'w self,
        sorts: &'w [Sort],
        afloat: bool,
        here: Hex,
    ) -> impl Iterator<Item = (Hex, u32)> + 'w {
        let free = self.rules.battle().field.around(here).filter(|hex| !self.taken.contains(hex));
        free.filter_map(move |next| Some((next, self.step(sorts, afloat, here, next).ok()?.into())))
    }
}

/// How many of each sort stay behind, of `leave` in all: as the unit is made up, the largest sorts first (ruling DOG-18).
pub(crate) fn left_behind(sorts: &[Sort], leave: u16) -> Vec<u16> {
    let all: u32 = sorts.iter().map(|sort| u32::from(sort.fighters)).sum();
    let share = |sort: &Sort| u32::from(sort.fighters) * u32::from(leave) / all.max(1);
    let mut stay: Vec<u16> =
        sorts.iter().map(|sort| u16::try_from(share(sort)).unwrap_or(sort.fighters)).collect();
    let mut order: Vec<usize> = (0..sorts.len()).collect();
    order.sort_by_key(|&i| Reverse(sorts[i].fighters));
    while stay.iter().sum::<u16>() < leave {
        let Some(&i) = order.iter().find(|&&i| stay[i] < sorts[i].fighters) else { break };
        stay[i] += 1;
    }
    stay
}

/// How many enemies a rear guard of so many holds: one for each quarter of the unit that stays (manual 4.4, ruling DOG-18).
pub(crate) fn holds(rules: &Dog, fighters: u16, stay: u16) -> usize {
    let each = fighters.div_ceil(rules.numbers().rear_guard_one_in.max(1)).max(1);
    usize::from(stay / each)
}

/// The enemies that a unit leaves by a step: next to where it was, and not to where it goes (ruling DOG-17).
pub(crate) fn left_enemies(foes: &[(UnitId, Hex)], from: Hex, to: Hex) -> Vec<UnitId> {
    let left = foes.iter().filter(|(_, at)| at.distance(from) == 1 && at.distance(to) > 1);
    left.map(|(id, _)| *id).collect()
}
