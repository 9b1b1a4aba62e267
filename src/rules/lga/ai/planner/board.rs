//! The map as the planner sees it: everything that stays the same while it tries out places for its own units.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::threat::{Enemy, Roads, Threat};
use crate::data::Lga;
use crate::footing::Traveller;
use crate::ground::{closed, leaving, toll};
use crate::known::Known;
use crate::model::{Arm, Nation, Side, UnitType};
use crate::path::Toll;
use crate::plan::Piece;
use crate::sites::supply_capitals;
use crate::spots::{Spot, Spots, trace};
use crate::tables::muster::Mustering;
use crate::view::View;
use musterd_engine::hex::Hex;

/// The least and the most units that a stack behind cavalry is assumed to have (manual 3.5).
const BEHIND_CAVALRY: (i32, i32) = (2, 7);

/// A city with a value.
pub(super) struct Prize {
    pub(super) at: Spot,
    /// Its victory points for our side while we hold it, and for the enemy while they do.
    pub(super) ours: i32,
    pub(super) theirs: i32,
}

/// A way that a unit can march.
#[derive(Clone)]
pub(super) struct Course {
    /// The hexes entered.
    pub(super) way: Vec<Spot>,
    /// Moves left at its end.
    pub(super) left: u8,
}

/// The map with what one side knows.
pub(super) struct Board<'a> {
    pub(super) rules: &'a Lga,
    pub(super) view: &'a View,
    pub(super) known: &'a Known<'a>,
    pub(super) hexes: usize,
    /// The hexes next to each hex.
    pub(super) near: Vec<Vec<Spot>>,
    /// The hexes next to each hex as a set, and each hex with the land next to it.
    pub(super) rings: Vec<Spots>,
    pub(super) disc: Vec<Spots>,
    pub(super) land: Spots,
    /// The hexes that each side controls now.
    pub(super) ours: Spots,
    pub(super) theirs: Spots,
    pub(super) enemies: Vec<Enemy>,
    /// The roads of each kind of enemy in sight.
    pub(super) roads: Vec<Roads>,
    /// Hexes with enemy units in sight, and the zones that they exert.
    pub(super) occupied: Spots,
    pub(super) zones: Spots,
    pub(super) prizes: Vec<Prize>,
    /// Capitals that supply our side, and the enemy's, while that side holds them.
    pub(super) sources: Vec<Spot>,
    pub(super) their_sources: Vec<Spot>,
    /// Ports, for garrisons of nations that supply from them.
    pub(super) ports: Spots,
    /// What the muster of the side's next turn adds to the die in each hex.
    pub(super) muster: Vec<i32>,
    /// The enemy's reach next turn if nobody stood in his way.
    pub(super) open_threat: Threat,
    /// The same for one piece of each stack alone: below the top there may be cavalry.
    pub(super) raids: Threat,
    /// How attractive each hex is for a unit without a better goal.
    pub(super) pull: Vec<i32>,
    /// The number of the side's remaining turns, this one included.
    pub(super) turns_left: u32,
    /// Whether the enemy has a turn after this one.
    pub(super) answered: bool,
}

impl<'a> Board<'a> {
    pub(super) fn new(rules: &'a Lga, view: &'a View, known: &'a Known<'a>) -> Self {
        let map = &rules.map;
        let hexes = map.len();
        let near: Vec<Vec<Spot>> =
            (0..hexes).map(|spot| map.links_at(spot).iter().map(|link| link.index).collect()).collect();
        let spots =
            |holds: &dyn Fn(Hex) -> bool| Spots::of(hexes, (0..hexes).filter(|&spot| holds(map.at(spot))));
        let land = spots(&|hex| map.is_land(hex));
        let covered = |spot: Spot| near[spot].iter().copied().filter(|&next| land.has(next)).chain([spot]);
        let disc = (0..hexes).map(|spot| Spots::of(hexes, covered(spot))).collect();
        let foe = foe(view.side);
        let controlled = |side: Side| spots(&|hex| view.control.get(&hex) == Some(&side));
        let sources =
            |side: Side| supply_capitals(rules, side).filter_map(|hex| map.index(hex)).collect::<Vec<_>>();
        let order = |side: Side| rules.scenario.sides.iter().position(|spec| spec.side == side);
        let turns_left = (view.turns + 1).saturating_sub(view.turn).max(1);
        let mut board = Self {
            rules,
            view,
            known,
            hexes,
            rings: near.iter().map(|near| Spots::of(hexes, near.iter().copied())).collect(),
            near,
            disc,
            land,
            ours: controlled(view.side),
            theirs: controlled(foe),
            enemies: Vec::new(),
            roads: Vec::new(),
            occupied: Spots::empty(hexes),
            zones: Spots::empty(hexes),
            prizes: Vec::new(),
            sources: sources(view.side),
            their_sources: sources(foe),
            ports: spots(&|hex| map.city_at(hex).is_some_and(|city| city.port)),
            muster: (0..hexes).map(|spot| muster(rules, view, map.at(spot))).collect(),
            open_threat: Threat::default(),
            raids: Threat::default(),
            pull: vec![0; hexes],
            turns_left,
            answered: turns_left > 1 || order(foe) > order(view.side),
        };
        board.look_at_cities();
        board.look_at_enemies();
        board
    }

