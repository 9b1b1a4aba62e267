//! The worth of a position to the planner, before the enemy's answer: cities, supply on both sides, concentration, exposure and the next muster. All
//! in tenths of a military point.

use std::cell::RefCell;
use std::rc::Rc;

use super::board::{Board, Prize, foe};
use super::lifeline::Lifelines;
use super::stakes::Stakes;
use super::threat::{Enemy, Threat};
use crate::model::{Arm, Nation, UnitId, UnitType};
use crate::numbers::read;
use crate::plan::Piece;
use crate::spots::{Spot, Spots};

/// A piece of one's own.
pub(super) struct Man {
    pub(super) id: UnitId,
    pub(super) nation: Nation,
    pub(super) kind: UnitType,
    pub(super) morale: i32,
    pub(super) modifier: i32,
    /// The cost of losing it.
    pub(super) value: i32,
}

impl Man {
    pub(super) fn of(board: &Board<'_>, piece: &Piece) -> Self {
        let morale = i32::from(piece.morale);
        let value = match piece.kind.arm {
            Arm::Hq => 40 + 20 * i32::from(piece.modifier),
            _ => i32::from(board.rules.stats(piece.kind).cost) * 5 + morale * 20,
        };
        let (id, nation, kind) = (piece.id, piece.nation, piece.kind);
        Self { id, nation, kind, morale, modifier: i32::from(piece.modifier), value }
    }

    pub(super) fn is_unit(&self) -> bool {
        self.kind.arm != Arm::Hq
    }
}

/// The destination of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Post {
    pub(super) at: Spot,
    pub(super) garrison: bool,
    /// The hexes that it enters on the way.
    pub(super) way: Vec<Spot>,
    pub(super) left: u8,
    /// The morale that it is expected to lose in attacks from there.
    pub(super) worn: i32,
}

/// The pieces in one hex.
#[derive(Default, Clone, Copy)]
pub(super) struct HexForce {
    pub(super) spot: Spot,
    /// The number of units other than garrisons.
    pub(super) units: i32,
    pub(super) morale: i32,
    pub(super) garrison: bool,
    pub(super) hq: i32,
    pub(super) headquarters: i32,
    pub(super) value: i32,
    /// The part of the value that needs a line of supply.
    pub(super) bound: i32,
}

/// A position: the pieces in each hex, and the hexes held.
struct Layout {
    stacks: Vec<HexForce>,
    ours: Spots,
    /// Hexes that our units are expected to hold against any attack.
    firm: Spots,
    /// The zones that our units exert.
    zones: Spots,
    /// The hexes that our supply comes from.
    sources: Vec<Spot>,
}

/// A victory point, by the number of own turns after this one: none, one, two, more.
const POINT: [i32; 4] = [300, 100, 90, 70];
/// The loss of a unit out of supply, in percent of its value.
const CUT_OFF: i32 = 60;
/// The loss of an enemy out of supply, in percent of its value.
const ENCIRCLED: i32 = 70;
/// Risk weight in percent of a stack's value, if one, two or three enemy units could cut it off.
const SNARE: [i32; 3] = [90, 70, 40];
/// How strong a stack must be to count as sure to hold its hex, in percent of all enemies that can attack it.
const FIRM: i32 = 25;
/// The part of that risk that remains, in percent, by the number of friendly units near enough to break through: none, one, two or more.
const FRIENDS: [i32; 3] = [50, 50, 20];
/// Risk weight in percent of a stack's value, if more enemies can attack it than it can withstand.
const EXPOSED: i32 = 70;
/// The fear for the last source of supply at a risk of one in ten, in percent of the army's value. It grows with the square of the risk.
const LAST_SOURCE: i32 = 20;
/// A point of morale lost in a fight, on either side.
pub(super) const BLOW: i32 = 28;
/// A unit lost in a fight, on either side.
pub(super) const KILL: i32 = 45;
/// A point of morale that the muster costs.
const MORALE: i32 = 21;
/// A unit beside a headquarters, for each point of its modifier.
const LED: i32 = 5;
/// A unit beside other units.
const MASSED: i32 = 5;
/// The distance within which friends can break through to a stack that is cut off.
const HELP: u32 = 3;
/// The assumed value of an enemy unit.
pub(super) const ENEMY_UNIT: i32 = 90;

