//! Text that its writer struck out in an HTML mail.

use super::plain::strip_quote_marks;

/// The mark before struck-out text while a page is read: a character that no text may contain.
pub(super) const BEGIN: char = '\u{fdd0}';
/// The mark after struck-out text. No struck-out passage continues over the end of a line.
pub(super) const END: char = '\u{fdd1}';
/// The mark on both sides of a line that is struck out as a whole, as people write it in plain text.
const LINE: &str = "~~";

/// Replaces the marks of a page: lines that are struck out as a whole stand between `~~`, and struck-out words are removed from other lines.
pub(super) fn settle(text: String) -> String {
    if !text.contains(BEGIN) {
        return text;
    }
    let mut settled = String::with_capacity(text.len());
    for line in text.lines() {
        let own = strip_quote_marks(line);
        settled.push_str(&line[..line.len() - own.len()]);
        let left = without_struck(own);
        if !own.contains(BEGIN) || left.contains(char::is_alphabetic) {
            settled.push_str(&left);
        } else {
            let whole = unmarked(own);
            settled.push_str(&format!("{LINE}{}{LINE}", whole.trim()));
        }
        settled.push('\n');
    }
    settled
}

/// A line without the marks, struck-out words included.
pub(super) fn unmarked(line: &str) -> String {
    line.replace([BEGIN, END], "")
}

fn without_struck(line: &str) -> String {
    let mut left = String::with_capacity(line.len());
    for (n, piece) in line.split(BEGIN).enumerate() {
        let kept = if n == 0 { piece } else { piece.split_once(END).map_or("", |(_, behind)| behind) };
        // Of the spaces on both sides of a removed passage one stays.
        let has_space = n > 0 && (left.is_empty() || left.ends_with(' '));
        left.push_str(if has_space { kept.trim_start_matches(' ') } else { kept });
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_struck_out_if_no_word_of_it_is_left() {
        let settled = |text: &str| settle(text.replace('{', "\u{fdd0}").replace('}', "\u{fdd1}"));
        for (text, wanted) in [
            ("MOVE 1", "MOVE 1"),
            ("{MOVE 1}\nREST", "~~MOVE 1~~\nREST\n"),
            ("1. {MOVE 1}", "~~1. MOVE 1~~\n"),
            ("{MOVE} 1", "~~MOVE 1~~\n"),
            ("> > { MOVE 1 }", "> > ~~MOVE 1~~\n"),
            ("MOVE {1, }2{ TO Ulm}", "MOVE 2\n"),
            ("MOVE {1,} 2", "MOVE 2\n"),
            ("{BUILD 7} BUILD 3", "BUILD 3\n"),
        ] {
            assert_eq!(settled(text), wanted);
        }
    }
}
