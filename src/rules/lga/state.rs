//! The whole position, hidden things too. It can't be formatted or serialised: only `fog.rs` looks out of it.

use std::collections::{BTreeMap, BTreeSet};

use super::data::Lga;
use super::event::Event;
use super::ground::{Traveller, zones};
use super::model::{Date, Nation, Side, UnitId, UnitType};
use super::order::Standing;
use super::record::Record;
use super::sight::FogLoss;
use super::view::PointCount;
use musterd_dice::Seat;
use musterd_engine::hex::{Hex, HexSet};

/// The position of one game.
#[derive(Clone)]
pub struct State {
    pub(super) begun: bool,
    pub(super) over: bool,
    pub(super) date: Date,
    /// Which season this is, from 1.
    pub(super) turn: u32,
    /// Whose player turn it is.
    pub(super) phasing: Side,
    /// Whether the phasing side has attacked this turn: until then nobody else sees or does anything (manual 5.66).
    pub(super) fought: bool,
    /// Standing orders that came to nothing this turn, as their commanders were told: whose, the line, why.
    told: BTreeSet<(Seat, String, String)>,
    /// Cities in which the phasing side came upon a garrison this turn.
    pub(super) found: BTreeSet<Hex>,
    units: Vec<Unit>,
    /// The pieces in each hex, top first; no empty entries.
    stacks: BTreeMap<Hex, Vec<UnitId>>,
    pub(super) control: BTreeMap<Hex, Side>,
    pub(super) points: BTreeMap<Nation, i32>,
    /// Victory points of each side at its last count.
    pub(super) victory: BTreeMap<Side, i32>,
    pub(super) standing: BTreeMap<Seat, Vec<Standing>>,
    pub(super) history: Vec<PointCount>,
    pub(super) record: Record,
    pub(super) results: Vec<(Side, i32, super::model::Level)>,
    pub(super) winner: Option<Side>,
}

/// What changes about a unit or a headquarters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// Where it is; none while it is in the build pool.
    pub(super) at: Option<Hex>,
    pub(super) garrison: bool,
    pub(super) morale: i8,
    pub(super) fatigue: u8,
    /// Moves left this season.
    pub(super) left: u8,
    /// Moves spent on the march this season: what fog of war or a ship took does not count (ruling LGA-26).
    pub(super) marched: u8,
    /// Whether it left the hex in which it began the season.
    pub(super) stirred: bool,
    /// Whether it has ended its move.
    pub(super) ended: bool,
    /// Whether it began its turn in supply.
    pub(super) supplied: bool,
    pub(super) rallied: bool,
    /// Whether it has had its defensive move (manual 5.65).
    pub(super) defended: bool,
    /// Whether that move was a withdrawal.
    pub(super) withdrew: bool,
}

impl Unit {
    /// A unit in the build pool.
    pub(super) const IN_POOL: Self = Self {
        at: None,
        garrison: false,
        morale: 0,
        fatigue: 0,
        left: 0,
        marched: 0,
        stirred: false,
        ended: false,
        supplied: true,
        rallied: false,
        defended: false,
        withdrew: false,
    };
}

impl State {
    /// The scenario's first position.
    pub(super) fn at_start(rules: &Lga) -> Self {
        let scenario = rules.scenario();
        let mut state = Self {
            begun: false,
            over: false,
            date: scenario.start,
            turn: 1,
            phasing: scenario.sides()[0].side,
            fought: false,
            told: BTreeSet::new(),
            found: BTreeSet::new(),
            units: vec![Unit::IN_POOL; scenario.units().len()],
            stacks: BTreeMap::new(),
            control: scenario.control().clone(),
            points: scenario.nations().collect(),
            victory: BTreeMap::new(),
            standing: BTreeMap::new(),
            history: Vec::new(),
            record: Record::default(),
            results: Vec::new(),
            winner: None,
        };
        for spec in scenario.units() {
            let Some(start) = spec.start else { continue };
            *state.unit_mut(spec.id) = Unit {
                garrison: start.garrison,
                morale: start.morale,
                fatigue: start.fatigue,
                left: rules.stats(spec.kind).moves,
                ..Unit::IN_POOL
            };
            state.put_below(spec.id, start.hex);
        }
        for side in scenario.sides() {
            let points = super::phases::victory::points(rules, &state, side.side);
            state.victory.insert(side.side, points);
        }
        state
    }

