//! The rulesets that this program plays.

use musterd_desk::Desk;
use musterd_dog::Dog;
use musterd_dog::table::Sitting;
use musterd_lga::Lga;

/// A desk with every ruleset and the files that it ships.
#[must_use]
pub fn desk() -> Desk {
    Desk::default().with::<Lga>(&musterd_lga::SHIPPED).with::<Dog>(&musterd_dog::SHIPPED)
}

/// The same with the dice of tables, which are no games to found but are examined like them.
#[must_use]
pub fn with_tables() -> Desk {
    desk().with::<Sitting>(&[])
}
