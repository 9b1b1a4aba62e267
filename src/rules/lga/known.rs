//! The ground as one seat knows it.

use std::collections::BTreeMap;

use super::data::Lga;
use super::footing::{NoEntry, Traveller};
use super::ground::{Terms, zones};
use super::model::{Arm, Side};
use super::path::{Ground, Toll, cheapest};
use super::view::View;
use musterd_engine::hex::{Hex, HexSet};

/// The ground as one seat knows it.
#[derive(Debug, Clone)]
pub struct Known<'a> {
    rules: &'a Lga,
    control: &'a BTreeMap<Hex, Side>,
    neutral: bool,
    held: HexSet,
    zones: HexSet,
}

impl<'a> Known<'a> {
    /// The ground in `view`: enemy stacks in sight, and the zones that they are assumed to exert.
    pub fn new(rules: &'a Lga, view: &'a View) -> Self {
        Self::of_parts(rules, &view.control, HexSet::default(), HexSet::default()).without(view, |_| false)
    }

    /// The ground in `view`, as if the enemies in some hexes were gone.
    pub fn without(&self, view: &View, gone: impl Fn(Hex) -> bool) -> Self {
        let rules = self.rules;
        let enemies = || view.enemies.iter().filter(|(hex, _)| !gone(**hex));
        let held = enemies().map(|(hex, _)| *hex).collect();
        let zones =
            zones(rules, enemies().filter(|(_, stack)| stack.kind.arm != Arm::Hq).map(|(&hex, _)| hex));
        Self { held, zones, ..*self }
    }

    /// The ground from its parts: the control of hexes, the known enemies, and the hexes that their zones cover.
    pub fn of_parts(rules: &'a Lga, control: &'a BTreeMap<Hex, Side>, held: HexSet, zones: HexSet) -> Self {
        let neutral = control.values().any(|&side| side == Side::Neutral);
        Self { rules, control, neutral, held, zones }
    }

    /// Whether an enemy is seen there.
    pub fn held(&self, hex: Hex) -> bool {
        self.held.contains(hex)
    }

    /// Whether an enemy zone is thought to cover the hex.
    pub fn in_enemy_zone(&self, hex: Hex) -> bool {
        self.zones.contains(hex)
    }

    /// Why the traveller may not enter, apart from enemies.
    pub fn closed(&self, who: Traveller, to: Hex) -> Option<NoEntry> {
        let terms = Terms::of(self.rules, who);
        terms.closed(terms.footing(to), self.controller(to))
    }

    /// The controller of a hex. It matters only if there is neutral ground; otherwise it isn't looked up.
    fn controller(&self, hex: Hex) -> Option<Side> {
        if self.neutral { self.control.get(&hex).copied() } else { None }
    }

    /// The cost of a step; `None` if the hex is closed, or is held by an enemy and isn't the goal.
    pub fn toll(&self, who: Traveller, from: Hex, to: Hex, goal: Option<Hex>) -> Option<Toll> {
        self.toll_on(&Terms::of(self.rules, who), from, to, goal)
    }

    /// The same for a traveller whose terms are at hand.
    pub(super) fn toll_on(&self, terms: &Terms<'_>, from: Hex, to: Hex, goal: Option<Hex>) -> Option<Toll> {
        let footing = terms.footing(to);
        if terms.closed(footing, self.controller(to)).is_some() || self.held(to) && goal != Some(to) {
            return None;
        }
        Some(terms.toll(terms.footing(from), footing, self.in_enemy_zone(from)))
    }

    /// The cheapest way of one unit to a goal, which may be in enemy hands: it then leads up to the enemy.
    pub fn way(&self, who: Traveller, from: Hex, goal: Hex) -> Option<Vec<Hex>> {
        self.cheapest(who, from, goal, false)
    }

    /// The cheapest way as if the enemies were gone: they may be when the order is carried out.
    pub fn way_past_enemies(&self, who: Traveller, from: Hex, goal: Hex) -> Option<Vec<Hex>> {
        self.cheapest(who, from, goal, true)
    }

    fn cheapest(&self, who: Traveller, from: Hex, goal: Hex, past_enemies: bool) -> Option<Vec<Hex>> {
        let ground = OnTheWay { known: self, terms: Terms::of(self.rules, who), goal, past_enemies };
        cheapest(&ground, from, goal)
    }
}

/// The ground as one seat knows it, for one unit on its way.
#[derive(Debug, Clone, Copy)]
struct OnTheWay<'a> {
    known: &'a Known<'a>,
    terms: Terms<'a>,
    goal: Hex,
    past_enemies: bool,
}

impl Ground for OnTheWay<'_> {
    fn last(&self) -> Hex {
        self.known.rules.map.last()
    }

    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> {
        self.known.rules.map.neighbours(hex)
    }

    fn toll(&self, from: Hex, to: Hex) -> Option<Toll> {
        let goal = if self.past_enemies { to } else { self.goal };
        self.known.toll_on(&self.terms, from, to, Some(goal))
    }

    fn in_enemy_zone(&self, hex: Hex) -> bool {
        self.known.in_enemy_zone(hex)
    }

    fn steps_at_least(&self, from: Hex, to: Hex) -> u32 {
        // At sea steps are free, and a sea link jumps over the map.
        if self.known.rules.setting.of(self.terms.who.nation).sails { 0 } else { from.distance(to) }
    }
}
