//! The old hand weighs for every unit what it could do in the coming mail turn. Units that act first are weighed first, and the later ones reckon with what
//! those will have done. Fights are chosen by their odds, several on one; a unit keeps out of the way of what would break it; the line keeps together.

use musterd_engine::hex::Hex;

use super::board::{Board, POINT, charge};
use crate::event::Nerve;
use crate::law;
use crate::model::{NEAR, Spell};
use crate::odds::{self, CHECKS, Forecast};
use crate::order::{Act, Charge, Order, Stance, Task, Trigger};
use crate::state::{Enchantment, Last};

/// A battle won: a point for one army, and one off the other.
const BATTLE: i64 = 2 * POINT;
/// A unit that routs: its rout, and some moves in rout; what its men are worth comes on top, by half.
const ROUT: i64 = 6 * POINT;
/// What a unit that halts next to enemies loses by it.
const HALT: i64 = POINT;
/// How far ahead danger is looked for, in time-points.
const AHEAD: u16 = 14;
/// How far away enemies are weighed one by one, in hexes.
const SIGHT: u32 = 8;
/// A friend near, less an enemy near.
const COMPANY: i64 = 8;
/// A step of ground that hinders whoever fights against it.
const GROUND: i64 = 12;
/// A hex nearer to the enemy, for an army that goes forward.
const FORWARD: i64 = 30;
/// What a time-point of waiting takes off a deed's worth, in percent.
const IMPATIENCE: i64 = 2;
/// The least worth of a deed that is done at all.
const LEAST: i64 = 10;
/// What a spell point is worth: there are few.
const PRICE: i64 = 20;
/// How near a fight is for which a spell is cast, in time-points.
const CONTACT: u16 = 18;

/// His orders.
pub(super) fn orders(board: &mut Board<'_>) -> Vec<Order> {
    let mut plan = Plan::new(board);
    let mut turn: Vec<usize> = plan.board.own.clone();
    turn.sort_by_key(|place| {
        let near = plan.board.nearest(*place).map_or(u32::MAX, |foe| plan.board.apart(*place, foe));
        (near.min(4), plan.board.due(*place), near)
    });
    let mut orders = Vec::new();
    for place in turn {
        let charge = plan.charge(place);
        orders.extend(plan.board.tell(place, &charge));
    }
    orders
}

/// What he has in mind for all.
struct Plan<'b, 'a> {
    board: &'b mut Board<'a>,
    /// What enemies gain by attacking own units as they stand, by [`Plan::slot`]; 0 beyond sight.
    threats: Vec<i64>,
    /// How many own units an enemy threatens at all: it strikes one of them.
    prey: Vec<i64>,
    /// What a hex nearer to the enemy is worth.
    forward: i64,
    /// How near to the enemy the line goes, in hexes.
    line: u32,
}

/// Something that a unit could do.
struct Deed {
    worth: i64,
    end: Hex,
    tasks: Vec<Task>,
    strikes: Option<(usize, Forecast)>,
}

/// A hex within reach, and the time-point at which the unit acts there.
#[derive(Clone, Copy)]
struct Reached {
    hex: Hex,
    at: u16,
}

impl<'b, 'a> Plan<'b, 'a> {
    fn new(board: &'b mut Board<'a>) -> Self {
        let units = board.rules.battle().units.len();
        let mut plan =
            Self { board, threats: vec![0; units * units], prey: vec![0; units], forward: 0, line: 0 };
        for foe in plan.board.foes.clone() {
            if plan.board.position.units[foe].routing {
                continue;
            }
            for own in plan.board.own.clone() {
                let apart = plan.board.apart(foe, own);
                if apart > SIGHT {
                    continue;
                }
                let threat = plan.gain(&plan.board.melee(foe, own), foe, own);
                let slot = plan.slot(foe, own);
                plan.threats[slot] = threat;
                if plan.reaches(foe, apart) && threat > 0 {
                    plan.prey[foe] += 1;
                }
            }
        }
        plan.posture();
        plan
    }

    fn slot(&self, one: usize, other: usize) -> usize {
        one * self.prey.len() + other
    }

    /// Whether a unit can attack so many hexes away in the time that is looked ahead.
    fn reaches(&self, place: usize, apart: u32) -> bool {
        apart.saturating_sub(1) * u32::from(self.board.pace(place)) <= u32::from(AHEAD)
    }

