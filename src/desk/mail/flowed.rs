//! Separates order lines that `format=flowed` joined (RFC 3676).

use std::borrow::Cow;

use super::line::LineKind;
use super::spelling::as_read;
use musterd_dice::ProtocolLine;
use musterd_letter::{Body, strip_quote_marks};

/// The least length at which a program breaks a line: a shorter line that ends in a space was ended by its writer.
const NARROWEST: usize = 60;

/// The text of a body for the search for orders: two lines that are both orders are not joined.
pub fn unflowed<'a>(body: &'a Body, kind: &dyn Fn(&str) -> LineKind) -> Cow<'a, str> {
    with_orders_apart(&body.text, &body.flowed, kind)
}

/// A text whose flowed lines are joined, except lines that are orders by themselves: their trailing spaces come from a program or from copying.
fn with_orders_apart<'a>(
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

/// The lines of a paragraph; `None` if the paragraph is one order.
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
    use super::super::reading::open;
    use super::*;
    use musterd_letter::Limits;

    #[test]
    fn lines_that_are_orders_each_by_itself_stay_apart() {
        let kind = |line: &str| match line.split_whitespace().next() {
            Some("MOVE") => LineKind::Order,
            Some("READY") => LineKind::Aside,
            _ => LineKind::Prose,
        };
        let read = |text: &str| {
            let mail = format!("From: a@b.example\nContent-Type: text/plain; format=flowed\n\n{text}");
            let body = open(mail.as_bytes(), &Limits::default()).body.unwrap();
            unflowed(&body, &kind).into_owned()
        };
        assert_eq!(read("MOVE 1 \nMOVE 2 \nREADY \n"), "MOVE 1 \nMOVE 2 \nREADY \n");
        assert_eq!(read("> 1. MOVE 1 \n> 2. MOVE 2 \n"), "> 1. MOVE 1 \n> 2. MOVE 2 \n");
        assert_eq!(read("MOVE 1 \nTO ULM \nMOVE 2\n"), "MOVE 1 TO ULM \nMOVE 2\n");
        assert_eq!(read("salt: geese \nMOVE 1 \n"), "salt: geese \nMOVE 1 \n");
        assert_eq!(read("salt: geese \nand ducks \n"), "salt: geese and ducks \n");
        // The next word would have fitted before column 60, so the writer ended the line; or it just would not have.
        let of_length = |length: usize| format!("MOVE {} \nMOVE 2\n", "1".repeat(length - 5));
        assert_eq!(read(&of_length(54)), of_length(54));
        assert_eq!(read(&of_length(55)), of_length(55).replacen(" \n", " ", 1));
        let long = format!("MOVE {} \nMOVE 2\n", "1, ".repeat(20).trim());
        assert_eq!(read(&long), long.replacen(" \n", " ", 1), "a program broke it");
    }
}
