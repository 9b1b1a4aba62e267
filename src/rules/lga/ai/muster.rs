//! Spends military points: first on what brings the most morale for a point, and nearest to the enemy.

use super::Player;
use crate::model::{Arm, Nation, UnitId};
use crate::needs::rally_price;
use crate::order::Act;
use crate::plan::Piece;
use crate::sites::known_build_sites;

/// Rallies up to this price give morale more cheaply than building does.
const CHEAP_RALLY: u16 = 3;

impl Player<'_> {
    /// Gives aid, then rallies cheaply, then builds; the rest goes to dear rallies. Unspent points carry over to next spring at a quarter.
    pub(super) fn muster(&mut self) {
        self.give_aid();
        for nation in self.view.nations.clone() {
            self.rally(nation, CHEAP_RALLY);
            self.build(nation);
            self.rally(nation, u16::MAX);
        }
    }

    /// Aid goes where most units wait to be rallied or built, unless its nation needs the points.
    fn give_aid(&mut self) {
        let needs = |player: &Self, nation: Nation| {
            let below =
                |p: &&Piece| p.kind.arm != Arm::Hq && p.morale < player.rules.stats(p.kind).max_morale;
            let hurt = player.plan.pieces().filter(|p| p.nation == nation).filter(below).count();
            let pool = player.view.pool.iter().filter(|p| p.nation == nation).count();
            hurt + pool
        };
        let Some(donor) = self.rules.setting.donor() else { return };
        let points = self.plan.points(donor);
        if !self.view.commands(donor) || points == 0 || needs(self, donor) > 0 {
            return;
        }
        // Any seat may command these units: aid crosses between the seats of a shared side.
        let side = self.rules.scenario.side(self.view.side);
        let nations = side.map_or(&[][..], |spec| spec.nations.as_slice());
        let allies = nations.iter().map(|(nation, _)| *nation).filter(|nation| *nation != donor);
        let place = |nation| std::cmp::Reverse(self.rules.setting.place(nation));
        let neediest = allies.max_by_key(|nation| (needs(self, *nation), place(*nation)));
        if let Some(to) = neediest.filter(|nation| needs(self, *nation) > 0)
            && let Ok(points) = u16::try_from(points)
        {
            self.order(Act::Aid { to, points });
        }
    }

    fn rally(&mut self, nation: Nation, at_most: u16) {
        let price = |p: &Piece| rally_price(self.rules, p.kind, p.morale, false).ok();
        let mut hurt: Vec<(u16, u32, UnitId)> = self
            .plan
            .pieces()
            .filter(|p| p.nation == nation)
            .filter_map(|p| Some((price(p)?, self.to_enemy(p.hex), p.id)))
            .filter(|(cost, _, _)| *cost <= at_most)
            .collect();
        hurt.sort_unstable();
        for (_, _, unit) in hurt {
            self.order(Act::Rally { unit });
        }
    }

    fn build(&mut self, nation: Nation) {
        let sites = known_build_sites(self.rules, self.view, nation);
        let Some(site) = sites.iter().copied().min_by_key(|hex| self.to_enemy(*hex)) else { return };
        let at = (sites.len() > 1).then_some(site);
        let worth = |arm: Arm| match arm {
            Arm::Infantry => 0,
            Arm::Guard => 1,
            Arm::Cavalry => 2,
            Arm::Militia => 3,
            Arm::Hq => 4,
        };
        let mut pool: Vec<_> = self.view.pool.iter().filter(|p| p.nation == nation).collect();
        pool.sort_by_key(|p| (worth(p.kind.arm), p.id));
        for unit in pool {
            self.order(Act::Build { unit: unit.id, at });
        }
    }
}
