//! Where a unit may go and what a step costs it: the same on the true position and on a view.

use std::collections::BTreeMap;
use std::fmt;

use super::data::Lga;
use super::map::{Area, Map};
use super::model::{Nation, Side, Terrain, UnitType};
use super::numbers::MoveCosts;
use super::path::{Ground, Toll};
use super::scenario::Scenario;
use super::view::View;
use musterd_engine::hex::{Hex, HexSet};

/// Whom the map's rules of entry look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traveller {
    /// Whose unit it is.
    pub nation: Nation,
    /// What it is.
    pub kind: UnitType,
}

/// Why a unit may not enter a hex, whoever stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// Off the map or not in this scenario (manual 2.2).
    OutOfPlay,
    /// The Neutral side's, and the scenario keeps it shut (ruling LGA-33).
    Neutral,
    /// Sea, for anybody but the British (manual 2.5).
    Sea,
    /// The Baltic, for the British (manual 2.5, ruling LGA-31).
    ClosedSea,
    /// The Russian hinterland, for the French (manual 2.5, ruling LGA-43).
    Hinterland,
    /// Outside Spain and Portugal, for Spanish militia (manual 2.5, ruling LGA-42).
    AbroadForMilitia,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OutOfPlay => "it is not in play in this scenario",
            Self::Neutral => "it is neutral and closed",
            Self::Sea => "only the British sail",
            Self::ClosedSea => "the British may not enter that sea",
            Self::Hinterland => "the French may not enter the Russian hinterland",
            Self::AbroadForMilitia => "Spanish militia stay in Spain and Portugal",
        })
    }
}

/// What the map and the scenario make of a hex for a traveller; nothing in play changes it.
#[derive(Debug, Clone, Copy)]
struct Footing {
    closed: Option<Closed>,
    sea: bool,
    /// The moves to enter it over land.
    enter: u8,
}

/// The footing of every hex for every kind of traveller, in [`Map::index`] order: made once a game, because a search asks
/// for it thousands of times a turn.
#[derive(Debug, Clone)]
pub(super) struct Footings([Vec<Footing>; 4]);

impl Footings {
    /// Works out the footing of every hex.
    pub(super) fn new(map: &Map, scenario: &Scenario, costs: &MoveCosts) -> Self {
        // One traveller for each of the groups that the rules of entry tell apart.
        let travellers = [
            Traveller { nation: Nation::Britain, kind: UnitType::Infantry },
            Traveller { nation: Nation::French, kind: UnitType::Infantry },
            Traveller { nation: Nation::Spain, kind: UnitType::Militia },
            Traveller { nation: Nation::Spain, kind: UnitType::Infantry },
        ];
        let footing = |who: Traveller, hex: Hex, area: &Area| Footing {
            closed: shut(map, scenario, who, hex, area),
            sea: area.terrain == Terrain::Sea,
            enter: costs.enter(area.terrain, area.city.is_some()),
        };
        let footings =
            |who| map.hexes().filter_map(|hex| Some(footing(who, hex, map.area(hex)?))).collect::<Vec<_>>();
        Self(travellers.map(footings))
    }

    fn of(&self, who: Traveller) -> &[Footing] {
        &self.0[match (who.nation, who.kind) {
            (Nation::Britain, _) => 0,
            (Nation::French, _) => 1,
            (Nation::Spain, UnitType::Militia) => 2,
            _ => 3,
        }]
    }
}

/// Why the traveller may never enter a hex, whoever controls it.
fn shut(map: &Map, scenario: &Scenario, who: Traveller, hex: Hex, area: &Area) -> Option<Closed> {
    match area.terrain {
        Terrain::Prohibited => return Some(Closed::OutOfPlay),
        Terrain::Sea if who.nation != Nation::Britain => return Some(Closed::Sea),
        Terrain::Sea if area.closed_sea => return Some(Closed::ClosedSea),
        Terrain::Sea => return None,
        Terrain::Clear | Terrain::Forest | Terrain::Mountain | Terrain::Marsh => {}
    }
    let militia = who.nation == Nation::Spain && who.kind == UnitType::Militia;
    if !scenario.in_play(hex) {
        Some(Closed::OutOfPlay)
    } else if is_hinterland(map, hex) && who.nation == Nation::French {
        Some(Closed::Hinterland)
    } else if militia && !["Spain", "Portugal"].contains(&area.within.as_str()) {
        Some(Closed::AbroadForMilitia)
    } else {
        None
    }
}