    /// Whether the army goes forward, and how far: no farther than most of its units can follow.
    fn posture(&mut self) {
        let board = &self.board;
        let mut gaps: Vec<u32> = board
            .own
            .iter()
            .filter(|place| board.range(**place) < 2)
            .filter_map(|place| Some(board.apart(*place, board.nearest(*place)?)))
            .collect();
        gaps.sort_unstable();
        let middle = gaps.get(gaps.len() / 2).copied().unwrap_or(0);
        let coming = |foe: &&usize| {
            let unit = &board.position.units[**foe];
            !unit.routing && unit.last == Last::Moved
        };
        let coming = board.foes.iter().filter(coming).count() * 3 >= board.foes.len();
        self.forward = if coming { 0 } else { FORWARD };
        self.line = middle.saturating_sub(1);
    }

    /// What a fight is worth to the attacker's side.
    fn gain(&self, forecast: &Forecast, attacker: usize, defender: usize) -> i64 {
        let chance = |side: usize| i64::from(forecast.wins[side]) * 1000 / i64::from(Forecast::ALL);
        let (won, lost) = (chance(0), chance(1));
        let men = self.board.worth(defender, forecast.lost[1]) - self.board.worth(attacker, forecast.lost[0]);
        men + (won * (BATTLE + self.breaking(defender)) - lost * (BATTLE + self.breaking(attacker))) / 1000
    }

    /// What it is worth that a unit loses a melee, by how near it is to rout.
    fn breaking(&self, place: usize) -> i64 {
        let unit = &self.board.position.units[place];
        if unit.routing {
            return 0;
        }
        let class = self.board.rules.battle().units[place].class;
        let more = self.board.rules.numbers().training(class).losses.saturating_sub(unit.losing);
        let rout = ROUT + self.board.worth(place, unit.men) / 2;
        match more {
            0 | 1 => rout,
            2 => rout / 4,
            3 => rout / 10,
            _ => rout / 20,
        }
    }

    /// What enemies could do to a unit in a hex, without one of them.
    fn danger(&self, place: usize, hex: Hex, without: Option<usize>) -> i64 {
        let board = &self.board;
        let field = &board.rules.battle().field;
        let hindrance = |hex: Hex| i64::from(field.terrain(hex).hindrance());
        let better = hindrance(hex) - hindrance(board.at(place));
        let fresh = if hex == board.at(place) { 0 } else { board.position.units[place].losing };
        let spared = if fresh > 0 { self.breaking(place) / 2 } else { 0 };
        let mut all = 0;
        for foe in board.foes.iter().copied().filter(|foe| Some(*foe) != without) {
            let apart = board.at(foe).distance(hex);
            if apart > SIGHT || !self.reaches(foe, apart) {
                continue;
            }
            let threat = self.threats[self.slot(foe, place)] - spared;
            if threat <= 0 {
                continue;
            }
            let share = if apart == 1 { 100 } else { 80 / self.prey[foe].clamp(1, 4) };
            all += threat * share / 100;
        }
        all * (100 - 15 * better).clamp(30, 150) / 100
    }

    /// Friends less enemies near a hex, without the unit itself.
    fn company(&self, place: usize, hex: Hex) -> i64 {
        let near = |other: &usize| {
            let unit = &self.board.position.units[*other];
            unit.is_steady() && unit.at.is_some_and(|at| at.distance(hex) <= NEAR)
        };
        let friends = self.board.own.iter().filter(|own| **own != place && near(own)).count();
        let foes = self.board.foes.iter().filter(|foe| near(foe)).count();
        friends as i64 - foes as i64
    }

    /// The hexes that a unit can be in during the mail turn, its own first.
    fn reach(&self, place: usize) -> Vec<Reached> {
        let board = &self.board;
        let (rules, field) = (board.rules, &board.rules.battle().field);
        let spec = &rules.battle().units[place];
        let mut reached = vec![Reached { hex: board.at(place), at: board.due(place) }];
        let fixed = spec.waits.is_some_and(|point| board.from < point);
        let mut next = 0;
        while let Some(here) = reached.get(next).copied().filter(|_| !fixed) {
            next += 1;
            if here.at > board.to {
                continue;
            }
            for hex in here.hex.around().filter(|hex| field.has(*hex)) {
                let Some(cost) = board.step(place, field.terrain(hex)) else { continue };
                let at = here.at + cost;
                if board.position.unit_at(rules, hex).is_some() {
                    continue;
                }
                match reached.iter().position(|known| known.hex == hex) {
                    Some(known) if reached[known].at <= at => {}
                    Some(known) if known >= next => reached[known].at = at,
                    Some(_) => {}
                    None => reached.push(Reached { hex, at }),
                }
            }
        }
        reached
    }

