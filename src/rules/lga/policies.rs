//! What the versions of the rules do differently (docs/rulings/lga.md, "Versions"). A game is played by the version that it was founded with.

/// What a version of the rules does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policies {
    /// Orders name a city in other languages too, as its map lists them. Version 1 takes the map's own names alone.
    pub(super) takes_other_names: bool,
}

impl Policies {
    /// What this version does.
    pub(super) const fn of(version: u32) -> Self {
        Self { takes_other_names: version >= 2 }
    }
}
