//! The position, with everything hidden, and how events change it.

use std::collections::{BTreeMap, BTreeSet};

use musterd_dice::Seat;
use musterd_engine::hex::Hex;
use serde::Serialize;

use crate::data::Sa;
use crate::event::{Blow, Change, Departure, Event, Outcome};
use crate::model::{NEAR, Side, Spell, UnitId, Way};
use crate::order::{Charge, Stance, Taste, Trigger};

/// The position.
#[derive(Clone)]
pub struct State {
    /// What is waited for.
    pub(crate) phase: Phase,
    /// What everybody sees.
    pub(crate) position: Position,
    /// The last time-point of the mail turn that was played.
    pub(crate) paused: u16,
    /// What each unit was told, in the order of the battle's list.
    pub(crate) charges: Vec<Charge>,
    /// What has happened to each since it acted last, in the same order.
    pub(crate) noticed: Vec<Noticed>,
    /// The wizard who is real, if there are likenesses.
    pub(crate) real: Option<UnitId>,
    /// The seats whose units had standing orders when the last mail turn ended.
    pub(crate) stood: BTreeSet<Seat>,
    /// How each seat wants its reports; the others as usual.
    pub(crate) tastes: BTreeMap<Seat, Taste>,
    /// The course of the battle: the standing at the end of each mail turn.
    pub(crate) course: Vec<Standing>,
    /// How it ended.
    pub(crate) outcome: Option<Outcome>,
}

/// What everybody sees of the position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The clock, in time-points; 0 before the first.
    pub point: u16,
    /// The units, in the order of the battle's list.
    pub units: Vec<Unit>,
    /// The place of the unit in each hex of the field, row by row.
    #[serde(skip)]
    pub board: Vec<Option<u8>>,
    /// Army morale, in the order of the sides.
    pub morale: [i32; 2],
    /// Spell points left, in the order of the sides.
    pub magic: [u32; 2],
}

/// What the game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The founding.
    Unfounded,
    /// The initial move: of one side, or of both.
    Initial(Option<Side>),
    /// Orders for a mail turn.
    Battle,
    /// Nothing.
    Over,
}

/// A unit, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unit {
    /// Where it stands; `None` off the field.
    pub at: Option<Hex>,
    /// What became of it.
    pub fate: Fate,
    /// Its men.
    pub men: u32,
    /// The time-point at which it acts next.
    pub next: u16,
    /// Whether it routs.
    pub routing: bool,
    /// BS: battles won less battles lost.
    pub battles: i32,
    /// RS: routs seen, of enemies less of friends.
    pub routs: i32,
    /// Melees lost in a row, without a move.
    pub losing: u8,
    /// What it did last.
    pub last: Last,
    /// Its last move, for `AGAIN`.
    pub way: Option<Way>,
    /// The spells on it: points, and through which time-point.
    pub spells: [Enchantment; 4],
}

/// A spell on a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Enchantment {
    /// Its points; 0 if there is none.
    pub points: u32,
    /// The last time-point of it, if it ends by time.
    pub until: Option<u16>,
}

/// What became of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is yet to come, or to be made.
    Coming,
    /// It is on the field.
    Fielded,
    /// It is gone, so.
    Gone(Lost),
}

/// How a unit was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    Destroyed,
    Ran,
    Deserted,
    Escaped,
    Vanished,
}

/// What a unit did last (SA-14, SA-27).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Last {
    Nothing,
    Moved,
    Held,
    Fought,
    Fired,
    Cast,
    Fled,
}

/// What has happened to a unit since it acted last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Noticed {
    /// It was fired at.
    pub(crate) fired_at: bool,
    /// A friend near it routed.
    pub(crate) rout_near: bool,
}

/// How the sides stood at the end of a mail turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// The time-point.
    pub point: u16,
    /// Men on the field and not in rout.
    pub men: [u32; 2],
    /// Army morale.
    pub morale: [i32; 2],
}

impl Unit {
    /// The points of a spell on it at a time-point.
    pub fn spell(&self, spell: Spell, point: u16) -> u32 {
        let on = self.spells[spell as usize];
        if on.until.is_none_or(|until| point <= until) { on.points } else { 0 }
    }

