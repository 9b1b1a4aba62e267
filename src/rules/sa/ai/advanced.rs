//! The old hand weighs for every unit what it could do in the coming mail turn. Units that act first are weighed first, and the later ones reckon with what
//! those will have done. Fights are chosen by their odds, several on one; a unit keeps out of the way of what would break it; the line keeps together.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;

use super::board::{Board, Reached, charge};
use super::march::Marches;
use super::wizard;
use super::worth::{Posture, Prospects, Spot};
use crate::law;
use crate::model::{Class, Side, Spell, Terrain};
use crate::odds::{self, Forecast};
use crate::order::{Act, Charge, Order, Stance, Task, Trigger};
use crate::state::Enchantment;

/// What a hex nearer to the enemy is worth, for an army that goes forward; for one that attacks.
const FORWARD: i64 = 60;
const ASSAULT: i64 = 100;
/// How much of the danger an army that attacks reckons with, in percent: one that halts before every danger never gets there.
const CAUTION_ATTACKING: i64 = 21;
/// How much of it one that is winning leaves out, in percent of its lead in morale: what it may lose costs it less.
const CAUTION_LEADING: i64 = 42;
/// How many of the enemies have moved last, in percent, if they are coming: more than their skirmishers.
const COMING: usize = 53;
/// The part of the day that an army waits for an enemy to come, in percent: two thirds are left to reach him and to beat him.
const MORNING: u32 = 33;
/// By so many percent an army is ahead: then it wins at nightfall (SA-21), and the other has to come.
const LEAD: u64 = 10;
/// The distance at which lines have met, in hexes.
const MET: u32 = 4;
/// What a time-point of waiting takes off a choice's worth, in percent, and what is left of it at least.
const IMPATIENCE: i64 = 1;
const PATIENCE: i64 = 20;
/// The least worth of a choice that is made at all.
const LEAST: i64 = 20;
/// What fights with all enemies near have to be worth together for a unit that attacks whoever comes next to it. A little less than nothing: whoever is
/// attacked fights as well, without the attacker's bonus.
const WELCOME: i64 = -20;
/// What a spell point is worth: a spell that brings less is kept for a better fight.
const PRICE: i64 = 11;
/// How many enemies a spell is weighed against.
const OPPONENTS: usize = 2;
/// How near a fight is for which a spell is cast, in time-points.
const CONTACT: u32 = 18;
/// The points of Courage that a unit of little training keeps for a rout near it.
const COURAGE: u32 = 2;
/// What it is worth to ride after a wizard.
const HUNT: i64 = 150;

/// His orders.
pub(super) fn orders(board: &mut Board<'_>) -> Vec<Order> {
    let quarry = board.quarry();
    let marches = Marches::new(board, if quarry.is_empty() { &board.foes } else { &quarry });
    let posture = posture(board, &marches);
    let mut turn: Vec<usize> = board.own.clone();
    turn.sort_by_cached_key(|place| {
        let near = board.nearest(*place).map_or(u32::MAX, |foe| board.apart(*place, foe));
        (near.min(MET), board.due(*place), near)
    });
    let mut prospects = Prospects::new(board, posture, marches);
    let mut orders = arrivals(prospects.board);
    for place in turn {
        let charge = match prospects.board.rules.battle().units[place].likeness {
            true => wizard::charge_of(prospects.board, place),
            false => prospects.charge(place),
        };
        orders.extend(prospects.board.tell(place, &charge));
    }
    orders
}

/// Whoever arrives in the mail turn goes forward, and doesn't wait for the next.
fn arrivals(board: &Board<'_>) -> Vec<Order> {
    let coming = board.coming.iter();
    coming.flat_map(|place| board.tell(*place, &charge(Vec::new(), Stance::Advance(None)))).collect()
}

