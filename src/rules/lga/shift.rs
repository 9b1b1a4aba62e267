//! Conditions for defensive moves, the same on the true position and on a view (manual 2.13 and 5.65, rulings LGA-46, LGA-56 and LGA-68).

use super::data::Lga;
use super::footing::{NoEntry, Traveller};
use super::ground::closed;
use super::model::{Date, Side, UnitId};
use super::needs::{Inactive, can_act};
use musterd_engine::hex::Hex;

/// A defensive move over one hex, as a standing order asks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift {
    /// The unit that moves.
    pub(super) unit: UnitId,
    /// The hex in which it stands.
    pub(super) from: Hex,
    /// The hex that it is to go to.
    pub(super) to: Hex,
    /// Whether it began its own last turn in supply.
    pub(super) supplied: bool,
}

/// The knowledge with which a defensive move is judged: the true position, or a side's view.
pub(super) trait Lookout {
    /// The season.
    fn date(&self) -> Date;
    /// The side that controls a hex; `None` at sea and out of play.
    fn controller(&self, hex: Hex) -> Option<Side>;
    /// Whether an enemy of the unit's side stands there.
    fn enemy_at(&self, hex: Hex) -> bool;
}

/// Why the goal of a defensive move is closed to a unit, wherever it stands: such a move can never be made.
pub(super) fn closed_goal(rules: &Lga, unit: UnitId, to: Hex, position: &impl Lookout) -> Option<NoEntry> {
    let spec = rules.scenario.find(unit)?;
    let who = Traveller { nation: spec.nation, arm: spec.kind.arm };
    closed(rules, who, to, position.controller(to))
}

/// Why a defensive move to a goal that is not closed can't be made, zones of control apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hindrance {
    /// It can't act this season (rulings LGA-41 and LGA-68).
    Inactive(Inactive),
    /// One hex is all, and this is not the next.
    NotAdjacent,
    /// An enemy stands in the goal.
    EnemyThere,
    /// One end of the move is not its side's.
    NotOurs(Hex),
}

impl Shift {
    /// The first reason why the move can't be made; `None` if it can.
    pub(super) fn hindrance(&self, rules: &Lga, position: &impl Lookout) -> Option<Hindrance> {
        let Self { unit, from, to, supplied } = *self;
        let spec = rules.scenario.find(unit)?;
        let theirs = |hex: &Hex| position.controller(*hex) != Some(spec.side);
        if let Err(idle) = can_act(rules, unit, supplied, position.date()) {
            Some(Hindrance::Inactive(idle))
        } else if !rules.map.touch(from, to) {
            Some(Hindrance::NotAdjacent)
        } else if position.enemy_at(to) {
            Some(Hindrance::EnemyThere)
        } else {
            [from, to].into_iter().find(theirs).map(Hindrance::NotOurs)
        }
    }
}
