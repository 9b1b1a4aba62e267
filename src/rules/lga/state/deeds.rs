//! Applies events to the position, and the GM's changes.

use super::{State, Unit};
use crate::change::Change;
use crate::data::Lga;
use crate::event::Event;
use crate::model::{Date, Nation, Side, UnitId};
use crate::sight::FogLoss;
use crate::view::PointCount;
use musterd_engine::hex::Hex;

impl State {
    /// Applies an event.
    pub(crate) fn apply(&mut self, rules: &Lga, event: &Event) {
        let mut record = std::mem::take(&mut self.record);
        record.note(rules, self, event);
        self.record = record;
        self.remember(rules, event);
        match event {
            Event::TurnBegan { date, turn, side } => self.begin_turn(rules, *date, *turn, *side),
            Event::Recalled { unit, to } => self.shift(*unit, *to),
            Event::Counted { side, points, level: _ } => {
                self.victory.insert(*side, *points);
                self.history.push(PointCount { date: self.date, side: *side, points: *points });
            }
            Event::Allocated { nation, now, .. } => drop(self.points.insert(*nation, *now)),
            Event::OutOfSupply { unit, .. } => self.unit_mut(*unit).cut_off = true,
            Event::Mustered { unit, morale, destroyed, .. }
            | Event::Besieged { unit, morale, destroyed, .. } => {
                self.unit_mut(*unit).morale = *morale;
                if *destroyed {
                    self.destroy(*unit);
                }
            }
            Event::StandingFiled { seat, file } => drop(self.standing.insert(seat.clone(), file.clone())),
            Event::Aided { to, points } => {
                if let Some(donor) = rules.setting.donor() {
                    self.pay(donor, *points);
                }
                *self.points.entry(*to).or_default() += i32::from(*points);
            }
            Event::Built { unit, at, cost, morale } => self.build(rules, *unit, *at, *cost, *morale),
            Event::Rallied { unit, morale, cost } => self.rally(rules, *unit, *morale, *cost),
            Event::Moved { unit, to, left, marched, captured, .. } => {
                self.step(rules, *unit, *to, (*left, *marched), *captured);
            }
            Event::Fogged { unit, at, loss, left, .. } => self.lose_way(rules, *unit, *at, *loss, *left),
            Event::LongMarch { unit, fatigue, .. } => self.unit_mut(*unit).fatigue = *fatigue,
            Event::GarrisonFound { at, .. } => drop(self.found.insert(*at)),
            Event::Attacked { .. } => self.fight(event),
            Event::Garrisoned { unit, .. } => {
                let unit = self.unit_mut(*unit);
                unit.garrison = true;
                unit.ended = true;
            }
            Event::MoveEnded { unit } => self.unit_mut(*unit).ended = true,
            Event::Topped { unit, at, .. } => {
                self.lift(*unit);
                self.put_on_top(*unit, *at);
            }
            Event::Reinforced { unit, to, arrived, .. } => {
                self.unit_mut(*unit).defended = true;
                if *arrived {
                    self.shift(*unit, *to);
                }
            }
            Event::Withdrew { unit, to, loss, destroyed, .. } => {
                self.withdraw(*unit, *to, *loss, *destroyed);
            }
            Event::NotDone { seat, line: 0, order, reason } => {
                self.told.insert((seat.clone(), order.clone(), reason.clone()));
            }
            Event::NotDone { .. } => {}
            Event::Amended { change } => self.amend(change),
            Event::Starved { unit, .. } => self.destroy(*unit),
            Event::Ended { levels, winner } => {
                self.over = true;
                self.results.clone_from(levels);
                self.winner = *winner;
            }
        }
    }

