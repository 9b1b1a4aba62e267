//! Joins `seen:` lines of a form that the player's program broke when it answered.

use std::borrow::Cow;

use musterd_dice::{Digest, ProtocolLine};

/// The lines of a block with its `seen:` lines whole.
pub(super) fn unwrapped<'a>(lines: impl Iterator<Item = Cow<'a, str>>) -> Vec<Cow<'a, str>> {
    let mut whole: Vec<Cow<'a, str>> = Vec::new();
    for line in lines {
        match whole.last().and_then(|seen| with_head(seen, &line)) {
            Some(joined) => {
                whole.pop();
                whole.push(Cow::Owned(joined));
            }
            None => whole.push(line),
        }
    }
    whole
}

/// A `seen:` line that lacks digits of its head, completed by the digits that stand alone on the next line.
fn with_head(seen: &str, next: &str) -> Option<String> {
    let Some(ProtocolLine::Seen(said)) = ProtocolLine::of(seen) else { return None };
    let mut words = said.split_whitespace();
    let (index, begun) = (words.next()?, words.next().unwrap_or_default());
    let head = format!("{begun}{}", next.trim());
    let is_lacking = words.next().is_none() && begun.parse::<Digest>().is_err();
    (is_lacking && head.parse::<Digest>().is_ok()).then(|| format!("seen: {index} {head}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unwrap(text: &str) -> String {
        unwrapped(text.lines().map(Cow::Borrowed)).join("\n")
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
}
