//! The order form of a dispatch: lines ready to edit, and comments.

/// Characters in a comment at most.
const WIDTH: usize = 78;

/// The first line of a form.
pub const HOW_TO: &str = "# Take away a # to give an order; write your own between the lines.";

/// A comment, cut where it is too long.
///
/// # Panics
/// The line is none: an order that is cut would be another order.
#[must_use]
pub fn shortened(line: String) -> String {
    assert!(line.starts_with('#'), "`{line}` is no comment");
    if line.chars().count() <= WIDTH {
        line
    } else {
        line.chars().take(WIDTH - 3).chain("...".chars()).collect()
    }
}
