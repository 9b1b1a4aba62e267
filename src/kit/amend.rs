//! The GM's changes of a position: a line of them, with `;` between.

use std::fmt::Display;

use musterd_engine::Ruleset;
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::Cursor;
use musterd_engine::yaml::short;

use crate::grammar::{Lack, lack};

/// The events of a GM's line. `read` gives those of one change, in the position that the changes before it lead to; `faults` are the things that don't
/// hang together in a position.
///
/// # Errors
/// The first change that can't be made, with its place in the line; or what would not hang together any more. An empty line is refused.
pub fn amended<R: Ruleset>(
    rules: &R,
    state: &R::State,
    text: &str,
    read: impl Fn(&R::State, &str) -> Result<Vec<R::Event>, Remark>,
    faults: impl Fn(&R::State) -> Vec<String>,
) -> Result<Vec<R::Event>, Remark>
where
    R::State: Clone,
{
    let mut after = state.clone();
    let mut events = Vec::new();
    let mut start = 0;
    for part in text.split(';') {
        if !part.trim().is_empty() {
            for event in read(&after, part).map_err(|remark| placed(remark, part, start))? {
                rules.apply(&mut after, &event);
                events.push(event);
            }
        }
        start += part.chars().count() + 1;
    }
    let before = faults(state);
    if let Some(fault) = faults(&after).into_iter().find(|fault| !before.contains(fault)) {
        return Err(Remark::error(1, format!("With that the position would not hang together: {fault}.")));
    }
    match events.is_empty() {
        true => Err(Remark::error(1, "No change is named.").hint("HELP lists those that there are")),
        false => Ok(events),
    }
}

/// What a line lacks that has `( YES / no=NO )` in its shape.
pub const YES_OR_NO: Lack = lack("NO", "Write YES or NO.");

/// The hex that stands next in a line, by number or by a name of so many words at most, which `named` knows; it is taken from the cursor.
pub fn take_hex(cursor: &mut Cursor<'_>, words: usize, named: impl Fn(&str) -> Option<Hex>) -> Option<Hex> {
    let by_number = cursor.peek()?.text.parse().ok().map(|hex| (hex, 1));
    let (hex, count) = by_number.or_else(|| cursor.longest(words, named))?;
    cursor.skip(count);
    Some(hex)
}

/// The number that a change names.
///
/// # Errors
/// The text is none.
pub fn number(text: &str) -> Result<i32, String> {
    text.parse().map_err(|_| format!("`{}` is no number that fits here", short(text)))
}

/// A number of a change within its bounds; `what` it is of.
///
/// # Errors
/// It is beyond them.
pub fn within<T: Copy + Display + TryFrom<i32> + PartialOrd>(
    what: &str,
    number: i32,
    least: T,
    most: T,
) -> Result<T, String> {
    let fits = T::try_from(number).ok().filter(|number| (least..=most).contains(number));
    fits.ok_or_else(|| format!("`{number}` is too little or too much: {what} can be from {least} to {most}"))
}

/// The remark on a part of a line, with its place in the whole line.
fn placed(remark: Remark, part: &str, start: usize) -> Remark {
    Remark {
        line: 1,
        span: remark.span.map(|(from, length)| (from + start, length)),
        text: format!("{}: {}", part.trim(), remark.text),
        ..remark
    }
}
