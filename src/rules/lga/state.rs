//! The whole position, including hidden things. It can't be formatted or serialised; only `fog.rs` reads it for players.

mod check;
mod deeds;
mod noted;
mod remembered;

use std::collections::{BTreeMap, BTreeSet};

use super::data::Lga;
use super::event::Event;
use super::footing::Traveller;
use super::ground::zones;
use super::memory::{Memory, Seen};
use super::model::{Arm, Date, Level, Nation, Side, UnitId};
use super::order::Standing;
use super::record::{Record, Turn};
use super::victory;
use super::view::PointCount;
use musterd_dice::Seat;
use musterd_engine::hex::{Hex, HexSet};
use musterd_kit::seen::Showing;

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
    /// Standing orders that had no effect this turn, as their commanders were told: seat, line, reason.
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
    /// What each side remembers of the others' pieces.
    pub(super) memories: BTreeMap<Side, Memory>,
    /// Whether the position that the next report shows is still to be remembered.
    to_show: bool,
    /// What that report shows.
    showing: Showing<Side, UnitId, Seen>,
    /// The player turn before this one.
    pub(super) before: Option<Turn>,
    pub(super) results: Vec<(Side, i32, Level)>,
    pub(super) winner: Option<Side>,
}

/// The changing properties of a unit or a headquarters. The default is one in the build pool.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Unit {
    /// The hex in which it stands; `None` while it is in the build pool.
    pub(super) at: Option<Hex>,
    pub(super) garrison: bool,
    pub(super) morale: i8,
    pub(super) fatigue: u8,
    /// Moves left this season.
    pub(super) left: u8,
    /// Moves spent on the march this season, without moves lost to fog of war or spent on ships (ruling LGA-26).
    pub(super) marched: u8,
    /// Whether it left the hex in which it began the season.
    pub(super) stirred: bool,
    /// Whether it has ended its move.
    pub(super) ended: bool,
    /// Whether it began its turn out of supply.
    pub(super) cut_off: bool,
    pub(super) rallied: bool,
    /// Whether it has had its defensive move (manual 5.65).
    pub(super) defended: bool,
    /// Whether that move was a withdrawal.
    pub(super) withdrew: bool,
}

impl State {
    /// The military points that a nation has.
    pub(super) fn purse(&self, nation: Nation) -> i32 {
        self.points.get(&nation).copied().unwrap_or_default()
    }

    /// The scenario's first position.
    pub(super) fn at_start(rules: &Lga) -> Self {
        let scenario = &rules.scenario;
        let mut state = Self {
            begun: false,
            over: false,
            date: scenario.start,
            turn: 1,
            phasing: scenario.sides[0].side,
            fought: false,
            told: BTreeSet::new(),
            found: BTreeSet::new(),
            units: vec![Unit::default(); scenario.units.len()],
            stacks: BTreeMap::new(),
            control: scenario.control.clone(),
            points: scenario.nations().collect(),
            victory: BTreeMap::new(),
            standing: BTreeMap::new(),
            history: Vec::new(),
            record: Record::default(),
            memories: BTreeMap::new(),
            to_show: true,
            showing: Showing::default(),
            before: None,
            results: Vec::new(),
            winner: None,
        };
        for spec in &scenario.units {
            let Some(start) = spec.start else { continue };
            *state.unit_mut(spec.id) = Unit {
                garrison: start.garrison,
                morale: start.morale,
                fatigue: start.fatigue,
                left: rules.stats(spec.kind).moves,
                ..Unit::default()
            };
            state.put_below(spec.id, start.hex);
        }
        for side in &scenario.sides {
            let points = victory::points(rules, &state.control, side.side);
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
        self.stacks().filter(move |(_, stack)| stack.iter().any(|&id| rules.scenario.unit(id).side != side))
    }

    /// Whether an enemy of `side` stands in the hex, seen or not.
    pub(super) fn enemy_at(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        self.stack(hex).iter().any(|&id| rules.scenario.unit(id).side != side)
    }

    /// Whether an enemy unit of `side` occupies the hex; a headquarters does not (manual 3.3, ruling LGA-16).
    pub(super) fn occupied_by_enemy(&self, rules: &Lga, hex: Hex, side: Side) -> bool {
        self.stack(hex)
            .iter()
            .map(|&id| rules.scenario.unit(id))
            .any(|spec| spec.side != side && spec.kind.arm != Arm::Hq)
    }

    /// Whether a piece exerts a zone of control (manual 3.2): units do, on land; garrisons and headquarters don't, and nobody
    /// at sea (ruling LGA-29).
    fn exerts_zone(&self, rules: &Lga, id: UnitId) -> bool {
        let unit = self.unit(id);
        !unit.garrison
            && rules.scenario.unit(id).kind.arm != Arm::Hq
            && unit.at.is_some_and(|at| rules.scenario.in_play(at))
    }

    /// Whether a zone of control exerted by one of the sides that `by` names covers the hex (manual 3.2, ruling LGA-36).
    pub(super) fn covers(&self, rules: &Lga, hex: Hex, by: impl Fn(Side) -> bool) -> bool {
        let exerts = |&id: &UnitId| by(rules.scenario.unit(id).side) && self.exerts_zone(rules, id);
        rules.scenario.in_play(hex) && rules.map.neighbours(hex).any(|h| self.stack(h).iter().any(exerts))
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

    /// The properties of a unit that the map's rules of entry depend on.
    pub(super) fn traveller(rules: &Lga, id: UnitId) -> Traveller {
        let spec = rules.scenario.unit(id);
        Traveller { nation: spec.nation, arm: spec.kind.arm }
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
        *self.unit_mut(id) = Unit::default();
    }
}
