//! The worth of victory points: of each point, and near the end of the levels of victory that both sides reach with them. The side with the higher level
//! wins the game (manual 5.2).

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
    /// The stakes when a point is worth `point`, and our side has `after` more turns after this one.
    pub(super) fn new(view: &View, point: i32, after: usize) -> Self {
        let needed = |own: bool| {
            let side = view.victory.iter().find(|victory| (victory.side == view.side) == own);
            let levels = side.map(|victory| victory.levels.iter().map(|(_, least)| least * 100));
            levels.into_iter().flatten().collect()
        };
        let levels = LEVEL.get(after).map(|&worth| Levels {
            ours: needed(true),
            theirs: needed(false),
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
