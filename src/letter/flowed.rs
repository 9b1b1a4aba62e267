//! `format=flowed` undone (RFC 3676): a paragraph that the sender's program broke is one line again.

use std::borrow::Cow;

use super::orders::{LineKind, is_mark};
use super::plain::{make_plain, strip_quote_marks};
use super::spelling::as_read;
use musterd_dice::ProtocolLine;

/// No program breaks a line before this many columns: a shorter one that ends in a space was ended by whoever wrote it.
const NARROWEST: usize = 60;

/// One paragraph of a text: how deep it is quoted, and the lines that it was broken into, without quote marks.
struct Paragraph<'a> {
    depth: usize,
    pieces: Vec<&'a str>,
}

/// Joins flowed lines. `text` has LF line ends; `delsp` is the parameter `DelSp=yes`: the space before each soft break
/// is not part of the text. Quoted lines keep their marks, `> ` once for each depth.
pub(super) fn unflow(text: &str, delsp: bool) -> String {
    let mut whole = String::with_capacity(text.len());
    for Paragraph { depth, pieces } in paragraphs(text, delsp) {
        (0..depth).for_each(|_| whole.push_str("> "));
        pieces.iter().for_each(|piece| whole.push_str(piece));
        whole.push('\n');
    }
    whole
}

/// The paragraphs of several lines, made plain.
pub(super) fn broken(text: &str, delsp: bool) -> Vec<Vec<String>> {
    let several = paragraphs(text, delsp).into_iter().filter(|paragraph| paragraph.pieces.len() > 1);
    several.map(|paragraph| paragraph.pieces.into_iter().map(make_plain).collect()).collect()
}

fn paragraphs(text: &str, delsp: bool) -> Vec<Paragraph<'_>> {
    let mut all: Vec<Paragraph<'_>> = Vec::new();
    // Whether the last line ended in a soft break.
    let mut is_open = false;
    for line in text.lines() {
        let depth = line.bytes().take_while(|b| *b == b'>').count();
        let unmarked = &line[depth..];
        let content = unmarked.strip_prefix(' ').unwrap_or(unmarked);
        // The marks of a block are lines of their own, whatever spaces somebody left behind them.
        let fixed = content == "-- " || is_mark(content);
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

/// A text whose flowed lines are joined, with those apart again of which each is an order by itself: somebody's program left spaces behind
/// them, or they were copied so.
pub(super) fn with_orders_apart<'a>(
    text: &'a str,
    broken: &[Vec<String>],
    kind: &dyn Fn(&str) -> LineKind,
) -> Cow<'a, str> {
    let apart: Vec<(String, Vec<String>)> =
        broken.iter().filter_map(|pieces| Some((pieces.concat(), orders_apart(pieces, kind)?))).collect();
    if apart.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut set_right = String::with_capacity(text.len());
    for line in text.lines() {
        let own = strip_quote_marks(line);
        let marks = &line[..line.len() - own.len()];
        match apart.iter().find(|(joined, _)| joined.trim() == own.trim()) {
            Some((_, lines)) => lines.iter().for_each(|own| set_right.push_str(&format!("{marks}{own}\n"))),
            None => set_right.push_str(&format!("{line}\n")),
        }
    }
    Cow::Owned(set_right)
}

/// The lines of a paragraph; none where it is one.
fn orders_apart(pieces: &[String], kind: &dyn Fn(&str) -> LineKind) -> Option<Vec<String>> {
    let is_order = |line: &str| {
        matches!(kind(as_read(line, kind).trim()), LineKind::Order | LineKind::Aside)
            || ProtocolLine::of(line.trim()).is_some()
    };
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        let first = piece.split_whitespace().next().map_or(0, str::len);
        match lines.last_mut() {
            Some(line)
                if !(line.trim_end().len() + 1 + first < NARROWEST && is_order(line) && is_order(piece)) =>
            {
                line.push_str(piece);
            }
            _ => lines.push(piece.clone()),
        }
    }
    (lines.len() > 1).then_some(lines)
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

    #[test]
    fn lines_that_are_orders_each_by_itself_stay_apart() {
        let kind = |line: &str| match line.split_whitespace().next() {
            Some("MOVE") => LineKind::Order,
            Some("READY") => LineKind::Aside,
            _ => LineKind::Prose,
        };
        let read =
            |text: &str| with_orders_apart(&unflow(text, false), &broken(text, false), &kind).into_owned();
        assert_eq!(read("MOVE 1 \nMOVE 2 \nREADY \n"), "MOVE 1 \nMOVE 2 \nREADY \n");
        assert_eq!(read("> 1. MOVE 1 \n> 2. MOVE 2 \n"), "> 1. MOVE 1 \n> 2. MOVE 2 \n");
        assert_eq!(read("MOVE 1 \nTO ULM \nMOVE 2\n"), "MOVE 1 TO ULM \nMOVE 2\n");
        assert_eq!(read("salt: geese \nMOVE 1 \n"), "salt: geese \nMOVE 1 \n");
        assert_eq!(read("salt: geese \nand ducks \n"), "salt: geese and ducks \n");
        // The next word would have fitted before column 60, so the writer ended the line; or just not.
        let of_length = |length: usize| format!("MOVE {} \nMOVE 2\n", "1".repeat(length - 5));
        assert_eq!(read(&of_length(54)), of_length(54));
        assert_eq!(read(&of_length(55)), of_length(55).replacen(" \n", " ", 1));
        let long = format!("MOVE {} \nMOVE 2\n", "1, ".repeat(20).trim());
        assert_eq!(read(&long), long.replacen(" \n", " ", 1), "a program broke it");
    }
}
