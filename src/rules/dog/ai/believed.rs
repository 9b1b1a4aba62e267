//! A battle as a leader believes it to stand, and rounds of it fought in his head: the phases of `phases/` in short, without hidden enemies.

use super::board::{Board, Kin, SORTS, Spot};
use super::worth::{self, Worth};
use crate::data::Dog;
use crate::model::{ArmyId, Sort, UnitId};
use crate::scores;
use crate::view::View;
use musterd_kit::search::mixed;

/// The faces of the die that stand for a bad, a medium and a good strike: two faces each do the same (manual 4.3).
const STRIKES: [u32; 3] = [1, 3, 5];

/// A hex that a prisoner stands in.
const BLOCKED: u16 = u16::MAX;

/// The steps of a march that are reckoned with: no more than the fastest on foot or horse take on a road.
const STEPS: usize = 10;

/// What a unit does in combat. Men are named by their places in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Defend,
    Attack(usize),
    /// Strike any enemy that comes next to it this round.
    Meet,
    Shoot(usize),
    Hide,
}

/// What a unit is to do in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Act {
    /// Where its move ends.
    pub(super) end: Spot,
    /// A hex that it saves points for (ruling DOG-13).
    pub(super) toward: Option<Spot>,
    pub(super) deed: Deed,
    /// Whether the order names its target. If not, it falls on the enemy within reach whom it harms most.
    pub(super) named: bool,
}

/// The order for a unit: what it is to do, and the first steps of its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) man: usize,
    pub(super) act: Act,
    way: [Option<u16>; STEPS],
}

impl Order {
    pub(super) fn new(man: usize, act: Act, way: &[Spot]) -> Self {
        let mut steps = [None; STEPS];
        for (step, spot) in steps.iter_mut().zip(way) {
            *step = u16::try_from(*spot).ok();
        }
        Self { man, act, way: steps }
    }
}

/// A unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Man {
    pub(super) kind: usize,
    pub(super) army: u8,
    pub(super) side: u8,
    pub(super) at: Spot,
    /// Fighters and volleys left, of each sort in the order of its kind.
    pub(super) fighters: [u16; SORTS],
    pub(super) shots: [u16; SORTS],
    /// How many fighters more or fewer there may well be: they were not counted.
    spread: u16,
    pub(super) hidden: bool,
    pub(super) aboard: bool,
    /// Whether it guards prisoners this round, or disobeys.
    pub(super) idle: bool,
    pub(super) prey: Option<usize>,
    /// Whether it hunts somebody who is out of sight, and so strikes nobody (ruling DOG-17).
    pub(super) astray: bool,
    pub(super) saved: Option<(Spot, u16)>,
    /// Whether it defends itself only; whom it strikes once that is settled; and what it has done this round.
    defends: bool,
    target: Option<usize>,
    struck: bool,
    answered: bool,
}

impl Man {
    pub(super) fn stands(&self) -> bool {
        self.fighters.iter().any(|left| *left > 0)
    }

    pub(super) fn shoots(&self) -> bool {
        self.shots.iter().zip(&self.fighters).any(|(shots, left)| *shots > 0 && *left > 0)
    }
}

/// The dice of a sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dice {
    pub(super) seed: u64,
    pub(super) sample: u32,
}

/// What a die is thrown for.
#[derive(Debug, Clone, Copy)]
enum Throw {
    Strike,
    Retaliation,
    Search,
}

/// The units with their places.
#[derive(Clone)]
pub(super) struct Position {
    pub(super) men: Vec<Man>,
    /// The unit in each hex, counted from one.
    taken: Vec<u16>,
    pub(super) round: u16,
    /// The armies in the order in which they act, and each army's units in theirs.
    pub(super) order: Vec<u8>,
    pub(super) sides: usize,
}

