//! What commanders below the players have their brigades do.

use musterd_engine::Scribe;

use crate::commanders;
use crate::data::Acw;
use crate::event::Event;

/// Commanders choose the order of every brigade that no player told.
pub(super) fn set(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    for (brigade, act) in commanders::choices(rules, scribe.state()) {
        scribe.record(Event::Set { brigade, act });
    }
}
