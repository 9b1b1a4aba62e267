//! Where units were while things happened, and which of them were in rout: told by the position at the end and by what led to it.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::hex::Hex;

use crate::data::Sa;
use crate::event::{Change, Event};
use crate::fog::Sight;
use crate::model::UnitId;
use crate::view::View;

/// Where each unit stands at one time, a unit whose place isn't known is missing; and who is in rout.
pub(super) struct Places {
    at: BTreeMap<UnitId, Hex>,
    routing: BTreeSet<UnitId>,
}

impl Places {
    /// Before the first of these sights.
    pub(super) fn before(rules: &Sa, view: &View, sights: &[Sight]) -> Self {
        let units = || view.position.units.iter().zip(&rules.battle().units);
        let mut at: BTreeMap<UnitId, Hex> =
            units().filter_map(|(unit, spec)| Some((spec.id, unit.at?))).collect();
        let mut routing: BTreeSet<UnitId> =
            units().filter(|(unit, _)| unit.routing).map(|(_, spec)| spec.id).collect();
        let mut deployed = BTreeSet::new();
        for sight in sights.iter().rev() {
            match sight.event() {
                Event::Left { unit, from, .. } | Event::Vanished { unit, from } => {
                    at.insert(*unit, *from);
                }
                Event::Moved { unit, way, to, .. } | Event::Fled { unit, way, to, .. } => {
                    at.extend(to.step(way.0.opposite()).map(|from| (*unit, from)));
                }
                Event::Routed { unit, .. } | Event::Amended { change: Change::Rout(unit, true) } => {
                    routing.remove(unit);
                }
                Event::Rallied { unit } | Event::Amended { change: Change::Rout(unit, false) } => {
                    routing.insert(*unit);
                }
                Event::Deployed { unit, .. } => _ = deployed.insert(unit.side),
                // A unit that the GM moved stood nobody knows where.
                Event::Arrived { unit, .. }
                | Event::Likened { likeness: unit, .. }
                | Event::Amended { change: Change::Place(unit, _) } => _ = at.remove(unit),
                _ => {}
            }
        }
        // A side is deployed before any unit of it has moved: then all stand where the battle puts them.
        let drawn_up = units().filter(|(_, spec)| deployed.contains(&spec.id.side));
        at.extend(drawn_up.filter_map(|(_, spec)| Some((spec.id, spec.at?))));
        Self { at, routing }
    }

    /// After one more event that was seen.
    pub(super) fn follow(&mut self, event: &Event) {
        match event {
            Event::Deployed { unit, at } => self.at.extend(self.deployed(*unit, *at)),
            Event::Moved { unit, to: at, .. }
            | Event::Fled { unit, to: at, .. }
            | Event::Arrived { unit, at, .. }
            | Event::Amended { change: Change::Place(unit, Some(at)) }
            | Event::Likened { likeness: unit, at, .. } => _ = self.at.insert(*unit, *at),
            Event::Routed { unit, .. } | Event::Amended { change: Change::Rout(unit, true) } => {
                self.routing.insert(*unit);
            }
            Event::Rallied { unit } | Event::Amended { change: Change::Rout(unit, false) } => {
                self.routing.remove(unit);
            }
            Event::Left { unit, .. }
            | Event::Vanished { unit, .. }
            | Event::Amended { change: Change::Place(unit, None) } => _ = self.at.remove(unit),
            _ => {}
        }
    }

    /// Who stands where once a unit is deployed: whoever stood there changes places with it (SA-59).
    pub(super) fn deployed(&self, unit: UnitId, at: Hex) -> Vec<(UnitId, Hex)> {
        let other = self.at.iter().find(|(other, hex)| **hex == at && **other != unit);
        let back = other.map(|(other, _)| *other).zip(self.of(unit));
        [(unit, at)].into_iter().chain(back).collect()
    }

    /// Where a unit is.
    pub(super) fn of(&self, unit: UnitId) -> Option<Hex> {
        self.at.get(&unit).copied()
    }

    /// Whether a unit is in rout.
    pub(super) fn routs(&self, unit: UnitId) -> bool {
        self.routing.contains(&unit)
    }
}
