//! A computer player's assessment of the map: the worth of cities, the strength of the enemy, the reach of units.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Player;
use super::reached::Reach;
use crate::ground::Terms;
use crate::model::{Nation, Side};
use crate::path::Toll;
use crate::plan::Piece;
use crate::sites::supply_capitals;
use crate::supply::Supply;
use musterd_engine::hex::Hex;
use musterd_kit::way::Ways;

/// The number of pieces that a stack behind cavalry is assumed to have.
const BEHIND_CAVALRY: u32 = 3;

impl Player<'_> {
    /// The difference in victory points between our holding a city and the enemy's holding it.
    pub(super) fn swing(&self, hex: Hex) -> i32 {
        let Some(city) = self.rules.map.city_at(hex) else { return 0 };
        let worth = self.rules.numbers.victory;
        let home = |side| worth.of(city.rank, self.rules.scenario.is_home(hex, side));
        let enemy = if self.view.side == Side::French { Side::Allied } else { Side::French };
        home(self.view.side) + home(enemy)
    }

    /// The cities with a value that the own side holds.
    pub(super) fn own_cities(&self) -> Vec<Hex> {
        let held = |hex: &Hex| self.view.control.get(hex) == Some(&self.view.side);
        self.rules.map.cities().map(|(hex, _)| hex).filter(held).filter(|hex| self.swing(*hex) > 0).collect()
    }

    /// The assumed number of pieces in an enemy stack.
    pub(super) fn enemy_count(&self, hex: Hex) -> u32 {
        self.view.enemies.get(&hex).map_or(0, |enemy| enemy.count.unwrap_or(BEHIND_CAVALRY))
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

    /// Every hex that a unit can march to now, kept by unit, place and moves left.
    pub(super) fn reach(&self, piece: &Piece) -> Rc<Reach> {
        let mut reaches = self.reaches.borrow_mut();
        let reach = reaches.entry((piece.id, piece.hex, piece.left));
        Rc::clone(reach.or_insert_with(|| Rc::new(self.reach_of(piece))))
    }

    fn reach_of(&self, piece: &Piece) -> Reach {
        let (left, terms) = (piece.left, Terms::of(self.rules, piece.traveller()));
        let step = |here: Hex, next: Hex, spent: u8| match self.known.toll_on(&terms, here, next, None)? {
            Toll::Moves(cost) => spent.checked_add(cost).filter(|spent| *spent <= left),
            Toll::Rest => None,
        };
        let steps = |here: Hex, spent: u8| {
            self.rules.map.neighbours(here).filter_map(move |next| Some((next, step(here, next, spent)?)))
        };
        Reach::of(Ways::reach(self.rules.map.last(), [(piece.hex, 0)], steps), left)
    }

    /// Whether a line of supply leads back from a hex if the hexes `taken` are ours too (manual 5.4, ruling LGA-34). Ports are ignored: a computer
    /// player relies on the capitals.
    pub(super) fn supplied(&self, nation: Nation, from: Hex, taken: &BTreeSet<Hex>) -> bool {
        if !self.rules.setting.of(nation).needs_supply {
            return true;
        }
        let held = |hex: &Hex| self.view.control.get(hex) == Some(&self.view.side);
        let free = |hex: &Hex| (taken.contains(hex) || held(hex)) && !self.known.held(*hex);
        let trace = || {
            let sources = supply_capitals(self.rules, self.view.side).filter(free);
            let open = self.view.control.keys().chain(taken).copied().filter(free).chain([from]);
            Supply::trace(self.rules, sources, open, |hex| self.known.in_enemy_zone(hex))
        };
        // Taking what is ours already changes nothing.
        match free(&from) && taken.iter().all(held) {
            true => self.supply.get_or_init(trace).reaches(self.rules, from),
            false => trace().reaches(self.rules, from),
        }
    }
}
