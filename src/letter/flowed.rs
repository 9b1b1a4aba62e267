//! Undoes `format=flowed` (RFC 3676): a paragraph that the sender's program broke becomes one line again.

use super::marks::Marks;
use super::plain::make_plain;

/// One paragraph of a text: the depth of its quotation, and the lines that it was broken into, without quote marks.
struct Paragraph<'a> {
    depth: usize,
    pieces: Vec<&'a str>,
}

/// Joins flowed lines. `text` has LF line ends; `delsp` is the parameter `DelSp=yes`: the space before each soft break is not part of the text.
/// Quoted lines keep their marks, one `> ` for each level.
pub(super) fn unflow(text: &str, delsp: bool, marks: &dyn Marks) -> String {
    let mut whole = String::with_capacity(text.len());
    for Paragraph { depth, pieces } in paragraphs(text, delsp, marks) {
        (0..depth).for_each(|_| whole.push_str("> "));
        pieces.iter().for_each(|piece| whole.push_str(piece));
        whole.push('\n');
    }
    whole
}

/// The paragraphs of more than one line, made plain.
pub(super) fn broken(text: &str, delsp: bool, marks: &dyn Marks) -> Vec<Vec<String>> {
    let several = paragraphs(text, delsp, marks).into_iter().filter(|paragraph| paragraph.pieces.len() > 1);
    several.map(|paragraph| paragraph.pieces.into_iter().map(make_plain).collect()).collect()
}

fn paragraphs<'a>(text: &'a str, delsp: bool, marks: &dyn Marks) -> Vec<Paragraph<'a>> {
    let mut all: Vec<Paragraph<'_>> = Vec::new();
    // Whether the last line ended in a soft break.
    let mut is_open = false;
    for line in text.lines() {
        let depth = line.bytes().take_while(|b| *b == b'>').count();
        let unmarked = &line[depth..];
        let content = unmarked.strip_prefix(' ').unwrap_or(unmarked);
        // Some lines are never joined, whatever spaces stand at their end.
        let fixed = content == "-- " || marks.stands_alone(content);
        let goes_on = content.ends_with(' ') && !fixed;
        let piece = if goes_on && delsp { &content[..content.len() - 1] } else { content };
        match all.last_mut() {
            Some(open) if is_open && open.depth == depth && !fixed => open.pieces.push(piece),
            _ => all.push(Paragraph { depth, pieces: vec![piece] }),
        }
        is_open = goes_on;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Block;

    impl Marks for Block {
        fn stands_alone(&self, line: &str) -> bool {
            line.trim_end().ends_with(" ORDERS")
        }
    }

    #[test]
    fn soft_breaks_join_and_hard_breaks_stay() {
        assert_eq!(unflow("MOVE 1 \nTO ULM\nREST 2\n", false, &Block), "MOVE 1 TO ULM\nREST 2\n");
        assert_eq!(unflow("MOVE MÜN \nCHEN\n", true, &Block), "MOVE MÜNCHEN\n");
    }

    #[test]
    fn quotes_join_only_at_their_own_depth_and_stuffed_spaces_go() {
        assert_eq!(unflow(">> a \n>> b\n> c \nd\n  e\n", false, &Block), "> > a b\n> c \nd\n e\n");
    }

    #[test]
    fn the_marks_of_a_block_are_not_flowed() {
        let text = "Hello \nBEGIN ORDERS \nMOVE 1 \nTO ULM \nEND ORDERS \n";
        assert_eq!(unflow(text, false, &Block), "Hello \nBEGIN ORDERS \nMOVE 1 TO ULM \nEND ORDERS \n");
    }

    #[test]
    fn a_signature_line_is_not_flowed() {
        assert_eq!(unflow("bye \n-- \nNey", false, &Block), "bye \n-- \nNey\n");
    }
}
