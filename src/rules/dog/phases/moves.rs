//! Moves (manual 4.2, 4.4): armies in their order, units in the order of their leader's lines.

use std::collections::{BTreeMap, BTreeSet};

use super::{Aside, Hand, Orders};
use crate::change::Ruling;
use crate::event::{Event, Seen, Stop};
use crate::legality::{Mover, Refusal, never};
use crate::model::{ArmyId, UnitId};
use crate::order::{March, Order, Way};
use crate::scores::{self, dismounting};
use crate::way::{holds, left_behind, left_enemies};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Placed;

/// Chariots whose crew goes on foot in this round, with the order: where they leave a hex, or beside them (ruling DOG-36).
type Crews = BTreeMap<UnitId, Placed<Order>>;

impl Hand<'_, '_> {
    /// The die of every unit whose army has more pride than its leader can hold (manual 2.3, ruling DOG-21).
    pub(super) fn test_obedience(&mut self) {
        for army in self.state().order.clone() {
            let (ego, leadership) = (self.state().ego(self.rules, army), self.state().leadership[&army]);
            if ego <= u64::from(leadership) {
                continue;
            }
            let limit = scores::disobedience(ego, leadership);
            for id in self.units_of(army) {
                if self.is_loyal(id) {
                    continue;
                }
                let die = self.die("order", "obey", id.label(), 100);
                self.record(Event::ObedienceTested { unit: id, die, limit, obeys: die > limit });
            }
        }
    }

    /// Dwarven guards obey whatever happens, where the battle says so (ruling DOG-29).
    fn is_loyal(&self, id: UnitId) -> bool {
        let numbers = self.rules.numbers();
        self.rules.battle().switches.guard_loyalty
            && self
                .active(id)
                .is_some_and(|unit| unit.sorts.iter().all(|sort| numbers.troop(sort.troop).code == "DG"))
    }

    /// The units of an army that can act.
    fn units_of(&self, army: ArmyId) -> Vec<UnitId> {
        let own = |id: &UnitId| self.active(*id).is_some_and(|unit| unit.army == army);
        self.state().units.keys().copied().filter(own).collect()
    }

    /// All moves of a round, and what hidden units risk by them.
    pub(super) fn move_all(&mut self, orders: &Orders) {
        // This die counts for nothing. Without it a round could have no rolls, and everybody knows the root of an empty log: any other
        // root would then tell that somebody was searched for, or disobeyed (ruling DOG-49).
        self.die("none", "veil", "round".to_owned(), 6);
        for army in self.state().order.clone() {
            self.move_army(army, orders.get(&army).map_or(&[][..], Vec::as_slice));
        }
        for id in self.hidden_units() {
            let at = self.state().unit(id).map(|unit| unit.at);
            if at.is_some_and(|at| !self.searchers(id, at).is_empty()) {
                self.search(id);
            }
        }
        self.record(Event::MovesEnded);
    }

    /// The moves of an army: those of units that nobody orders, then its orders, then the crews that are still to get down.
    pub(super) fn move_army(&mut self, army: ArmyId, orders: &[Placed<Order>]) {
        self.barbarians_flee(army);
        let mut crews = BTreeMap::new();
        for placed in orders {
            let Some(id) = placed.order.unit().filter(|_| placed.order.is_move()) else { continue };
            self.scribe.take_in_hand(Some(placed.line));
            let may = self.may_move(army, id, &placed.order);
            let done = may.and_then(|()| self.carry_out(placed, &mut crews));
            self.settle_move(army, placed, done);
        }
        for (id, crew) in crews {
            self.set_down_beside(army, id, &crew);
        }
        self.scribe.take_in_hand(None);
    }

    /// Whether a unit can carry out an order to move at all.
    fn may_move(&self, army: ArmyId, id: UnitId, order: &Order) -> Result<(), Refusal> {
        let observation = self.observation(army);
        if let Order::Dismount { .. } = order
            && self.rules.policies().tells_lack_of_crew_first
            && let Some(mover) = observation.mover(id)
        {
            mover.carries_crew()?;
        }
        observation.may_move(id)
    }

    /// Notes an order to move that is refused, with its own line: a march may have set down a crew, which another line ordered.
    fn settle_move(&mut self, army: ArmyId, placed: &Placed<Order>, done: Result<(), Refusal>) {
        if let Err(refusal) = done {
            self.scribe.take_in_hand(Some(placed.line));
            self.refuse(army, placed, refusal.reason.to_string());
            self.aside(Aside::Refused(refusal));
        }
    }

