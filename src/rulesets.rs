//! The rulesets that this program plays: each is a feature of it.

use std::sync::{LazyLock, OnceLock};

use musterd_desk::Desk;

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
    let desk = Desk::default();
    #[cfg(feature = "lga")]
    let desk = desk.with::<musterd_lga::Lga>(&musterd_lga::SHIPPED);
    #[cfg(feature = "dog")]
    let desk = desk.with::<musterd_dog::Dog>(&musterd_dog::SHIPPED);
    #[cfg(feature = "sa")]
    let desk = desk.with::<musterd_sa::Sa>(&musterd_sa::SHIPPED);
    #[cfg(feature = "acw")]
    let desk = desk.with::<musterd_acw::Acw>(musterd_acw::SHIPPED);
    more(desk)
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
