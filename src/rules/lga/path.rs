//! The way of a unit over the map: the cheapest legal path, found alike on the true position and on a view.

use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

/// The cost of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toll {
    /// So many moves. Manual 2.3, ruling LGA-28.
    Moves(u8),
    /// All that remain, of which there must be at least one: between land and sea. Manual 2.3, ruling LGA-29.
    Rest,
}

impl Toll {
    /// The value of [`Toll::Rest`] when paths are compared: more than any unit's whole season.
    const WHOLE_SEASON: u64 = 20;

    fn weight(self) -> u64 {
        match self {
            Self::Moves(moves) => u64::from(moves),
            Self::Rest => Self::WHOLE_SEASON,
        }
    }

    /// The moves that remain of `left` after paying; `None` if they are too few.
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
    /// The map's last hex, in its last column and row.
    fn last(&self) -> Hex;

    /// The hexes that `hex` has a passable side with, in the fixed order of directions, sea links last.
    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex>;

    /// The cost of the step between two neighbours, including the extra move for leaving an enemy zone; `None` if this unit may not take it, because
    /// the hex is closed to it or held by an enemy.
    fn toll(&self, from: Hex, to: Hex) -> Option<Toll>;

    /// Whether an enemy zone of control covers `hex`.
    fn in_enemy_zone(&self, hex: Hex) -> bool;

    /// A lower bound for the number of steps from one hex to another, each of which costs a move; 0 if some steps are free.
    fn steps_at_least(&self, from: Hex, to: Hex) -> u32;
}

/// The measure of a path: moves, then enemy zones entered, then steps. Less is better. The three are packed into one number, so that a search adds
/// and compares them at once; no path over a map of 99 by 99 hexes overflows any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Judgement(u64);

impl Judgement {
    const MOVE: u64 = 1 << 40;
    const ZONE: u64 = 1 << 20;
    const STEP: u64 = 1;

    /// The measure of a path without a step.
    const NOTHING: Self = Self(0);

    /// With one more step before it.
    fn after(self, toll: Toll, into_zone: bool) -> Self {
        Self(self.0 + toll.weight() * Self::MOVE + u64::from(into_zone) * Self::ZONE + Self::STEP)
    }

    /// With so many more steps before it, each of a move.
    fn after_steps(self, steps: u32) -> Self {
        Self(self.0 + u64::from(steps) * (Self::MOVE + Self::STEP))
    }
}

/// The cheapest legal path from one hex to another, without `from` itself; empty if they are the same, `None` if there is no way. Among equal costs:
/// the path through fewer enemy zones, then the shorter, then the first in the order of [`Ground::neighbours`]. A path may cost more than a unit has;
/// the unit then goes as far as it can.
pub fn cheapest(ground: &impl Ground, from: Hex, to: Hex) -> Option<Vec<Hex>> {
    let rest = judge_towards(ground, from, to);
    let mut here = from;
    let mut path = Vec::new();
    while here != to {
        let best = rest.cost(here)?;
        here = ground.neighbours(here).find(|&next| {
            let through = rest.cost(next).and_then(|rest| joined(ground, here, next, rest));
            through == Some(best)
        })?;
        path.push(here);
    }
    Some(path)
}

/// Judges the ways to `to`, from the goal back, until those on a best way from `from` are known for good, led by [`Ground::steps_at_least`]. It goes on
/// through all that may be as good as the first way found, so that ties are broken by the order of directions and not by the order of the search.
fn judge_towards(ground: &impl Ground, from: Hex, to: Hex) -> Ways<Judgement> {
    let hoped = |hex: Hex, so_far: Judgement| so_far.after_steps(ground.steps_at_least(from, hex));
    let stops =
        |found: &Ways<Judgement>, _: Hex, hope: Judgement| found.cost(from).is_some_and(|best| hope > best);
    let steps = |here: Hex, judgement: Judgement| {
        let longer = move |before: Hex| Some((before, joined(ground, before, here, judgement)?));
        ground.neighbours(here).filter_map(longer)
    };
    Ways::search(ground.last(), [(to, Judgement::NOTHING)], hoped, stops, steps)
}

/// The judgement of a way that begins with the step `from` `to` and goes on as judged by `rest`.
fn joined(ground: &impl Ground, from: Hex, to: Hex, rest: Judgement) -> Option<Judgement> {
    Some(rest.after(ground.toll(from, to)?, ground.in_enemy_zone(to)))
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
        fn last(&self) -> Hex {
            Hex::new(10, 10)
        }
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
