//! Order lines that are struck out as a whole: they stand between `~~`, as players write it, or as `musterd_letter` shows struck-out text of an HTML
//! mail.

use super::line::is_mark;

/// The mark on both sides of such a line.
const LINE: &str = "~~";

/// Whether a line is struck out as a whole.
pub(super) fn is_struck(line: &str) -> bool {
    let inner = line.trim().strip_prefix(LINE).and_then(|line| line.strip_suffix(LINE));
    inner.is_some_and(|inner| {
        inner.contains(char::is_alphanumeric) && !inner.contains(LINE) && !is_mark(inner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_struck_out_if_marks_stand_round_the_whole_of_it() {
        assert!(is_struck(" ~~MOVE 1~~ "));
        for line in ["MOVE 1", "~~~~~~", "~~ BEGIN ORDERS ~~", "~~a~~ b ~~c~~", "~~MOVE"] {
            assert!(!is_struck(line), "{line}");
        }
    }
}