/// The position that a view shows, with the units' names; own units come first. Prisoners only stand in the way.
pub(super) fn believed<'a>(rules: &'a Dog, view: &View) -> (Board<'a>, Position, Vec<UnitId>) {
    let mut board = Board::new(rules, view);
    let mut at = Position {
        men: Vec::new(),
        taken: vec![0; board.hexes.len()],
        round: view.round,
        order: view.order.iter().map(|army| army.0).collect(),
        sides: rules.battle().alliances().len(),
    };
    let captives = view.own.values().filter_map(|unit| unit.captive.map(|_| unit.at));
    let others = view.others.values().filter_map(|unit| unit.captive.map(|_| unit.at));
    captives.chain(others).for_each(|hex| at.taken[board.spot(hex)] = BLOCKED);
    let mut names: Vec<UnitId> = Vec::new();
    let mut hunters = Vec::new();
    for (id, unit) in view.own.iter().filter(|(_, unit)| unit.captive.is_none()) {
        let Some(army) = view.army else { continue };
        let mut man = raised(&mut board, view, army, &unit.sorts, unit.aboard);
        for (kin, shots) in board.kinds[man.kind].kin.iter().zip(&mut man.shots) {
            *shots = unit.shots[kin.place];
        }
        (man.at, man.hidden, man.idle) = (board.spot(unit.at), unit.hidden, unit.guards || !unit.obeys);
        man.saved = unit.saved.map(|(hex, points)| (board.spot(hex), points));
        hunters.extend(unit.pursues.map(|prey| (at.men.len(), prey)));
        at.men.push(man);
        names.push(*id);
    }
    for (id, unit) in view.others.iter().filter(|(_, unit)| unit.captive.is_none()) {
        let mut man = raised(&mut board, view, unit.army, &worth::guessed(unit), unit.aboard);
        (man.at, man.hidden) = (board.spot(unit.at), unit.hidden);
        if let [_] = board.kinds[man.kind].kin.as_slice() {
            let (least, most) = unit.count.ends();
            man.spread = (most - least) / 4;
        }
        at.men.push(man);
        names.push(*id);
    }
    for (hunter, prey) in hunters {
        let man = &mut at.men[hunter];
        man.prey = names.iter().position(|id| *id == prey);
        man.astray = man.prey.is_none();
    }
    for (place, man) in at.men.iter().enumerate() {
        at.taken[man.at] = u16::try_from(place + 1).unwrap_or(BLOCKED);
    }
    (board, at, names)
}

/// A unit of these fighters with all volleys that can be expected of them.
fn raised(board: &mut Board<'_>, view: &View, army: ArmyId, sorts: &[Sort], aboard: bool) -> Man {
    let battle = board.rules.battle();
    let alliance = &battle.army(army).alliance;
    let side = battle.alliances().iter().position(|name| name == alliance).unwrap_or(0);
    let kind = board.kind(view, sorts, aboard);
    let mut man = Man {
        kind,
        army: army.0,
        side: u8::try_from(side).unwrap_or(u8::MAX),
        at: 0,
        fighters: [0; SORTS],
        shots: [0; SORTS],
        spread: 0,
        hidden: false,
        aboard,
        idle: false,
        prey: None,
        astray: false,
        saved: None,
        defends: true,
        target: None,
        struck: false,
        answered: false,
    };
    for (place, kin) in board.kinds[kind].kin.iter().enumerate() {
        man.fighters[place] = sorts[kin.place].fighters;
        man.shots[place] = kin.volleys;
    }
    man
}

