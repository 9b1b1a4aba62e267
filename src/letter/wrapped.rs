//! Lines that the sender's program broke in the plain version of a mail, made whole by its HTML version.
//!
//! Gmail breaks the lines of its plain version at about 78 columns, without the marks of `format=flowed`: an order of two lines
//! is two orders. The HTML version, which the player saw, has it on one.

use std::collections::BTreeSet;

use super::plain::strip_quote_marks;

/// No program breaks lines shorter than this, in bytes.
const SHORTEST_BROKEN: usize = 40;
/// Pieces in deeper quotations than this are left as they are.
const DEEPEST: usize = 8;
/// No order is longer than this, in bytes.
const LONGEST_WHOLE: usize = 4_000;

/// `plain` with the lines joined that are one line of `page`, the text of the same mail's HTML version.
pub(super) fn rejoin(plain: &str, page: &str) -> String {
    let whole: BTreeSet<String> = page.lines().map(words_of).filter(|line| is_long(line)).collect();
    let lines: Vec<&str> = plain.lines().collect();
    let mut joined = String::with_capacity(plain.len());
    let mut at = 0;
    while at < lines.len() {
        joined.push_str(lines[at]);
        at += 1;
        if let Some((rest, behind)) = rest_of(&lines[at - 1..], &whole) {
            joined.push_str(&rest);
            at += behind;
        }
        joined.push('\n');
    }
    joined
}

/// Whether a plain text may have such lines.
pub(super) fn may_be_broken(plain: &str) -> bool {
    plain.lines().any(is_long)
}

/// What the first line lacks to be a whole line, and how many of the lines behind it make that up.
fn rest_of(lines: &[&str], whole: &BTreeSet<String>) -> Option<(String, usize)> {
    let first = words_of(lines[0]);
    if !is_long(&first) || whole.contains(&first) {
        return None;
    }
    let mut joined = first.clone();
    for (index, line) in lines[1..].iter().enumerate() {
        // Behind its quote marks a piece may begin with a `>` of its own: `>= 2`.
        let unmarked = std::iter::successors(Some(line.trim_start()), |line| {
            line.strip_prefix('>').map(str::trim_start)
        });
        let (longer, line) = unmarked.take(DEEPEST).find_map(|piece| {
            let longer = format!("{joined} {}", squeezed(piece));
            let line = whole.range(longer.clone()..).next().filter(|line| line.starts_with(&longer))?;
            Some((longer, line))
        })?;
        if *line == longer {
            return Some((longer[first.len()..].to_owned(), index + 1));
        }
        if longer.len() - joined.len() < SHORTEST_BROKEN || longer.len() > LONGEST_WHOLE {
            return None;
        }
        joined = longer;
    }
    None
}

fn is_long(line: &str) -> bool {
    line.len() >= SHORTEST_BROKEN
}

/// The words of a line without its quote marks, one space between them.
fn words_of(line: &str) -> String {
    squeezed(strip_quote_marks(line))
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{may_be_broken, rejoin};

    const ORDER: &str =
        "MOVE 1, 2 AND 3 TO Ulm BY WAY OF Munich AND Augsburg AND Regensburg AND THEN REST THERE FOR A WHILE";

    fn broken() -> (&'static str, &'static str) {
        let (first, _) = ORDER.split_once(" THEN ").unwrap();
        (first, &ORDER[first.len() + 1..])
    }

    #[test]
    fn a_line_that_the_page_has_whole_is_made_whole() {
        let (first, second) = broken();
        assert!(may_be_broken(first));
        assert_eq!(rejoin(&format!("{first}\n{second}\nREST 4\n"), ORDER), format!("{ORDER}\nREST 4\n"));
        let compared = format!("{first} >= 2 {second}");
        assert_eq!(rejoin(&format!("{first}\n>= 2 {second}\n"), &compared), format!("{compared}\n"));
        let page = format!("> {ORDER}\n");
        for quoted in [format!("> {first}\n> {second}\n"), format!("> {first}\n{second}\n")] {
            assert_eq!(rejoin(&quoted, &page), page);
        }
    }

    #[test]
    fn lines_that_the_page_has_apart_stay_apart() {
        let (first, second) = broken();
        let apart = format!("{first}\n{second}\n");
        for page in ["", "something else altogether, and long enough for it", &apart] {
            assert_eq!(rejoin(&apart, page), apart);
        }
        assert_eq!(rejoin(&apart, &format!("{apart}{ORDER}\n")), apart);
    }
}