/// How the army goes about the mail turn: forward, no farther than the second third of its units can follow; it lets an enemy come who is near and comes, and attacks
/// one who waits.
fn posture(board: &Board<'_>, marches: &Marches) -> Posture {
    let melee = board.own.iter().filter(|place| board.range(**place) < 2);
    let mut gaps: Vec<u32> = melee.filter_map(|place| marches.steps(*place, board.at(*place))).collect();
    gaps.sort_unstable();
    // Where no such unit finds a way, nobody is waited for.
    let middle = gaps.get(gaps.len() / 3).copied().unwrap_or(0);
    let position = &board.position;
    let (own, theirs) = (board.side.index(), board.side.other().index());
    let moved = |foe: &&usize| !position.units[**foe].routing && law::moved_last(position, **foe);
    let moved = board.foes.iter().filter(moved).count();
    let morning = u32::from(board.from) * 100 < u32::from(board.rules.battle().nightfall) * MORNING;
    let coming = moved * 100 >= board.foes.len() * COMING && morning;
    let left = Side::ALL.map(|side| law::left(board.rules, position, board.view.real, side));
    let ahead = left[own] * 100 >= left[theirs] * (100 + LEAD);
    let press = match board.hunt() {
        Some(hunt) => hunt.side != board.side,
        None => !ahead && !morning,
    };
    let assault = press && (middle <= MET || board.hunt().is_some());
    let lead = i64::from(position.morale[own] - position.morale[theirs]) * 100;
    let lead = lead / i64::from(position.morale[own] + position.morale[theirs]).max(1);
    let hunted = board.hunt().is_some_and(|hunt| hunt.side == board.side);
    Posture {
        assault,
        caution: if press { CAUTION_ATTACKING } else { 100 - lead.max(0) * CAUTION_LEADING / 100 },
        forward: match () {
            () if press => ASSAULT,
            () if hunted || coming && middle <= MET => 0,
            () => FORWARD,
        },
        line: if assault { 1 } else { middle.saturating_sub(1) },
    }
}

/// Something that a unit could do.
struct Choice {
    worth: i64,
    end: Hex,
    tasks: Vec<Task>,
    /// The enemy that it attacks in this mail turn.
    strikes: Option<(usize, Forecast)>,
}

impl Choice {
    fn of(worth: i64, end: Hex, acts: impl IntoIterator<Item = Act>) -> Self {
        Self { worth, end, tasks: acts.into_iter().map(Task::plain).collect(), strikes: None }
    }
}

/// What a unit's fights with each enemy promise: counted once for all hexes of the same ground, and for fire at the same distance too.
#[derive(Default)]
struct Known {
    melees: BTreeMap<(usize, Terrain), (Forecast, i64)>,
    volleys: BTreeMap<(usize, Terrain, u32), i64>,
}

/// What a choice is worth that is carried out so many time-points from now.
fn later(worth: i64, points: u16) -> i64 {
    worth * (100 - IMPATIENCE * i64::from(points)).max(PATIENCE) / 100
}

impl Prospects<'_, '_> {
    /// What a unit does in the mail turn. Its march, its blow on an enemy and its spell points are put on the board for those that are weighed later.
    fn charge(&mut self, place: usize) -> Charge {
        let best = self.best(place);
        if best.end != self.board.at(place) {
            self.board.move_to(place, best.end);
            self.board.position.units[place].losing = 0;
        }
        if let Some((foe, forecast)) = best.strikes {
            self.foresee(foe, &forecast);
        }
        let mut charge = charge(best.tasks, Stance::Hold);
        if charge.tasks.is_empty() && self.welcomes(place) {
            charge.triggers.push((Trigger::Contact, Stance::Charge));
        }
        if let Some(Act::Cast(_, points)) = charge.tasks.first().map(|task| task.act) {
            self.spend(points);
        } else if self.falters(place) {
            self.spend(COURAGE);
            charge.tasks.push(Task::cast(Spell::Courage, COURAGE, Some(Trigger::RoutNear)));
        }
        charge
    }

