//! What fights and places are worth to a commander: battles, routs and men in hundredths of a point of army morale.
//!
//! No figure here or in `advanced.rs` is the rules': all were found by hill-climbing, each change kept that won more of some hundred mirrored games of the nine
//! battles, against the beginner and against the commander with the figures before.

use musterd_engine::hex::Hex;

use super::board::{Board, POINT};
use super::march::Marches;
use crate::event::Nerve;
use crate::law;
use crate::model::{Class, NEAR, UnitId};
use crate::odds::{self, CHECKS, Forecast};

/// A battle won: a point for one army, and one off the other.
const BATTLE: i64 = 2 * POINT;
/// A unit that routs: its rout, and some moves in rout.
const ROUT: i64 = 6 * POINT;
/// What its men are worth comes on top, in percent: most of them are lost to the army, unless it rallies.
const ROUTED: i64 = 50;
/// What a melee lost is worth by how many more bring the rout, in percent of it: the next, one more, two more.
const NEARER: [i64; 3] = [100, 25, 10];
/// The same for more than these.
const FARTHER: i64 = 5;
/// What a unit that halts next to enemies loses by it.
const HALT: i64 = 140;
/// What men are worth, in percent of their share in an army's morale.
const MEN: i64 = 165;
/// The wizard's death.
const WIZARD: i64 = 40 * POINT;
/// How far ahead danger is looked for, in time-points.
const AHEAD: u32 = 16;
/// How much of a danger is left where an enemy must move first, in percent.
const REMOTE: i64 = 80;
/// At most so many friends share the danger of one enemy.
const SHARED: i64 = 4;
/// So many enemies at most get at a unit.
const ATTACKERS: usize = 3;
/// What a step of ground takes off a danger, in percent; and what is left of it at least and at most.
const COVER: i64 = 15;
const COVERED: (i64, i64) = (30, 150);
/// What a unit that has lost melees in a row saves of the next one's danger if it moves (SA-17), in percent.
const SPARED: i64 = 50;
/// An enemy so many hexes farther away than he can come may still be met: both move.
const MARGIN: u32 = 2;
/// How far away enemies are weighed one by one, in hexes.
const SIGHT: u32 = 8;
/// What a friend near is worth, less an enemy near.
const COMPANY: i64 = 9;
/// What a step of ground is worth that hinders whoever fights against it.
const GROUND: i64 = 9;
/// A hex too near is worth so many hexes too far.
const TOO_NEAR: i64 = 2;
/// What an enemy in rout near a fast unit is worth: he can't rally.
const CHASE: i64 = 30;
/// Modifiers of a check beyond these make no difference.
const WIDEST: i32 = 16;
/// The longest delay of a unit that chases and hunts, in time-points a hex.
const FAST: u16 = 6;

/// A commander's prospects in the coming mail turn.
pub(super) struct Prospects<'b, 'a> {
    pub(super) board: &'b mut Board<'a>,
    /// How his army goes about it.
    pub(super) posture: Posture,
    /// What each enemy gains by attacking each friend as it stands, by [`Prospects::slot`]; 0 beyond sight.
    threats: Vec<i64>,
    /// How many friends each enemy threatens: it strikes one of them.
    prey: Vec<i64>,
    /// What is added to the dice of each unit's checks, but for who is near.
    nerve: Vec<i32>,
    /// The chances of a check by class and modifiers, from -[`WIDEST`] on, in [`CHECKS`].
    checks: Vec<[u32; 3]>,
    /// The wizard and his likenesses, if he hunts them.
    pub(super) quarry: Vec<usize>,
    /// How far own units have to go.
    marches: Marches,
}

/// How an army goes about a mail turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posture {
    /// Whether it attacks an enemy who waits.
    pub(super) assault: bool,
    /// How much of a danger is reckoned with, in percent.
    pub(super) caution: i64,
    /// What a hex nearer to the enemy is worth.
    pub(super) forward: i64,
    /// How near to the enemy the line goes, in hexes.
    pub(super) line: u32,
}

/// What a place is worth to a unit.
pub(super) struct Spot {
    /// Without danger.
    worth: i64,
    /// Friends less enemies near it.
    company: i32,
    /// The danger from each enemy.
    dangers: Vec<(usize, i64)>,
    /// The part of all dangers that counts, in ten thousandths.
    part: i64,
}

impl Spot {
    /// The worth, with the danger from all enemies but one.
    pub(super) fn worth(&self, without: Option<usize>) -> i64 {
        let dangers = self.dangers.iter().filter(|(foe, _)| Some(*foe) != without);
        self.worth - dangers.map(|(_, danger)| danger).sum::<i64>() * self.part / 10_000
    }
}

