//! The field in tables: what a leader knows of hexes and fighters, looked up by number. Thousands of rounds are fought on it for each that is ordered.

use std::cell::OnceCell;
use std::collections::VecDeque;

use super::worth::{self, Worth};
use crate::battle::Ground;
use crate::data::Dog;
use crate::known::ways;
use crate::model::Sort;
use crate::scores;
use crate::view::View;
use musterd_engine::hex::Hex;

/// A hex by its number, as a map is read.
pub(super) type Spot = usize;

/// The sorts that are told apart in a unit. A unit of more is reckoned with as if it had these alone.
pub(super) const SORTS: usize = 3;

/// A hex off the field, and a step that can't be taken.
const NONE: u16 = u16::MAX;

/// A sort of fighters.
pub(super) struct Kin {
    /// Its place among the unit's sorts.
    pub(super) place: usize,
    /// Hit points of a fighter, and its worth with and without arrows.
    pub(super) hp: u32,
    pub(super) worth: [Worth; 2],
    /// The power and the range of its volleys, and how many it begins a battle with; zero if it has none.
    pub(super) power: u32,
    pub(super) range: u32,
    pub(super) volleys: u16,
}

/// What the fighters of a unit can do, whatever their number.
pub(super) struct Kind {
    /// The sorts, those with the fewest hit points first: so they die.
    pub(super) kin: Vec<Kin>,
    /// The scores of each sort in attack and defence, by the class of the ground.
    pub(super) attack: Vec<[u32; SORTS]>,
    pub(super) defence: Vec<[u32; SORTS]>,
    /// Points to move, in halves.
    pub(super) points: u16,
    /// How they go: an index into the ways of the board.
    gait: usize,
    /// A fighter of each sort, and whether a boat carries them.
    sorts: Vec<Sort>,
    aboard: bool,
}

/// How a kind of unit goes over the field.
struct Gait {
    /// The cost of each step from each hex, in halves; and of each step into it.
    steps: Vec<[u16; 6]>,
    into: Vec<[u16; 6]>,
    /// The cost to each hex that was asked for, from all.
    far: Vec<OnceCell<Vec<u16>>>,
}

pub(super) struct Board<'a> {
    pub(super) rules: &'a Dog,
    pub(super) hexes: Vec<Hex>,
    columns: usize,
    /// The hexes next to each.
    near: Vec<[u16; 6]>,
    /// Steps between hexes.
    apart: Vec<u8>,
    /// The class of the ground of each hex, and the classes.
    class: Vec<usize>,
    grounds: Vec<Ground>,
    pub(super) kinds: Vec<Kind>,
    gaits: Vec<Gait>,
}

impl<'a> Board<'a> {
    pub(super) fn new(rules: &'a Dog, view: &View) -> Self {
        let field = &rules.battle().field;
        let hexes: Vec<Hex> = field.hexes().collect();
        let columns = usize::from(field.columns);
        let mut grounds: Vec<Ground> = vec![Ground::OPEN];
        let mut class = Vec::with_capacity(hexes.len());
        for &hex in &hexes {
            let ground = crate::known::ground(rules, view, hex, false);
            let found = grounds.iter().position(|known| *known == ground);
            class.push(found.unwrap_or_else(|| {
                grounds.push(ground);
                grounds.len() - 1
            }));
        }
        let apart =
            hexes.iter().flat_map(|a| hexes.iter().map(|b| u8::try_from(a.distance(*b)).unwrap_or(u8::MAX)));
        let apart = apart.collect();
        let mut board = Self {
            rules,
            columns,
            near: Vec::new(),
            apart,
            class,
            grounds,
            kinds: Vec::new(),
            gaits: Vec::new(),
            hexes,
        };
        board.near = board.hexes.iter().map(|hex| board.around(*hex)).collect();
        board
    }

    fn around(&self, hex: Hex) -> [u16; 6] {
        let mut near = [NONE; 6];
        for (slot, next) in near.iter_mut().zip(self.rules.battle().field.around(hex)) {
            *slot = u16::try_from(self.spot(next)).unwrap_or(NONE);
        }
        near
    }

    pub(super) fn spot(&self, hex: Hex) -> Spot {
        (usize::from(hex.row) - 1) * self.columns + usize::from(hex.col) - 1
    }

    pub(super) fn apart(&self, a: Spot, b: Spot) -> u32 {
        self.apart[a * self.hexes.len() + b].into()
    }

    /// The class of the ground under a unit.
    pub(super) fn footing(&self, spot: Spot, aboard: bool) -> usize {
        if aboard { 0 } else { self.class[spot] }
    }