    /// The choice of the most worth.
    fn best(&mut self, place: usize) -> Choice {
        let stands = self.board.at(place);
        let mut best = Choice::of(i64::MIN, stands, []);
        let mut offer = |choice: Choice| {
            if choice.worth > best.worth {
                best = choice;
            }
        };
        let acts = self.board.due(place) <= self.board.to;
        let still = self.spot(place, stands).worth(None);
        if let Some((worth, act)) = self.spell(place).filter(|_| acts) {
            offer(Choice::of(worth + still, stands, [act]));
        }
        let near = |foe: &usize| self.board.apart(place, *foe);
        if let Some(quarry) =
            self.quarry.iter().copied().filter(|_| acts && self.is_fast(place)).min_by_key(near)
        {
            offer(Choice::of(still + HUNT, stands, [Act::Attack(self.id(quarry))]));
        }
        let (reach, range) = (self.board.reach(place), self.board.range(place).max(1));
        let far = range + reach.iter().map(|reached| reached.hex.distance(stands)).max().unwrap_or(0);
        let mut foes = self.board.foes.clone();
        foes.retain(|foe| self.board.apart(place, *foe) <= far);
        let mut known = Known::default();
        for reached in reach {
            let spot = self.spot(place, reached.hex);
            let moves = reached.hex != stands;
            let way = moves.then_some(Act::To(reached.hex));
            offer(Choice::of(spot.worth(None) - if moves { LEAST } else { 0 }, reached.hex, way));
            let apart = |foe: &usize| (*foe, self.board.at(*foe).distance(reached.hex));
            let met = foes.iter().map(apart).filter(|(_, apart)| *apart <= range);
            let met: Vec<(usize, u32)> = met.collect();
            if met.is_empty() {
                continue;
            }
            self.board.position.put(self.board.rules, place, Some(reached.hex));
            for (foe, apart) in met {
                if apart == 1 {
                    let choices = self.attacks(place, foe, (reached, moves), &spot, &mut known);
                    choices.into_iter().for_each(&mut offer);
                }
                let choice = self.fires(place, foe, (reached, moves), &spot, &mut known);
                choice.into_iter().for_each(&mut offer);
            }
            self.board.position.put(self.board.rules, place, Some(stands));
        }
        best
    }

    /// Attacks on an enemy next to a hex that the unit reaches. Whoever has moved there can rest first, for then its nerve isn't checked (SA-14).
    fn attacks(
        &self,
        place: usize,
        foe: usize,
        (reached, moves): (Reached, bool),
        spot: &Spot,
        known: &mut Known,
    ) -> Vec<Choice> {
        let board = &self.board;
        let now = reached.at <= board.to;
        if !now && !self.posture.assault {
            return Vec::new();
        }
        let count = || {
            let forecast = board.melee(place, foe);
            (forecast, self.gain(&forecast, place, foe))
        };
        let (forecast, gain) = *known.melees.entry((foe, board.ground(place))).or_insert_with(count);
        let late = reached.at.saturating_sub(board.from);
        let (strike, there) = (Act::Attack(self.id(foe)), spot.worth(Some(foe)));
        let checks = moves || law::moved_last(&board.position, place);
        let at_once = if checks { self.checked(place, spot, gain) } else { gain };
        let way = moves.then_some(Act::To(reached.hex));
        let mut choices = Vec::new();
        if at_once > LEAST {
            let strikes = now.then_some((foe, forecast));
            let choice =
                Choice::of(later(at_once, late) + there, reached.hex, way.into_iter().chain([strike]));
            choices.push(Choice { strikes, ..choice });
        }
        let rest = board.rules.numbers().clear(board.rules.battle().units[place].kind);
        if checks && !moves && gain > LEAST && reached.at + rest <= board.to {
            let choice = Choice::of(later(gain, late + rest) + there, reached.hex, [Act::Hold, strike]);
            choices.push(Choice { strikes: Some((foe, forecast)), ..choice });
        }
        choices
    }

    /// Fire at an enemy from a hex that the unit reaches.
    fn fires(
        &self,
        place: usize,
        foe: usize,
        (reached, moves): (Reached, bool),
        spot: &Spot,
        known: &mut Known,
    ) -> Option<Choice> {
        let board = &self.board;
        let apart = board.apart(place, foe);
        if reached.at > board.to || apart > board.range(place) {
            return None;
        }
        let count = || self.volley(&board.fire(place, foe), place, foe);
        let gain = *known.volleys.entry((foe, board.ground(place), apart)).or_insert_with(count);
        let open = gain > 0 && law::fire(board.rules, &board.position, place, foe).is_ok();
        let worth = later(gain, reached.at.saturating_sub(board.from)) + spot.worth(None);
        let way = moves.then_some(Act::To(reached.hex));
        open.then(|| Choice::of(worth, reached.hex, way.into_iter().chain([Act::Fire(self.id(foe))])))
    }

