//! The order form of a dispatch: lines ready to edit, and comments.

/// Characters in a comment at most.
const WIDTH: usize = 78;

/// The first line of a form.
pub const HOW_TO: &str = "# Take away a # to give an order; write your own between the lines.";

/// A line, cut where it is too long.
#[must_use]
pub fn shortened(line: String) -> String {
    if line.chars().count() <= WIDTH {
        line
    } else {
        line.chars().take(WIDTH - 3).chain("...".chars()).collect()
    }
}
