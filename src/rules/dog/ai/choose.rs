//! What a unit does by itself: where it could go and what it could do there, in points of fighting strength. The damage to the enemy, the cost, the danger
//! from the enemy there, and the progress on its way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::believed::{Act, Deed, Man, Order, Position};
use super::board::{Board, Spot};
use super::worth::Worth;

/// A way of fighting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Temper {
    /// The value of half a point of the way to the enemy, in percent of the unit's worth.
    pub(super) advance: i64,
    /// The weight of own losses in an attack, in percent.
    pub(super) caution: i64,
    /// The weight of the danger in a hex, in percent.
    pub(super) fear: i64,
    /// Whether units that have not been found stay hidden.
    pub(super) waits: bool,
}

/// An enemy as an army sees it when its turn comes.
struct Foe {
    i: usize,
    man: Man,
    attack: u32,
    defence: u32,
    volley: u32,
    range: u32,
    /// Whole points to move.
    moves: u32,
    /// The number of units of the army that it could strike in its next round; its strike hits one of them.
    targets: i64,
    /// Whether a unit of the army stands beside it, so that it won't go away unseen.
    held: bool,
    /// The average damage of its attack and of its volley to the unit that is looked at, and of its retaliation.
    blow: Worth,
    arrows: Worth,
    back: Worth,
}

/// What an army sees when its turn comes, after the strikes that are planned.
pub(super) struct Outlook<'b, 'a> {
    board: &'b Board<'a>,
    foes: Vec<Foe>,
    /// Where to go if no enemy is in sight.
    goals: &'b [Spot],
    seed: u64,
    /// Whether units think of hiding.
    pub(super) hides: bool,
    /// The cost to each hex that was reached, and the hex before it: scratch of the search.
    cost: Vec<u16>,
    before: Vec<Spot>,
    reached: Vec<Spot>,
    open: BinaryHeap<Reverse<(u16, Spot)>>,
    close: Vec<Spot>,
    answers: Answers,
}

impl<'b, 'a> Outlook<'b, 'a> {
    pub(super) fn new(board: &'b Board<'a>, goals: &'b [Spot], at: &Position, army: u8, seed: u64) -> Self {
        let side = at.army(army).map(|i| at.men[i].side).next().unwrap_or(u8::MAX);
        let foe = |i: usize| {
            let man = at.men[i];
            let (range, moves) = (board.range(&man), u32::from(board.kinds[man.kind].points / 2));
            let near =
                at.army(army).filter(|&own| board.apart(at.men[own].at, man.at) <= range.max(1) + moves);
            Foe {
                i,
                attack: board.attack(&man, man.at),
                defence: board.defence(&man, man.at),
                volley: board.volley(&man, 1),
                range,
                moves,
                targets: i64::try_from(near.count()).unwrap_or(1).max(1),
                held: at.army(army).any(|own| board.apart(at.men[own].at, man.at) == 1),
                blow: 0,
                arrows: 0,
                back: 0,
                man,
            }
        };
        let seen = |i: &usize| at.men[*i].stands() && at.men[*i].side != side && !at.men[*i].hidden;
        let foes: Vec<Foe> = (0..at.men.len()).filter(seen).map(foe).collect();
        let hexes = board.hexes.len();
        Self {
            board,
            goals,
            seed,
            hides: false,
            cost: vec![u16::MAX; hexes],
            before: vec![0; hexes],
            reached: Vec::new(),
            open: BinaryHeap::new(),
            close: Vec::new(),
            answers: Answers { force: u32::MAX, harms: vec![-1; foes.len()], beside: Vec::new() },
            foes,
        }
    }

    /// The orders of an army by one way of fighting for each unit. `at` is the leader's own: his units move in it as they are ordered.
    pub(super) fn orders(
        &mut self,
        at: &mut Position,
        army: u8,
        temper: impl Fn(usize) -> Temper,
        moves: bool,
    ) -> Vec<Order> {
        let line = self.line(at, army);
        line.into_iter().map(|i| self.order(at, i, &temper(i), moves)).collect()
    }

    /// The units of an army in the order of their orders: those in front move first, so that they don't block each other.
    pub(super) fn line(&self, at: &Position, army: u8) -> Vec<usize> {
        let near = |i: usize| {
            self.foes.iter().map(|foe| self.board.apart(foe.man.at, at.men[i].at)).min().unwrap_or(0)
        };
        let mut line: Vec<(u32, usize)> =
            at.army(army).filter(|&i| !at.men[i].idle).map(|i| (near(i), i)).collect();
        line.sort_unstable();
        line.into_iter().map(|(_, i)| i).collect()
    }

