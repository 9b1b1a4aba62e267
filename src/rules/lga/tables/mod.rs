//! The tables of the manual as functions: the inputs are the facts that a roll depends on and the face of its die, the output is the result. The
//! adjudicator takes the facts from the position and throws the die; the odds try every face; receipts use the facts that a seat knows. All use the
//! same code.

pub mod combat;
pub mod march;
pub mod muster;
pub mod reaction;
pub mod siege;

use super::sight::{Check, Modifier};

/// The lines of a roll's arithmetic, as they are collected.
#[derive(Debug, Default)]
struct Sum(Vec<Modifier>);

impl Sum {
    /// Adds a line if it changes anything.
    fn add(&mut self, why: &str, by: i8) {
        if by != 0 {
            self.0.push(Modifier { why: why.to_owned(), by });
        }
    }

    /// Adds a line if its reason holds.
    fn add_if(&mut self, holds: bool, why: &str, by: i8) {
        if holds {
            self.add(why, by);
        }
    }

    /// The sum of all lines.
    fn total(&self) -> i32 {
        self.0.iter().map(|line| i32::from(line.by)).sum()
    }

    /// The roll: `column` reads its total in a table of so many columns.
    fn check<T>(self, die: u32, column: impl FnOnce(i32) -> (i32, T)) -> (Check, T) {
        let total = face(die).saturating_add(self.total());
        let (used, entry) = column(total);
        (Check { die, modifiers: self.0, total, used }, entry)
    }
}

/// A die's face as a number to reckon with.
fn face(die: u32) -> i32 {
    #[expect(clippy::expect_used, reason = "the rules throw no dice of so many sides")]
    i32::try_from(die).expect("a face of a die")
}

/// Fatigue as a modifier.
fn signed(fatigue: u8) -> i8 {
    i8::try_from(fatigue).unwrap_or(i8::MAX)
}