    /// The steps that fighters can take from a hex, with their cost.
    pub(super) fn steps(&self, kind: usize, from: Spot) -> impl Iterator<Item = (Spot, u16)> + '_ {
        let costs = &self.gaits[self.kinds[kind].gait].steps[from];
        self.near[from]
            .iter()
            .zip(costs)
            .filter(|(_, cost)| **cost != NONE)
            .map(|(next, cost)| ((*next).into(), *cost))
    }

    /// The cost of the way from each hex to another for fighters, ignoring units between, in halves of points.
    pub(super) fn far(&self, kind: usize, to: Spot) -> &[u16] {
        let gait = &self.gaits[self.kinds[kind].gait];
        gait.far[to].get_or_init(|| {
            let mut costs = vec![NONE; self.hexes.len()];
            costs[to] = 0;
            // Costs are few: hexes are looked at again when a cheaper way is found.
            let mut open = VecDeque::from([to]);
            while let Some(here) = open.pop_front() {
                for (before, enters) in self.near[here].iter().zip(&gait.into[here]) {
                    let sum = if here == to { 0 } else { costs[here].saturating_add(*enters) };
                    if let Some(cost) = costs.get_mut(usize::from(*before)).filter(|cost| sum < **cost) {
                        *cost = sum;
                        open.push_back((*before).into());
                    }
                }
            }
            costs
        })
    }

    /// The index of a kind of unit.
    pub(super) fn kind(&mut self, view: &View, sorts: &[Sort], aboard: bool) -> usize {
        let sorts: Vec<Sort> =
            sorts.iter().take(SORTS).map(|sort| Sort { fighters: 1, ..sort.clone() }).collect();
        if let Some(known) = self.kinds.iter().position(|kind| kind.sorts == sorts && kind.aboard == aboard) {
            return known;
        }
        let steps = self.walk(view, &sorts, aboard);
        let gait = self.gaits.iter().position(|gait| gait.steps == steps).unwrap_or_else(|| {
            let into = |here: Spot| self.near[here].map(|before| self.step(&steps, before, here));
            let into = (0..self.hexes.len()).map(into).collect();
            self.gaits.push(Gait { into, steps, far: vec![OnceCell::new(); self.hexes.len()] });
            self.gaits.len() - 1
        });
        let (numbers, battle) = (self.rules.numbers(), self.rules.battle());
        let kin = |(place, sort): (usize, &Sort)| {
            let arm = scores::distance(numbers, sort);
            Kin {
                place,
                hp: scores::hp(numbers, sort).max(1),
                worth: [false, true].map(|shoots| worth::fighter(self.rules, sort, shoots)),
                power: arm.map_or(0, |arm| arm.power),
                range: arm.map_or(0, |arm| scores::reach(battle.scale, arm)),
                volleys: arm.map_or(0, |arm| arm.shots),
            }
        };
        let mut order: Vec<usize> = (0..sorts.len()).collect();
        order.sort_by_key(|&place| scores::hp(numbers, &sorts[place]));
        let kin: Vec<Kin> = order.iter().map(|&place| kin((place, &sorts[place]))).collect();
        let table = |score: &dyn Fn(&Sort, Ground) -> u32| {
            let of = |ground: &Ground| {
                let mut all = [0; SORTS];
                order.iter().zip(&mut all).for_each(|(&place, slot)| *slot = score(&sorts[place], *ground));
                all
            };
            self.grounds.iter().map(of).collect::<Vec<_>>()
        };
        let attack = table(&|sort, ground| scores::attack(numbers, sort, ground));
        let defence = table(&|sort, ground| scores::defence(numbers, battle.switches, sort, ground));
        let points = scores::points(numbers, &sorts, aboard);
        self.kinds.push(Kind { kin, attack, defence, points, gait, sorts, aboard });
        self.kinds.len() - 1
    }

    /// The cost of a step between two hexes.
    fn step(&self, steps: &[[u16; 6]], from: u16, to: Spot) -> u16 {
        let Some(near) = self.near.get(usize::from(from)) else { return NONE };
        let step = near.iter().zip(&steps[usize::from(from)]).find(|(next, _)| usize::from(**next) == to);
        step.map_or(NONE, |(_, cost)| *cost)
    }

    /// The cost of every step.
    fn walk(&self, view: &View, sorts: &[Sort], aboard: bool) -> Vec<[u16; 6]> {
        let ways = ways(self.rules, view);
        let crossings = &view.works.crossings;
        // What a step costs depends on the ground that it enters, and on bridges.
        let mut known: Vec<Option<u16>> = vec![None; self.grounds.len()];
        let mut walk = vec![[NONE; 6]; self.hexes.len()];
        for (from, costs) in walk.iter_mut().enumerate() {
            for (next, cost) in
                self.near[from].iter().zip(costs.iter_mut()).filter(|(next, _)| **next != NONE)
            {
                let (here, to) = (self.hexes[from], self.hexes[usize::from(*next)]);
                let enters = || ways.step(sorts, aboard, here, to).unwrap_or(NONE);
                *cost = match aboard
                    || view.works.bridges.contains(&to)
                    || crossings.contains(&(here.min(to), here.max(to)))
                {
                    true => enters(),
                    false => *known[self.class[usize::from(*next)]].get_or_insert_with(enters),
                };
            }
        }
        walk
    }

    /// The faces of the die on which fighters are found in a hex by the first searcher (ruling DOG-23).
    pub(super) fn found(&self, kind: usize, fighters: &[u16; SORTS], spot: Spot) -> i32 {
        let (numbers, scale) = (self.rules.numbers(), self.rules.battle().scale);
        let kind = &self.kinds[kind];
        let left = kind
            .kin
            .iter()
            .zip(fighters)
            .map(|(kin, left)| Sort { fighters: *left, ..kind.sorts[kin.place].clone() });
        let sorts: Vec<Sort> = left.collect();
        let ground = self.grounds[self.class[spot]];
        scores::found_by_strangers(numbers, scale, &sorts, ground)
    }
}