    /// Whether a unit attacks whoever comes next to it.
    fn welcomes(&self, place: usize) -> bool {
        let board = &self.board;
        let near = board.foes.iter().copied().filter(|foe| board.apart(place, *foe) <= MET);
        let gains: Vec<i64> = near.map(|foe| self.gain(&board.melee(place, foe), place, foe)).collect();
        !gains.is_empty() && gains.iter().sum::<i64>() > WELCOME
    }

    /// Reckons with a blow at an enemy.
    fn foresee(&mut self, foe: usize, forecast: &Forecast) {
        let breaks = odds::breaks(self.board.rules, &self.board.position, foe);
        let unit = &mut self.board.position.units[foe];
        unit.men = unit.men.saturating_sub(forecast.lost[1]).max(1);
        if forecast.wins[0] * 2 > Forecast::ALL && !unit.routing {
            unit.losing += 1;
            if breaks {
                self.board.rout(foe);
            }
        }
    }

    /// Counts spell points as cast.
    fn spend(&mut self, points: u32) {
        let left = &mut self.board.position.magic[self.board.side.index()];
        *left = left.saturating_sub(points);
    }

    /// Whether a unit can cast so many points.
    fn casts(&self, place: usize, points: u32) -> bool {
        let board = &self.board;
        law::cast(board.rules, &board.position, board.view.real, place, points).is_ok()
    }

    /// Whether a unit needs Courage if a friend near it routs: it has little training, and enemies are near.
    fn falters(&self, place: usize) -> bool {
        let class = self.board.rules.battle().units[place].class;
        let near = self.board.nearest(place).is_some_and(|foe| self.board.apart(place, foe) <= MET);
        matches!(class, Class::C | Class::D) && near && self.casts(place, COURAGE)
    }

    /// The spell that helps a unit most in the fights at hand, and what that is worth above its price.
    fn spell(&mut self, place: usize) -> Option<(i64, Act)> {
        if !self.casts(place, 1) {
            return None;
        }
        let board = &self.board;
        let near = |foe: &usize| {
            let pace = board.pace(place).min(board.pace(*foe));
            let time = board.apart(place, *foe).saturating_sub(1) * u32::from(pace);
            !board.position.units[*foe].routing && (board.to == 0 || time <= CONTACT)
        };
        let mut foes: Vec<usize> = board.foes.iter().copied().filter(near).collect();
        foes.sort_by_key(|foe| board.apart(place, *foe));
        foes.truncate(OPPONENTS);
        let before = self.prospect(place, &foes);
        let mut best = None;
        let most = self.board.position.magic[self.board.side.index()];
        let most = self.board.rules.choices().cap.map_or(most, |cap| cap.min(most));
        for spell in [Spell::Blade, Spell::Shield] {
            let old = self.board.position.units[place].spells[spell as usize];
            if old.points > 0 {
                continue;
            }
            for points in 1..=most {
                self.board.position.units[place].spells[spell as usize] = Enchantment { points, until: None };
                let worth = self.prospect(place, &foes) - before - PRICE * i64::from(points);
                if worth > 0 && best.is_none_or(|(known, _)| worth > known) {
                    best = Some((worth, Act::Cast(spell, points)));
                }
            }
            self.board.position.units[place].spells[spell as usize] = old;
        }
        best
    }

    /// What fights of a unit with some enemies are worth to it, whoever attacks.
    fn prospect(&self, place: usize, foes: &[usize]) -> i64 {
        let board = &self.board;
        let fight = |foe: &usize| {
            let attacks = self.gain(&board.melee(place, *foe), place, *foe);
            attacks - self.gain(&board.melee(*foe, place), *foe, place)
        };
        foes.iter().map(fight).sum::<i64>() / 2 / (foes.len() as i64).max(1)
    }
}
