//! Statistics of a game's dice: a battery of tests that was written down before any dice fell (`docs/statistics.md`), and each seat's luck.
//!
//! Statistics decide nothing: no adjudication reads them. They inform and reassure. They can prove neither that a host is honest nor that it isn't;
//! [`audit`](super::audit) does that.
#![expect(
    clippy::float_arithmetic,
    reason = "nothing is adjudicated by these numbers, and only operations that are the same on every machine make them"
)]

mod battery;
mod chance;
mod luck;
mod tally;
mod verdict;

use serde::Serialize;

pub use battery::{Kind, Test};
pub use luck::{Fortune, Luck, Trial};
pub use tally::Tally;
pub use verdict::{LEAST_DICE, Oddness, Odds};

use chance::Counts;

/// The statistics of a game's dice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// The number of dice counted.
    pub dice: u64,
    /// Each size of die with enough dice to be shown, by its sides.
    pub sizes: Vec<Size>,
    /// The results of each seat's rolls.
    pub luck: Vec<Fortune>,
    /// The tests, in the order of the battery.
    pub tests: Vec<Test>,
    /// The verdict of all tests together.
    pub verdict: Oddness,
}

/// The faces of one size of die.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Size {
    /// The number of sides.
    pub sides: u32,
    /// The number of such dice that were thrown.
    pub dice: u64,
    /// The expected number for each face, or class of faces.
    pub expected: f64,
    /// The usual range: in 95 of 100 games a face that was chosen beforehand comes up at least this often…
    pub low: u64,
    /// … and at most this often.
    pub high: u64,
    /// The count of each face.
    pub faces: Vec<Face>,
}

/// A face, or a class of neighbouring ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Face {
    /// The lowest face.
    pub first: u32,
    /// The highest face.
    pub last: u32,
    /// How often it came up.
    pub count: u64,
}

/// What statistics of dice can't show. This text is shown with all of them.
pub const CAVEAT: &str = "Such numbers can't prove that a host is honest: one that throws fair dice and picks among whole \
    games, or drops a mail, passes every test here. Nor do they prove that one cheats: of twenty fair games one looks \
    unusual. That every die is the one that was fixed beforehand is shown by the audit, and by nothing else.";

impl Statistics {
    /// Runs the battery over the dice of a game and the luck of its seats. [`Luck`] is empty if only the dice are known.
    #[must_use]
    pub fn of(tally: &Tally, luck: &Luck) -> Self {
        let luck = luck.fortunes();
        let tests = battery::run(tally, &luck);
        let verdict = Oddness::of(tests.iter().map(|test| test.corrected));
        let enough = |faces: &&tally::Faces| faces.dice >= LEAST_DICE && faces.shown() > 1;
        let sizes = tally.sizes().filter(enough).map(Size::of).collect();
        Self { dice: tally.dice(), sizes, luck, tests, verdict }
    }
}

impl Size {
    fn of(faces: &tally::Faces) -> Self {
        let classes = faces.shown();
        let (low, high) = Counts::binomial(faces.dice, 1, u64::from(classes)).usual();
        let width = faces.sides / classes;
        let face =
            |(class, count): (u32, u64)| Face { first: class * width + 1, last: (class + 1) * width, count };
        Self {
            sides: faces.sides,
            dice: faces.dice,
            expected: faces.dice as f64 / f64::from(classes),
            low,
            high,
            faces: (0..).zip(faces.by_class(classes)).map(face).collect(),
        }
    }
}