    #[expect(clippy::expect_used, reason = "a view names hexes of its map alone")]
    pub(super) fn spot(&self, hex: Hex) -> Spot {
        self.rules.map.index(hex).expect("a hex of the map")
    }

    pub(super) fn hex(&self, spot: Spot) -> Hex {
        self.rules.map.at(spot)
    }

    /// The hexes that a line of supply reaches; see [`trace`].
    pub(super) fn trace(&self, sources: &[Spot], held: &Spots, zones: &Spots) -> Spots {
        trace(|spot| self.near[spot].iter().copied(), sources.iter().copied(), held, zones)
    }

    /// Where a piece may stand to bar a way: on or beside those of its hexes that are `barrable`.
    pub(super) fn stands(&self, way: &[Spot], barrable: &Spots) -> Vec<Spot> {
        let mut stands = Spots::empty(self.hexes);
        way.iter().filter(|&&spot| barrable.has(spot)).for_each(|&spot| stands.join(&self.disc[spot]));
        stands.spots().collect()
    }

    pub(super) fn distance(&self, a: Spot, b: Spot) -> u32 {
        self.hex(a).distance(self.hex(b))
    }

    /// The enemy stack in a hex.
    pub(super) fn enemy_at(&self, spot: Spot) -> Option<&Enemy> {
        self.enemies.iter().find(|enemy| enemy.at == spot)
    }

    fn look_at_cities(&mut self) {
        let (rules, side) = (self.rules, self.view.side);
        let worth = rules.numbers.victory;
        for (hex, city) in rules.map.cities() {
            if !self.view.control.contains_key(&hex) {
                continue;
            }
            let of = |side| worth.of(city.rank, rules.scenario.is_home(hex, side));
            let (ours, theirs) = (of(side), of(foe(side)));
            if ours > 0 {
                self.prizes.push(Prize { at: self.spot(hex), ours, theirs });
            }
        }
    }

    /// The assumed number of units in each stack behind cavalry: of the enemy's initial units a third is lost or in garrisons, and the rest that is
    /// not in sight stands behind his cavalry.
    fn screened(&self) -> i32 {
        let stacks = || self.view.enemies.values().filter(|stack| stack.kind.arm != Arm::Hq);
        let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let seen: i32 = stacks().filter_map(|stack| stack.count).map(|n| i32::try_from(n).unwrap_or(0)).sum();
        let screens = count(stacks().filter(|stack| stack.count.is_none()).count()).max(1);
        let units = self.rules.scenario.units.iter();
        let began =
            units.filter(|u| u.side == foe(self.view.side) && u.kind.arm != Arm::Hq && u.start.is_some());
        ((count(began.count()) * 2 / 3 - seen) / screens).clamp(BEHIND_CAVALRY.0, BEHIND_CAVALRY.1)
    }

    fn look_at_enemies(&mut self) {
        let screened = self.screened();
        let mut travellers: Vec<(Nation, UnitType)> = Vec::new();
        for (&hex, stack) in &self.view.enemies {
            let at = self.spot(hex);
            let units = match (stack.kind.arm, stack.count) {
                (Arm::Hq, _) => 0,
                (_, Some(count)) => i32::try_from(count).unwrap_or(i32::MAX),
                (_, None) => screened,
            };
            let who = (stack.nation, stack.kind);
            let roads = self.roads_for(who, &mut travellers);
            if units > 0 {
                self.occupied.add(at);
                if self.land.has(at) {
                    let near = &self.near[at];
                    near.iter().filter(|&&spot| self.land.has(spot)).for_each(|&spot| self.zones.add(spot));
                }
            }
            self.enemies.push(Enemy { at, nation: stack.nation, kind: stack.kind, units, roads });
        }
        let nobody = Spots::empty(self.hexes);
        self.open_threat =
            Threat::new((&self.roads, &self.rings), &self.enemies, |_| false, &nobody, &nobody);
        let mut riders = self.enemies.clone();
        for enemy in riders.iter_mut().filter(|enemy| enemy.units > 1) {
            let who = (enemy.nation, UnitType::from(Arm::Cavalry));
            enemy.units = 1;
            enemy.roads = self.roads_for(who, &mut travellers);
        }
        self.raids = Threat::new((&self.roads, &self.rings), &riders, |_| false, &nobody, &nobody);
    }

