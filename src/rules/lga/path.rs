//! The way of a unit over the map: the cheapest legal path, found alike on the true position and on a view.

use std::collections::{BTreeMap, BTreeSet};

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
    fn neighbours(&self, hex: Hex) -> Vec<Hex>;

    /// What the step between two neighbours costs, the extra move for leaving an enemy zone included; none if this unit
    /// may not take it: closed to it, or held by an enemy.
    fn toll(&self, from: Hex, to: Hex) -> Option<Toll>;

    /// Whether an enemy zone of control covers `hex`.
    fn in_enemy_zone(&self, hex: Hex) -> bool;
}

/// How a path is judged: moves, then enemy zones entered, then steps. Less is better.
type Judgement = (u32, u32, u32);

/// The cheapest legal path `from` one hex `to` another, without `from` itself; empty if they are the same, none if there
/// is no way. Equal costs: the path through fewer enemy zones, then the shorter, then the first in the order of
/// [`Ground::neighbours`]. What a path costs may be more than a unit has: it goes as far as it can.
#[must_use]
pub fn cheapest(ground: &dyn Ground, from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let remaining = judge_towards(ground, from, to);
    let mut here = from;
    let mut path = Vec::new();
    while here != to {
        let goal = *remaining.get(&here)?;
        here = ground.neighbours(here).into_iter().find(|&next| {
            let through = remaining.get(&next).and_then(|&rest| joined(ground, here, next, rest));
            through == Some(goal)
        })?;
        path.push(here);
    }
    Some(path)
}

/// The best judgement of the way to `to` from every hex that is no farther than `from`: Dijkstra, from the goal.
fn judge_towards(ground: &dyn Ground, from: Hex, to: Hex) -> BTreeMap<Hex, Judgement> {
    let mut settled = BTreeMap::new();
    let mut open = BTreeSet::from([((0, 0, 0), to)]);
    while let Some((judgement, here)) = open.pop_first() {
        if settled.contains_key(&here) {
            continue;
        }
        settled.insert(here, judgement);
        if here == from {
            break;
        }
        for before in ground.neighbours(here) {
            if !settled.contains_key(&before)
                && let Some(longer) = joined(ground, before, here, judgement)
            {
                open.insert((longer, before));
            }
        }
    }
    settled
}

/// The judgement of a way that begins with the step `from` `to` and goes on as judged by `rest`.
fn joined(ground: &dyn Ground, from: Hex, to: Hex, rest: Judgement) -> Option<Judgement> {
    let toll = ground.toll(from, to)?;
    let zone = u32::from(ground.in_enemy_zone(to));
    Some((rest.0 + toll.weight(), rest.1 + zone, rest.2 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten by ten hexes: `toll` by the hex entered, one move where nothing is said.
    #[derive(Default)]
    struct Field {
        tolls: BTreeMap<Hex, Option<Toll>>,
        zones: BTreeSet<Hex>,
    }

    impl Ground for Field {
        fn neighbours(&self, hex: Hex) -> Vec<Hex> {
            hex.around().filter(|h| h.col <= 10 && h.row <= 10).collect()
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