/// Evaluates positions.
pub(super) struct Judge<'a> {
    pub(super) board: &'a Board<'a>,
    pub(super) men: Vec<Man>,
    stakes: Stakes,
    /// The zone that a unit exerts from each hex.
    zones: Vec<Spots>,
    /// Pairs of hexes around each hex from which two enemies can cut it off on open ground.
    pub(super) jaws: Vec<Vec<(Spot, Spot)>>,
    /// The last lines of supply that were traced: most changes of posts leave them as they are.
    traced: RefCell<Option<Traced>>,
}

/// Lines of supply that were traced.
struct Traced {
    sources: Vec<Spot>,
    /// The hexes that they run over.
    ours: Spots,
    supply: Rc<Spots>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(board: &'a Board<'a>, men: Vec<Man>) -> Self {
        let land = |spot: &Spot| board.land.has(*spot);
        let zones = (0..board.hexes)
            .map(|spot| Spots::of(board.hexes, board.near[spot].iter().copied().filter(land)))
            .collect();
        let jaws = (0..board.hexes).map(|spot| jaws(board, spot)).collect();
        let after = usize::try_from(board.turns_left.saturating_sub(1)).unwrap_or(usize::MAX);
        let stakes = Stakes::new(board.view, foe(board.view.side), POINT[after.min(POINT.len() - 1)], after);
        Self { board, men, stakes, zones, jaws, traced: RefCell::default() }
    }

    /// The position in which every piece has gone to its post.
    fn position(&self, posts: &[Post]) -> Layout {
        let board = self.board;
        let mut ours = board.ours.clone();
        let mut zones = Spots::empty(board.hexes);
        let mut standing = Spots::empty(board.hexes);
        let mut open_ports: Vec<Spot> = Vec::new();
        let mut stacks: Vec<HexForce> = Vec::with_capacity(self.men.len());
        for (man, post) in self.men.iter().zip(posts) {
            let stack = match stacks.iter().position(|stack| stack.spot == post.at) {
                Some(place) => &mut stacks[place],
                None => {
                    stacks.push(HexForce { spot: post.at, ..HexForce::default() });
                    let last = stacks.len() - 1;
                    &mut stacks[last]
                }
            };
            stack.value += man.value;
            if !board.needs_no_line(man.nation, post.at) {
                stack.bound += man.value;
            }
            if !man.is_unit() {
                stack.hq = stack.hq.max(man.modifier);
                stack.headquarters += 1;
                continue;
            }
            post.way.iter().filter(|&&spot| board.land.has(spot)).for_each(|&spot| ours.add(spot));
            standing.add(post.at);
            if post.garrison {
                stack.garrison = true;
                stack.morale += man.morale - post.worn;
                if board.ports.has(post.at) && board.rules.setting.of(man.nation).port_supply {
                    open_ports.push(post.at);
                }
            } else {
                stack.units += 1;
                stack.morale += man.morale - post.worn;
                if board.land.has(post.at) {
                    zones.join(&self.zones[post.at]);
                }
            }
        }
        let mut sources = board.sources.clone();
        sources.append(&mut open_ports);
        let holds = |stack: &&HexForce| {
            let strength = stack.morale + 2 * stack.hq;
            standing.has(stack.spot) && strength * 100 >= board.open_threat.attackers[stack.spot] * 3 * FIRM
        };
        let firm = Spots::of(board.hexes, stacks.iter().filter(holds).map(|stack| stack.spot));
        Layout { stacks, ours, firm, zones, sources }
    }

    /// The hexes held and the zones exerted when every piece has gone to its post.
    pub(super) fn ground(&self, posts: &[Post]) -> (Spots, Spots) {
        let Layout { ours, zones, .. } = self.position(posts);
        (ours, zones)
    }

    /// The worth of the position in which every piece has gone to its post.
    pub(super) fn worth(&self, posts: &[Post]) -> i32 {
        self.worth_above(posts, i32::MIN).unwrap_or(i32::MIN)
    }

    /// The worth of that position if it is more than `least`; the enemy's answer is looked into only then.
    pub(super) fn worth_above(&self, posts: &[Post], least: i32) -> Option<i32> {
        let position = self.position(posts);
        let Layout { ours, firm, zones, .. } = &position;
        let mut theirs = self.board.theirs.clone();
        theirs.strip(ours);
        let their_supply = self.board.trace(&self.board.their_sources, &theirs, zones);
        let bare = self.bare_worth(posts, &position, &their_supply);
        if bare <= least {
            return None;
        }
        let afraid = self.board.answered && self.board.turns_left > 1;
        let mut worth = bare;
        if self.board.answered {
            let threat = self.board.threat_past(&their_supply, firm, zones);
            worth -= self.dangers(&position, &threat);
            if afraid && worth > least {
                worth -= self.snares(&position, &threat);
            }
        }
        (worth > least).then_some(worth)
    }

