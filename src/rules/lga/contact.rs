//! What is so near that a leader's orders may be wanted.

use super::data::Lga;
use super::view::View;

/// How near an enemy in sight is to a piece of the own side, in hexes: about as far as the fastest get in a turn.
const NEAR: u32 = 6;

/// The first enemy in sight that is near.
pub(super) fn contact(rules: &Lga, view: &View) -> Option<String> {
    let near =
        view.enemies.keys().find(|enemy| view.stacks.keys().any(|own| own.distance(**enemy) <= NEAR))?;
    Some(format!("an enemy at {}", rules.map().place(*near)))
}
