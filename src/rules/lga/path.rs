//! The way of a unit over the map: the cheapest legal path, found alike on the true position and on a view.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::hex::Hex;

/// What one step costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toll {
    /// So many moves. Manual 2.3, ruling LGA-28.
    Moves(u8),
    /// All that remain, of which there must be at least one: between land and sea. Manual 2.3, ruling LGA-29.
    Rest,
}

impl Toll {
    /// What [`Toll::Rest`] counts for when paths are compared: more than any unit's whole season.
    const WHOLE_SEASON: u32 = 20;

    fn weight(self) -> u32 {
        match self {
            Self::Moves(moves) => u32::from(moves),
            Self::Rest => Self::WHOLE_SEASON,
        }
    }

    /// The moves left after paying out of `left`; none if it is not enough.
    #[must_use]
    pub const fn paid_from(self, left: u8) -> Option<u8> {
        match self {
            Self::Moves(moves) => left.checked_sub(moves),
            Self::Rest if left > 0 => Some(0),
            Self::Rest => None,
        }
    }
}

/// The map as it is for one unit at one moment.
pub trait Ground {
    /// The hexes that `hex` has a passable side with, in the fixed order of directions, sea links last.
    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex>;

    /// What the step between two neighbours costs, the extra move for leaving an enemy zone included; none if this unit
    /// may not take it: closed to it, or held by an enemy.
    fn toll(&self, from: Hex, to: Hex) -> Option<Toll>;

    /// Whether an enemy zone of control covers `hex`.
    fn in_enemy_zone(&self, hex: Hex) -> bool;

    /// No fewer steps than this lead from one hex to another, and each costs a move; 0 where some are free.
    fn steps_at_least(&self, from: Hex, to: Hex) -> u32;
}

/// How a path is judged: moves, then enemy zones entered, then steps. Less is better.
type Judgement = (u32, u32, u32);

/// The cheapest legal path `from` one hex `to` another, without `from` itself; empty if they are the same, none if there
/// is no way. Equal costs: the path through fewer enemy zones, then the shorter, then the first in the order of
/// [`Ground::neighbours`]. What a path costs may be more than a unit has: it goes as far as it can.
#[must_use]
pub fn cheapest(ground: &impl Ground, from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let remaining = judge_towards(ground, from, to);
    let mut here = from;
    let mut path = Vec::new();
    while here != to {
        let goal = remaining.of(here)?;
        here = ground.neighbours(here).find(|&next| {
            let through = remaining.of(next).and_then(|rest| joined(ground, here, next, rest));
            through == Some(goal)
        })?;
        path.push(here);
    }
    Some(path)
}

/// The best judgement of the way to the goal from every hex where it is known: a plain table, because a search fills it
/// thousands of times a turn.
#[derive(Default)]
struct Settled(Vec<Option<Judgement>>);

impl Settled {
    fn slot(hex: Hex) -> usize {
        usize::from(hex.row) * 100 + usize::from(hex.col)
    }

    fn of(&self, hex: Hex) -> Option<Judgement> {
        self.0.get(Self::slot(hex)).copied().flatten()
    }

    fn settle(&mut self, hex: Hex, judgement: Judgement) {
        let slot = Self::slot(hex);
        if slot >= self.0.len() {
            self.0.resize(slot + 100, None);
        }
        self.0[slot] = Some(judgement);
    }
}

/// Judges the ways to `to`, from the goal back, until every hex on a best way from `from` is settled: A* with
/// [`Ground::steps_at_least`]. Hexes whose best way is as good as `from`'s are settled too, so that ties are broken by
/// the order of directions and not by the order of the search.
fn judge_towards(ground: &impl Ground, from: Hex, to: Hex) -> Settled {
    let hoped = |hex: Hex, so_far: Judgement| {
        let steps = ground.steps_at_least(from, hex);
        (so_far.0 + steps, so_far.1, so_far.2 + steps)
    };
    let mut settled = Settled::default();
    let mut open = BinaryHeap::from([Reverse((hoped(to, (0, 0, 0)), to, (0, 0, 0)))]);
    while let Some(Reverse((hope, here, judgement))) = open.pop() {
        if settled.of(from).is_some_and(|best| hope > best) {
            break;
        }
        if settled.of(here).is_some() {
            continue;
        }
        settled.settle(here, judgement);
        for before in ground.neighbours(here) {
            if settled.of(before).is_none()
                && let Some(longer) = joined(ground, before, here, judgement)
            {
                open.push(Reverse((hoped(before, longer), before, longer)));
            }
        }
    }
    settled
}