    /// The hexes with a line of supply over `ours`, past the enemies that are seen.
    fn supply(&self, sources: &[Spot], ours: &Spots) -> Rc<Spots> {
        let mut last = self.traced.borrow_mut();
        if let Some(last) = last.as_ref().filter(|last| last.sources == sources && last.ours == *ours) {
            return Rc::clone(&last.supply);
        }
        let supply = Rc::new(self.board.trace(sources, ours, &self.board.zones));
        *last = Some(Traced { sources: sources.to_vec(), ours: ours.clone(), supply: Rc::clone(&supply) });
        supply
    }

    /// The worth of a position without the risk of stacks being cut off.
    fn bare_worth(&self, posts: &[Post], position: &Layout, their_supply: &Spots) -> i32 {
        let board = self.board;
        let last = board.turns_left == 1;
        let Layout { stacks, ours, sources, .. } = position;
        let mut worth = self.cities(ours, |_| 0);
        if last && !board.answered {
            return worth;
        }
        let supply = self.supply(sources, ours);
        for (man, post) in self.men.iter().zip(posts) {
            let supplied = supply.has(post.at) || board.needs_no_line(man.nation, post.at);
            worth += self.man(man, post, supplied);
        }
        if !last {
            worth += board.enemies.iter().map(|enemy| self.encircled(enemy, their_supply)).sum::<i32>();
        }
        worth + stacks.iter().map(|stack| self.stack(stack)).sum::<i32>()
    }

    /// What taking an enemy city would add to the present points.
    pub(super) fn gain(&self, city: &Prize) -> i32 {
        let sum = |held: &Spots, worth: fn(&Prize) -> i32| -> i32 {
            self.board.prizes.iter().filter(|prize| held.has(prize.at)).map(|prize| worth(prize) * 100).sum()
        };
        let us = sum(&self.board.ours, |prize| prize.ours);
        let them = sum(&self.board.theirs, |prize| prize.theirs);
        self.stakes.worth(us + city.ours * 100, them - city.theirs * 100) - self.stakes.worth(us, them)
    }

    /// The worth of the cities held, if those of ours are lost with some risk, in percent.
    fn cities(&self, ours: &Spots, risk: impl Fn(&Prize) -> i32) -> i32 {
        let board = self.board;
        let (mut us, mut them) = (0, 0);
        for prize in &board.prizes {
            let theirs = board.theirs.has(prize.at);
            let held = match (ours.has(prize.at), theirs) {
                // A city without visible defenders may still have a garrison.
                (true, true) => 60,
                (true, false) => 100,
                (false, _) => 0,
            };
            let kept = held * (100 - risk(prize)) / 100;
            us += prize.ours * kept;
            if theirs || held > 0 {
                them += prize.theirs * (100 - kept);
            }
        }
        self.stakes.worth(us, them)
    }

    /// The risk of losing cities, and stacks that are too weak for those who can attack them.
    fn dangers(&self, position: &Layout, threat: &Threat) -> i32 {
        let board = self.board;
        let Layout { stacks, ours, .. } = position;
        // A screen may be beaten, and a rider may slip past: where supply hangs on a city, neither is trusted.
        let threat_to = |prize: &Prize| match board.sources.contains(&prize.at) {
            true if board.open_threat.visitors[prize.at] == 0 => &board.raids,
            true => &board.open_threat,
            false => threat,
        };
        let risk_of = |prize: &Prize| {
            let threat = threat_to(prize);
            if threat.visitors[prize.at] == 0 {
                return 0;
            }
            let stack = stacks.iter().find(|stack| stack.spot == prize.at);
            loss_risk(stack, threat.attackers[prize.at] * 3)
        };
        let mut risked = self.cities(ours, |_| 0) - self.cities(ours, risk_of);
        for prize in board.prizes.iter().filter(|prize| board.turns_left > 1 && ours.has(prize.at)) {
            if board.sources.contains(&prize.at) {
                let army: i32 = self.men.iter().map(|man| man.value).sum();
                let others = board.sources.iter().filter(|&&s| s != prize.at && ours.has(s)).count();
                if others == 0 {
                    let risk = risk_of(prize);
                    risked += army * risk.max(risk * risk * LAST_SOURCE / 100) / 100;
                }
            }
        }
        risked + stacks.iter().map(|stack| Self::exposed(stack, threat)).sum::<i32>()
    }