/// The map as it is for one traveller, whoever holds what.
#[derive(Debug, Clone, Copy)]
struct Terms<'a> {
    rules: &'a Lga,
    who: Traveller,
    footings: &'a [Footing],
}

impl<'a> Terms<'a> {
    fn of(rules: &'a Lga, who: Traveller) -> Self {
        Self { rules, who, footings: rules.footings().of(who) }
    }

    /// The footing that a hex gives; none off the map.
    fn footing(&self, hex: Hex) -> Option<Footing> {
        Some(self.footings[self.rules.map().index(hex)?])
    }

    /// See [`closed`].
    fn closed(&self, to: Option<Footing>, controller: Option<Side>) -> Option<Closed> {
        let Some(footing) = to else { return Some(Closed::OutOfPlay) };
        let scenario = self.rules.scenario();
        let neutral = controller == Some(Side::Neutral) && !scenario.neutral_open();
        match footing.closed {
            Some(Closed::OutOfPlay | Closed::Sea | Closed::ClosedSea) => footing.closed,
            _ if neutral && scenario.side_of(self.who.nation) != controller => Some(Closed::Neutral),
            why => why,
        }
    }

    /// See [`toll`].
    fn toll(&self, from: Option<Footing>, to: Option<Footing>, leaves_zone: bool) -> Toll {
        let at_sea = |footing: Option<Footing>| footing.is_some_and(|footing| footing.sea);
        match (at_sea(from), at_sea(to)) {
            (true, true) => Toll::Moves(0),
            (true, false) | (false, true) => Toll::Rest,
            (false, false) => {
                let enter = to.map_or(0, |footing| footing.enter);
                let hinders = leaves_zone && self.who.kind != UnitType::Hq;
                let leave = if hinders { self.rules.numbers().movement.leave_zone } else { 0 };
                Toll::Moves(enter + leave)
            }
        }
    }
}

/// Why the traveller may not enter `to`, which `controller` holds; none if it may.
#[must_use]
pub fn closed(rules: &Lga, who: Traveller, to: Hex, controller: Option<Side>) -> Option<Closed> {
    let terms = Terms::of(rules, who);
    terms.closed(terms.footing(to), controller)
}

/// The country that only Russians may enter: the last column of the map of Europe (manual 2.5).
const HINTERLAND: &str = "Russian Hinterland";

/// Whether a hex is Russian hinterland.
#[must_use]
pub fn is_hinterland(map: &Map, hex: Hex) -> bool {
    map.area(hex).is_some_and(|area| area.country == HINTERLAND)
}

/// What the step between two neighbours costs, neither closed nor held by an enemy; `leaves_zone` if an enemy zone covers
/// `from`. Manual 2.3 and 3.2, rulings LGA-28, LGA-29 and LGA-56.
#[must_use]
pub fn toll(rules: &Lga, who: Traveller, from: Hex, to: Hex, leaves_zone: bool) -> Toll {
    let terms = Terms::of(rules, who);
    terms.toll(terms.footing(from), terms.footing(to), leaves_zone)
}

