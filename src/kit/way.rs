//! The cheapest ways over the hexes of a map: to one hex, to all within reach, or from all to some.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use musterd_engine::hex::Hex;

/// The cheapest ways from some hexes, as far as they were searched: for each hex that was reached its cost, and the hex before it. Costs are whatever is
/// compared: points alone, or points, then dangers, then steps.
#[derive(Debug, Clone)]
pub struct Ways<C> {
    /// Slots in a row: one for each column, and one for a column 0 that is not there.
    width: usize,
    /// A plain table: a search reads it thousands of times a turn.
    slots: Vec<Option<(C, Hex)>>,
}

impl<C: Copy + Ord> Ways<C> {
    /// All that can be reached from `starts`, each with its own cost to begin with. `steps` gives the hexes next to one that was reached at a cost, each
    /// with the cost of the way to there, which is no less; steps that aren't taken are left out. `last` is the map's last hex, in its last column and
    /// row; hexes beyond it are not reached. Of two ways at the same cost, the one found first counts: hexes are looked at in the order of cost, then of
    /// rows and columns.
    pub fn reach<I: Iterator<Item = (Hex, C)>>(
        last: Hex,
        starts: impl IntoIterator<Item = (Hex, C)>,
        steps: impl Fn(Hex, C) -> I,
    ) -> Self {
        Self::search(last, starts, |_, cost| cost, |_, _, _| false, steps)
    }

    /// The cheapest way from one hex to the first that will do, without `from` itself: empty if that does, `None` if there is no way. The rest is as
    /// for [`Ways::reach`].
    pub fn cheapest<I: Iterator<Item = (Hex, C)>>(
        last: Hex,
        (from, cost): (Hex, C),
        mut is_goal: impl FnMut(Hex) -> bool,
        steps: impl Fn(Hex, C) -> I,
    ) -> Option<Vec<Hex>> {
        let mut goal = None;
        let stops = |_: &Self, here: Hex, _: C| {
            goal = is_goal(here).then_some(here);
            goal.is_some()
        };
        let ways = Self::search(last, [(from, cost)], |_, cost| cost, stops, steps);
        ways.way_to(goal?)
    }

    /// As [`Ways::reach`], led by a hope and stopped early. `hoped` gives the least that a way through this hex can cost in the end; with the cost of the
    /// way so far, which is always right, nothing leads the search. `stops` is asked with what is known, the next hex, and what is hoped of it.
    pub fn search<I: Iterator<Item = (Hex, C)>>(
        last: Hex,
        starts: impl IntoIterator<Item = (Hex, C)>,
        hoped: impl Fn(Hex, C) -> C,
        mut stops: impl FnMut(&Self, Hex, C) -> bool,
        steps: impl Fn(Hex, C) -> I,
    ) -> Self {
        let width = usize::from(last.col) + 1;
        let mut ways = Self { width, slots: vec![None; (usize::from(last.row) + 1) * width] };
        let mut open = BinaryHeap::with_capacity(32);
        for (hex, cost) in starts {
            if ways.improve(hex, cost, hex) {
                open.push(Reverse((hoped(hex, cost), hex, cost)));
            }
        }
        while let Some(Reverse((hope, here, cost))) = open.pop() {
            if stops(&ways, here, hope) {
                break;
            }
            if ways.cost(here).is_some_and(|best| best < cost) {
                continue;
            }
            for (next, cost) in steps(here, cost) {
                if ways.improve(next, cost, here) {
                    open.push(Reverse((hoped(next, cost), next, cost)));
                }
            }
        }
        ways
    }

    /// The cost of the cheapest way to a hex that was reached.
    #[must_use]
    pub fn cost(&self, hex: Hex) -> Option<C> {
        self.slot(hex).map(|(cost, _)| cost)
    }

    /// The way to a hex that was reached, without the hex where it starts.
    #[must_use]
    pub fn way_to(&self, hex: Hex) -> Option<Vec<Hex>> {
        let mut here = hex;
        let mut way = Vec::new();
        loop {
            let (_, before) = self.slot(here)?;
            if before == here {
                way.reverse();
                return Some(way);
            }
            way.push(here);
            here = before;
        }
    }