    /// The order for the best act of a unit, which is then reckoned with.
    pub(super) fn order(&mut self, at: &mut Position, i: usize, temper: &Temper, moves: bool) -> Order {
        let act = self.best(at, i, temper, moves);
        let way = self.way(at.men[i].at, act.end);
        self.take(at, i, act);
        Order::new(i, act, &way)
    }

    /// Reckons with what a unit is to do, so that the next unit sees its result.
    pub(super) fn take(&mut self, at: &mut Position, i: usize, act: Act) {
        at.place(i, act.end);
        let man = &at.men[i];
        let (target, force) = match act.deed {
            Deed::Defend | Deed::Meet | Deed::Hide => return,
            Deed::Attack(target) => (target, self.board.attack(man, man.at)),
            Deed::Shoot(target) => {
                (target, self.board.volley(man, self.board.apart(man.at, at.men[target].at)))
            }
        };
        if let Some(foe) = self.foes.iter_mut().find(|foe| foe.i == target) {
            foe.man = self.board.struck(force, 3, &foe.man);
        }
    }

    pub(super) fn best(&mut self, at: &Position, i: usize, temper: &Temper, moves: bool) -> Act {
        let stay = Act { end: at.men[i].at, toward: None, deed: Deed::Defend, named: false };
        let mut best = (Worth::MIN, stay);
        self.weigh(at, i, temper, moves, |worth, act| {
            if worth > best.0 {
                best = (worth, act);
            }
        });
        best.1
    }

    /// The way to a hex that the unit looked at last can reach, without its own.
    pub(super) fn way(&self, from: Spot, to: Spot) -> Vec<Spot> {
        let mut way = Vec::new();
        let mut here = to;
        while here != from {
            way.push(here);
            here = self.before[here];
        }
        way.reverse();
        way
    }

    /// Whether that unit can reach a hex.
    pub(super) fn reaches(&self, spot: Spot) -> bool {
        self.cost[spot] != u16::MAX
    }

    /// Every act of a unit that makes sense, with its worth.
    pub(super) fn weigh(
        &mut self,
        at: &Position,
        i: usize,
        temper: &Temper,
        moves: bool,
        mut offer: impl FnMut(Worth, Act),
    ) {
        let (board, man) = (self.board, at.men[i]);
        if man.idle {
            return;
        }
        self.reach(at, i, moves);
        let own = board.value(&man);
        for foe in &mut self.foes {
            foe.blow = board.harm(foe.attack, &man);
            foe.arrows = board.harm(foe.volley, &man);
            foe.back = board.harm(foe.defence, &man);
        }
        let range =
            if man.shoots() { (board.range(&man).saturating_sub(1) * 2).try_into().unwrap_or(0) } else { 0 };
        let far: Vec<&[u16]> = match self.foes.is_empty() {
            true => self.goals.iter().map(|goal| board.far(man.kind, *goal)).collect(),
            false => self.foes.iter().map(|foe| board.far(man.kind, foe.man.at)).collect(),
        };
        // The way that is left to the nearest enemy, less the range.
        let left = |from: Spot| match far.iter().map(|far| far[from]).min() {
            None | Some(u16::MAX) => i64::from(u16::MAX),
            Some(cost) => i64::from(cost.saturating_sub(range)),
        };
        let here = left(man.at);
        let gain = |left: i64| {
            // The first four halves count in full: a unit that runs ahead alone is lost.
            let won = here - left;
            let steps = if won < 0 { won.max(-16) * 4 } else { won.min(4) * 4 + (won - 4).clamp(0, 12) };
            own * temper.advance * steps / 400
        };
        let mut fresh = std::mem::take(&mut self.answers);
        fresh.force = u32::MAX;
        for place in 0..self.reached.len() {
            let end = self.reached[place];
            let stays = end == man.at;
            let (deed, fight) = self.deed(&man, end, temper, &mut fresh);
            let deed = if deed == Deed::Defend && self.meets(&man, end, temper) { Deed::Meet } else { deed };
            let shown = !stays || deed != Deed::Defend;
            let ambush = if man.hidden && temper.waits && shown { own / 8 } else { 0 };
            let risk = if man.hidden && !shown {
                0
            } else {
                self.risk(&man, own, end, &mut fresh) * temper.fear / 100
            };
            let hex = board.hexes[end];
            let tie = i64::from(u32::from(hex.col) ^ u32::from(hex.row)) * (self.seed % 7).cast_signed() % 5;
            // A unit moves only if it gains something.
            let rest = if stays { 10 } else { 0 };
            let worth = fight - risk - ambush + gain(left(end)) + rest + tie;
            let named = self.names(deed);
            offer(worth, Act { end, toward: None, deed, named });
            if stays && moves && matches!(deed, Deed::Defend | Deed::Meet) {
                if self.hides && temper.waits && self.may_hide(&man) {
                    offer(worth + risk / 2 + 1, Act { end, toward: None, deed: Deed::Hide, named: false });
                }
                if let Some((toward, cost)) = self.saves_for(at, &man, &left) {
                    let worth = worth + gain(left(toward) + i64::from(cost));
                    offer(worth, Act { end, toward: Some(toward), deed, named });
                }
            }
        }
        self.answers = fresh;
    }

