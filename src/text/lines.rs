//! The lines of a text. Every mail is read line by line a dozen times, and lines are short. The standard library searches for the end of a short line
//! byte by byte, which takes five times as long.

use memchr::memchr;

/// The lines of a text without their ends, as [`str::lines`] gives them.
pub fn lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    ended(text).map(|line| match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line,
    })
}

/// The lines of a text with their ends, as `split_inclusive('\n')` gives them.
pub fn ended(text: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at(end);
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_are_those_of_the_standard_library(text in "([a-c\u{e9} ]{0,40}|\r|\n|\r\n){0,12}") {
            prop_assert!(lines(&text).eq(text.lines()));
            prop_assert!(ended(&text).eq(text.split_inclusive('\n')));
        }
    }
}
