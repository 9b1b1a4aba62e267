//! `format=flowed` undone (RFC 3676): a paragraph that the sender's program broke is one line again.

use super::orders::is_mark;

/// Joins flowed lines. `text` has LF line ends; `delsp` is the parameter `DelSp=yes`: the space before each soft break
/// is not part of the text. Quoted lines keep their marks, `> ` once for each depth.
pub(super) fn unflow(text: &str, delsp: bool) -> String {
    let mut whole = String::with_capacity(text.len());
    // The depth of the paragraph that is still open, if the last line ended in a soft break.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let depth = line.bytes().take_while(|b| *b == b'>').count();
        let unmarked = &line[depth..];
        let content = unmarked.strip_prefix(' ').unwrap_or(unmarked);
        // The marks of a block are lines of their own, whatever spaces somebody left behind them.
        let fixed = content == "-- " || is_mark(content);
        if open.is_some_and(|opened| opened != depth || fixed) {
            whole.push('\n');
            open = None;
        }
        if open.is_none() {
            (0..depth).for_each(|_| whole.push_str("> "));
        }
        if content.ends_with(' ') && !fixed {
            whole.push_str(if delsp { &content[..content.len() - 1] } else { content });
            open = Some(depth);
        } else {
            whole.push_str(content);
            whole.push('\n');
            open = None;
        }
    }
    if open.is_some() {
        whole.push('\n');
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_breaks_join_and_hard_breaks_stay() {
        assert_eq!(unflow("MOVE 1 \nTO ULM\nREST 2\n", false), "MOVE 1 TO ULM\nREST 2\n");
        assert_eq!(unflow("MOVE MÜN \nCHEN\n", true), "MOVE MÜNCHEN\n");
    }

    #[test]
    fn quotes_join_only_at_their_own_depth_and_stuffed_spaces_go() {
        assert_eq!(unflow(">> a \n>> b\n> c \nd\n  e\n", false), "> > a b\n> c \nd\n e\n");
    }

    #[test]
    fn the_marks_of_a_block_are_not_flowed() {
        let text = "Hello \nBEGIN ORDERS \nMOVE 1 \nTO ULM \nEND ORDERS \n";
        assert_eq!(unflow(text, false), "Hello \nBEGIN ORDERS \nMOVE 1 TO ULM \nEND ORDERS \n");
    }

    #[test]
    fn a_signature_line_is_not_flowed() {
        assert_eq!(unflow("bye \n-- \nNey", false), "bye \n-- \nNey\n");
    }
}