impl<'b, 'a> Prospects<'b, 'a> {
    pub(super) fn new(board: &'b mut Board<'a>, posture: Posture, marches: Marches) -> Self {
        let units = board.rules.battle().units.len();
        let nerve = |place: usize| {
            let position = &board.position;
            // No other unit's check is asked for.
            if !position.units[place].is_steady() {
                return 0;
            }
            odds::modifiers(board.rules, position, place) - law::close(board.rules, position, place)
        };
        let nerve = (0..units).map(nerve).collect();
        let quarry = board.quarry();
        let rules = board.rules;
        let check = |class| (-WIDEST..=WIDEST).map(move |modifiers| odds::nerves(rules, class, modifiers));
        let checks = Class::ALL.into_iter().flat_map(check).collect();
        let (threats, prey) = (vec![0; units * units], vec![0; units]);
        let mut prospects = Self { board, posture, threats, prey, nerve, checks, quarry, marches };
        prospects.look();
        prospects
    }

    /// Looks at what enemies could do to friends, as far as both can meet.
    fn look(&mut self) {
        let block = u32::from(self.board.to.saturating_sub(self.board.from));
        for foe in self.board.foes.clone() {
            let far = AHEAD / u32::from(self.board.pace(foe)) + MARGIN;
            for own in self.board.friends.clone() {
                let apart = self.board.apart(foe, own);
                let moves = block / u32::from(self.board.pace(own)) + 1;
                if apart > SIGHT.min(far + moves) || self.board.position.units[foe].routing {
                    continue;
                }
                let threat = self.gain(&self.board.melee(foe, own), foe, own);
                let slot = self.slot(foe, own);
                self.threats[slot] = threat;
                self.prey[foe] += i64::from(threat > 0 && self.reaches(foe, apart));
            }
        }
    }

    fn slot(&self, foe: usize, own: usize) -> usize {
        foe * self.prey.len() + own
    }

    /// Whether a unit can be next to one so many hexes away in the time that is looked ahead.
    fn reaches(&self, place: usize, apart: u32) -> bool {
        apart.saturating_sub(1) * u32::from(self.board.pace(place)) <= AHEAD
    }

    /// Whether a unit is quick enough to chase and to hunt.
    pub(super) fn is_fast(&self, place: usize) -> bool {
        self.board.pace(place) <= FAST
    }

    /// What a melee is worth to the attacker's side.
    pub(super) fn gain(&self, forecast: &Forecast, attacker: usize, defender: usize) -> i64 {
        let [won, lost] = chances(forecast);
        let breaking = won * self.breaking(defender) - lost * self.breaking(attacker);
        self.harm(forecast, attacker, defender) + (breaking + (won - lost) * BATTLE) / 1000
    }

    /// What fire is worth to the firer's side.
    pub(super) fn volley(&self, forecast: &Forecast, firer: usize, target: usize) -> i64 {
        let [won, lost] = chances(forecast);
        self.harm(forecast, firer, target) + (won - lost) * BATTLE / 1000
    }

    /// What the men that fall are worth to the side of the first unit.
    fn harm(&self, forecast: &Forecast, own: usize, foe: usize) -> i64 {
        let men = self.board.worth(foe, forecast.lost[1]) - self.board.worth(own, forecast.lost[0]);
        men * MEN / 100 + self.prize(foe, forecast.lost[1])
    }

    /// What it is worth to fell so many of a wizard whom he hunts: nobody knows who of them is real.
    fn prize(&self, place: usize, fallen: u32) -> i64 {
        if !self.quarry.contains(&place) {
            return 0;
        }
        let men = i64::from(self.board.position.units[place].men).max(1);
        let many = self.quarry.len() as i64;
        WIZARD * i64::from(fallen).min(men) / men / many
    }

    /// What it is worth that a unit loses a melee, by how near it is to rout.
    fn breaking(&self, place: usize) -> i64 {
        let unit = &self.board.position.units[place];
        if unit.routing {
            return 0;
        }
        let class = self.board.rules.battle().units[place].class;
        let losses = self.board.rules.numbers().training(class).losses;
        let more = usize::from(losses.saturating_sub(unit.losing).saturating_sub(1));
        self.rout(place) * NEARER.get(more).unwrap_or(&FARTHER) / 100
    }