/// The judgement of a way that begins with the step `from` `to` and goes on as judged by `rest`.
fn joined(ground: &impl Ground, from: Hex, to: Hex, rest: Judgement) -> Option<Judgement> {
    let toll = ground.toll(from, to)?;
    let zone = u32::from(ground.in_enemy_zone(to));
    Some((rest.0 + toll.weight(), rest.1 + zone, rest.2 + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Ten by ten hexes: `toll` by the hex entered, one move where nothing is said.
    #[derive(Default)]
    struct Field {
        tolls: BTreeMap<Hex, Option<Toll>>,
        zones: BTreeSet<Hex>,
    }

    impl Ground for Field {
        fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> {
            hex.around().filter(|h| h.col <= 10 && h.row <= 10)
        }
        fn steps_at_least(&self, from: Hex, to: Hex) -> u32 {
            from.distance(to)
        }
        fn toll(&self, _: Hex, to: Hex) -> Option<Toll> {
            self.tolls.get(&to).copied().unwrap_or(Some(Toll::Moves(1)))
        }
        fn in_enemy_zone(&self, hex: Hex) -> bool {
            self.zones.contains(&hex)
        }
    }

    fn hexes(text: &str) -> Vec<Hex> {
        text.split_whitespace().map(|h| h.parse().unwrap()).collect()
    }

    fn way(field: &Field, from: &str, to: &str) -> Option<Vec<Hex>> {
        cheapest(field, from.parse().unwrap(), to.parse().unwrap())
    }

    #[test]
    fn straight_over_open_ground() {
        assert_eq!(way(&Field::default(), "0203", "0503"), Some(hexes("0303 0403 0503")));
        assert_eq!(way(&Field::default(), "0203", "0203"), Some(vec![]));
    }

    #[test]
    fn a_detour_beats_dear_ground() {
        let mut field = Field::default();
        field.tolls.insert(Hex::new(3, 3), Some(Toll::Moves(3)));
        // Round it by the north east, which comes before the south east.
        assert_eq!(way(&field, "0203", "0403"), Some(hexes("0202 0302 0403")));
    }

    #[test]
    fn equal_costs_avoid_enemy_zones() {
        let mut field = Field::default();
        field.tolls.insert(Hex::new(3, 3), None);
        field.zones.insert(Hex::new(2, 2));
        assert_eq!(way(&field, "0203", "0403"), Some(hexes("0204 0304 0403")));
    }

    #[test]
    fn no_way_through_a_closed_ring() {
        let mut field = Field::default();
        for hex in Hex::new(5, 5).around() {
            field.tolls.insert(hex, None);
        }
        assert_eq!(way(&field, "0101", "0505"), None);
    }

    #[test]
    fn a_sea_crossing_is_taken_only_when_no_march_leads_there() {
        let mut field = Field::default();
        for row in 1..=10 {
            field.tolls.insert(Hex::new(5, row), Some(Toll::Rest));
        }
        assert_eq!(way(&field, "0403", "0603"), Some(hexes("0503 0603")));
        for row in 1..=10 {
            field.tolls.insert(Hex::new(5, row), (row == 10).then_some(Toll::Moves(1)));
        }
        field.tolls.insert(Hex::new(5, 3), Some(Toll::Rest));
        let march = way(&field, "0403", "0603").unwrap();
        assert!(march.contains(&Hex::new(5, 10)) && !march.contains(&Hex::new(5, 3)), "{march:?}");
    }

    #[test]
    fn tolls_are_paid_out_of_what_is_left() {
        assert_eq!(Toll::Moves(2).paid_from(3), Some(1));
        assert_eq!(Toll::Moves(2).paid_from(1), None);
        assert_eq!(Toll::Rest.paid_from(3), Some(0));
        assert_eq!(Toll::Rest.paid_from(0), None);
    }
}
