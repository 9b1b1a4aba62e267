//! The small fields of log entries: words and free text. Their types make them safe inside a line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A name or reason inside a log entry: `[a-z0-9.-]{1,64}`, and not `-` alone, which stands for an absent value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Word(String);

/// A text that is not one word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not one word of the log: use 1 to 64 of a-z, 0-9, . and -")]
pub struct BadWord(String);

impl Word {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Word {
    type Err = BadWord;
    fn from_str(text: &str) -> Result<Self, BadWord> {
        let good = (1..=64).contains(&text.len())
            && text != "-"
            && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'));
        if good { Ok(Self(text.to_owned())) } else { Err(BadWord(text.chars().take(80).collect())) }
    }
}

impl TryFrom<String> for Word {
    type Error = BadWord;
    fn try_from(text: String) -> Result<Self, BadWord> {
        text.parse()
    }
}

impl From<Word> for String {
    fn from(word: Word) -> Self {
        word.0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Free text at the end of a log entry, on one line whatever its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// The text on one line: line ends and other control characters become spaces.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let ends_line = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        Self(text.replace(ends_line, " "))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_can_not_end_a_field_or_stand_for_none() {
        for good in ["late", "1805-summer-french", "a.b", "--"] {
            assert_eq!(good.parse::<Word>().unwrap().as_str(), good);
        }
        for bad in ["", "-", "two words", "Late", "a,b", "a:b", "line\n", &"x".repeat(65)] {
            assert!(bad.parse::<Word>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn text_stays_on_its_line() {
        assert_eq!(Text::new("a\r\nb\tc\u{85}d\u{2028}e\0").as_str(), "a  b c d e ");
        assert_eq!(Text::new("Königgrätz — hält").as_str(), "Königgrätz — hält");
    }
}