    /// What it is worth that a unit routs.
    fn rout(&self, place: usize) -> i64 {
        ROUT + self.board.worth(place, self.board.position.units[place].men) * ROUTED / 100
    }

    /// What an attack of this worth is worth if a check comes before, in the place where it starts.
    pub(super) fn checked(&self, place: usize, spot: &Spot, gain: i64) -> i64 {
        let cases = self.nerves(place, spot.company);
        let part = |nerve: Nerve| i64::from(cases[nerve as usize]);
        let halts = gain * part(Nerve::Orders) - HALT * part(Nerve::Halt);
        (halts - self.rout(place) * part(Nerve::Rout)) / i64::from(CHECKS)
    }

    /// The chances of a unit's check in such company, in [`CHECKS`].
    fn nerves(&self, place: usize, company: i32) -> [u32; 3] {
        let class = self.board.rules.battle().units[place].class as usize;
        let modifiers = (self.nerve[place] + company).clamp(-WIDEST, WIDEST) + WIDEST;
        self.checks[class * (2 * WIDEST as usize + 1) + modifiers.unsigned_abs() as usize]
    }

    /// What it is worth to a unit to be in a hex.
    pub(super) fn spot(&self, place: usize, hex: Hex) -> Spot {
        let board = &self.board;
        let field = &board.rules.battle().field;
        let hindrance = |hex: Hex| i64::from(field.terrain(hex).hindrance());
        let company = board.company(place, hex);
        let better = hindrance(hex) - hindrance(board.at(place));
        let part = (100 - COVER * better).clamp(COVERED.0, COVERED.1) * self.posture.caution;
        let dangers = self.dangers(place, hex, company);
        let mut worth = i64::from(company) * COMPANY;
        if self.is_fast(place) {
            let runs =
                |foe: &&usize| board.position.units[**foe].routing && board.at(**foe).distance(hex) <= NEAR;
            worth += board.foes.iter().filter(runs).count() as i64 * CHASE;
        }
        if let Some(near) = self.gap(place, hex) {
            let wanted = self.posture.line.max(board.range(place)).max(1);
            let away = i64::from(near.max(wanted)) + TOO_NEAR * i64::from(wanted.saturating_sub(near));
            let ground = if near <= SIGHT { hindrance(hex) * GROUND } else { 0 };
            worth += ground - self.posture.forward * away;
        }
        Spot { worth, company, dangers, part }
    }

    /// How far a hex is from the nearest whom a unit goes for: on foot, or as missiles fly.
    fn gap(&self, place: usize, hex: Hex) -> Option<u32> {
        let goals = if self.quarry.is_empty() { &self.board.foes } else { &self.quarry };
        let flown = || goals.iter().map(|foe| self.board.at(*foe).distance(hex)).min();
        let shoots = self.board.range(place) > 1;
        self.marches.steps(place, hex).filter(|_| !shoots).or_else(flown)
    }

    /// What enemies could do to a unit in a hex in such company.
    fn dangers(&self, place: usize, hex: Hex, company: i32) -> Vec<(usize, i64)> {
        let board = &self.board;
        let unit = &board.position.units[place];
        // A move makes good what was lost in a row (SA-17).
        let spared =
            if hex != board.at(place) && unit.losing > 0 { self.breaking(place) * SPARED / 100 } else { 0 };
        let danger = |foe: &usize| {
            let threat = self.threats[self.slot(*foe, place)] - spared;
            if threat <= 0 {
                return None;
            }
            let apart = board.at(*foe).distance(hex);
            if apart > SIGHT || !self.reaches(*foe, apart) {
                return None;
            }
            let danger = match apart {
                1 => threat,
                _ => {
                    let dares = i64::from(self.nerves(*foe, -1 - company)[Nerve::Orders as usize]);
                    let dares = threat * REMOTE / 100 * dares / i64::from(CHECKS);
                    dares / self.prey[*foe].clamp(1, SHARED)
                }
            };
            Some((*foe, danger))
        };
        let mut dangers: Vec<(usize, i64)> = board.foes.iter().filter_map(danger).collect();
        dangers.sort_by_key(|(_, danger)| std::cmp::Reverse(*danger));
        dangers.truncate(ATTACKERS);
        dangers
    }

    /// A unit's name.
    pub(super) fn id(&self, place: usize) -> UnitId {
        self.board.rules.battle().units[place].id
    }
}

/// The chances that either side wins, in thousandths.
fn chances(forecast: &Forecast) -> [i64; 2] {
    forecast.wins.map(|wins| i64::from(wins) * 1000 / i64::from(Forecast::ALL))
}
