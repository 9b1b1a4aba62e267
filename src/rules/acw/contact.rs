//! What is so near that a commander's orders may be wanted.

use super::Acw;
use super::view::{Seen, View};
use super::words::place;

/// The first enemy that is seen, or that pickets have met.
pub(super) fn contact(rules: &Acw, view: &View) -> Option<String> {
    let foe = view.foes.iter().find(|foe| matches!(foe.seen, Seen::Sighted | Seen::Picketed))?;
    Some(format!("an enemy at {}", place(rules.battle(), foe.at)))
}
