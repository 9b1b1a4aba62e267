//! Conditions for attacks: why a unit can't attack, the same on the true position and on a view (manual 5.64, rulings LGA-22 and LGA-30).

use super::data::Lga;
use super::footing::{NoEntry, Traveller};
use super::ground::closed;
use super::model::{Arm, Side};
use musterd_engine::hex::Hex;

/// An attack by a unit that may act.
#[derive(Debug, Clone, Copy)]
pub(super) struct Charge {
    /// The attacker.
    pub(super) who: Traveller,
    /// Its morale.
    pub(super) morale: i8,
    /// The hex in which it stands.
    pub(super) from: Hex,
    /// The hex that it attacks.
    pub(super) at: Hex,
    /// Its moves in hand.
    pub(super) left: u8,
    /// The moves that the attack takes: none, except against a unit that has withdrawn this season.
    pub(super) cost: u8,
    /// Whether it has entered a hex this season.
    pub(super) stirred: bool,
}

/// Why a unit can't attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unable {
    /// It is a headquarters.
    Headquarters,
    /// It is demoralised.
    Demoralised,
    /// The hex is not next to where it stands.
    NotAdjacent,
    /// The hex is closed to it.
    Closed(NoEntry),
    /// It has too few moves left; it needs at least one.
    TooFewMoves,
    /// At sea, it attacks only from the place where it was when the season began.
    Sailed,
}

impl Charge {
    /// All reasons why it can't attack, in the order in which the game tests them; `controller` holds the hex attacked.
    pub(super) fn hindrances(
        &self,
        rules: &Lga,
        controller: Option<Side>,
    ) -> impl Iterator<Item = Unable> + Clone + use<> {
        let Self { who, morale, from, at, left, cost, stirred } = *self;
        [
            (who.arm == Arm::Hq).then_some(Unable::Headquarters),
            (morale < 1).then_some(Unable::Demoralised),
            (!rules.map.touch(from, at)).then_some(Unable::NotAdjacent),
            closed(rules, who, at, controller).map(Unable::Closed),
            (left < cost.max(1)).then_some(Unable::TooFewMoves),
            (stirred && rules.map.is_sea(from)).then_some(Unable::Sailed),
        ]
        .into_iter()
        .flatten()
    }
}