    /// The place of the roads of such an enemy, which are drawn once for all of its kind.
    fn roads_for(&mut self, who: (Nation, UnitType), travellers: &mut Vec<(Nation, UnitType)>) -> usize {
        travellers.iter().position(|other| *other == who).unwrap_or_else(|| {
            travellers.push(who);
            self.roads.push(self.roads_of(who));
            travellers.len() - 1
        })
    }

    /// The enemy's reach when our units are sure to hold `firm` and exert `zones`. `supply` are the hexes where his units are in supply: the others
    /// stay where they are.
    pub(super) fn threat_past(&self, supply: &Spots, firm: &Spots, zones: &Spots) -> Threat {
        let pinned = |enemy: &Enemy| !supply.has(enemy.at) && !self.needs_no_line(enemy.nation, enemy.at);
        Threat::new((&self.roads, &self.rings), &self.enemies, pinned, firm, zones)
    }

    /// The steps that an enemy can take. Sea is left out: landing units have sailed before.
    fn roads_of(&self, (nation, kind): (Nation, UnitType)) -> Roads {
        let who = Traveller { nation, arm: kind.arm };
        let step = |from: Spot, to: Spot| {
            let (here, next) = (self.hex(from), self.hex(to));
            if !self.land.has(to)
                || closed(self.rules, who, next, self.view.control.get(&next).copied()).is_some()
            {
                return None;
            }
            match toll(self.rules, who, here, next, false) {
                Toll::Moves(cost) => Some((to, cost)),
                Toll::Rest => None,
            }
        };
        let steps = |from: Spot| self.near[from].iter().filter_map(|&to| step(from, to)).collect();
        Roads {
            steps: (0..self.hexes).map(steps).collect(),
            moves: self.rules.stats(kind).moves,
            leave_zone: leaving(self.rules, kind.arm),
        }
    }

    /// Every hex that a unit can march to, with the way; first its own hex, without a way.
    pub(super) fn marches(&self, piece: &Piece) -> Vec<(Spot, Course)> {
        let mut marches: Vec<(Spot, Course)> = Vec::new();
        let mut seen = Spots::empty(self.hexes);
        let start = self.spot(piece.hex);
        let who = piece.traveller();
        // Most moves left first, then fewest enemy zones, then fewest steps.
        let mut open = BinaryHeap::from([(piece.left, Reverse((0_u8, 0_usize, start, usize::MAX)))]);
        while let Some((left, Reverse((zones, steps, here, from)))) = open.pop() {
            if seen.has(here) {
                continue;
            }
            seen.add(here);
            let mut way = marches.get(from).map_or_else(Vec::new, |(_, march)| march.way.clone());
            if here != start {
                way.push(here);
            }
            let place = marches.len();
            marches.push((here, Course { way, left }));
            // An enemy city may hide a garrison, so no way leads through it.
            if here != start && !self.ours.has(here) && self.prizes.iter().any(|prize| prize.at == here) {
                continue;
            }
            for &next in &self.near[here] {
                if seen.has(next) {
                    continue;
                }
                let toll = self.known.toll(who, self.hex(here), self.hex(next), None);
                if let Some(rest) = toll.and_then(|toll| toll.paid_from(left)) {
                    let zone = zones + u8::from(self.zones.has(next));
                    open.push((rest, Reverse((zone, steps + 1, next, place))));
                }
            }
        }
        marches
    }

    /// Whether a nation's units need no line of supply on a spot of the board.
    pub(super) fn needs_no_line(&self, nation: Nation, spot: Spot) -> bool {
        self.rules.setting.of(nation).needs_no_line(&self.rules.map, self.hex(spot))
    }
}

/// The opponent of a side; the Neutral side has none.
pub(super) const fn foe(side: Side) -> Side {
    match side {
        Side::French => Side::Allied,
        Side::Allied | Side::Neutral => Side::French,
    }
}

/// What the side's next muster adds to the die in a hex, apart from morale (manual 5.4); nobody musters at sea.
fn muster(rules: &Lga, view: &View, hex: Hex) -> i32 {
    let leader = rules.setting.leader(view.side).map(|(_, traits)| traits);
    let who = (leader, Arm::Infantry, 0);
    let mustering = Mustering::of(&rules.map, who, hex, view.date.next(), true);
    mustering.map_or(0, |mustering| mustering.bonus(&rules.numbers.muster))
}