/// What the zones of control cover that units in these hexes exert: from land to land in play, over sides that can be passed
/// (manual 3.2, ruling LGA-36).
pub(super) fn zones(rules: &Lga, from: impl Iterator<Item = Hex>) -> HexSet {
    let in_play = |hex: &Hex| rules.scenario().in_play(*hex);
    from.filter(in_play).flat_map(|hex| rules.map().neighbours(hex)).filter(in_play).collect()
}

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
    /// What `view` shows: enemy stacks in sight, and the zones that they must be thought to exert.
    #[must_use]
    pub fn new(rules: &'a Lga, view: &'a View) -> Self {
        Self::of_parts(rules, &view.control, HexSet::default(), HexSet::default()).without(view, |_| false)
    }

    /// What `view` shows, as if the enemies in some hexes were gone.
    #[must_use]
    pub fn without(&self, view: &View, gone: impl Fn(Hex) -> bool) -> Self {
        let rules = self.rules;
        let enemies = || view.enemies.iter().filter(|(hex, _)| !gone(**hex));
        let held = enemies().map(|(hex, _)| *hex).collect();
        let zones =
            zones(rules, enemies().filter(|(_, stack)| stack.kind != UnitType::Hq).map(|(&hex, _)| hex));
        Self { held, zones, ..*self }
    }

    /// What is known put together: whose the hexes are, where enemies are known, and what their zones cover.
    #[must_use]
    pub fn of_parts(rules: &'a Lga, control: &'a BTreeMap<Hex, Side>, held: HexSet, zones: HexSet) -> Self {
        let neutral = control.values().any(|&side| side == Side::Neutral);
        Self { rules, control, neutral, held, zones }
    }

    /// Whether an enemy is seen there.
    #[must_use]
    pub fn held(&self, hex: Hex) -> bool {
        self.held.contains(hex)
    }

    /// Whether an enemy zone is thought to cover the hex.
    #[must_use]
    pub fn in_enemy_zone(&self, hex: Hex) -> bool {
        self.zones.contains(hex)
    }

    /// Why the traveller may not enter, enemies apart.
    #[must_use]
    pub fn closed(&self, who: Traveller, to: Hex) -> Option<Closed> {
        let terms = Terms::of(self.rules, who);
        terms.closed(terms.footing(to), self.controller(to))
    }

    /// Whose a hex is, which matters only where something is neutral: the look is spared where nothing is.
    fn controller(&self, hex: Hex) -> Option<Side> {
        if self.neutral { self.control.get(&hex).copied() } else { None }
    }

    /// What a step costs; none if it is closed, or held by an enemy and not the goal.
    #[must_use]
    pub fn toll(&self, who: Traveller, from: Hex, to: Hex, goal: Option<Hex>) -> Option<Toll> {
        self.toll_on(&Terms::of(self.rules, who), from, to, goal)
    }

    fn toll_on(&self, terms: &Terms<'_>, from: Hex, to: Hex, goal: Option<Hex>) -> Option<Toll> {
        let footing = terms.footing(to);
        if terms.closed(footing, self.controller(to)).is_some() || self.held(to) && goal != Some(to) {
            return None;
        }
        Some(terms.toll(terms.footing(from), footing, self.in_enemy_zone(from)))
    }

    /// The ground for one unit on its way to a goal, which may be in enemy hands: the path then leads up to the enemy.
    #[must_use]
    pub fn on_the_way(&self, who: Traveller, goal: Hex) -> OnTheWay<'_> {
        OnTheWay { known: self, terms: Terms::of(self.rules, who), goal, past_enemies: false }
    }

    /// The same as if the enemies were gone: they may be, by the time that an order is carried out.
    #[must_use]
    pub fn past_enemies(&self, who: Traveller, goal: Hex) -> OnTheWay<'_> {
        OnTheWay { past_enemies: true, ..self.on_the_way(who, goal) }
    }
}

/// The ground as one seat knows it, for one unit on its way.
#[derive(Debug, Clone, Copy)]
pub struct OnTheWay<'a> {
    known: &'a Known<'a>,
    terms: Terms<'a>,
    goal: Hex,
    past_enemies: bool,
}

impl Ground for OnTheWay<'_> {
    fn last(&self) -> Hex {
        let map = self.known.rules.map();
        Hex::new(map.columns(), map.rows())
    }

    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> {
        self.known.rules.map().neighbours(hex)
    }

    fn toll(&self, from: Hex, to: Hex) -> Option<Toll> {
        let goal = if self.past_enemies { to } else { self.goal };
        self.known.toll_on(&self.terms, from, to, Some(goal))
    }

    fn in_enemy_zone(&self, hex: Hex) -> bool {
        self.known.in_enemy_zone(hex)
    }

    fn steps_at_least(&self, from: Hex, to: Hex) -> u32 {
        // The British sail, and at sea steps are free and the passage round Portugal leaps over the map.
        if self.terms.who.nation == Nation::Britain { 0 } else { from.distance(to) }
    }
}
