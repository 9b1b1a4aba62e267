//! Lines of a form that the player's program broke when it answered: what is the host's own of them is made whole again.

use std::borrow::Cow;

use super::orders::LineKind;
use crate::dice::{Digest, ProtocolLine};

/// How long a broken line is at least with the word that no longer fitted. Programs break at 72 columns or so, quote marks included.
const NARROWEST: usize = 64;
/// The longest line that is mailed.
const WIDEST: usize = 80;

/// The lines of a block with its `seen:` lines whole, and what was broken off a comment a comment again.
pub(super) fn unwrapped<'a>(
    lines: impl Iterator<Item = Cow<'a, str>>,
    kind: &dyn Fn(&str) -> LineKind,
) -> Vec<Cow<'a, str>> {
    let mut whole: Vec<Cow<'a, str>> = Vec::new();
    // How long the comment is that may go on here.
    let mut comment: Option<usize> = None;
    for line in lines {
        if let Some(joined) = whole.last().and_then(|seen| with_head(seen, &line)) {
            whole.pop();
            whole.push(Cow::Owned(joined));
        } else if comment.is_some_and(|length| is_tail(length, &line)) && kind(&line) == LineKind::Prose {
            whole.push(Cow::Owned(format!("# {}", line.trim())));
            comment = None;
            continue;
        } else {
            whole.push(line);
        }
        comment =
            whole.last().filter(|line| line.trim_start().starts_with('#')).map(|line| line.trim().len());
    }
    whole
}

/// A `seen:` line that lacks digits of its head, with those that stand alone on the next.
fn with_head(seen: &str, next: &str) -> Option<String> {
    let Some(ProtocolLine::Seen(said)) = ProtocolLine::of(seen) else { return None };
    let mut words = said.split_whitespace();
    let (index, begun) = (words.next()?, words.next().unwrap_or_default());
    let head = format!("{begun}{}", next.trim());
    let is_lacking = words.next().is_none() && begun.parse::<Digest>().is_err();
    (is_lacking && head.parse::<Digest>().is_ok()).then(|| format!("seen: {index} {head}"))
}

/// Whether a line may have been broken off a comment of this length: its first word had no room there, both were one line of ours, and it
/// doesn't begin as an order or a sentence does.
fn is_tail(length: usize, line: &str) -> bool {
    let line = line.trim();
    let first = line.split_whitespace().next().map_or(0, str::len);
    line.starts_with(|c: char| c.is_lowercase())
        && length + 1 + first > NARROWEST
        && length + 1 + line.len() <= WIDEST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unwrap(text: &str) -> String {
        let kind = |line: &str| if line.starts_with("move") { LineKind::Order } else { LineKind::Prose };
        unwrapped(text.lines().map(Cow::Borrowed), &kind).join("\n")
    }

    #[test]
    fn a_head_on_a_line_of_its_own_belongs_to_the_seen_line_above() {
        let head = "0123456789abcdef".repeat(4);
        let whole = format!("seen: 150 {head}");
        assert_eq!(unwrap(&format!("seen: 150\n{head}")), whole);
        assert_eq!(unwrap(&format!("Seen: 150 {}\n{}", &head[..40], &head[40..])), whole);
        for other in [
            format!("{whole}\n{head}"),
            format!("seen: 150\n{}", &head[1..]),
            format!("seen: 150 x\n{head}"),
            format!("salt: 150\n{head}"),
            format!("seen: 150\n\n{head}"),
        ] {
            assert_eq!(unwrap(&other), other);
        }
    }

    #[test]
    fn what_a_program_broke_off_a_comment_is_a_comment() {
        let comment = "# A few words of your own after `salt:`, and nobody can foresee the";
        assert_eq!(unwrap(&format!("{comment}\ndice.\nsalt:")), format!("{comment}\n# dice.\nsalt:"));
        for below in ["move 3", "Dice.", "BID 3", "# dice", "hold ulm and all that is near it", ""] {
            let text = format!("{comment}\n{below}");
            assert_eq!(unwrap(&text), text.trim_end_matches('\n'), "{below}");
        }
        assert_eq!(unwrap("# short\ndice."), "# short\ndice.", "it had room for the word");
    }
}
