//! Corrects the plain version of a mail by the HTML version beside it.
//!
//! Gmail breaks the lines of its plain version at about 78 columns without the marks of `format=flowed`: one sentence becomes two lines. It also
//! writes `*bold*`, and other programs `/italic/` and `_underlined_`. The HTML version, which the writer saw, has each line whole and without these
//! marks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::marks::Marks;
use super::plain::strip_quote_marks;
use super::reply::own_words;
use super::struck;

/// The shortest line after which a program breaks a paragraph, in bytes.
const SHORTEST_BROKEN: usize = 30;
/// The longest order, in bytes.
const LONGEST_WHOLE: usize = 1_000;
/// The deepest quotation whose lines are joined.
const DEEPEST: usize = 8;

/// The lines of an HTML page.
struct Page {
    /// The lines as they are, with one space between words.
    lines: BTreeSet<String>,
    /// The lines by their [`bare`] form.
    by_bare: BTreeMap<String, String>,
}

/// `plain` with the lines of `page`, the text of the same mail's HTML version, where it differs from them only in emphasis and line breaks.
pub(super) fn set_right(plain: &str, page: &str) -> String {
    let lines: BTreeSet<String> =
        page.lines().map(words_of).filter(|line| !line.is_empty() && line.len() <= LONGEST_WHOLE).collect();
    let by_bare = lines.iter().map(|line| (bare(line), line.clone())).collect();
    let page = Page { lines, by_bare };
    let lines: Vec<&str> = plain.lines().collect();
    let mut right = String::with_capacity(plain.len());
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        match page.line_of(&lines[at..]) {
            Some((whole, pieces)) => {
                right.push_str(&line[..line.len() - strip_quote_marks(line).trim_start().len()]);
                right.push_str(whole);
                at += pieces;
            }
            None => {
                right.push_str(line);
                at += 1;
            }
        }
        right.push('\n');
    }
    right
}

/// The sender's own lines in one version of a mail's text that are missing in the other version, `read`; `None` if there are none.
pub(super) fn lacking(read: &str, other: &str, marks: &dyn Marks) -> Option<String> {
    // Nearly all lines are the same in both, so this is tested first.
    let exact: BTreeSet<&str> = read.lines().map(str::trim).collect();
    if other.lines().all(|line| exact.contains(line.trim())) {
        return None;
    }
    let words: BTreeSet<String> = read.lines().map(|line| bare(strip_quote_marks(line))).collect();
    let own = own_words(other, marks);
    let lacking = own.lines().filter(|line| !words.contains(&bare(strip_quote_marks(line))));
    let lacking: String = lacking.flat_map(|line| [line, "\n"]).collect();
    (!lacking.trim().is_empty()).then_some(lacking)
}

impl Page {
    /// The line of the page that the first of these lines is or begins, and the number of these lines that make it up; `None` if the first line can
    /// stay as it is.
    fn line_of(&self, lines: &[&str]) -> Option<(&str, usize)> {
        let first = words_of(lines[0]);
        if first.is_empty() || first.len() > LONGEST_WHOLE || self.lines.contains(&first) {
            return None;
        }
        // A first line that consists only of characters that could be emphasis.
        if let Some(whole) =
            lines.get(1).and_then(|next| self.lines.get(&format!("{first} {}", words_of(next))))
        {
            return Some((whole, 2));
        }
        let mut joined = bare(&first);
        if let Some(whole) = self.by_bare.get(&joined).filter(|_| !joined.is_empty()) {
            return Some((whole, 1));
        }
        let mut last = first.len();
        for (index, line) in lines[1..].iter().enumerate() {
            if last < SHORTEST_BROKEN || line.len() > LONGEST_WHOLE {
                return None;
            }
            // After its quote marks a piece may begin with a `>` of its own: `>= 2`.
            let unmarked = std::iter::successors(Some(line.trim_start()), |line| {
                line.strip_prefix('>').map(str::trim_start)
            });
            let (longer, found, whole) = unmarked.take(DEEPEST).find_map(|piece| {
                let longer = format!("{joined} {}", bare(piece));
                let behind = (Bound::Included(longer.as_str()), Bound::Unbounded);
                let (found, whole) = self.by_bare.range::<str, _>(behind).next()?;
                found.starts_with(&longer).then_some((longer, found, whole))
            })?;
            if *found == longer {
                return Some((whole, index + 2));
            }
            (joined, last) = (longer, line.len());
        }
        None
    }
}

/// The words of a line without its quote marks, one space between them.
fn words_of(line: &str) -> String {
    squeezed(strip_quote_marks(line))
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line without the marks of emphasis and of struck-out words: plain versions don't show that words are struck out.
fn bare(line: &str) -> String {
    squeezed(&line.replace(['*', '/', '_', struck::BEGIN, struck::END], ""))
}

#[cfg(test)]
mod tests {
    use super::set_right;

    const FIRST: &str = "MOVE 1, 2 AND 3 TO Ulm BY WAY OF Munich AND Augsburg AND Regensburg AND";
    const SECOND: &str = "THEN REST THERE FOR A WHILE";

    #[test]
    fn a_line_that_the_page_has_whole_is_made_whole() {
        let whole = format!("{FIRST} {SECOND}\n");
        assert_eq!(set_right(&format!("{FIRST}\n{SECOND}\nREST 4\n"), &whole), format!("{whole}REST 4\n"));
        let compared = format!("{FIRST} >= 2 {SECOND}\n");
        assert_eq!(set_right(&format!("{FIRST}\n>= 2 {SECOND}\n"), &compared), compared);
        let page = format!("> {whole}");
        for quoted in [format!("> {FIRST}\n> {SECOND}\n"), format!("> {FIRST}\n{SECOND}\n")] {
            assert_eq!(set_right(&quoted, &page), page);
        }
    }

    #[test]
    fn lines_that_the_page_has_apart_stay_apart() {
        let apart = format!("{FIRST}\n{SECOND}\n");
        for page in ["", "something else altogether, and long enough for it", &apart] {
            assert_eq!(set_right(&apart, page), apart);
        }
        assert_eq!(set_right(&apart, &format!("{apart}{FIRST} {SECOND}\n")), apart);
    }

    #[test]
    fn what_the_page_strikes_out_is_struck_out_in_the_plain_version() {
        let page = "\u{fdd0}MOVE 1\u{fdd1}\nMOVE \u{fdd0}2 \u{fdd1}3\nREST 4\n";
        assert_eq!(set_right("MOVE 1\nMOVE *2* 3\nREST 4\n", page), page);
    }

    #[test]
    fn emphasis_is_the_pages() {
        let page = "BEGIN ORDERS\nMOVE 1 TO Ulm\n> REST 2 x/y\nRALLY 3\n";
        let plain = "*BEGIN ORDERS*\n  MOVE *1* TO _Ulm_\n> /REST/ 2 x/y\n   * RALLY 3\nend *\n";
        let right = "BEGIN ORDERS\n  MOVE 1 TO Ulm\n> REST 2 x/y\n   RALLY 3\nend *\n";
        assert_eq!(set_right(plain, page), right);
    }
}
