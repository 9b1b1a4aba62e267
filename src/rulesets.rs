//! The rulesets that this program plays: each is a feature of it.

use std::sync::LazyLock;

use musterd_desk::Desk;

/// A desk with every ruleset and the files that it ships.
#[must_use]
pub fn desk() -> Desk {
    let desk = Desk::default();
    #[cfg(feature = "lga")]
    let desk = desk.with::<musterd_lga::Lga>(&musterd_lga::SHIPPED);
    #[cfg(feature = "dog")]
    let desk = desk.with::<musterd_dog::Dog>(&musterd_dog::SHIPPED);
    desk
}

/// The same, made once: for what rulesets say of themselves, whatever the host's own files are.
pub fn known() -> &'static Desk {
    static KNOWN: LazyLock<Desk> = LazyLock::new(desk);
    &KNOWN
}

/// The same with the dice of tables, which are no games to found but are examined like them.
#[must_use]
pub fn with_tables() -> Desk {
    let desk = desk();
    #[cfg(feature = "dog")]
    let desk = desk.with::<musterd_dog::table::Sitting>(&[]);
    desk
}
