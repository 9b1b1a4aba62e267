//! Where units were while things happened: told by the position at the end and by the moves that led to it.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;

use crate::data::Sa;
use crate::event::Event;
use crate::model::UnitId;
use crate::sight::Sight;
use crate::view::View;

/// Where each unit stands at one time; a unit whose place isn't known is missing.
pub(super) struct Places(BTreeMap<UnitId, Hex>);

impl Places {
    /// Before the first of these sights.
    pub(super) fn before(rules: &Sa, view: &View, sights: &[Sight]) -> Self {
        let units = view.position.units.iter().zip(&rules.battle().units);
        let mut at: BTreeMap<UnitId, Hex> =
            units.filter_map(|(unit, spec)| Some((spec.id, unit.at?))).collect();
        for sight in sights.iter().rev() {
            match sight {
                Sight::Seen(Event::Moved { unit, way, to, .. } | Event::Fled { unit, way, to, .. }) => {
                    at.extend(to.step(way.0.opposite()).map(|from| (*unit, from)));
                }
                Sight::Seen(
                    Event::Arrived { unit, .. }
                    | Event::Deployed { unit, .. }
                    | Event::Likened { likeness: unit, .. },
                )
                | Sight::Likened { likeness: unit, .. } => {
                    at.remove(unit);
                }
                Sight::Seen(_) => {}
            }
        }
        Self(at)
    }

    /// After one more sight.
    pub(super) fn follow(&mut self, sight: &Sight) {
        match sight {
            Sight::Seen(
                Event::Moved { unit, to: at, .. }
                | Event::Fled { unit, to: at, .. }
                | Event::Arrived { unit, at, .. }
                | Event::Deployed { unit, at }
                | Event::Likened { likeness: unit, at, .. },
            )
            | Sight::Likened { likeness: unit, at, .. } => {
                self.0.insert(*unit, *at);
            }
            Sight::Seen(Event::Left { unit, .. } | Event::Vanished { unit }) => {
                self.0.remove(unit);
            }
            Sight::Seen(_) => {}
        }
    }

    /// Where a unit is.
    pub(super) fn of(&self, unit: UnitId) -> Option<Hex> {
        self.0.get(&unit).copied()
    }
}
