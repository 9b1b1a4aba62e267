//! Breaks a text into lines: each takes as many words as fit.

/// Writes `text`, one line of plain ASCII, as lines of at most `width` columns without trailing blanks, with `first` before the first of them and
/// `rest` before the others. Lines end at blanks, and after hyphens between letters (a date stays whole, so that it can be copied); a word that is
/// longer than a line is cut.
///
/// Every receipt and dispatch passes through here word by word, and a general library takes ten times as long.
pub(super) fn wrap(page: &mut String, width: usize, first: &str, rest: &str, text: &str) {
    let text = text.trim_end_matches(' ');
    let longest = width.saturating_sub(rest.len()).max(1);
    let (mut from, mut indent) = (0, first);
    loop {
        let room = width.saturating_sub(indent.len()).max(1);
        if text.len() - from <= room {
            return write_line(page, indent, &text[from..]);
        }
        let mut ends = (from..=from + room).rev().filter(|&at| at > from || from == 0);
        let end = match ends.find(|&at| may_end(text.as_bytes(), at)) {
            Some(end) => end,
            // The first line stays empty if the next line has more room for the long word.
            None if room < longest => from,
            None => from + longest,
        };
        write_line(page, indent, &text[from..end]);
        from = end + text[end..].bytes().take_while(|byte| *byte == b' ').count();
        indent = rest;
    }
}

/// Whether a line may end before the byte at this place.
fn may_end(text: &[u8], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).and_then(|at| text.get(at));
    match text.get(at) {
        Some(b' ') => before(1) != Some(&b' '),
        Some(next) if before(1) == Some(&b'-') => {
            next.is_ascii_alphabetic() && before(2).is_some_and(u8::is_ascii_alphabetic)
        }
        _ => false,
    }
}

fn write_line(page: &mut String, indent: &str, text: &str) {
    page.push_str(if text.is_empty() { indent.trim_end() } else { indent });
    page.push_str(text);
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use textwrap::Options;

    use super::*;
    use crate::WIDTH;

    fn wrapped(width: usize, first: &str, rest: &str, text: &str) -> String {
        let mut page = String::new();
        wrap(&mut page, width, first, rest, text);
        page
    }

    #[test]
    fn words_longer_than_a_line_are_cut_and_hyphens_end_lines() {
        let long = "x".repeat(WIDTH + 10);
        assert_eq!(
            wrapped(WIDTH, "", "  ", &long),
            format!("{}\n  {}\n", "x".repeat(WIDTH - 2), "x".repeat(12))
        );
        let text = format!("{} north-west -1", "x".repeat(WIDTH - 8));
        assert_eq!(wrapped(WIDTH, "", "", &text), format!("{} north-\nwest -1\n", "x".repeat(WIDTH - 8)));
        assert_eq!(wrapped(16, "", "", "until 2026-12-10 1806-spring"), "until 2026-12-10\n1806-spring\n");
        assert_eq!(wrapped(12, "", "", "until 2026-12-10 1806-spring"), "until\n2026-12-10\n1806-spring\n");
        assert_eq!(wrapped(WIDTH, "  - ", "    ", ""), "  -\n");
        assert_eq!(wrapped(0, "", "", "ab c"), "a\nb\nc\n");
    }

    fn as_the_library(width: usize, first: &str, rest: &str, text: &str) -> String {
        let options = Options::new(width).initial_indent(first).subsequent_indent(rest);
        textwrap::wrap(text, options).iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }

    proptest! {
        #[test]
        fn lines_are_those_of_the_library(
            text in "([a-c-]{1,12} {1,3}){0,30}",
            width in 20..100_usize,
            indents in 0..6_usize,
        ) {
            let (first, rest) =
                [("", ""), ("| ", "| "), ("  - ", "    "), ("", "    "), ("    ", ""), ("label:  ", "  ")][indents];
            prop_assert_eq!(wrapped(width, first, rest, &text), as_the_library(width, first, rest, &text));
        }

        // If the first line has more room than the others, the library begins a long word on it.
        #[test]
        fn long_words_are_cut_as_the_library_cuts_them(
            text in "( {0,2}([a-c-]{1,15}|[ab-]{15,170})){0,30} {0,2}",
            width in 20..100_usize,
            indents in 0..3_usize,
        ) {
            let (first, rest) = [("", ""), ("| ", "| "), ("label:  ", "        ")][indents];
            prop_assert_eq!(wrapped(width, first, rest, &text), as_the_library(width, first, rest, &text));
        }
    }
}
