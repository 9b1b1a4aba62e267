//! What every question is asked with.

use crate::battle::{Ground, Switches};
use crate::numbers::Numbers;
use crate::table::throw::Throw;
use crate::table::{read, telling};
use musterd_engine::briefing::Fact;
use musterd_engine::calls::{Arg, CallError, Given, Installation, Kind, any};

/// How to write fighters, for the help of every question.
pub(crate) const FIGHTERS: &str = "Fighters are a number and a type of table 1, such as 18 heavy infantry or 18 HI, with ELITE, WITH their crew, PEOPLE or \
    SIZE where they have one, and IN the ground they stand on: in forest hills, in clear castle.";

/// The arguments of every question.
pub(super) const ASKED: &[Arg] = &[
    Arg::words("words", "WORDS", "Who strikes, AT whom"),
    Arg::option(
        "terrain",
        "GROUND",
        Kind::Text(any),
        "The ground of those of whom none is said, such as \"forest hills\" [default: clear]",
    ),
    Arg::flag(
        "tiny-strikes",
        "With the optional rule that few fighters strike for six tenths of their force at most (DOG-5)",
    ),
    Arg::flag("nomad-unease", "With the optional rule that walls don't help nomads (DOG-29)"),
];

/// A question as it was asked.
pub(super) struct Asked<'a> {
    pub(super) given: &'a Given,
    pub(super) numbers: Numbers,
    pub(super) switches: Switches,
}

impl<'a> Asked<'a> {
    /// The question, by the numbers of the rules: the host's own file replaces the built-in one.
    pub(super) fn new(given: &'a Given, at: &mut dyn Installation) -> Result<Self, CallError> {
        let (tiny_strikes, nomad_unease) = (given.has("tiny-strikes"), given.has("nomad-unease"));
        let switches = Switches { tiny_strikes, nomad_unease, ..Switches::USUAL };
        Ok(Self { given, numbers: Numbers::load(&at.files()?)?, switches })
    }

    /// The throw that the question is about.
    pub(super) fn throw(&self, verb: &str) -> Result<Throw, CallError> {
        let usual =
            self.given.text("terrain").map_or(Ok(Ground::OPEN), |text| read::ground(&self.numbers, text))?;
        let line = format!("{verb} {}", self.given.all("words").join(" "));
        Ok(read::read(&self.numbers, &line, usual)?)
    }

    /// Things in the throw that the rules would not allow on a field.
    pub(super) fn doubts(&self, throw: &Throw) -> Vec<Fact> {
        let doubts = telling::doubts(&self.numbers, self.switches, None, throw);
        doubts.into_iter().map(|doubt| Fact::of("But", doubt)).collect()
    }
}
