//! Parts of a turn by themselves, for tests and benches.

use musterd_engine::Scribe;

use super::combat;
use crate::data::Acw;

/// Gives each brigade within reach of the enemy its target, and throws for surprise.
pub fn aim(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    combat::aim(rules, scribe);
}

/// Fights all fights of a turn.
pub fn fight(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    combat::fight(rules, scribe);
}