impl Board<'_> {
    /// The force of a unit's attack, or of its retaliation.
    pub(super) fn attack(&self, man: &Man, spot: Spot) -> u32 {
        force(&man.fighters, &self.kinds[man.kind].attack[self.footing(spot, man.aboard)])
    }

    pub(super) fn defence(&self, man: &Man, spot: Spot) -> u32 {
        force(&man.fighters, &self.kinds[man.kind].defence[self.footing(spot, man.aboard)])
    }

    /// The force of a unit's volley over so many hexes, and the farthest that one reaches.
    pub(super) fn volley(&self, man: &Man, hexes: u32) -> u32 {
        let arms = self.arms(man).filter(|(_, kin)| kin.range >= hexes);
        arms.fold(0, |all, (left, kin)| all.saturating_add(u32::from(left).saturating_mul(kin.power)))
    }

    pub(super) fn range(&self, man: &Man) -> u32 {
        self.arms(man).map(|(_, kin)| kin.range).max().unwrap_or(0)
    }

    fn arms<'a>(&'a self, man: &'a Man) -> impl Iterator<Item = (u16, &'a Kin)> {
        let arms = self.kinds[man.kind].kin.iter().zip(man.fighters).zip(man.shots);
        arms.filter(|((kin, left), shots)| kin.power > 0 && *left > 0 && *shots > 0)
            .map(|((kin, left), _)| (left, kin))
    }

    /// What all of a unit are worth.
    pub(super) fn value(&self, man: &Man) -> Worth {
        let all = self.kinds[man.kind].kin.iter().zip(man.fighters).zip(man.shots);
        all.map(|((kin, left), shots)| kin.worth[usize::from(shots > 0)] * Worth::from(left)).sum()
    }

    /// The average damage of a strike of this force to a unit.
    pub(super) fn harm(&self, force: u32, man: &Man) -> Worth {
        if force == 0 {
            return 0;
        }
        let worth =
            |(kin, dead, shots): (&Kin, u16, u16)| kin.worth[usize::from(shots > 0)] * Worth::from(dead);
        STRIKES.map(|die| self.dead(force, die, man).map(worth).sum::<Worth>()).into_iter().sum::<Worth>() / 3
    }

    /// The hit points that a usual strike of this force takes from a unit, as a strike without a named target reckons.
    fn killed(&self, force: u32, man: &Man) -> u32 {
        let dead = self.dead(force, STRIKES[1], man);
        dead.fold(0, |all, (kin, dead, _)| all.saturating_add(kin.hp.saturating_mul(dead.into())))
    }

    /// The unit after a strike of this force.
    pub(super) fn struck(&self, force: u32, die: u32, man: &Man) -> Man {
        let mut left = *man;
        for ((_, dead, _), fighters) in self.dead(force, die, man).zip(&mut left.fighters) {
            *fighters -= dead;
        }
        left
    }

    /// Who falls to a strike of this force: of each sort, with the volleys that it has left.
    fn dead<'b>(&'b self, force: u32, die: u32, man: &'b Man) -> impl Iterator<Item = (&'b Kin, u16, u16)> {
        let mut damage = scores::damage(self.rules.battle().switches, force, die);
        let sorts = self.kinds[man.kind].kin.iter().zip(man.fighters).zip(man.shots);
        sorts.map(move |((kin, left), shots)| {
            let dead = u16::try_from(damage / kin.hp).unwrap_or(u16::MAX).min(left);
            // What doesn't kill one of this sort is lost on the next.
            damage = if dead < left { 0 } else { damage - u32::from(dead) * kin.hp };
            (kin, dead, shots)
        })
    }
}

fn force(fighters: &[u16; SORTS], scores: &[u32; SORTS]) -> u32 {
    // A ruleset of one's own may have any scores (`scores.rs`).
    let each = fighters.iter().zip(scores);
    each.fold(0, |all, (left, score)| all.saturating_add(u32::from(*left).saturating_mul(*score)))
}

impl Position {
    /// The position of a sample: who was not counted is a few more in one, and a few fewer in another.
    pub(super) fn sampled(&self, sample: u32) -> Self {
        let mut at = self.clone();
        for (man, i) in at.men.iter_mut().zip(0_u32..).filter(|(man, _)| man.spread > 0) {
            let all = man.fighters[0];
            man.fighters[0] = match (i + sample) % 3 {
                0 => all,
                1 => all + man.spread,
                _ => all.saturating_sub(man.spread).max(1),
            };
        }
        at
    }

