//! What the versions of the rules do differently (docs/rulings/dog.md, "Versions"). A game is played by the version that it was founded with.

/// What a version of the rules does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policies {
    /// A hidden unit that gives up is told to be seen (ruling DOG-23). Version 1 shows it and doesn't say so.
    pub(super) surrender_reveals: bool,
    /// Who hires for an army without records knows the field as it is, and takes the next best where the best can't stand (ruling DOG-47). Version 1 knows
    /// the battle file alone, and what doesn't fit the field is not hired.
    pub(super) hires_for_field_as_it_is: bool,
    /// A unit record that can't be carried out is told as it can be written, with its name, its people and its size. Version 1 leaves out the name and the
    /// size, and puts the people in brackets.
    pub(super) writes_records_whole: bool,
    /// A set is read to its end, however many mistakes are in it. Version 1 reads no further than a hundred mistakes.
    pub(super) reads_whole_sets: bool,
    /// Who guards prisoners, or is held back by the GM, can be ordered to defend himself (ruling DOG-28). Before version 3 he is told that this order is not done.
    pub(super) defends_while_bound: bool,
    /// Who hunts a unit that has been taken prisoner is told so (ruling DOG-17). Before version 3 he is told that it is out of reach.
    pub(super) tells_prey_taken: bool,
    /// A unit without a crew is told so where it is to dismount after a march (ruling DOG-36). Before version 3 it is told to have moved.
    pub(super) tells_lack_of_crew_first: bool,
}

impl Policies {
    /// What this version does.
    pub(super) const fn of(version: u32) -> Self {
        let (second, third) = (version >= 2, version >= 3);
        Self {
            surrender_reveals: second,
            hires_for_field_as_it_is: second,
            writes_records_whole: second,
            reads_whole_sets: second,
            defends_while_bound: third,
            tells_prey_taken: third,
            tells_lack_of_crew_first: third,
        }
    }
}
