//! Where a unit may go, and the cost of a step: the same on the true position and on a view.

use super::data::Lga;
use super::footing::Footing;
use super::model::{Arm, Side};
use super::path::Toll;
use musterd_engine::hex::{Hex, HexSet};

pub use super::footing::{NoEntry, Traveller};
pub use super::known::Known;

/// The map for one traveller, whoever controls the hexes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    rules: &'a Lga,
    pub(super) who: Traveller,
    footings: &'a [Footing],
}

impl<'a> Terms<'a> {
    pub(super) fn of(rules: &'a Lga, who: Traveller) -> Self {
        Self { rules, who, footings: rules.footings.of(who) }
    }

    /// The footing of a hex; `None` off the map.
    pub(super) fn footing(&self, hex: Hex) -> Option<Footing> {
        Some(self.footings[self.rules.map.index(hex)?])
    }

    /// See [`closed`].
    pub(super) fn closed(&self, to: Option<Footing>, controller: Option<Side>) -> Option<NoEntry> {
        let Some(footing) = to else { return Some(NoEntry::OutOfPlay) };
        let scenario = &self.rules.scenario;
        let neutral = controller == Some(Side::Neutral) && !scenario.neutral_open;
        match footing.closed {
            Some(NoEntry::OutOfPlay | NoEntry::Sea | NoEntry::ClosedSea) => footing.closed,
            _ if neutral && scenario.side_of(self.who.nation) != controller => Some(NoEntry::Neutral),
            why => why,
        }
    }

    /// See [`toll`].
    pub(super) fn toll(&self, from: Option<Footing>, to: Option<Footing>, leaves_zone: bool) -> Toll {
        let at_sea = |footing: Option<Footing>| footing.is_some_and(|footing| footing.sea);
        match (at_sea(from), at_sea(to)) {
            (true, true) => Toll::Moves(0),
            (true, false) | (false, true) => Toll::Rest,
            (false, false) => {
                let enter = to.map_or(0, |footing| footing.enter);
                let leave = if leaves_zone { leaving(self.rules, self.who.arm) } else { 0 };
                Toll::Moves(enter + leave)
            }
        }
    }
}

/// The moves that it costs to leave a zone of control; headquarters leave it freely (manual 3.2).
pub fn leaving(rules: &Lga, arm: Arm) -> u8 {
    if arm == Arm::Hq { 0 } else { rules.numbers.movement.leave_zone }
}

/// Why the traveller may not enter `to`, which `controller` holds; `None` if it may.
pub fn closed(rules: &Lga, who: Traveller, to: Hex, controller: Option<Side>) -> Option<NoEntry> {
    let terms = Terms::of(rules, who);
    terms.closed(terms.footing(to), controller)
}

/// The cost of the step between two neighbours, if neither is closed nor held by an enemy; `leaves_zone` if an enemy zone covers `from`. Manual 2.3
/// and 3.2, rulings LGA-28, LGA-29 and LGA-56.
pub fn toll(rules: &Lga, who: Traveller, from: Hex, to: Hex, leaves_zone: bool) -> Toll {
    let terms = Terms::of(rules, who);
    terms.toll(terms.footing(from), terms.footing(to), leaves_zone)
}

/// The hexes covered by the zones of control of units in these hexes: from land to land in play, over sides that can be passed (manual 3.2, ruling
/// LGA-36).
pub(super) fn zones(rules: &Lga, from: impl Iterator<Item = Hex>) -> HexSet {
    let in_play = |hex: &Hex| rules.scenario.in_play(*hex);
    from.filter(in_play).flat_map(|hex| rules.map.neighbours(hex)).filter(in_play).collect()
}
