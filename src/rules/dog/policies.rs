//! What the versions of the rules do differently (docs/rulings/dog.md, "Versions"). A game is played by the version that it was founded with.

/// What a version of the rules does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policies {
    /// A hidden unit that gives up is told to be seen (ruling DOG-23). Version 1 shows it and doesn't say so.
    pub(super) surrender_reveals: bool,
    /// Who hires for an army without records knows the ground as the GM has changed it (ruling DOG-47). In version 1 what doesn't fit there is not hired.
    pub(super) hires_for_changed_ground: bool,
}

impl Policies {
    /// What this version does.
    pub(super) const fn of(version: u32) -> Self {
        let second = version >= 2;
        Self { surrender_reveals: second, hires_for_changed_ground: second }
    }
}