    /// A spell is on it from now on, in the place of another of its kind.
    pub(crate) fn enchant(&mut self, spell: Spell, points: u32, until: Option<u16>) {
        self.spells[spell as usize] = Enchantment { points, until };
    }

    /// The spells for a fight are over with it (SA-25).
    pub(crate) fn spend_weapons(&mut self) {
        for spell in [Spell::Blade, Spell::Shield] {
            self.spells[spell as usize] = Enchantment::default();
        }
    }

    /// Whether it stands on the field and doesn't rout.
    pub const fn is_steady(&self) -> bool {
        self.at.is_some() && !self.routing
    }
}

impl Position {
    /// The place in lists of the unit in a hex.
    pub fn unit_at(&self, rules: &Sa, hex: Hex) -> Option<usize> {
        let index = rules.battle().field.index(hex)?;
        self.board[index].map(usize::from)
    }

    /// The units on the field: each with its place in lists.
    pub fn fielded(&self) -> impl Iterator<Item = (usize, &Unit, Hex)> {
        self.units.iter().enumerate().filter_map(|(place, unit)| Some((place, unit, unit.at?)))
    }

    /// The enemy next to a unit: of several the first by number.
    pub fn met(&self, rules: &Sa, place: usize) -> Option<usize> {
        let side = |place: usize| rules.battle().units[place].id.side;
        let there = self.units[place].at?.around().filter_map(|hex| self.unit_at(rules, hex));
        there.filter(|other| side(*other) != side(place)).min()
    }

    /// Puts a unit into a hex, or takes it off the field.
    pub(crate) fn put(&mut self, rules: &Sa, place: usize, to: Option<Hex>) {
        let field = &rules.battle().field;
        let slot = |hex: Option<Hex>| hex.and_then(|hex| field.index(hex));
        if let Some(from) = slot(self.units[place].at) {
            self.board[from] = None;
        }
        self.units[place].at = to;
        if let Some(to) = slot(to) {
            debug_assert!(self.board[to].is_none(), "two units in one hex");
            #[expect(clippy::expect_used, reason = "no side has more than UnitId::MOST units")]
            let place = u8::try_from(place).expect("a place among the units of two sides");
            self.board[to] = Some(place);
        }
    }

    /// A unit stands elsewhere before the battle; whoever stood there changes places with it.
    pub(crate) fn deploy(&mut self, rules: &Sa, place: usize, at: Hex) {
        let from = self.units[place].at;
        let other = self.unit_at(rules, at).filter(|other| *other != place);
        if let Some(other) = other {
            self.put(rules, other, None);
        }
        self.put(rules, place, Some(at));
        if let Some(other) = other {
            self.put(rules, other, from);
        }
    }
}

impl State {
    /// The position before the founding.
    pub(crate) fn at_start(rules: &Sa) -> Self {
        let battle = rules.battle();
        let unit = |spec: &crate::battle::Spec| Unit {
            at: spec.at,
            fate: if spec.at.is_some() { Fate::Fielded } else { Fate::Coming },
            men: spec.men,
            next: 0,
            routing: false,
            battles: 0,
            routs: 0,
            losing: 0,
            last: Last::Nothing,
            way: None,
            spells: [Enchantment::default(); 4],
        };
        let units: Vec<Unit> = battle.units.iter().map(unit).collect();
        let mut board = vec![None; battle.field.ground.len()];
        for (place, unit) in (0u8..).zip(&units) {
            if let Some(index) = unit.at.and_then(|at| battle.field.index(at)) {
                board[index] = Some(place);
            }
        }
        let wizard = battle.hunt.map(|hunt| hunt.wizard);
        let worth = |side: Side| {
            let own = battle.units.iter().filter(|spec| spec.id.side == side);
            own.filter(|spec| !spec.likeness || wizard == Some(spec.id)).map(|spec| spec.gifts.morale).sum()
        };
        Self {
            phase: Phase::Unfounded,
            position: Position {
                point: 0,
                units,
                board,
                morale: Side::ALL.map(worth),
                magic: Side::ALL.map(|side| battle.army(side).magic),
            },
            paused: 0,
            charges: vec![Charge::default(); battle.units.len()],
            noticed: vec![Noticed::default(); battle.units.len()],
            real: wizard,
            stood: BTreeSet::new(),
            tastes: BTreeMap::new(),
            course: Vec::new(),
            outcome: None,
        }
    }

