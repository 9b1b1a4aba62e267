//! Combat: whom each brigade is to fight, and the fight.

use musterd_engine::Scribe;

use crate::data::Acw;

/// Gives each brigade within reach of the enemy its target, and throws for surprise.
pub(super) fn aim(_: &Acw, _: &mut Scribe<'_, Acw>) {}

/// Fights all fights of a turn.
pub(super) fn fight(_: &Acw, _: &mut Scribe<'_, Acw>) {}