    /// The worth of one piece at its post.
    fn man(&self, man: &Man, post: &Post, supplied: bool) -> i32 {
        let board = self.board;
        let mut worth = board.pull[post.at];
        if !supplied && board.turns_left > 1 {
            worth -= man.value * CUT_OFF / 100;
        }
        if man.is_unit() {
            if board.turns_left > 1 && board.land.has(post.at) {
                let bonus = board.muster[post.at] - if supplied { 0 } else { 2 };
                worth -= self.muster((man.morale - post.worn).max(0), bonus);
            }
            if post.left == 0 && board.open_threat.attackers[post.at] > 0 && !post.way.is_empty() {
                worth -= 5;
            }
        }
        worth
    }

    /// The expected cost of the next muster for a unit.
    fn muster(&self, morale: i32, bonus: i32) -> i32 {
        let table = &self.board.rules.numbers.muster.loss;
        let price = |die: i32| {
            let loss = i32::from(read(table, die + morale + bonus).1);
            loss.min(morale + 1) * MORALE + if loss > morale { 40 } else { 0 }
        };
        (1..=6).map(price).sum::<i32>() / 6
    }

    /// The loss of an enemy stack out of supply.
    fn encircled(&self, enemy: &Enemy, supply: &Spots) -> i32 {
        let board = self.board;
        if enemy.units == 0 || supply.has(enemy.at) || board.needs_no_line(enemy.nation, enemy.at) {
            return 0;
        }
        enemy.units * ENEMY_UNIT * ENCIRCLED / 100
    }

    /// The worth of a stack by its state: led, massed or exposed.
    fn stack(&self, stack: &HexForce) -> i32 {
        let board = self.board;
        let mut worth = 0;
        let army = stack.units.min(6);
        worth += army * stack.hq * LED;
        if army > 1 {
            worth += army * MASSED;
        }
        if stack.headquarters > 0 && stack.units == 0 && !stack.garrison {
            worth -= if board.open_threat.visitors[stack.spot] > 0 { stack.value / 2 } else { 20 };
        }
        if stack.headquarters > 1 {
            worth -= 10 * (stack.headquarters - 1);
        }
        worth
    }

    /// The risk for a stack that can be attacked by more than it can withstand.
    fn exposed(stack: &HexForce, threat: &Threat) -> i32 {
        let strength = stack.morale + 2 * stack.hq;
        let excess = threat.attackers[stack.spot] * 3 - strength;
        if stack.units == 0 || excess <= 0 {
            return 0;
        }
        stack.value * excess / (excess + 2 * strength + 1) * EXPOSED / 100
    }

    /// The risk for the stacks that the enemy could cut off.
    fn snares(&self, position: &Layout, threat: &Threat) -> i32 {
        let Layout { stacks, ours, sources, .. } = position;
        let lines = Lifelines::new(self.board, sources, ours, threat);
        let raiders: Vec<_> = stacks.iter().map(|stack| lines.raiders(stack.spot)).collect();
        let mut feared = 0;
        for (stack, needed) in stacks.iter().zip(&raiders) {
            let Some(needed) = needed.filter(|_| stack.bound > 0) else { continue };
            let fear = SNARE[needed.clamp(1, SNARE.len()) - 1];
            let free =
                stacks.iter().zip(&raiders).filter(|(_, raiders)| raiders.is_none()).map(|(other, _)| other);
            let near = free.filter(|other| self.board.distance(other.spot, stack.spot) <= HELP);
            let friends = usize::try_from(near.map(|other| other.units).sum::<i32>()).unwrap_or(0);
            feared += stack.bound * fear / 100 * FRIENDS[friends.min(FRIENDS.len() - 1)] / 100;
        }
        feared
    }
}

/// The risk, in percent, of losing a city to attackers of some strength.
fn loss_risk(stack: Option<&HexForce>, threat: i32) -> i32 {
    let held = stack.filter(|s| s.units > 0 || s.garrison);
    let Some(stack) = held else { return 80 };
    let strength = stack.morale.max(1) + 2 * stack.hq + if stack.garrison { 2 } else { 0 };
    (threat - strength).clamp(0, threat) * 40 / (threat + strength).max(1)
}

/// The pairs of hexes next to a hex that are not next to each other.
fn jaws(board: &Board<'_>, spot: Spot) -> Vec<(Spot, Spot)> {
    let near: Vec<Spot> = board.near[spot].iter().copied().filter(|&next| board.land.has(next)).collect();
    let mut pairs = Vec::new();
    for (place, &a) in near.iter().enumerate() {
        for &b in &near[place + 1..] {
            if board.distance(a, b) > 1 {
                pairs.push((a, b));
            }
        }
    }
    pairs
}