    /// What a seat wants of its reports.
    pub(crate) fn taste(&self, seat: &Seat) -> Taste {
        self.tastes.get(seat).copied().unwrap_or_default()
    }

    /// Applies an event.
    pub(crate) fn apply(&mut self, rules: &Sa, event: &Event) {
        let place = |id: &UnitId| rules.battle().place(*id);
        match event {
            Event::Began { real } => {
                self.real = real.or(self.real);
                self.phase = Phase::Initial((!rules.choices().together).then_some(Side::A));
            }
            Event::Deployed { unit, at } => self.position.deploy(rules, place(unit), *at),
            Event::Told { unit, charge } => self.charges[place(unit)] = charge.clone(),
            Event::Reported { seat, taste } => {
                self.tastes.insert(seat.clone(), *taste);
            }
            Event::Ticked { point } => self.position.point = *point,
            Event::Moved { unit, way, to, next } => {
                self.go(rules, place(unit), (*way, *to), Last::Moved, *next);
            }
            Event::Held { unit, next } => {
                self.acted(place(unit), Last::Held, *next);
            }
            Event::Fought { attacker, defender, next, won } => {
                self.acted(place(&attacker.unit), Last::Fought, *next);
                self.settle(rules, [attacker, defender], *won, true);
            }
            Event::Fired { attacker, defender, next, won, .. } => {
                self.acted(place(&attacker.unit), Last::Fired, *next);
                self.noticed[place(&defender.unit)].fired_at = true;
                self.settle(rules, [attacker, defender], *won, false);
            }
            Event::Checked { unit, next, .. } => {
                let unit = &mut self.position.units[place(unit)];
                unit.next = next.unwrap_or(unit.next);
            }
            Event::Routed { unit, next, .. } => self.rout(rules, *unit, *next),
            Event::Fled { unit, way, to, next } => {
                self.go(rules, place(unit), (*way, *to), Last::Fled, *next);
                self.sway(unit.side, -1);
            }
            Event::Cornered { unit, next } => {
                self.acted(place(unit), Last::Fled, *next);
            }
            Event::Left { unit, how, .. } => self.leave(rules, *unit, *how),
            Event::Rallied { unit } => self.position.units[place(unit)].routing = false,
            Event::Cast { unit, spell, points, until, next } => {
                let caster = self.acted(place(unit), Last::Cast, *next);
                caster.enchant(*spell, *points, *until);
                self.spend(unit.side, *points);
            }
            Event::Likened { unit, likeness, at, real, points, next } => {
                self.acted(place(unit), Last::Cast, *next);
                self.liken(rules, place(unit), place(likeness), *at);
                self.real = real.or(self.real);
                self.spend(unit.side, *points);
            }
            Event::Vanished { unit, .. } => self.lose(rules, place(unit), Lost::Vanished),
            Event::Arrived { unit, at, next } => {
                let place = place(unit);
                self.position.put(rules, place, Some(*at));
                self.position.units[place].fate = Fate::Fielded;
                self.position.units[place].next = *next;
            }
            Event::Wavered { .. } | Event::Skipped { .. } | Event::Waited { .. } | Event::Drawn { .. } => {}
            Event::Done { unit, task } => {
                self.charges[place(unit)].tasks.remove(*task);
            }
            Event::Triggered { unit, trigger, stance } => self.trigger(place(unit), *trigger, *stance),
            Event::Stood { seat, charges, real } => {
                if charges.is_empty() && real.is_none() {
                    self.stood.remove(seat);
                } else {
                    self.stood.insert(seat.clone());
                }
            }
            Event::Paused { point } => self.pause(rules, *point),
            Event::Ended { outcome } => {
                self.phase = Phase::Over;
                self.outcome = Some(outcome.clone());
                self.extend_course(rules);
            }
            Event::Amended { change } => self.amend(rules, change),
        }
    }

