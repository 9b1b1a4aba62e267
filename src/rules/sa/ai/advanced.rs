//! The old hand weighs for every unit what it could do in the coming mail turn. Units that act first are weighed first, and the later ones reckon with what
//! those will have done. Fights are chosen by their odds, several on one; a unit keeps out of the way of what would break it; the line keeps together.

use musterd_engine::hex::Hex;

use super::board::{Board, charge};
use super::wizard;
use crate::event::Nerve;
use crate::law;
use crate::model::{NEAR, Side, Spell};
use crate::odds::{self, CHECKS, Forecast};
use crate::order::{Act, Charge, Order, Stance, Task, Trigger};
use crate::state::{Enchantment, Last};

/// Tuned.
pub mod tune {
    use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
    pub const NAMES: [&str; 26] = ["BATTLE","ROUT","HALT","AHEAD","COMPANY","GROUND","FORWARD","IMPATIENCE","LEAST","PRICE","CONTACT","B2","B3","B4","SHARE","TERR","MEN","CHASE","EARLY","LATE","RUSH","BOLD","COMING","WELCOME","ASSAULT","FAR"];
    pub static P: [AtomicI64; 26] = [
        AtomicI64::new(200), AtomicI64::new(600), AtomicI64::new(100), AtomicI64::new(14), AtomicI64::new(8), AtomicI64::new(12),
        AtomicI64::new(30), AtomicI64::new(2), AtomicI64::new(10), AtomicI64::new(20), AtomicI64::new(18), AtomicI64::new(25),
        AtomicI64::new(10), AtomicI64::new(5), AtomicI64::new(80), AtomicI64::new(15), AtomicI64::new(100), AtomicI64::new(40),
        AtomicI64::new(24), AtomicI64::new(84), AtomicI64::new(30), AtomicI64::new(60), AtomicI64::new(33), AtomicI64::new(0), AtomicI64::new(100), AtomicI64::new(4),
    ];
    pub fn p(i: usize) -> i64 { P[i].load(Relaxed) }
}
use tune::p;
/// How far away enemies are weighed one by one, in hexes.
const SIGHT: u32 = 8;
macro_rules! tuned { ($($name:ident $i:literal)*) => { $( #[allow(non_snake_case)] fn $name() -> i64 { p($i) } )* } }
tuned! { BATTLE 0 ROUT 1 HALT 2 AHEAD 3 COMPANY 4 GROUND 5 FORWARD 6 IMPATIENCE 7 LEAST 8 PRICE 9 CONTACT 10 SHARE 14 TERR 15 MEN 16 CHASE 17 EARLY 18 LATE 19 RUSH 20 BOLD 21 COMING 22 WELCOME 23 ASSAULT 24 FAR 25 }

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
    /// What is added to the dice of each unit's checks, but for who is near.
    nerve: Vec<i32>,
    /// How much of a danger is reckoned with, in percent.
    caution: i64,
    /// Whether the army attacks an enemy who waits.
    assault: bool,
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

impl<'b, 'a> Plan<'b, 'a> {
    fn new(board: &'b mut Board<'a>) -> Self {
        let units = board.rules.battle().units.len();
        let nerve = |place: usize| {
            let position = &board.position;
            odds::modifiers(board.rules, position, place) - law::close(board.rules, position, place)
        };
        let nerve = (0..units).map(nerve).collect();
        let (threats, prey) = (vec![0; units * units], vec![0; units]);
        let mut plan = Self { board, threats, prey, nerve, caution: 100, assault: false, forward: 0, line: 0 };
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
        apart.saturating_sub(1) * u32::from(self.board.pace(place)) <= AHEAD() as u32
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
        let coming = board.foes.iter().filter(coming).count() as i64 * 100 >= board.foes.len() as i64 * COMING();
        let left = Side::ALL.map(|side| law::left(board.rules, &board.position, board.view.real, side));
        let (own, theirs) = (left[board.side.index()] as i64, left[board.side.other().index()] as i64);
        let ahead = own * 100 / theirs.max(1) - 100;
        let morale = board.position.morale;
        let bold = i64::from(morale[board.side.index()] - morale[board.side.other().index()]) * 100
            / i64::from(morale[0] + morale[1]).max(1);
        let point = i64::from(board.from);
        let coming = coming && point < LATE();
        self.caution = (100 - bold.max(0) * BOLD() / 100).clamp(RUSH().min(100), 100);
        let far = i64::from(middle) > FAR();
        self.forward = if coming && !far { 0 } else { FORWARD() };
        self.assault = !far && !coming && ahead < 10 && point >= EARLY();
        let hunt = board.rules.battle().hunt.map(|hunt| hunt.side == board.side);
        self.assault = hunt.map_or(self.assault, |hunted| !hunted);
        if self.assault { self.caution = self.caution.min(RUSH()); self.forward = ASSAULT(); }
        if hunt == Some(true) { self.forward = 0; }
        self.line = if self.assault { 1 } else { middle.saturating_sub(1) };
    }

    /// What a fight is worth to the attacker's side.
    fn gain(&self, forecast: &Forecast, attacker: usize, defender: usize) -> i64 {
        let chance = |side: usize| i64::from(forecast.wins[side]) * 1000 / i64::from(Forecast::ALL);
        let (won, lost) = (chance(0), chance(1));
        let men = self.board.worth(defender, forecast.lost[1]) - self.board.worth(attacker, forecast.lost[0]);
        let men = men * MEN() / 100 + self.prize(defender, forecast.lost[1]);
        men + (won * (BATTLE() + self.breaking(defender)) - lost * (BATTLE() + self.breaking(attacker))) / 1000
    }

    /// What it is worth to hit a wizard, or a likeness of him: nobody knows which is real.
    fn prize(&self, place: usize, fallen: u32) -> i64 {
        if self.board.rules.battle().units[place].likeness && self.board.side != self.board.rules.battle().units[place].id.side {
            let many = self.quarry().count() as i64;
            let men = i64::from(self.board.position.units[place].men).max(1);
            return 4000 * i64::from(fallen).min(men) / men / many.max(1);
        }
        0
    }

    /// The wizard and his likenesses, for who hunts them.
    fn quarry(&self) -> impl Iterator<Item = usize> + '_ {
        let board = &self.board;
        let hunts = board.rules.battle().hunt.is_some_and(|hunt| hunt.side != board.side);
        board.foes.iter().copied().filter(move |foe| hunts && board.rules.battle().units[*foe].likeness)
    }

    /// What it is worth that a unit loses a melee, by how near it is to rout.
    fn breaking(&self, place: usize) -> i64 {
        let unit = &self.board.position.units[place];
        if unit.routing {
            return 0;
        }
        let class = self.board.rules.battle().units[place].class;
        let more = self.board.rules.numbers().training(class).losses.saturating_sub(unit.losing);
        let rout = ROUT() + self.board.worth(place, unit.men) / 2;
        match more {
            0 | 1 => rout,
            2 => rout * p(11) / 100,
            3 => rout * p(12) / 100,
            _ => rout * p(13) / 100,
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
            let share = if apart == 1 { 100 } else { SHARE() * self.resolve(foe, place, hex) / 1000 / self.prey[foe].clamp(1, 4) };
            all += threat * share / 100;
        }
        all * (100 - TERR() * better).clamp(30, 150) / 100 * self.caution / 100
    }

    /// The chance that an enemy who has to move first has the nerve to attack a unit in a hex, in thousandths.
    fn resolve(&self, foe: usize, place: usize, hex: Hex) -> i64 {
        let board = &self.board;
        let company = i32::try_from(-1 - self.company(place, hex)).unwrap_or(0);
        let modifiers = self.nerve[foe] + company;
        let class = board.rules.battle().units[foe].class;
        i64::from(odds::nerves(board.rules, class, modifiers)[Nerve::Orders as usize]) * 1000 / i64::from(CHECKS)
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

    /// What standing in a hex is worth.
    fn standing(&self, place: usize, hex: Hex, without: Option<usize>) -> i64 {
        let board = &self.board;
        let ground = i64::from(board.rules.battle().field.terrain(hex).hindrance()) * GROUND();
        let mut worth = self.company(place, hex) * COMPANY() - self.danger(place, hex, without);
        if board.pace(place) <= 6 {
            let runs = |foe: &&usize| board.position.units[**foe].routing && board.at(**foe).distance(hex) <= NEAR;
            worth += board.foes.iter().filter(runs).count() as i64 * CHASE();
        }
        let near = board.foes.iter().map(|foe| board.at(*foe).distance(hex)).min();
        let Some(near) = self.quarry().map(|foe| board.at(foe).distance(hex)).min().or(near) else {
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
        let company = i32::try_from(self.company(place, hex)).unwrap_or(0);
        let modifiers = self.nerve[place] + company;
        let class = board.rules.battle().units[place].class;
        let cases = odds::nerves(board.rules, class, modifiers);
        let part = |nerve: Nerve| i64::from(cases[nerve as usize]) * 1000 / i64::from(CHECKS);
        [part(Nerve::Rout), part(Nerve::Halt)]
    }

    /// What a unit does in the mail turn. The board is changed as if it were done.
    fn charge(&mut self, place: usize) -> Charge {
        if self.board.rules.battle().units[place].likeness {
            return wizard::orders(self.board, place);
        }
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
        !gains.is_empty() && gains.iter().sum::<i64>() > WELCOME()
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
        let reach = self.board.reach(place);
        let mut best = Deed { worth: i64::MIN, end: stands, tasks: Vec::new(), strikes: None };
        if let Some((worth, act)) = self.spell(place).filter(|_| self.board.due(place) <= self.board.to) {
            let worth = worth + self.standing(place, stands, None);
            best = Deed { worth, end: stands, tasks: vec![Task::plain(act)], strikes: None };
        }
        let fast = self.board.pace(place) <= 6;
        let prey = self.quarry().filter(|_| fast).min_by_key(|foe| self.board.apart(place, *foe));
        if let Some(prey) = prey.filter(|_| self.board.due(place) <= self.board.to) {
            let id = self.board.rules.battle().units[prey].id;
            let worth = self.standing(place, stands, None) + 150;
            best = Deed { worth, end: stands, tasks: vec![Task::plain(Act::Attack(id))], strikes: None };
        }
        for reached in reach {
            let moves = reached.hex != stands;
            let way = || if moves { vec![Task::plain(Act::To(reached.hex))] } else { Vec::new() };
            let still = self.standing(place, reached.hex, None) + if moves { -LEAST() } else { 0 };
            if still > best.worth {
                best = Deed { worth: still, end: reached.hex, tasks: way(), strikes: None };
            }
            let now = reached.at <= self.board.to;
            let late = i64::from(reached.at.saturating_sub(self.board.from));
            let keen = (100 - IMPATIENCE() * late).max(20);
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
                    let later = i64::from(self.board.pace(place));
                    let rested = self.gain(&forecast, place, foe) * (100 - IMPATIENCE() * (late + later)).max(20) / 100
                        + self.standing(place, reached.hex, Some(foe));
                    if !moves && checked && reached.at + later as u16 <= self.board.to && rested > worth && rested > best.worth {
                        let tasks = vec![Task::plain(Act::Hold), Task::plain(Act::Attack(id))];
                        best = Deed { worth: rested, end: reached.hex, tasks, strikes: Some((foe, forecast)) };
                    } else if gain > LEAST() && worth > best.worth && (now || self.assault) {
                        let mut tasks = way();
                        tasks.push(Task::plain(Act::Attack(id)));
                        best = Deed { worth, end: reached.hex, tasks, strikes: now.then_some((foe, forecast)) };
                    }
                }
                if now && apart <= self.board.range(place) {
                    let forecast = self.board.fire(place, foe);
                    let gain = self.fires(&forecast, place, foe);
                    let worth = gain * keen / 100 + self.standing(place, reached.hex, None);
                    let clear = || law::fire(self.board.rules, &self.board.position, place, foe).is_ok();
                    if gain > LEAST() && worth > best.worth && clear() {
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
        let routs = ROUT() + self.board.worth(place, self.board.position.units[place].men) / 2;
        (gain * (1000 - rout - halt) - HALT() * halt - routs * rout) / 1000
    }

    /// What fire is worth.
    fn fires(&self, forecast: &Forecast, place: usize, foe: usize) -> i64 {
        let chance = |side: usize| i64::from(forecast.wins[side]) * 1000 / i64::from(Forecast::ALL);
        let men = self.board.worth(foe, forecast.lost[1]) - self.board.worth(place, forecast.lost[0]);
        let men = men * MEN() / 100 + self.prize(foe, forecast.lost[1]);
        men + (chance(0) - chance(1)) * BATTLE() / 1000
    }

    /// The spell that helps a unit most in the fights at hand, its points, and what that is worth above its price.
    fn spell(&mut self, place: usize) -> Option<(i64, Act)> {
        let board = &self.board;
        let id = board.rules.battle().units[place].id;
        law::cast(board.rules, &board.position, id, 1).ok().filter(|()| board.is_real(place))?;
        let pace = board.pace(place);
        let near = |foe: &usize| {
            let time = board.apart(place, *foe).saturating_sub(1) * u32::from(pace.min(board.pace(*foe)));
            !board.position.units[*foe].routing && (board.to == 0 || time <= CONTACT() as u32)
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
                let worth = fights(self) - before - PRICE() * i64::from(points);
                if worth > 0 && best.is_none_or(|(known, _)| worth > known) {
                    best = Some((worth, Act::Cast(spell, points)));
                }
            }
            self.board.position.units[place].spells[spell as usize] = old;
        }
        best
    }
}
