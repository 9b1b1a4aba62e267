//! Defence of important places: garrisons in cities under threat, and standing orders for the enemy's turn.

use super::Player;
use super::skill::Skill;
use crate::model::{Arm, UnitId};
use crate::order::{Act, Reaction, Trigger};
use crate::plan::Piece;
use crate::read::written_reaction;
use musterd_engine::hex::Hex;

/// An enemy this near threatens a city within a season.
const NEAR: u32 = 4;
/// An enemy this near threatens a capital, which all supply comes from: the distance that cavalry rides.
const NEAR_CAPITAL: u32 = 7;
/// A city with a swing above this is a capital.
const CAPITAL: i32 = 4;
/// The most standing orders that a computer player gives.
const MOST_STANDING: usize = 24;

impl Player<'_> {
    /// Puts a garrison into every city of value that an enemy could reach, militia first. Garrisons without a threat become free.
    pub(super) fn hold_cities(&mut self) {
        let mut cities = self.own_cities();
        cities.sort_by_key(|hex| (std::cmp::Reverse(self.swing(*hex)), self.to_enemy(*hex)));
        for city in cities {
            if self.to_enemy(city) > self.watch(city, NEAR) {
                continue;
            }
            let holder = self.plan.pieces().find(|p| p.hex == city && p.garrison).map(|p| p.id);
            if let Some(unit) = holder {
                self.used.push(unit);
                continue;
            }
            if let Some(unit) = self.garrison_for(city)
                && self.send(unit, city)
                && self.plan.piece(unit).is_some_and(|piece| piece.hex == city)
                && self.order(Act::Garrison { unit, at: None })
            {
                self.used.push(unit);
            }
        }
    }

    /// How near an enemy may come to a city before a unit must stay in it.
    pub(super) fn watch(&self, city: Hex, usual: u32) -> u32 {
        if self.swing(city) > CAPITAL { usual.max(NEAR_CAPITAL) } else { usual }
    }

    /// The most dispensable unit: militia before infantry, near before far; never the guard.
    fn garrison_for(&self, city: Hex) -> Option<UnitId> {
        let can = |p: &&Piece| p.kind.arm.can_garrison() && p.kind.arm != Arm::Guard && !p.garrison;
        let ids = self.idle();
        let pieces = ids.iter().filter_map(|id| self.plan.piece(*id)).filter(can);
        // For a capital any unit is taken; for a lesser city no unit is taken out of an army.
        let vital = self.swing(city) > CAPITAL;
        let spare = |p: &&Piece| vital || p.hex == city || p.kind.arm == Arm::Militia;
        pieces
            .filter(spare)
            .filter(|p| {
                p.hex == city || p.hex.distance(city) <= NEAR && self.reach(p).left_at(city).is_some()
            })
            .min_by_key(|p| (p.kind.arm != Arm::Militia, p.hex.distance(city), p.morale, p.id))
            .map(|p| p.id)
    }

    /// Sends beaten units to rest in a city nearby, where the muster is favourable and no enemy is next to them.
    pub(super) fn rest(&mut self) {
        for unit in self.idle() {
            let Some(piece) = self.plan.piece(unit).cloned() else { continue };
            if piece.kind.arm == Arm::Hq || piece.morale > 1 {
                continue;
            }
            let quiet = |hex: &Hex| {
                let ours = self.view.control.get(hex) == Some(&self.view.side);
                ours && self.rules.map.city_at(*hex).is_some() && self.threat(*hex, 1) == 0
            };
            let reach = self.reach(&piece);
            let best =
                reach.hexes().filter(|(hex, _)| quiet(hex)).max_by_key(|(hex, left)| (*left, self.lot(*hex)));
            if let Some((city, _)) = best {
                self.send(unit, city);
                self.used.push(unit);
            }
        }
    }

    /// Gives reactions for the enemy's turn: neighbours help cities, beaten units fall back.
    pub(super) fn stand(&mut self) {
        let mut reactions = if self.skill == Skill::Planner { self.reliefs() } else { Vec::new() };
        for city in self.own_cities() {
            if self.threat(city, NEAR + 1) == 0 || self.known.in_enemy_zone(city) {
                continue;
            }
            let helpers =
                self.movable().into_iter().filter(|p| p.morale >= 2 && self.rules.map.touch(p.hex, city));
            for helper in helpers.take(2) {
                let reaction = Reaction::Reinforce { unit: helper.id, to: city };
                reactions.push(written_reaction(reaction, Trigger::HexAttacked { hex: city }));
            }
        }
        for piece in self.movable() {
            let vital = self.swing(piece.hex) > 0;
            if vital || self.threat(piece.hex, NEAR) == 0 {
                continue;
            }
            let threat = |hex: Hex| self.threat(hex, 2);
            let back = self
                .rules
                .map
                .neighbours(piece.hex)
                .filter(|hex| self.safe_for_retreat(&piece, *hex))
                .min_by_key(|hex| (threat(*hex), std::cmp::Reverse(self.to_enemy(*hex)), *hex));
            if let Some(back) = back {
                let reaction = Reaction::Withdraw { unit: piece.id, to: back };
                let when = Trigger::MoraleAtMost { unit: piece.id, morale: 1 };
                reactions.push(written_reaction(reaction, when));
            }
        }
        reactions.truncate(MOST_STANDING);
        if reactions.is_empty() {
            self.lines.push("STANDING NONE".to_owned());
        } else {
            self.lines.push("STANDING".to_owned());
            self.lines.extend(reactions);
            self.lines.push("END".to_owned());
        }
    }

    /// Units that could react, in the planned position.
    fn movable(&self) -> Vec<Piece> {
        let field = |p: &&Piece| p.kind.arm != Arm::Hq && !p.garrison && self.view.commands(p.nation);
        self.plan.pieces().filter(field).cloned().collect()
    }

    fn safe_for_retreat(&self, piece: &Piece, hex: Hex) -> bool {
        self.view.control.get(&hex) == Some(&self.view.side)
            && !self.known.held(hex)
            && !self.known.in_enemy_zone(hex)
            && self.known.closed(piece.traveller(), hex).is_none()
    }
}