    /// A unit goes a hex, of its own will or in rout. Its Haste is spent.
    fn go(&mut self, rules: &Sa, place: usize, (way, to): (Way, Hex), last: Last, next: u16) {
        self.position.put(rules, place, Some(to));
        let unit = self.acted(place, last, next);
        unit.way = Some(way);
        unit.losing = 0;
        unit.spells[Spell::Haste as usize] = Enchantment::default();
    }

    /// A unit leaves the field.
    fn leave(&mut self, rules: &Sa, id: UnitId, how: Departure) {
        let lost = match how {
            Departure::Destroyed => Lost::Destroyed,
            Departure::Ran => Lost::Ran,
            Departure::Deserted => Lost::Deserted,
            Departure::Escaped => Lost::Escaped,
        };
        self.lose(rules, rules.battle().place(id), lost);
        if matches!(how, Departure::Destroyed | Departure::Ran) {
            self.sway(id.side, -4);
        }
    }

    /// A likeness looks like its wizard in all.
    fn liken(&mut self, rules: &Sa, place: usize, likeness: usize, at: Hex) {
        self.position.put(rules, likeness, Some(at));
        self.position.units[likeness] = Unit { at: Some(at), ..self.position.units[place].clone() };
    }

    fn spend(&mut self, side: Side, points: u32) {
        let left = &mut self.position.magic[side.index()];
        *left = left.saturating_sub(points);
    }

    fn trigger(&mut self, place: usize, trigger: Trigger, stance: Stance) {
        let charge = &mut self.charges[place];
        charge.triggers.retain(|(own, _)| *own != trigger);
        charge.tasks.clear();
        charge.stance = stance;
    }

    fn pause(&mut self, rules: &Sa, point: u16) {
        self.phase = match self.phase {
            Phase::Initial(Some(Side::A)) => Phase::Initial(Some(Side::B)),
            _ => Phase::Battle,
        };
        self.paused = point;
        self.position.point = point;
        self.extend_course(rules);
    }

    /// A unit has acted.
    fn acted(&mut self, place: usize, last: Last, next: u16) -> &mut Unit {
        self.noticed[place] = Noticed::default();
        let unit = &mut self.position.units[place];
        (unit.last, unit.next) = (last, next);
        unit
    }

    /// What a fight does to both: losses, battles won and lost, army morale; in melee the melees lost in a row. Spells of the fight are spent.
    fn settle(&mut self, rules: &Sa, blows: [&Blow; 2], won: Option<UnitId>, melee: bool) {
        for blow in blows {
            let unit = &mut self.position.units[rules.battle().place(blow.unit)];
            unit.men = unit.men.saturating_sub(blow.lost);
            unit.spend_weapons();
            match won {
                Some(winner) if winner == blow.unit => {
                    unit.battles += 1;
                    if melee {
                        unit.losing = 0;
                    }
                }
                Some(_) => {
                    unit.battles -= 1;
                    if melee {
                        unit.losing = unit.losing.saturating_add(1);
                    }
                }
                None => {}
            }
        }
        if let Some(winner) = won {
            self.sway(winner.side, 1);
        }
    }

    /// Moves the morale of both armies: what one gains the other loses (SA-20).
    fn sway(&mut self, side: Side, by: i32) {
        self.position.morale[side.index()] += by;
        self.position.morale[side.other().index()] -= by;
    }

    /// A unit routs: its army's morale, and the routs that all near it have seen (SA-12, SA-37).
    fn rout(&mut self, rules: &Sa, id: UnitId, next: u16) {
        let place = rules.battle().place(id);
        let at = self.position.units[place].at;
        self.position.units[place].routing = true;
        self.position.units[place].next = next;
        self.charges[place].tasks.clear();
        self.sway(id.side, -1);
        let Some(at) = at else { return };
        for ((other, unit), spec) in self.position.units.iter_mut().enumerate().zip(&rules.battle().units) {
            if unit.at.is_none_or(|hex| hex.distance(at) > NEAR) {
                continue;
            }
            let friend = spec.id.side == id.side;
            unit.routs += if friend { -1 } else { 1 };
            if friend && other != place {
                self.noticed[other].rout_near = true;
            }
        }
    }

    /// A unit leaves the field.
    fn lose(&mut self, rules: &Sa, place: usize, how: Lost) {
        self.position.put(rules, place, None);
        self.position.units[place].fate = Fate::Gone(how);
        self.charges[place] = Charge::default();
    }