    /// A unit.
    pub(super) fn unit(&self, id: UnitId) -> &Unit {
        &self.units[usize::from(id.0) - 1]
    }

    /// A unit, to be changed: by [`State::apply`], and when a position is set up.
    pub(super) fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        &mut self.units[usize::from(id.0) - 1]
    }

    /// The pieces in a hex, top first.
    pub(super) fn stack(&self, hex: Hex) -> &[UnitId] {
        self.stacks.get(&hex).map_or(&[], Vec::as_slice)
    }

    /// Every hex with pieces in it.
    pub(super) fn stacks(&self) -> impl Iterator<Item = (Hex, &[UnitId])> {
        self.stacks.iter().map(|(&hex, stack)| (hex, stack.as_slice()))
    }

    /// The hexes with enemies of `side` in them; nobody shares a hex with an enemy.
    pub(super) fn enemies<'a>(
        &'a self,
        rules: &'a Lga,
        side: Side,
    ) -> impl Iterator<Item = (Hex, &'a [UnitId])> {
        self.stacks().filter(move |(_, stack)| stack.iter().any(|&id| rules.scenario().unit(id).side != side))
    }

    /// Whether an enemy of `side` stands in the hex, seen or not.
    pub(super) fn enemy_at(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        self.stack(hex).iter().any(|&id| rules.scenario().unit(id).side != side)
    }

    /// Whether an enemy unit of `side` occupies the hex; a headquarters does not (manual 3.3, ruling LGA-16).
    pub(super) fn occupied_by_enemy(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        self.stack(hex)
            .iter()
            .map(|&id| rules.scenario().unit(id))
            .any(|spec| spec.side != side && spec.kind != UnitType::Hq)
    }

    /// Whether a piece exerts a zone of control (manual 3.2): units do, on land; garrisons and headquarters don't, and nobody
    /// at sea (ruling LGA-29).
    fn exerts_zone(&self, rules: &Lga, id: UnitId) -> bool {
        let unit = self.unit(id);
        !unit.garrison
            && rules.scenario().unit(id).kind != UnitType::Hq
            && unit.at.is_some_and(|at| rules.scenario().in_play(at))
    }

    /// Whether a zone of control exerted by one of the sides that `by` names covers the hex (manual 3.2, ruling LGA-36).
    pub(super) fn covers(&self, rules: &Lga, hex: Hex, by: impl Fn(Side) -> bool) -> bool {
        let exerts = |&id: &UnitId| by(rules.scenario().unit(id).side) && self.exerts_zone(rules, id);
        rules.scenario().in_play(hex) && rules.map().neighbours(hex).any(|h| self.stack(h).iter().any(exerts))
    }

    /// Whether an enemy zone of control covers the hex for `side`.
    pub(super) fn in_enemy_zone(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        self.covers(rules, hex, |other| other != side)
    }

    /// Every hex that is [in an enemy zone](Self::in_enemy_zone) for `side`.
    pub(super) fn enemy_zones(&self, rules: &Lga, side: Side) -> HexSet {
        let exerts = |stack: &[UnitId]| stack.iter().any(|&id| self.exerts_zone(rules, id));
        zones(rules, self.enemies(rules, side).filter(|(_, stack)| exerts(stack)).map(|(hex, _)| hex))
    }

    /// Who a unit is to the map's rules of entry.
    pub(super) fn traveller(rules: &Lga, id: UnitId) -> Traveller {
        let spec = rules.scenario().unit(id);
        Traveller { nation: spec.nation, kind: spec.kind }
    }

    /// Whether a commander has been told this turn that a standing order came to nothing, and why.
    pub(super) fn is_told(&self, event: &Event) -> bool {
        let Event::NotDone { seat, order, reason, .. } = event else { return false };
        self.told.contains(&(seat.clone(), order.clone(), reason.clone()))
    }

    /// Puts a piece on top of a hex.
    pub(super) fn put_on_top(&mut self, id: UnitId, hex: Hex) {
        self.unit_mut(id).at = Some(hex);
        self.stacks.entry(hex).or_default().insert(0, id);
    }

    /// Puts a piece under the others in a hex.
    pub(super) fn put_below(&mut self, id: UnitId, hex: Hex) {
        self.unit_mut(id).at = Some(hex);
        self.stacks.entry(hex).or_default().push(id);
    }

    /// Takes a piece off the map.
    pub(super) fn lift(&mut self, id: UnitId) {
        let Some(hex) = self.unit_mut(id).at.take() else { return };
        if let Some(stack) = self.stacks.get_mut(&hex) {
            stack.retain(|&other| other != id);
            if stack.is_empty() {
                self.stacks.remove(&hex);
            }
        }
    }

    /// A unit moves to the top of another hex; it stops being a garrison (ruling LGA-53).
    pub(super) fn shift(&mut self, id: UnitId, to: Hex) {
        self.lift(id);
        self.unit_mut(id).garrison = false;
        self.put_on_top(id, to);
    }

    /// A unit is destroyed: it goes to the build pool (ruling LGA-6).
    pub(super) fn destroy(&mut self, id: UnitId) {
        self.lift(id);
        *self.unit_mut(id) = Unit::IN_POOL;
    }

    fn pay(&mut self, nation: Nation, cost: u16) {
        *self.points.entry(nation).or_default() -= i32::from(cost);
    }

    /// Makes an event so.
    pub(super) fn apply(&mut self, rules: &Lga, event: &Event) {
        let mut record = std::mem::take(&mut self.record);
        record.note(rules, self, event);
        self.record = record;
        match event {
            Event::TurnBegan { date, turn, side } => self.begin_turn(rules, *date, *turn, *side),
            Event::Recalled { unit, to } => self.shift(*unit, *to),
            Event::Counted { side, points, level: _ } => {
                self.victory.insert(*side, *points);
                self.history.push(PointCount { date: self.date, side: *side, points: *points });
            }
            Event::Allocated { nation, now, .. } => drop(self.points.insert(*nation, *now)),
            Event::OutOfSupply { unit, .. } => self.unit_mut(*unit).supplied = false,
            Event::Mustered { unit, morale, destroyed, .. }
            | Event::Besieged { unit, morale, destroyed, .. } => {
                self.unit_mut(*unit).morale = *morale;
                if *destroyed {
                    self.destroy(*unit);
                }
            }
            Event::StandingFiled { seat, file } => drop(self.standing.insert(seat.clone(), file.clone())),
            Event::Aided { to, points } => {
                self.pay(Nation::Britain, *points);
                *self.points.entry(*to).or_default() += i32::from(*points);
            }
            Event::Built { unit, at, cost, morale } => {
                let spec = rules.scenario().unit(*unit);
                self.pay(spec.nation, *cost);
                let left = rules.stats(spec.kind).moves;
                *self.unit_mut(*unit) = Unit { morale: *morale, left, ..Unit::IN_POOL };
                self.put_on_top(*unit, *at);
            }
            Event::Rallied { unit, morale, cost } => {
                self.pay(rules.scenario().unit(*unit).nation, *cost);
                let unit = self.unit_mut(*unit);
                unit.morale = *morale;
                unit.rallied = true;
            }
            Event::Moved { unit, to, left, marched, captured, .. } => {
                self.shift(*unit, *to);
                let moved = self.unit_mut(*unit);
                moved.left = *left;
                moved.marched = *marched;
                moved.stirred = true;
                if *captured {
                    self.control.insert(*to, rules.scenario().unit(*unit).side);
                }
            }
            Event::Fogged { unit, at, loss, left, .. } => {
                let land = rules.map().area(*at).is_some_and(super::map::Area::is_land);
                let unit = self.unit_mut(*unit);
                unit.left = *left;
                // Sailing on costs nothing, so being out of moves would not hold it (ruling LGA-65).
                unit.ended |= *loss == FogLoss::All && !land;
            }
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
                self.shift(*unit, *to);
                let moved = self.unit_mut(*unit);
                moved.morale -= loss;
                moved.defended = true;
                moved.withdrew = true;
                if *destroyed {
                    self.destroy(*unit);
                }
            }
            Event::NotDone { seat, line: 0, order, reason } => {
                self.told.insert((seat.clone(), order.clone(), reason.clone()));
            }
            Event::NotDone { .. } => {}
            Event::Amended { change } => change.apply(self),
            Event::Starved { unit, .. } => self.destroy(*unit),
            Event::Ended { levels, winner } => {
                self.over = true;
                self.results.clone_from(levels);
                self.winner = *winner;
            }
        }
    }

    fn begin_turn(&mut self, rules: &Lga, date: Date, turn: u32, side: Side) {
        self.begun = true;
        (self.date, self.turn, self.phasing) = (date, turn, side);
        self.fought = false;
        self.told.clear();
        self.found.clear();
        for spec in rules.scenario().units().iter().filter(|spec| spec.side == side) {
            let left = rules.stats(spec.kind).moves;
            let unit = self.unit_mut(spec.id);
            let Unit { at, garrison, morale, .. } = *unit;
            *unit = Unit { at, garrison, morale, left, ..Unit::IN_POOL };
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

    /// What does not hang together in this position; tests ask after every event. Empty if all is well.
    #[must_use]
    pub fn faults(&self, rules: &Lga) -> Vec<String> {
        let mut faults = Vec::new();
        for spec in rules.scenario().units() {
            let unit = self.unit(spec.id);
            let max = rules.stats(spec.kind).max_morale;
            let stacked = self.stacks.iter().filter(|(_, stack)| stack.contains(&spec.id));
            let stacked: Vec<Hex> = stacked.map(|(&hex, _)| hex).collect();
            if stacked != unit.at.into_iter().collect::<Vec<_>>() {
                faults.push(format!("unit {} is at {:?} but stacked at {stacked:?}", spec.id, unit.at));
            }
            if unit.at.is_some() && !(0..=max).contains(&unit.morale) {
                faults.push(format!("unit {} has morale {} of {max}", spec.id, unit.morale));
            }
            if unit.left > rules.stats(spec.kind).moves || unit.marched > rules.stats(spec.kind).moves {
                faults.push(format!("unit {} has more moves than its type", spec.id));
            }
        }
        for (&hex, stack) in &self.stacks {
            let sides: BTreeSet<Side> = stack.iter().map(|&id| rules.scenario().unit(id).side).collect();
            if sides.len() != 1 {
                faults.push(format!("{hex} holds the pieces of {} sides", sides.len()));
            }
            if stack.iter().filter(|&&id| self.unit(id).garrison).count() > 1 {
                faults.push(format!("{hex} has two garrisons"));
            }
            let land = rules.map().area(hex).is_some_and(super::map::Area::is_land);
            let unit = stack.iter().find(|&&id| rules.scenario().unit(id).kind != UnitType::Hq);
            if let Some(&id) = unit
                && land
                && self.control.get(&hex) != Some(&rules.scenario().unit(id).side)
            {
                faults.push(format!("{hex} is not controlled by unit {id}, which stands in it"));
            }
        }
        if let Some((nation, points)) = self.points.iter().find(|(_, points)| **points < 0) {
            faults.push(format!("{nation} has {points} military points"));
        }
        faults
    }
}
