//! The worth of victory points: of each point, and near the end of the levels of victory that both sides reach with them. The side with the higher level
//! wins the game (manual 5.2).

use crate::model::Side;
use crate::view::View;

/// The worth of a level of victory, by the number of own turns after this one: none, one. Before that a level counts nothing: it can still change hands.
const LEVEL: [i32; 2] = [600, 300];
/// The number of points, in hundredths, below a level's points at which its worth begins, and above them at which it is whole, by the same turns.
const BELOW: [i32; 2] = [200, 250];
const ABOVE: [i32; 2] = [0, 50];
/// A lead of more than one level counts this many times less.
const SURPLUS: i32 = 4;

/// The worth of the victory points of both sides to ours.
pub(super) struct Stakes {
    /// The worth of a point.
    point: i32,
    /// How a level counts, near the end.
    levels: Option<Levels>,
}

/// How a level counts.
struct Levels {
    /// The points needed for each level, in hundredths.
    ours: Vec<i32>,
    theirs: Vec<i32>,
    worth: i32,
    below: i32,
    above: i32,
}

impl Stakes {
    /// The stakes against `foe` when a point is worth `point`, and our side has `after` more turns after this one.
    pub(super) fn new(view: &View, foe: Side, point: i32, after: usize) -> Self {
        let needed = |of: Side| {
            let side = view.victory.iter().find(|victory| victory.side == of);
            let levels = side.map(|victory| victory.levels.iter().map(|(_, least)| least * 100));
            levels.into_iter().flatten().collect()
        };
        let levels = LEVEL.get(after).map(|&worth| Levels {
            ours: needed(view.side),
            theirs: needed(foe),
            worth,
            below: BELOW[after],
            above: ABOVE[after],
        });
        Self { point, levels }
    }

    /// The worth of so many points of either side, both in hundredths.
    pub(super) fn worth(&self, ours: i32, theirs: i32) -> i32 {
        let points = (ours - theirs) * self.point / 100;
        points + self.levels.as_ref().map_or(0, |levels| levels.worth(ours, theirs))
    }
}

impl Levels {
    fn worth(&self, ours: i32, theirs: i32) -> i32 {
        let lead = self.reached(&self.ours, ours) - self.reached(&self.theirs, theirs);
        let decided = lead.clamp(-1000, 1000);
        (decided + (lead - decided) / SURPLUS) * self.worth / 1000
    }

    /// The level that so many points give, in thousandths of a level.
    fn reached(&self, needed: &[i32], points: i32) -> i32 {
        let span = self.below + self.above;
        needed.iter().map(|least| (points - least + self.below).clamp(0, span) * 1000 / span).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Lga, shipped};
    use musterd_engine::Ruleset;

    use super::*;

    /// The stakes of the French in scenario 7, who need 12 points for a tactical victory and 16 for a strategic one, with so many turns to come.
    fn french(after: usize) -> Stakes {
        let rules = Lga::from_files(&shipped("waterloo-1815").unwrap(), &[]).unwrap();
        let seat = rules.seats().iter().find(|spec| spec.seat.as_str() == "french").unwrap().seat.clone();
        Stakes::new(&rules.view(&rules.found(), &seat), Side::Allied, 100, after)
    }

    #[test]
    fn in_the_last_turn_a_point_that_reaches_a_level_is_worth_more_than_others() {
        let stakes = french(0);
        let allied = 4600;
        let gain = |from: i32, to: i32| stakes.worth(to, allied) - stakes.worth(from, allied);
        assert!(gain(1100, 1200) > gain(1200, 1300), "{} {}", gain(1100, 1200), gain(1200, 1300));
        assert_eq!(gain(1200, 1300), 100, "the next level is out of reach");
    }

    #[test]
    fn what_costs_the_enemy_a_level_is_worth_more_too() {
        let stakes = french(0);
        // Both sides have a tactical defeat; the Allies lose theirs below 47 points.
        let loss = |from: i32, to: i32| stakes.worth(900, to) - stakes.worth(900, from);
        assert!(loss(4700, 4600) > loss(5300, 5200), "{} {}", loss(4700, 4600), loss(5300, 5200));
        assert_eq!(loss(5300, 5200), 100, "all levels are theirs before and after");
    }

    #[test]
    fn before_the_last_turns_points_count_alone() {
        let stakes = french(2);
        for (ours, theirs) in [(0, 0), (1100, 4700), (1200, 4600), (2100, 0)] {
            assert_eq!(stakes.worth(ours, theirs), ours - theirs);
        }
    }
}
