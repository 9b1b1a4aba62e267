//! Reading what somebody at a table types: `18 heavy infantry at 40 orcs in forest`, `R1 at B1`. Order, case and the plural don't matter, numbers may
//! stand before a type or behind it, and what isn't known is told with what is.

mod kept;
mod reader;

use super::keep::SittingView;
use super::line::{Line, Named};
use super::throw::Throw;
use crate::battle::Ground;
use crate::numbers::Numbers;
use crate::odds::Fighters;
use musterd_engine::yaml::short;
use reader::{LineReader, known_grounds, lay, sound};

pub use kept::{LONGEST_NAME, MOST_UNITS, verbs};
pub use reader::Misread;

/// Reads a throw without units of the table. `usual` is the ground of those of whom no ground is said.
///
/// # Errors
/// What is wrong with it.
pub fn read(numbers: &Numbers, text: &str, usual: Ground) -> Result<Throw, Misread> {
    let mut hand = LineReader::new(numbers, text, usual, None)?;
    hand.whole(|hand| {
        let verb = hand.cursor.take().ok_or("what is to be thrown? strike, shoot, hide or initiative")?;
        hand.throw(verb.text)
    })
}

/// Reads a line against what the table keeps.
///
/// # Errors
/// What is wrong with it.
pub fn line(numbers: &Numbers, view: &SittingView, text: &str, usual: Ground) -> Result<Line, Misread> {
    let mut hand = LineReader::new(numbers, text, usual, Some(&view.table.units))?;
    let line = hand.whole(|hand| hand.line(text, view.last))?;
    Ok(match line {
        Line::Throw(Named { throw, .. }) => Line::Throw(Named { throw, by: hand.by, on: hand.on }),
        line => line,
    })
}

/// Reads fighters and their ground alone.
///
/// # Errors
/// What is wrong, in words.
pub fn fighters(numbers: &Numbers, text: &str, usual: Ground) -> Result<Fighters, String> {
    let mut hand = LineReader::new(numbers, text, usual, None).map_err(|misread| misread.reason)?;
    hand.whole(|hand| hand.party(None)).map_err(|misread| misread.reason)
}

/// Reads ground alone: `forest hills`, `castle`.
///
/// # Errors
/// What is wrong, in words.
pub fn ground(numbers: &Numbers, text: &str) -> Result<Ground, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut ground = Ground::OPEN;
    if words.is_empty() {
        return Err(format!("which ground? {}", known_grounds(numbers)));
    }
    for word in words {
        if !lay(numbers, &mut ground, word) {
            return Err(format!("`{}` is no ground: {}", short(word), known_grounds(numbers)));
        }
    }
    sound(numbers, ground)
}
