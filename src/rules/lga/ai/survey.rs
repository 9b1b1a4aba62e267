//! A computer player's assessment of the map: the worth of cities, the strength of the enemy, the reach of units.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::Lga;
use crate::known::Known;
use crate::model::{Nation, Side};
use crate::path::Toll;
use crate::plan::{Piece, likely_morale};
use crate::sites::supply_capitals;
use crate::view::View;
use musterd_engine::hex::Hex;

/// The number of pieces that a stack behind cavalry is assumed to have.
const BEHIND_CAVALRY: u32 = 3;

/// An assessment of the map.
pub(super) struct Survey<'a> {
    rules: &'a Lga,
    view: &'a View,
    known: &'a Known<'a>,
}

impl<'a> Survey<'a> {
    pub(super) const fn new(rules: &'a Lga, view: &'a View, known: &'a Known<'a>) -> Self {
        Self { rules, view, known }
    }

    /// The difference in victory points between our holding a city and the enemy's holding it.
    pub(super) fn swing(&self, hex: Hex) -> i32 {
        let Some(city) = self.rules.map.area(hex).and_then(|area| area.city.as_ref()) else { return 0 };
        let worth = self.rules.numbers.victory;
        let home = |side| worth.of(city.rank, self.rules.scenario.is_home(hex, side));
        let enemy = if self.view.side == Side::French { Side::Allied } else { Side::French };
        home(self.view.side) + home(enemy)
    }

    /// The cities with a value, held by the own side or not.
    pub(super) fn cities(&self, own: bool) -> Vec<Hex> {
        let held = |hex: &Hex| match self.view.control.get(hex) {
            Some(side) => (*side == self.view.side) == own,
            None => false,
        };
        self.rules.map.cities().map(|(hex, _)| hex).filter(held).filter(|hex| self.swing(*hex) > 0).collect()
    }

    /// Whether there is a city, of whatever size.
    pub(super) fn is_city(&self, hex: Hex) -> bool {
        self.rules.map.area(hex).is_some_and(|area| area.city.is_some())
    }

    /// The assumed number of pieces in an enemy stack.
    pub(super) fn enemy_count(&self, hex: Hex) -> u32 {
        self.view.enemies.get(&hex).map_or(0, |enemy| enemy.count.unwrap_or(BEHIND_CAVALRY))
    }

    /// The assumed morale of its top unit.
    pub(super) fn enemy_morale(&self, hex: Hex) -> i8 {
        self.view.enemies.get(&hex).map_or(0, |enemy| likely_morale(self.rules, enemy.kind))
    }

    /// The number of enemy pieces seen within this distance.
    pub(super) fn threat(&self, hex: Hex, within: u32) -> u32 {
        let near = self.view.enemies.keys().filter(|enemy| enemy.distance(hex) <= within);
        near.map(|enemy| self.enemy_count(*enemy)).sum()
    }

    /// Steps to the nearest enemy in sight.
    pub(super) fn to_enemy(&self, hex: Hex) -> u32 {
        self.view.enemies.keys().map(|enemy| enemy.distance(hex)).min().unwrap_or(99)
    }

    /// Every hex that a unit can march to now, with the moves it would have left there.
    pub(super) fn reach(&self, piece: &Piece) -> BTreeMap<Hex, u8> {
        let mut reach = BTreeMap::new();
        let mut open = BTreeSet::from([(std::cmp::Reverse(piece.left), piece.hex)]);
        while let Some((std::cmp::Reverse(left), here)) = open.pop_first() {
            if reach.contains_key(&here) {
                continue;
            }
            reach.insert(here, left);
            for next in self.rules.map.neighbours(here) {
                let toll = self.known.toll(piece.traveller(), here, next, None);
                if let Some(toll @ Toll::Moves(_)) = toll
                    && let Some(rest) = toll.paid_from(left)
                {
                    open.insert((std::cmp::Reverse(rest), next));
                }
            }
        }
        reach
    }

    /// Whether a line of supply leads back from a hex if the hexes `taken` are ours too (manual 5.4, ruling LGA-34). Ports are ignored: a computer
    /// player relies on the capitals.
    pub(super) fn supplied(&self, nation: Nation, from: Hex, taken: &BTreeSet<Hex>) -> bool {
        if !self.rules.setting.of(nation).needs_supply {
            return true;
        }
        let ours = |hex: Hex| taken.contains(&hex) || self.view.control.get(&hex) == Some(&self.view.side);
        let sources: BTreeSet<Hex> =
            supply_capitals(self.rules, self.view.side).filter(|hex| ours(*hex)).collect();
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(here) = open.pop() {
            if sources.contains(&here) {
                return true;
            }
            // A line is traced into a zone, not through it.
            if here != from && self.known.in_enemy_zone(here) {
                continue;
            }
            open.extend(
                self.rules
                    .map
                    .neighbours(here)
                    .filter(|&next| ours(next) && !self.known.held(next) && seen.insert(next)),
            );
        }
        false
    }
}
