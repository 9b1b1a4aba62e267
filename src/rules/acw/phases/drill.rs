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

/// What happens before players order in a turn.
pub fn morning(rules: &Acw, scribe: &mut Scribe<'_, Acw>, turn: u16) {
    super::morning(rules, scribe, turn);
}

/// Tries communications.
pub fn touch(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::touch::check(rules, scribe);
}

/// Headquarters do what they do by themselves at a turn's beginning.
pub fn command(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::command::morning(rules, scribe);
}

/// Commanders choose the orders of brigades.
pub fn set(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::set::set(rules, scribe);
}

/// Everybody moves.
pub fn march(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::march::march(rules, scribe);
}

/// Brigades in reserve recover, idle infantry digs.
pub fn rest(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::rest::rest(rules, scribe);
}

/// Each side looks for the enemy.
pub fn sight(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::sight::check(rules, scribe);
}

/// Objectives change hands and count.
pub fn close(rules: &Acw, scribe: &mut Scribe<'_, Acw>) {
    super::close::close(rules, scribe);
}