    /// What standing in a hex is worth.
    fn standing(&self, place: usize, hex: Hex, without: Option<usize>) -> i64 {
        let board = &self.board;
        let ground = i64::from(board.rules.battle().field.terrain(hex).hindrance()) * GROUND;
        let mut worth = self.company(place, hex) * COMPANY - self.danger(place, hex, without);
        let Some(near) = board.foes.iter().map(|foe| board.at(*foe).distance(hex)).min() else {
            return worth;
        };
        if near <= SIGHT {
            worth += ground;
        }
        let wanted = self.line.max(if board.range(place) > 1 { board.range(place) } else { 1 });
        worth
            - self.forward * i64::from(near.max(wanted))
            - self.forward * 2 * i64::from(wanted.saturating_sub(near))
    }

    /// How a check of a unit before an attack would end in a hex, in thousandths: rout, halt.
    fn nerves(&self, place: usize, hex: Hex) -> [i64; 2] {
        let board = &self.board;
        let away = law::close(board.rules, &board.position, place);
        let company = i32::try_from(self.company(place, hex)).unwrap_or(0);
        let modifiers = odds::modifiers(board.rules, &board.position, place) - away + company;
        let class = board.rules.battle().units[place].class;
        let cases = odds::nerves(board.rules, class, modifiers);
        let part = |nerve: Nerve| i64::from(cases[nerve as usize]) * 1000 / i64::from(CHECKS);
        [part(Nerve::Rout), part(Nerve::Halt)]
    }

    /// What a unit does in the mail turn. The board is changed as if it were done.
    fn charge(&mut self, place: usize) -> Charge {
        let best = self.best(place);
        let stands = self.board.at(place);
        if best.end != stands {
            self.board.position.put(self.board.rules, place, Some(best.end));
            self.board.position.units[place].losing = 0;
        }
        if let Some((foe, forecast)) = best.strikes {
            self.foresee(foe, &forecast);
        }
        if let Some(Task { act: Act::Cast(_, points), .. }) = best.tasks.first() {
            let left = &mut self.board.position.magic[self.board.side.index()];
            *left = left.saturating_sub(*points);
        }
        let mut charge = charge(best.tasks, self.stance(place));
        if charge.tasks.is_empty() && self.welcomes(place) {
            charge.triggers.push((Trigger::Contact, Stance::Charge));
        }
        charge
    }

    /// What a unit does with an empty queue.
    fn stance(&self, place: usize) -> Stance {
        if self.board.range(place) > 1 && self.board.pace(place) < 12 { Stance::Hold } else { Stance::Hold }
    }

    /// Whether a unit may attack whoever comes next to it.
    fn welcomes(&self, place: usize) -> bool {
        let board = &self.board;
        let near = board.foes.iter().copied().filter(|foe| board.apart(place, *foe) <= 4);
        let gains: Vec<i64> = near.map(|foe| self.gain(&board.melee(place, foe), place, foe)).collect();
        !gains.is_empty() && gains.iter().sum::<i64>() > 0
    }

    /// Reckons with a blow at an enemy.
    fn foresee(&mut self, foe: usize, forecast: &Forecast) {
        let likely = forecast.wins[0] * 2 > Forecast::ALL;
        let class = self.board.rules.battle().units[foe].class;
        let losses = self.board.rules.numbers().training(class).losses;
        let unit = &mut self.board.position.units[foe];
        unit.men = unit.men.saturating_sub(forecast.lost[1]).max(1);
        if likely && !unit.routing {
            unit.losing += 1;
            unit.routing = unit.losing >= losses;
        }
    }