    /// Whether an order for this names its target: one that an own unit holds. A target that may move is not named, so that the strike falls on whoever is
    /// there then.
    fn names(&self, deed: Deed) -> bool {
        match deed {
            Deed::Attack(target) | Deed::Shoot(target) => {
                self.foes.iter().any(|foe| foe.i == target && foe.held)
            }
            Deed::Defend | Deed::Meet | Deed::Hide => false,
        }
    }

    /// The hexes where a unit can end its move.
    pub(super) fn reach(&mut self, at: &Position, i: usize, moves: bool) {
        let (board, man) = (self.board, at.men[i]);
        let points = if moves { board.kinds[man.kind].points } else { 0 };
        self.reached.drain(..).for_each(|spot| self.cost[spot] = u16::MAX);
        self.cost[man.at] = 0;
        self.reached.push(man.at);
        let close = |spot: &Spot| board.apart(*spot, man.at) <= u32::from(points) + 1;
        self.close.clear();
        self.close.extend(self.foes.iter().map(|foe| foe.man.at).filter(close));
        self.open.clear();
        self.open.push(Reverse((0, man.at)));
        while let Some(Reverse((spent, here))) = self.open.pop() {
            if spent > self.cost[here] {
                continue;
            }
            for (to, cost) in board.steps(man.kind, here) {
                if !at.is_free(to) {
                    continue;
                }
                // A step that leaves an enemy is not taken: fleeing is no plan.
                if self.close.iter().any(|foe| board.apart(*foe, here) == 1 && board.apart(*foe, to) > 1) {
                    continue;
                }
                let saved = man
                    .saved
                    .filter(|(toward, _)| *toward == to && here == man.at)
                    .map_or(0, |(_, saved)| saved);
                let sum = spent.saturating_add(cost.saturating_sub(saved));
                if sum > points || sum >= self.cost[to] {
                    continue;
                }
                if self.cost[to] == u16::MAX {
                    self.reached.push(to);
                }
                self.cost[to] = sum;
                self.before[to] = here;
                self.open.push(Reverse((sum, to)));
            }
        }
        self.reached.sort_unstable();
    }

    /// The best action of a unit in combat from a hex, and its value.
    fn deed(&self, man: &Man, at: Spot, temper: &Temper, fresh: &mut Answers) -> (Deed, Worth) {
        let board = self.board;
        let mut best = (Deed::Defend, 0);
        if man.astray {
            return best;
        }
        let live = || self.foes.iter().enumerate().filter(|(_, foe)| foe.man.stands());
        let mut beside = std::mem::take(&mut fresh.beside);
        beside.clear();
        fresh.stand(board.defence(man, at));
        // A unit that attacks retaliates against its target alone. The retaliations that it gives up count against the attack.
        let near = live().filter(|(_, foe)| board.apart(foe.man.at, at) == 1);
        beside.extend(near.map(|(place, _)| (place, fresh.harm(self, place) * 2 / 5)));
        let all: Worth = beside.iter().map(|(_, given_up)| given_up).sum();
        if man.shoots() {
            for (place, foe) in live().filter(|(_, foe)| man.prey.is_none_or(|prey| prey == foe.i)) {
                let force = board.volley(man, board.apart(foe.man.at, at));
                let own =
                    beside.iter().find(|(beside, _)| *beside == place).map_or(0, |(_, given_up)| *given_up);
                let worth = if force > 0 { self.blow(force, foe) - (all - own) } else { 0 };
                if worth > best.1 {
                    best = (Deed::Shoot(foe.i), worth);
                }
            }
        }
        let force = board.attack(man, at);
        for (place, own) in &beside {
            let foe = &self.foes[*place];
            if man.prey.is_some_and(|prey| prey != foe.i) {
                continue;
            }
            let worth = self.blow(force, foe) - foe.back * temper.caution / 100 - (all - own);
            if worth > best.1 {
                best = (Deed::Attack(foe.i), worth);
            }
        }
        fresh.beside = beside;
        best
    }