    /// The hexes that were reached, each with its cost, row by row.
    pub fn reached(&self) -> impl Iterator<Item = (Hex, C)> {
        let hex = |slot: usize| {
            let (row, col) = (slot / self.width, slot % self.width);
            Some(Hex::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?))
        };
        self.slots.iter().enumerate().filter_map(move |(slot, known)| Some((hex(slot)?, known.as_ref()?.0)))
    }

    fn index(&self, hex: Hex) -> Option<usize> {
        let is_on_map = usize::from(hex.col) < self.width;
        is_on_map.then(|| usize::from(hex.row) * self.width + usize::from(hex.col))
    }

    fn slot(&self, hex: Hex) -> Option<(C, Hex)> {
        *self.slots.get(self.index(hex)?)?
    }

    /// Notes a way to a hex. Whether it is better than any before.
    fn improve(&mut self, hex: Hex, cost: C, before: Hex) -> bool {
        let slot = self.index(hex).and_then(|index| self.slots.get_mut(index));
        match slot {
            Some(known) if known.is_none_or(|(best, _)| cost < best) => {
                *known = Some((cost, before));
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LAST: Hex = Hex::new(8, 8);

    /// The steps of a field whose hexes cost so much to enter, row by row; 0 where nobody goes.
    fn steps(costs: &[u32]) -> impl Fn(Hex, u32) -> std::vec::IntoIter<(Hex, u32)> + '_ {
        |here, spent| {
            let entered =
                here.around().filter(|hex| (1..=8).contains(&hex.col) && (1..=8).contains(&hex.row));
            let cost = |hex: Hex| costs[usize::from(hex.row - 1) * 8 + usize::from(hex.col - 1)];
            let open = entered.filter(|hex| cost(*hex) > 0).map(|hex| (hex, spent + cost(hex)));
            open.collect::<Vec<_>>().into_iter()
        }
    }

    #[test]
    fn a_goal_that_is_the_start_has_an_empty_way_and_one_behind_a_wall_none() {
        let costs = [1; 64];
        let from = Hex::new(2, 2);
        assert_eq!(Ways::cheapest(LAST, (from, 0), |hex| hex == from, steps(&costs)), Some(Vec::new()));
        let wall: Vec<u32> = (0..64).map(|slot| u32::from(slot % 8 != 4)).collect();
        assert_eq!(Ways::cheapest(LAST, (from, 0), |hex| hex == Hex::new(7, 2), steps(&wall)), None);
        let ways = Ways::reach(LAST, [(from, 0)], steps(&wall));
        assert_eq!((ways.cost(Hex::new(7, 2)), ways.way_to(Hex::new(7, 2))), (None, None));
        assert_eq!(ways.cost(Hex::new(9, 9)), None, "off the map");
    }

    proptest! {
        /// No way of another search, which relaxes every step until nothing gets better, is cheaper; and each way costs what it is said to cost.
        #[test]
        fn no_way_is_cheaper(costs in prop::collection::vec(0_u32..5, 64), goal in (1_u8..=8, 1_u8..=8)) {
            let from = Hex::new(4, 4);
            let step = steps(&costs);
            let mut best: std::collections::BTreeMap<Hex, u32> = [(from, 0)].into();
            loop {
                let longer: Vec<(Hex, u32)> = best.iter().flat_map(|(hex, cost)| step(*hex, *cost)).collect();
                let better = longer.into_iter().filter(|(hex, cost)| best.get(hex).is_none_or(|known| cost < known));
                let better: Vec<(Hex, u32)> = better.collect();
                if better.is_empty() {
                    break;
                }
                for (hex, cost) in better {
                    let known = best.entry(hex).or_insert(cost);
                    *known = cost.min(*known);
                }
            }
            let ways = Ways::reach(LAST, [(from, 0)], &step);
            let reached: std::collections::BTreeMap<Hex, u32> = ways.reached().collect();
            prop_assert_eq!(&reached, &best);
            let goal = Hex::new(goal.0, goal.1);
            let way = Ways::cheapest(LAST, (from, 0), |hex| hex == goal, &step);
            prop_assert_eq!(way.is_some(), best.contains_key(&goal));
            for way in way.into_iter().chain(ways.way_to(goal)) {
                let mut here = (from, 0);
                for hex in &way {
                    here = step(here.0, here.1).find(|(next, _)| next == hex).unwrap();
                }
                prop_assert_eq!(here, (goal, best[&goal]));
            }
            // A hope that never fails leads to the same cost.
            let hoped = |hex: Hex, cost: u32| cost + hex.distance(goal);
            let stops = |ways: &Ways<u32>, _: Hex, hope: u32| ways.cost(goal).is_some_and(|known| hope > known);
            let led = Ways::search(LAST, [(from, 0)], hoped, stops, &step);
            prop_assert_eq!(led.cost(goal), best.get(&goal).copied());
        }
    }
}
