//! The optional rules of a battle.

musterd_kit::data! {
    /// The optional rules, each by the ruling that names it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Switches: "the list of switches" {
        /// Few fighters can't strike for more than six tenths of their force (ruling DOG-5).
        pub tiny_strikes: bool = Switches::USUAL.tiny_strikes,
        /// Pterodactyls and wyverns fly over everything (ruling DOG-25).
        pub fliers: bool = Switches::USUAL.fliers,
        /// Outnumbered barbarians flee, and those who can't don't surrender (ruling DOG-29).
        pub barbarian_flight: bool = Switches::USUAL.barbarian_flight,
        /// Walls don't help nomads (ruling DOG-29).
        pub nomad_unease: bool = Switches::USUAL.nomad_unease,
        /// Dwarven guards obey whatever their leader's pride (ruling DOG-29).
        pub guard_loyalty: bool = Switches::USUAL.guard_loyalty,
    }
}

impl Switches {
    /// How battle files write them, in the order of the fields.
    pub const WORDS: [&str; 5] =
        ["tiny_strikes", "fliers", "barbarian_flight", "nomad_unease", "guard_loyalty"];

    /// What they are where a battle file is silent.
    pub const USUAL: Self = Self {
        tiny_strikes: false,
        fliers: true,
        barbarian_flight: false,
        nomad_unease: false,
        guard_loyalty: false,
    };

    /// Each with its name.
    pub fn named(self) -> impl Iterator<Item = (&'static str, bool)> {
        let on =
            [self.tiny_strikes, self.fliers, self.barbarian_flight, self.nomad_unease, self.guard_loyalty];
        Self::WORDS.into_iter().zip(on)
    }
}
