//! Tells which indented passages of an HTML page are quotations: mail programs indent with the same element.

use super::introduction::introduction_length;
use super::plain::is_quoted;

/// Words in the classes of programs' quotations: `gmail_quote`, `yahoo_quoted`, `protonmail_quote`, `moz-cite-prefix`.
const CLASSES: &[&str] = &["quote", "cite"];
/// A class of Apple Mail that only indents.
const INDENTS: &str = "blockquote";
/// How much of the text above a passage is searched for an introduction, in bytes and in lines.
const LOOKED_AT: usize = 1_000;
const MOST_LINES: usize = 6;

/// Whether a `<blockquote>` with these attributes, below this text, is a quotation: its attributes say so, or an introduction stands right above (`On
/// ... wrote:`). Otherwise the writer has indented the passage.
pub(super) fn is_quotation(attributes: &str, above: &str) -> bool {
    let attributes = attributes.to_ascii_lowercase();
    let cites = value_of(&attributes, "cite").is_some()
        || value_of(&attributes, "type").is_some_and(|kind| kind == "cite");
    let class = || value_of(&attributes, "class").unwrap_or_default().replace(INDENTS, "");
    cites || CLASSES.iter().any(|name| class().contains(name)) || is_introduced(above)
}

/// The value of an attribute, without its quotes. `attributes` is in lower case.
fn value_of<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    attributes.match_indices(name).find_map(|(at, _)| {
        let is_apart =
            attributes[..at].ends_with(|c: char| c.is_whitespace() || c == '"' || c == '\'' || c == '/');
        let value = attributes[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let value = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
            _ => value.split(char::is_whitespace).next(),
        };
        value.filter(|_| is_apart)
    })
}

/// Whether a text ends with the introduction of a quotation.
fn is_introduced(text: &str) -> bool {
    let mut from = text.len().saturating_sub(LOOKED_AT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let last = text[from..].lines().rev().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<&str> = last.take_while(|line| !is_quoted(line)).take(MOST_LINES).collect();
    lines.reverse();
    // Cheap test first.
    if !lines.last().is_some_and(|line| line.contains(':')) {
        return false;
    }
    let count = lines.len();
    lines.push("> ");
    (0..count).any(|at| match introduction_length(&lines[at..]) {
        0 => false,
        length => at + length == count || lines[at..count].iter().all(|line| line.contains(':')),
    })
}

#[cfg(test)]
mod tests {
    use super::is_quotation;

    #[test]
    fn programs_say_what_they_quote() {
        for attributes in [
            " type=\"cite\"",
            " type=cite style='border: none'",
            " cite=\"mid:x@y\" type=\"cite\"",
            " cite='mid:x@y'",
            " class=\"gmail_quote\" style=\"margin:0 0 0 .8ex;border-left:1px #ccc solid\"",
            " class='protonmail_quote'",
            " class=\"yahoo_quoted\"",
            " class=\"moz-cite-prefix\"",
        ] {
            assert!(is_quotation(attributes, "READY\n"), "{attributes}");
        }
    }

    #[test]
    fn what_is_only_indented_is_the_writers_own() {
        for attributes in [
            "",
            " style=\"margin:0 0 0 40px\"",
            " style=\"margin:0 0 0 40px;border:none;padding:0px\"",
            " style=\"margin-left: 0.8ex; border-left: 3px solid rgb(200, 200, 200);\"",
            " style=\"margin: 0 0 0 40px; border: none; padding: 0px;\" class=\"webkit-indent-blockquote\"",
            " style=\"margin:0 0 0 40px;border:0\"",
            " data-type=cite",
        ] {
            for above in ["", "READY\n", "My orders:\n", "On Sunday Ney wrote:\n> MOVE 1\nREADY\n"] {
                assert!(!is_quotation(attributes, above), "{attributes} {above}");
            }
        }
    }

    #[test]
    fn an_introduction_above_makes_a_quotation() {
        for above in [
            "READY\nOn 3 May 1805 at 9:05, the host <h@example.org> wrote:\n",
            "READY\n\nAm 03.05.2026 um 9:05 schrieb Der Spielleiter:\n\n",
            "READY\nFrom: The host <h@example.org>\nSent: Sunday\nTo: Ney\nSubject: [alpha] Summer\n",
            "READY\n-----Original Message-----\nFrom: a@b.example\nTo: c@d.example\nSubject: x\n",
        ] {
            assert!(is_quotation("", above), "{above}");
        }
    }
}
