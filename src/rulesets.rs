//! The rulesets that this program plays.

use std::sync::OnceLock;

use musterd_desk::Desk;
use musterd_dog::Dog;
use musterd_dog::table::Sitting;
use musterd_lga::Lga;

/// What a program of one's own plays besides.
static MORE: OnceLock<fn(Desk) -> Desk> = OnceLock::new();

/// Lets this program play more rulesets than these: `more` puts them on a desk. For a program of one's own, which says so before anything else
/// (`docs/example-game`).
///
/// # Panics
/// It was said before.
pub fn play(more: fn(Desk) -> Desk) {
    assert!(MORE.set(more).is_ok(), "a program says once what it plays");
}

/// A desk with every ruleset and the files that it ships.
#[must_use]
pub fn desk() -> Desk {
    let more = MORE.get().copied().unwrap_or(|desk| desk);
    more(own())
}

fn own() -> Desk {
    Desk::default().with::<Lga>(&musterd_lga::SHIPPED).with::<Dog>(&musterd_dog::SHIPPED)
}

/// The same with the dice of tables, which are no games to found but are examined like them.
#[must_use]
pub fn with_tables() -> Desk {
    desk().with::<Sitting>(&[])
}