    /// The value of a strike's damage, and part of it again if no target is left to strike back.
    fn blow(&self, force: u32, foe: &Foe) -> Worth {
        let all = self.board.value(&foe.man);
        let taken = self.board.harm(force, &foe.man);
        if taken >= all { taken * 5 / 4 } else { taken }
    }

    /// Whether a unit strikes any enemy that comes: an attacker still retaliates once against its target (ruling DOG-15), so striking pays if the
    /// enemies who can come lose more by it than the unit does.
    fn meets(&self, man: &Man, at: Spot, temper: &Temper) -> bool {
        if man.hidden || man.astray || man.prey.is_some() {
            return false;
        }
        let board = self.board;
        let mut comer = None;
        for foe in self.foes.iter().filter(|foe| foe.man.stands()) {
            match board.apart(foe.man.at, at) {
                1 => return false,
                hexes if hexes > 1 + foe.moves => {}
                // A unit that strikes retaliates against its target alone: if several enemies came, the others would meet no retaliation.
                _ if comer.is_some() => return false,
                _ => comer = Some(foe),
            }
        }
        comer.is_some_and(|foe| self.blow(board.attack(man, at), foe) > foe.back * temper.caution / 100)
    }

    /// The expected damage to a unit in a hex before it acts again, weighted by the chance that the enemy strikes this unit.
    fn risk(&self, man: &Man, own: Worth, at: Spot, fresh: &mut Answers) -> Worth {
        let mut sum = 0;
        fresh.stand(self.board.defence(man, at));
        for (place, foe) in self.foes.iter().enumerate() {
            let hexes = self.board.apart(foe.man.at, at);
            if hexes > foe.range.max(1) + foe.moves || !foe.man.stands() {
                continue;
            }
            let arrows = match hexes {
                hexes if hexes <= foe.range => foe.arrows,
                hexes if foe.range > 0 && hexes <= foe.range + foe.moves => foe.arrows / 2,
                _ => 0,
            };
            let likely = match hexes {
                1 => 100,
                hexes if hexes <= 1 + foe.moves => 60,
                _ => 0,
            };
            // An enemy who would lose more by an attack than he gains is less likely to attack.
            let blow = if likely == 0 {
                0
            } else {
                (foe.blow - fresh.harm(self, place) * 3 / 4).max(0) * likely / 100
            };
            sum += arrows.max(blow) / foe.targets;
        }
        sum.min(own)
    }

    /// Whether hiding makes sense at a unit's place: it is allowed, and the first searcher doesn't find the unit (rulings DOG-23, DOG-43).
    fn may_hide(&self, man: &Man) -> bool {
        let near = self.board.rules.numbers().hide.near;
        let seen = self.foes.iter().any(|foe| self.board.apart(foe.man.at, man.at) <= near);
        !man.hidden && !man.aboard && !seen && self.board.found(man.kind, &man.fighters, man.at) < 6
    }

    /// The hex that a unit could save points for, nearer to the enemy, and how much it will still cost in the next round.
    fn saves_for(&self, at: &Position, man: &Man, left: &impl Fn(Spot) -> i64) -> Option<(Spot, u16)> {
        let board = self.board;
        let points = board.kinds[man.kind].points;
        if man.aboard || points == 0 || self.foes.iter().any(|foe| board.apart(foe.man.at, man.at) == 1) {
            return None;
        }
        let dear = |(to, cost): (Spot, u16)| {
            let saved = man.saved.filter(|(toward, _)| *toward == to).map_or(0, |(_, saved)| saved);
            let cost = cost.saturating_sub(saved);
            (cost > points && at.is_free(to)).then(|| (to, cost - points))
        };
        board
            .steps(man.kind, man.at)
            .filter_map(dear)
            .min_by_key(|(to, cost)| (left(*to) + i64::from(*cost), *to))
    }
}

/// The damage of a unit's retaliation to each enemy, which is the same on the same ground; and the enemies beside it, each with that.
#[derive(Default)]
struct Answers {
    force: u32,
    harms: Vec<Worth>,
    beside: Vec<(usize, Worth)>,
}

impl Answers {
    fn stand(&mut self, force: u32) {
        if force != self.force {
            self.force = force;
            self.harms.fill(-1);
        }
    }

    fn harm(&mut self, seen: &Outlook<'_, '_>, place: usize) -> Worth {
        if self.harms[place] < 0 {
            self.harms[place] = seen.board.harm(self.force, &seen.foes[place].man);
        }
        self.harms[place]
    }
}
