//! What is so near that a leader's orders may be wanted.

use super::data::Dog;
use super::view::{View, Wait};

/// The first enemy in sight: on these fields whoever is seen can be reached. Units that are to be placed want orders too.
pub(super) fn contact(rules: &Dog, view: &View) -> Option<String> {
    match view.wait {
        Wait::Founding | Wait::SetUp => return Some("units to be placed".to_owned()),
        Wait::Over => return None,
        Wait::Orders | Wait::Moves | Wait::Combat => {}
    }
    if !view.waiting.is_empty() {
        return Some("units to be placed anew".to_owned());
    }
    let (id, enemy) = view.foes(rules).next()?;
    Some(format!("the enemy {id} at {}", rules.place(enemy.at)))
}