    fn carry_out(&mut self, placed: &Placed<Order>, crews: &mut Crews) -> Result<(), Refusal> {
        match &placed.order {
            Order::March(march) => self.march(march, crews.remove(&march.unit)),
            Order::Hide { unit } => self.hide(*unit),
            Order::Board { unit, boat } => self.board(*unit, *boat),
            Order::Land { unit, to } => self.land(*unit, *to),
            Order::Dismount { unit, to } => {
                let Some(mover) = self.mover(*unit) else { return Ok(()) };
                mover.may_dismount(*to)?;
                match to.filter(|to| *to != mover.unit.at) {
                    Some(to) => self.dismount(*unit, to),
                    None => {
                        crews.insert(*unit, placed.clone());
                        Ok(())
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// A march, hex by hex, until it ends or something stops it.
    fn march(&mut self, march: &March, mut crew: Option<Placed<Order>>) -> Result<(), Refusal> {
        let gone = self.go(march, &mut crew);
        if let (Some(crew), Some(unit)) = (crew, self.active(march.unit)) {
            let army = unit.army;
            self.set_down_beside(army, march.unit, &crew);
        }
        gone
    }

    /// The march itself; a crew that goes on foot takes the hex that its chariots leave, unless a rear guard does (ruling DOG-36).
    fn go(&mut self, march: &March, crew: &mut Option<Placed<Order>>) -> Result<(), Refusal> {
        let id = march.unit;
        let Some(mover) = self.mover(id) else { return Ok(()) };
        mover.may_march(march)?;
        if march.leave.is_some() {
            self.next_part(id)?;
        }
        let Some(unit) = self.state().unit(id) else { return Ok(()) };
        let (army, start, afloat) = (unit.army, unit.at, unit.aboard.is_some());
        let way = match &march.way {
            Way::By(hexes) => hexes.clone(),
            Way::To(to) => match self.observation(army).ways().best(&unit.sorts, afloat, start, *to) {
                Some(way) => way,
                None => {
                    self.record(Event::Stopped { unit: id, at: start, because: Stop::NoWay { hex: *to } });
                    return Ok(());
                }
            },
        };
        self.aside(Aside::Way(way.clone()));
        let mut leave = march.leave;
        // Whoever struck at its back in this march.
        let mut struck = BTreeSet::new();
        for to in way {
            let Some(unit) = self.state().unit(id) else { return Ok(()) };
            let (from, sorts) = (unit.at, unit.sorts.clone());
            if from.direction_to(to).is_none() {
                return never(format!("{to} is not next to {from}"));
            }
            if let Some(stop) = self.obstacle(army, to) {
                self.record(Event::Stopped { unit: id, at: from, because: stop });
                break;
            }
            let cost = match self.observation(army).ground().step(&sorts, afloat, from, to) {
                Ok(cost) => cost,
                Err(reason) => {
                    let because = Stop::Barred { hex: to, reason };
                    self.record(Event::Stopped { unit: id, at: from, because });
                    break;
                }
            };
            let Some(mover) = self.mover(id) else {
                return Ok(());
            };
            let saved = mover.unit.saved.filter(|(toward, _)| *toward == to).map_or(0, |(_, points)| points);
            let have = mover.points.saturating_add(saved);
            // A crew that goes on foot here takes its point first (ruling DOG-36).
            let crews = if crew.is_some() { dismounting(self.rules.numbers()) } else { 0 };
            let have = have.saturating_sub(crews);
            if cost > have {
                self.wait_for(id, to, cost, have);
                break;
            }
            if self.leaves(march, id, from, to, &mut leave, &mut struck) {
                break;
            }
            if self.active(id).is_none() {
                return Ok(());
            }
            if march.leave.is_none()
                && let Some(crew) = crew.take()
            {
                self.set_down_behind(id, from, &crew)?;
            }
            self.reveal(id, Seen::Moved);
            let spent = cost.saturating_sub(saved);
            let left = self.mover(id).map_or(0, |mover| mover.points).saturating_sub(spent);
            self.record(Event::Moved { unit: id, from, to, spent, left });
        }
        Ok(())
    }

    /// What stands in the way of a step: somebody in sight, or somebody who is met there.
    fn obstacle(&mut self, army: ArmyId, to: Hex) -> Option<Stop> {
        let other = self.state().at(to)?;
        let unseen = self
            .state()
            .unit(other)
            .is_some_and(|unit| unit.hidden && !self.rules.battle().allied(unit.army, army));
        if !unseen {
            self.aside(Aside::Taken(other));
            return Some(Stop::Taken { hex: to });
        }
        self.reveal(other, Seen::Met);
        Some(Stop::Ambush { unit: other, hex: to })
    }

    /// Points that are too few for a hex: kept for it if a whole round's would be too few as well (ruling DOG-13).
    fn wait_for(&mut self, id: UnitId, toward: Hex, cost: u16, points: u16) {
        let Some(unit) = self.state().unit(id) else { return };
        let at = unit.at;
        let whole = scores::points(self.rules.numbers(), &unit.sorts, false);
        if cost > whole && unit.aboard.is_none() {
            self.record(Event::Saved { unit: id, toward, points, cost });
        } else {
            self.record(Event::Stopped { unit: id, at, because: Stop::Points });
        }
    }

    /// What leaving enemies brings: a rear guard stays, they strike, each once in the march, or the unit stops. Whether it stops.
    fn leaves(
        &mut self,
        march: &March,
        id: UnitId,
        from: Hex,
        to: Hex,
        leave: &mut Option<u16>,
        struck: &mut BTreeSet<UnitId>,
    ) -> bool {
        let Some(Mover { seen, .. }) = self.mover(id) else { return false };
        let mut strikers = left_enemies(&seen.foes(), from, to);
        let ruled = |other: &UnitId| self.state().is_ruled(Ruling::Flees { unit: id, from: *other });
        if self.state().is_ruled(Ruling::Free { unit: id }) {
            strikers.clear();
        }
        // The GM can rule that a march is a flight. It is one only from units next to the marching one (manual 4.4).
        strikers.extend(seen.foes_within(1, from).into_iter().filter(ruled));
        strikers.sort_unstable();
        strikers.dedup();
        strikers.retain(|other| !struck.contains(other));
        if let Some(stay) = leave.take() {
            let fighters = self.state().unit(id).map_or(0, super::Unit::fighters);
            let holds = holds(self.rules, fighters, stay);
            if !march.flee && holds < strikers.len() {
                self.stop_engaged(id, from, strikers);
                return true;
            }
            self.leave_behind(id, from, stay);
            // Those whom the rear guard holds don't strike (manual 4.4).
            strikers.drain(..holds.min(strikers.len()));
        }
        if strikers.is_empty() {
            return false;
        }
        let forced =
            strikers.iter().all(|other| self.state().is_ruled(Ruling::Flees { unit: id, from: *other }));
        if !march.flee && !forced {
            self.stop_engaged(id, from, strikers);
            return true;
        }
        // Who runs is seen, before anybody strikes at his back.
        self.reveal(id, Seen::Moved);
        for by in strikers {
            if self.active(id).is_none() {
                break;
            }
            self.reveal(by, Seen::Struck);
            let force = self.state().attack_force(self.rules, by);
            struck.insert(by);
            if let Some(strike) = self.strike("pursuit", by, id, force) {
                self.record(Event::StruckFleeing { strike });
            }
        }
        false
    }

    fn stop_engaged(&mut self, id: UnitId, at: Hex, by: Vec<UnitId>) {
        self.record(Event::Stopped { unit: id, at, because: Stop::Engaged { by } });
    }

    /// A rear guard, or any detachment, stays in the hex.
    fn leave_behind(&mut self, id: UnitId, at: Hex, stay: u16) {
        if let (Ok(part), Some(unit)) = (self.next_part(id), self.state().unit(id)) {
            let fighters = left_behind(&unit.sorts, stay);
            self.record(Event::Split { unit: id, part, at, fighters });
        }
    }

    /// Hides a unit (manual 4.6, ruling DOG-23).
    fn hide(&mut self, id: UnitId) -> Result<(), Refusal> {
        let Some(mover) = self.mover(id) else { return Ok(()) };
        mover.may_hide()?;
        let at = mover.unit.at;
        self.record(Event::Hid { unit: id, at });
        Ok(())
    }

    /// Goes aboard a boat (ruling DOG-35).
    fn board(&mut self, id: UnitId, boat: Option<Hex>) -> Result<(), Refusal> {
        let Some(mover) = self.mover(id) else { return Ok(()) };
        let (boat, at) = mover.may_board(boat)?;
        let from = mover.unit.at;
        if at == from || self.enters(id, from, at) {
            self.reveal(id, Seen::Moved);
            self.record(Event::Boarded { unit: id, from, boat, at });
        }
        Ok(())
    }

    /// Goes ashore (ruling DOG-35).
    fn land(&mut self, id: UnitId, to: Hex) -> Result<(), Refusal> {
        let Some(mover) = self.mover(id) else { return Ok(()) };
        mover.may_land(to)?;
        let from = mover.unit.at;
        let Some(boat) = mover.unit.aboard else { return Ok(()) };
        if self.enters(id, from, to) {
            self.reveal(id, Seen::Moved);
            self.record(Event::Landed { unit: id, boat, from, to });
        }
        Ok(())
    }

    /// Sets a crew down: in a hex that is free as far as its leader sees, or the one that its chariots leave.
    fn dismount(&mut self, id: UnitId, to: Hex) -> Result<(), Refusal> {
        let Some(from) = self.active(id).map(|unit| unit.at) else { return Ok(()) };
        let part = self.next_part(id)?;
        if to == from || self.enters(id, from, to) {
            let spent = dismounting(self.rules.numbers());
            self.reveal(id, Seen::Moved);
            self.record(Event::Dismounted { unit: id, part, at: to, spent });
        }
        Ok(())
    }

    /// Whether nothing stands in the way into a hex; what does stops the unit.
    fn enters(&mut self, id: UnitId, from: Hex, to: Hex) -> bool {
        let Some(army) = self.active(id).map(|unit| unit.army) else { return false };
        let stop = self.obstacle(army, to);
        let free = stop.is_none();
        if let Some(because) = stop {
            self.record(Event::Stopped { unit: id, at: from, because });
        }
        free
    }

    /// Sets the crew of chariots that stay down, in the first hex next to them that is free as far as their leader knows.
    fn set_down_beside(&mut self, army: ArmyId, id: UnitId, order: &Placed<Order>) {
        self.scribe.take_in_hand(Some(order.line));
        let Some(mover) = self.mover(id) else { return };
        let done = mover.beside().and_then(|to| self.dismount(id, to));
        self.settle_move(army, order, done);
    }

    /// Sets the crew of chariots that march down in the hex that they leave. What is refused to the crew is refused to the march too.
    fn set_down_behind(&mut self, id: UnitId, from: Hex, order: &Placed<Order>) -> Result<(), Refusal> {
        let march = self.scribe.line_in_hand();
        self.scribe.take_in_hand(Some(order.line));
        let done = self.dismount(id, from);
        if let Err(refusal) = &done {
            self.aside(Aside::Refused(refusal.clone()));
        }
        self.scribe.take_in_hand(march);
        done
    }

    /// The name of the next part of a unit.
    fn next_part(&self, id: UnitId) -> Result<UnitId, Refusal> {
        self.state()
            .next_part(id)
            .map_or_else(|| never(format!("no name is left for another part of {id}")), Ok)
    }

    /// Outnumbered barbarians flee before anybody orders them, where the battle says so (ruling DOG-29).
    fn barbarians_flee(&mut self, army: ArmyId) {
        if !self.rules.battle().switches.barbarian_flight {
            return;
        }
        for id in self.units_of(army) {
            let Some(Mover { seen, unit, points, .. }) = self.mover(id) else { continue };
            let numbers = self.rules.numbers();
            if !unit.sorts.iter().all(|sort| numbers.troop(sort.troop).code == "B") {
                continue;
            }
            let beside = seen.foes_within(1, unit.at);
            let enemies: u32 = beside
                .iter()
                .filter_map(|other| self.state().unit(*other))
                .map(|other| u32::from(other.fighters()))
                .sum();
            if enemies <= u32::from(unit.fighters()) {
                continue;
            }
            let ways = seen.ways();
            let open = |to: &Hex| {
                let cost = ways.step(&unit.sorts, false, unit.at, *to);
                !ways.taken.contains(to) && cost.is_ok_and(|cost| cost <= points)
            };
            let away = |to: &Hex| seen.foes_within(1, *to).len();
            let best =
                self.rules.battle().field.around(unit.at).filter(open).min_by_key(|to| (away(to), *to));
            let Some(to) = best.filter(|to| away(to) < beside.len()) else { continue };
            let march = March { unit: id, way: Way::By(vec![to]), leave: None, flee: true };
            let marched = self.march(&march, None);
            debug_assert!(marched.is_ok(), "the step was checked above: {marched:?}");
        }
    }
}