    /// Applies a GM's change.
    pub(crate) fn amend(&mut self, change: &Change) {
        match *change {
            Change::Morale { unit, morale } => self.unit_mut(unit).morale = morale,
            Change::Fatigue { unit, fatigue } => self.unit_mut(unit).fatigue = fatigue,
            Change::Moves { unit, left } => {
                let unit = self.unit_mut(unit);
                (unit.left, unit.ended) = (left, unit.ended && left == 0);
            }
            Change::Placed { unit, at, morale, left } => {
                if self.unit(unit).at.is_none() {
                    *self.unit_mut(unit) = Unit { morale, left, ..Unit::default() };
                }
                self.shift(unit, at);
            }
            Change::Topped { unit } => {
                if let Some(at) = self.unit(unit).at {
                    self.lift(unit);
                    self.put_on_top(unit, at);
                }
            }
            Change::Pooled { unit } => self.destroy(unit),
            Change::Garrison { unit, garrison } => self.unit_mut(unit).garrison = garrison,
            Change::Supplied { unit, supplied } => self.unit_mut(unit).cut_off = !supplied,
            Change::Rallied { unit, rallied } => self.unit_mut(unit).rallied = rallied,
            Change::Points { nation, points } => drop(self.points.insert(nation, points)),
            Change::Victory { side, points } => drop(self.victory.insert(side, points)),
            Change::Control { at, side } => drop(self.control.insert(at, side)),
        }
    }

    fn begin_turn(&mut self, rules: &Lga, date: Date, turn: u32, side: Side) {
        self.before = self.begun.then_some(self.turn_now());
        self.begun = true;
        self.to_show = true;
        (self.date, self.turn, self.phasing) = (date, turn, side);
        self.fought = false;
        self.told.clear();
        self.found.clear();
        for spec in rules.scenario.units.iter().filter(|spec| spec.side == side) {
            let left = rules.stats(spec.kind).moves;
            let unit = self.unit_mut(spec.id);
            let Unit { at, garrison, morale, .. } = *unit;
            *unit = Unit { at, garrison, morale, left, ..Unit::default() };
        }
    }

    /// A unit of the pool comes onto the map.
    fn build(&mut self, rules: &Lga, id: UnitId, at: Hex, cost: u16, morale: i8) {
        let spec = rules.scenario.unit(id);
        self.pay(spec.nation, cost);
        let left = rules.stats(spec.kind).moves;
        *self.unit_mut(id) = Unit { morale, left, ..Unit::default() };
        self.put_on_top(id, at);
    }

    /// A unit's morale is raised.
    fn rally(&mut self, rules: &Lga, id: UnitId, morale: i8, cost: u16) {
        self.pay(rules.scenario.unit(id).nation, cost);
        let unit = self.unit_mut(id);
        unit.morale = morale;
        unit.rallied = true;
    }

    /// A unit goes one hex, with the moves that it has left then and those that it has marched.
    fn step(&mut self, rules: &Lga, id: UnitId, to: Hex, (left, marched): (u8, u8), captured: bool) {
        self.shift(id, to);
        let moved = self.unit_mut(id);
        moved.left = left;
        moved.marched = marched;
        moved.stirred = true;
        if captured {
            self.control.insert(to, rules.scenario.unit(id).side);
        }
    }

    /// The fog of war takes moves.
    fn lose_way(&mut self, rules: &Lga, id: UnitId, at: Hex, loss: FogLoss, left: u8) {
        let land = rules.map.is_land(at);
        let unit = self.unit_mut(id);
        unit.left = left;
        // Sailing on costs nothing, so a lack of moves would not stop it (ruling LGA-65).
        unit.ended |= loss == FogLoss::All && !land;
    }

    /// A unit withdraws, and may be lost by it.
    fn withdraw(&mut self, id: UnitId, to: Hex, loss: i8, destroyed: bool) {
        self.shift(id, to);
        let moved = self.unit_mut(id);
        moved.morale -= loss;
        moved.defended = true;
        moved.withdrew = true;
        if destroyed {
            self.destroy(id);
        }
    }

    fn fight(&mut self, event: &Event) {
        let Event::Attacked { attacker, defender, at, garrison, result, spent, .. } = event else { return };
        self.fought = true;
        if *garrison {
            self.found.insert(*at);
        }
        let unit = self.unit_mut(*attacker);
        unit.left = unit.left.saturating_sub(*spent);
        unit.marched = unit.marched.saturating_add(*spent);
        for (id, loss, destroyed) in [
            (*attacker, result.attacker_loss, result.attacker_destroyed),
            (*defender, result.defender_loss, result.defender_destroyed),
        ] {
            let unit = self.unit_mut(id);
            unit.fatigue = unit.fatigue.saturating_add(1);
            unit.morale -= loss;
            if destroyed {
                self.destroy(id);
            }
        }
    }

    fn pay(&mut self, nation: Nation, cost: u16) {
        *self.points.entry(nation).or_default() -= i32::from(cost);
    }
}