    /// Adds how the sides stand now to the course of the battle. A wizard and his likenesses are left out: everybody sees the course.
    fn extend_course(&mut self, rules: &Sa) {
        let men = |side: Side| {
            let (from, to) = rules.battle().army(side).units;
            let steady = |place: &usize| {
                self.position.units[*place].is_steady() && !rules.battle().units[*place].likeness
            };
            (from..to).filter(steady).map(|place| self.position.units[place].men).sum()
        };
        let point = self.position.point;
        let standing = Standing { point, men: Side::ALL.map(men), morale: self.position.morale };
        self.course.retain(|earlier| earlier.point != point);
        self.course.push(standing);
    }

    fn amend(&mut self, rules: &Sa, change: &Change) {
        let units = &mut self.position.units;
        let place = |id: &UnitId| rules.battle().place(*id);
        match change {
            Change::Men(id, men) => units[place(id)].men = *men,
            Change::Place(id, at) => {
                let place = place(id);
                match at {
                    Some(_) => {
                        units[place].fate = Fate::Fielded;
                        self.position.put(rules, place, *at);
                    }
                    None => self.lose(rules, place, Lost::Destroyed),
                }
            }
            Change::Rout(id, routs) => {
                let place = place(id);
                units[place].routing = *routs;
                // As in any rout, what it was told is forgotten (SA-50).
                if *routs {
                    self.charges[place].tasks.clear();
                }
            }
            Change::Next(id, next) => units[place(id)].next = *next,
            Change::Battles(id, battles) => units[place(id)].battles = *battles,
            Change::Routs(id, routs) => units[place(id)].routs = *routs,
            Change::Losing(id, lost) => units[place(id)].losing = *lost,
            Change::Plain(id) => units[place(id)].spells = [Enchantment::default(); 4],
            Change::Morale(side, morale) => self.position.morale[side.index()] = *morale,
            Change::Magic(side, points) => self.position.magic[side.index()] = *points,
            Change::Wizard(id) => self.real = Some(*id),
        }
    }

    /// Whether something has happened to a unit since it acted last.
    pub(crate) fn has_happened(&self, rules: &Sa, place: usize, trigger: Trigger) -> bool {
        match trigger {
            Trigger::FiredAt => self.noticed[place].fired_at,
            Trigger::RoutNear => self.noticed[place].rout_near,
            Trigger::Contact => self.position.met(rules, place).is_some(),
        }
    }
}

impl State {
    /// What doesn't hang together in the position.
    pub(crate) fn faults(&self, rules: &Sa) -> Vec<String> {
        let battle = rules.battle();
        let is_there = |id: UnitId| self.position.units[rules.battle().place(id)].at.is_some();
        let mut faults = Vec::new();
        for (place, unit, at) in self.position.fielded() {
            let spec = &battle.units[place];
            let terrain = battle.field.terrain(at);
            if unit.men == 0 {
                faults.push(format!("{} is on the field without men", spec.id));
            }
            if rules.numbers().cost(spec.kind, terrain).is_none() {
                faults.push(format!("{} stands in {at}, {}", spec.id, terrain.words()));
            }
            if self.position.unit_at(rules, at) != Some(place) {
                faults.push(format!("{} stands in {at} with another", spec.id));
            }
            if let Some(real) = self.real.filter(|real| spec.likeness && !is_there(*real)) {
                faults
                    .push(format!("{} is a likeness on the field, and the wizard, {real}, is not", spec.id));
            }
        }
        faults
    }
}

impl Position {
    /// Where a unit on the field stands.
    ///
    /// # Panics
    /// It is off the field.
    pub(crate) fn stand(&self, place: usize) -> Hex {
        #[expect(clippy::expect_used, reason = "asked of units on the field alone")]
        self.units[place].at.expect("a unit on the field")
    }

    /// Whether a unit is on the field, or may still come.
    pub(crate) fn is_afoot(&self, rules: &Sa, id: UnitId) -> bool {
        let comes = rules.battle().spec(id).arrives.is_some();
        match self.units[rules.battle().place(id)].fate {
            Fate::Fielded => true,
            Fate::Coming => comes,
            Fate::Gone(_) => false,
        }
    }
}