    pub(super) fn is_free(&self, spot: Spot) -> bool {
        self.taken[spot] == 0
    }

    /// The units of an army that can act.
    pub(super) fn army(&self, army: u8) -> impl Iterator<Item = usize> + '_ {
        (0..self.men.len()).filter(move |&i| self.men[i].army == army && self.men[i].stands())
    }

    /// Puts a unit where its order leads if nothing comes between. It stays where somebody has taken its goal.
    pub(super) fn place(&mut self, i: usize, end: Spot) {
        let from = self.men[i].at;
        if end != from && self.is_free(end) {
            self.taken[end] = self.taken[from];
            self.taken[from] = 0;
            let man = &mut self.men[i];
            (man.at, man.hidden, man.saved) = (end, false, None);
        }
    }

    /// Carries out a march, step by step, until somebody stands in the way or an enemy beside it would be left.
    fn march(&mut self, board: &Board<'_>, order: &Order) {
        let i = order.man;
        for step in order.way.iter().map_while(|step| *step) {
            let (from, to) = (self.men[i].at, usize::from(step));
            let holds = |foe: &Man| {
                foe.side != self.men[i].side
                    && foe.stands()
                    && !foe.hidden
                    && board.apart(foe.at, from) == 1
                    && board.apart(foe.at, to) > 1
            };
            if !self.is_free(to) || self.men.iter().any(holds) {
                return;
            }
            self.place(i, to);
        }
        let man = &mut self.men[i];
        if let Some(toward) = order.act.toward {
            let before = man.saved.filter(|(spot, _)| *spot == toward).map_or(0, |(_, points)| points);
            man.saved = Some((toward, before.saturating_add(board.kinds[man.kind].points)));
        }
    }

    /// Fights a round. `plan` gives an army's orders: all armies write them before anybody moves.
    pub(super) fn fight(
        &mut self,
        board: &Board<'_>,
        dice: Dice,
        mut plan: impl FnMut(&Self, u8) -> Vec<Order>,
    ) {
        let armies: Vec<Vec<Order>> = self.order.iter().map(|army| plan(self, *army)).collect();
        for order in armies.iter().flatten() {
            self.march(board, order);
        }
        self.search(board, dice, &armies);
        self.stand(&armies);
        for orders in &armies {
            for shots in [true, false] {
                for order in orders {
                    self.strike(board, order, shots, dice);
                }
            }
        }
        for man in &mut self.men {
            (man.defends, man.target, man.struck, man.answered) = (true, None, false, false);
            (man.idle, man.prey, man.astray) = (false, None, false);
        }
        self.order.rotate_left(1);
        self.round += 1;
    }

    /// How units stand before the first strike (ruling DOG-15). Who hunts somebody attacks nobody else, ordered or not (ruling DOG-17).
    fn stand(&mut self, armies: &[Vec<Order>]) {
        for man in self.men.iter_mut().filter(|man| !man.idle && (man.astray || man.prey.is_some())) {
            (man.defends, man.target) = (false, man.prey);
        }
        for order in armies.iter().flatten() {
            let man = &mut self.men[order.man];
            let target = match order.act.deed {
                _ if man.idle || man.astray || man.prey.is_some() => continue,
                Deed::Attack(target) | Deed::Shoot(target) => Some(target).filter(|_| order.act.named),
                Deed::Meet => None,
                Deed::Defend | Deed::Hide => continue,
            };
            (man.defends, man.target) = (false, target);
        }
    }

    /// Looks for hidden units with enemies near.
    fn search(&mut self, board: &Board<'_>, dice: Dice, armies: &[Vec<Order>]) {
        let near = board.rules.numbers().hide.near;
        for order in armies.iter().flatten().filter(|order| order.act.deed == Deed::Hide) {
            self.men[order.man].hidden = true;
        }
        for i in 0..self.men.len() {
            let man = self.men[i];
            if !man.hidden || !man.stands() {
                continue;
            }
            let found = self
                .men
                .iter()
                .any(|foe| foe.side != man.side && foe.stands() && board.apart(foe.at, man.at) <= near);
            if found
                && i64::from(board.found(man.kind, &man.fighters, man.at))
                    >= self.die(dice, i, Throw::Search, 6)
            {
                self.men[i].hidden = false;
            }
        }
    }

    /// A die from 1 for a unit. In as many samples as it has faces each face falls once, so that no plan is chosen for its luck.
    fn die(&self, dice: Dice, by: usize, throw: Throw, sides: u64) -> i64 {
        let label =
            u64::from(self.round) << 32 | u64::from(throw as u8) << 16 | u64::try_from(by).unwrap_or(0);
        let face = (mixed(dice.seed ^ mixed(label)) % sides + u64::from(dice.sample)) % sides;
        i64::try_from(face).unwrap_or(0) + 1
    }

    /// The die of a strike.
    fn face(&self, dice: Dice, by: usize, throw: Throw) -> u32 {
        STRIKES[usize::try_from(self.die(dice, by, throw, 3) - 1).unwrap_or(0)]
    }

    /// Carries out a unit's order to fight.
    fn strike(&mut self, board: &Board<'_>, order: &Order, shots: bool, dice: Dice) {
        let i = order.man;
        let man = self.men[i];
        let ordered = match order.act.deed {
            Deed::Shoot(_) => shots,
            Deed::Attack(_) | Deed::Meet => !shots,
            Deed::Defend | Deed::Hide => false,
        };
        if !ordered || man.idle || man.astray || man.struck || !man.stands() {
            return;
        }
        let mine = board.attack(&man, man.at);
        let power = |foe: &Man| match board.apart(man.at, foe.at) {
            hexes if shots => board.volley(&man, hexes),
            1 => mine,
            _ => 0,
        };
        let can = |target: &usize| {
            let foe = &self.men[*target];
            foe.stands() && foe.side != man.side && !foe.hidden && power(foe) > 0
        };
        let target = match man.target {
            Some(target) => Some(target).filter(can),
            None => (0..self.men.len()).filter(can).max_by_key(|&target| {
                let foe = &self.men[target];
                (board.killed(power(foe), foe), std::cmp::Reverse(target))
            }),
        };
        let Some(target) = target else { return };
        let own = &mut self.men[i];
        (own.target, own.struck, own.hidden, own.saved) = (Some(target), true, false, None);
        let foe = self.men[target];
        let power = power(&foe);
        let face = self.face(dice, i, Throw::Strike);
        if shots {
            let hexes = board.apart(man.at, foe.at);
            for (kin, left) in board.kinds[man.kind].kin.iter().zip(&mut self.men[i].shots) {
                *left = if kin.range >= hexes { left.saturating_sub(1) } else { *left };
            }
            self.hit(board, target, power, face);
            return;
        }
        let back = if self.answers(target, i) { board.defence(&foe, foe.at) } else { 0 };
        self.hit(board, target, power, face);
        if back > 0 {
            self.men[target].answered = true;
            self.hit(board, i, back, self.face(dice, target, Throw::Retaliation));
        }
    }

    /// Whether a unit strikes back at this attacker, who becomes its target if it had none (ruling DOG-15).
    fn answers(&mut self, i: usize, by: usize) -> bool {
        let man = &mut self.men[i];
        man.defends || !man.astray && (*man.target.get_or_insert(by) == by && !man.answered)
    }

    fn hit(&mut self, board: &Board<'_>, i: usize, force: u32, face: u32) {
        self.men[i] = board.struck(force, face, &self.men[i]);
        self.men[i].saved = None;
        if !self.men[i].stands() {
            self.taken[self.men[i].at] = 0;
        }
    }
}