    /// The best deed of a unit.
    fn best(&mut self, place: usize) -> Deed {
        let stands = self.board.at(place);
        let last = self.board.position.units[place].last;
        let reach = self.reach(place);
        let mut best = Deed { worth: i64::MIN, end: stands, tasks: Vec::new(), strikes: None };
        if let Some((worth, act)) = self.spell(place).filter(|_| self.board.due(place) <= self.board.to) {
            let worth = worth + self.standing(place, stands, None);
            best = Deed { worth, end: stands, tasks: vec![Task::plain(act)], strikes: None };
        }
        for reached in reach {
            let moves = reached.hex != stands;
            let way = || if moves { vec![Task::plain(Act::To(reached.hex))] } else { Vec::new() };
            let still = self.standing(place, reached.hex, None) + if moves { -LEAST } else { 0 };
            if still > best.worth {
                best = Deed { worth: still, end: reached.hex, tasks: way(), strikes: None };
            }
            if reached.at > self.board.to {
                continue;
            }
            let late = i64::from(reached.at.saturating_sub(self.board.from));
            let keen = (100 - IMPATIENCE * late).max(20);
            self.board.position.put(self.board.rules, place, Some(reached.hex));
            for foe in self.board.foes.clone() {
                let apart = self.board.at(foe).distance(reached.hex);
                let id = self.board.rules.battle().units[foe].id;
                if apart == 1 {
                    let forecast = self.board.melee(place, foe);
                    let gain = self.gain(&forecast, place, foe);
                    let checked = moves || last == Last::Moved;
                    let gain = if checked { self.checked(place, reached.hex, gain) } else { gain };
                    let worth = gain * keen / 100 + self.standing(place, reached.hex, Some(foe));
                    if gain > LEAST && worth > best.worth {
                        let mut tasks = way();
                        tasks.push(Task::plain(Act::Attack(id)));
                        best = Deed { worth, end: reached.hex, tasks, strikes: Some((foe, forecast)) };
                    }
                }
                if apart <= self.board.range(place) {
                    let forecast = self.board.fire(place, foe);
                    let gain = self.fires(&forecast, place, foe);
                    let worth = gain * keen / 100 + self.standing(place, reached.hex, None);
                    let clear = || law::fire(self.board.rules, &self.board.position, place, foe).is_ok();
                    if gain > LEAST && worth > best.worth && clear() {
                        let mut tasks = way();
                        tasks.push(Task::plain(Act::Fire(id)));
                        best = Deed { worth, end: reached.hex, tasks, strikes: None };
                    }
                }
            }
            self.board.position.put(self.board.rules, place, Some(stands));
        }
        best
    }

    /// What an attack is worth that a check comes before.
    fn checked(&self, place: usize, hex: Hex, gain: i64) -> i64 {
        let [rout, halt] = self.nerves(place, hex);
        let routs = ROUT + self.board.worth(place, self.board.position.units[place].men) / 2;
        (gain * (1000 - rout - halt) - HALT * halt - routs * rout) / 1000
    }

    /// What fire is worth.
    fn fires(&self, forecast: &Forecast, place: usize, foe: usize) -> i64 {
        let chance = |side: usize| i64::from(forecast.wins[side]) * 1000 / i64::from(Forecast::ALL);
        let men = self.board.worth(foe, forecast.lost[1]) - self.board.worth(place, forecast.lost[0]);
        men + (chance(0) - chance(1)) * BATTLE / 1000
    }

    /// The spell that helps a unit most in the fights at hand, its points, and what that is worth above its price.
    fn spell(&mut self, place: usize) -> Option<(i64, Act)> {
        let board = &self.board;
        let id = board.rules.battle().units[place].id;
        law::cast(board.rules, &board.position, id, 1).ok().filter(|()| board.is_real(place))?;
        let pace = board.pace(place);
        let near = |foe: &usize| {
            let time = board.apart(place, *foe).saturating_sub(1) * u32::from(pace.min(board.pace(*foe)));
            !board.position.units[*foe].routing && (board.to == 0 || time <= u32::from(CONTACT))
        };
        let mut foes: Vec<usize> = board.foes.iter().copied().filter(near).collect();
        foes.sort_by_key(|foe| board.apart(place, *foe));
        foes.truncate(2);
        let fights = |plan: &Self| -> i64 {
            let fight = |foe: &usize| {
                let strikes = plan.gain(&plan.board.melee(place, *foe), place, *foe);
                strikes - plan.gain(&plan.board.melee(*foe, place), *foe, place)
            };
            foes.iter().map(fight).sum::<i64>() / 2 / (foes.len() as i64).max(1)
        };
        let before = fights(self);
        let left = self.board.position.magic[id.side.index()];
        let most = self.board.rules.choices().cap.unwrap_or(3).min(left);
        let mut best = None;
        for spell in [Spell::Blade, Spell::Shield] {
            let old = self.board.position.units[place].spells[spell as usize];
            if old.points > 0 {
                continue;
            }
            for points in 1..=most {
                self.board.position.units[place].spells[spell as usize] = Enchantment { points, until: None };
                let worth = fights(self) - before - PRICE * i64::from(points);
                if worth > 0 && best.is_none_or(|(known, _)| worth > known) {
                    best = Some((worth, Act::Cast(spell, points)));
                }
            }
            self.board.position.units[place].spells[spell as usize] = old;
        }
        best
    }
}
