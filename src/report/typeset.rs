//! Lines of text, set to their width.

use std::borrow::Cow;

use super::WIDTH;
use super::ascii::ascii;
use super::wrap::wrap;
use musterd_engine::briefing::Fact;
use musterd_text::lines;

/// The widest label that gets a column of its own.
const WIDEST_LABEL: usize = 18;

/// A section's heading in capitals, with a rule to the right edge, which is easy to find when scrolling.
pub(super) fn heading(page: &mut String, title: &str) {
    ruled(page, title, '-');
}

/// A heading with a rule of this sign.
pub(super) fn ruled(page: &mut String, title: &str, sign: char) {
    let mut title = one_line(title).to_uppercase();
    title.truncate(WIDTH - 4);
    page.push_str(&title);
    page.push(' ');
    page.extend(std::iter::repeat_n(sign, WIDTH - title.len() - 1));
    page.push('\n');
}

/// A text broken into lines, with `first` before the first of them and `rest` before the others. Line ends in the text become blanks: a player's
/// words must not be able to look like the host's lines, the chain lines least of all.
pub(super) fn paragraph(page: &mut String, first: &str, rest: &str, text: &str) {
    wrap(page, WIDTH, first, rest, one_line(text).trim());
}

/// A text broken into lines of at most `width` columns, with `before` before each of them.
pub(super) fn narrow(page: &mut String, width: usize, before: &str, text: &str) {
    wrap(page, width, before, before, one_line(text).trim());
}

/// Pairs of a text and its explanation in two columns. If the first text is too long for its column, the explanation begins on the next line.
pub fn columns(pairs: &[(&str, &str)]) -> String {
    const SECOND: usize = 26;
    lines(|page| {
        for (left, right) in pairs {
            let mut first = format!("  {left:<width$} ", width = SECOND - 3);
            if first.len() > SECOND {
                exact(page, first.trim_end());
                first = " ".repeat(SECOND);
            }
            paragraph(page, &first, &" ".repeat(SECOND), right);
        }
    })
}

/// Paragraphs of the host's own words, with a blank line between two. A paragraph of several lines keeps its lines; a line that is too long continues
/// on the next.
pub fn page(paragraphs: &[String]) -> String {
    lines(|page| {
        for text in paragraphs {
            match text.contains('\n') {
                true => text.lines().for_each(|line| match line.chars().count() > WIDTH {
                    true => paragraph(page, "", "    ", line),
                    false => exact(page, line),
                }),
                false => paragraph(page, "", "", text),
            }
            page.push('\n');
        }
    })
}

/// A text as plain ASCII, with line ends turned into blanks.
fn one_line(text: &str) -> Cow<'_, str> {
    // Nearly all texts pass this test. Without an early exit the processor tests many bytes at once.
    if text.bytes().fold(true, |all, byte| all & (byte == b' ' || byte.is_ascii_graphic())) {
        return Cow::Borrowed(text);
    }
    let text = ascii(text);
    if text.contains('\n') { Cow::Owned(text.replace('\n', " ")) } else { text }
}

/// A line as it is; a line that is too long continues on the next.
pub(super) fn exact(page: &mut String, line: &str) {
    for line in ascii(line).split('\n') {
        let mut rest = line.trim_end();
        while rest.len() > WIDTH {
            let (head, tail) = rest.split_at(WIDTH);
            page.push_str(head.trim_end());
            page.push('\n');
            rest = tail;
        }
        page.push_str(rest);
        page.push('\n');
    }
}

/// Names as a list: `A`, `A and B`, `A, B and C`.
pub fn listed<S: std::borrow::Borrow<str>>(names: &[S]) -> String {
    match names {
        [] => String::new(),
        [one] => one.borrow().to_owned(),
        [first @ .., last] => format!("{} and {}", first.join(", "), last.borrow()),
    }
}

/// Words with a capital at the beginning.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A player's words, line by line after a bar. So they can't look like the host's lines, and when the mail is quoted in an answer, no mark that opens
/// orders or letters stands alone on its line.
pub fn quoted(words: &str) -> Vec<String> {
    let mut page = String::new();
    ascii(words).lines().for_each(|line| wrap(&mut page, WIDTH, "| ", "| ", line.trim_end()));
    page.lines().map(str::to_owned).collect()
}

/// Labels in a column, each text wrapped in the column beside it.
pub(super) fn facts(page: &mut String, facts: &[Fact]) {
    let labels: Vec<_> = facts.iter().map(|fact| one_line(&fact.label)).collect();
    let width = labels.iter().map(|label| label.len()).filter(|w| *w <= WIDEST_LABEL).max().unwrap_or(0) + 2;
    let rest = " ".repeat(width);
    for (label, fact) in labels.iter().zip(facts) {
        if label.len() > WIDEST_LABEL {
            paragraph(page, "", "", label);
            paragraph(page, &rest, &rest, &fact.text);
        } else {
            paragraph(page, &format!("{label:<width$}"), &rest, &fact.text);
        }
    }
}

/// Two texts on one line, the second at the right edge; on two lines if they don't fit.
pub(super) fn beside(left: &str, right: &str) -> String {
    let (left, right) = (ascii(left), ascii(right));
    match WIDTH.checked_sub(left.len() + right.len()) {
        _ if right.is_empty() => left.into_owned(),
        Some(room) if room >= 2 => format!("{left}{}{right}", " ".repeat(room)),
        _ => format!("{left}\n{right}"),
    }
}

/// The last check for whole mails: ASCII throughout and no line longer than [`WIDTH`], whatever a template did. Orders in their frame are not broken.
pub(super) fn fit(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    let mut orders = false;
    for line in lines::lines(&ascii(text)) {
        orders = line == "BEGIN ORDERS" || (orders && line != "END ORDERS");
        if orders || line.len() <= WIDTH {
            page.push_str(line.trim_end());
            page.push('\n');
        } else {
            let indent: String = line.chars().take_while(|c| *c == ' ').take(WIDTH / 2).collect();
            paragraph(&mut page, &indent, &indent, line);
        }
    }
    page
}

/// The output of `write` without the last line end: a template ends its lines itself.
pub(super) fn lines(write: impl FnOnce(&mut String)) -> String {
    let mut page = String::with_capacity(2 * WIDTH);
    write(&mut page);
    page.truncate(page.trim_end_matches('\n').len());
    page
}
