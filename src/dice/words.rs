//! The small fields of log entries: words, free text and beacon policies, each safe inside a line by its type.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A name or reason inside a log entry: `[a-z0-9.-]{1,64}`, and not `-` alone, which stands for none.
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

/// Free text at the end of a log entry: one line, whatever somebody wrote.
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

/// Which public beacon a game's seeds wait for: `name:genesis:period:delay`, times in Unix seconds and seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconPolicy {
    /// The beacon, such as `drand-quicknet`.
    pub name: Word,
    /// When its round 1 was.
    pub genesis: u64,
    /// Seconds between rounds, at least 1.
    pub period: u64,
    /// Seconds from the deadline to the round that counts.
    pub delay: u64,
}

/// A text that is not a beacon policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a beacon policy: write name:genesis:period:delay, such as drand-quicknet:1692803367:3:3600"
)]
pub struct BadBeaconPolicy(String);

impl BeaconPolicy {
    /// The round that counts for an adjudication whose last deadline before its close is `deadline`, in Unix seconds:
    /// `max(1, ceil((deadline + delay - genesis) / period) + 1)`.
    #[must_use]
    pub const fn round(&self, deadline: u64) -> u64 {
        let due = deadline.saturating_add(self.delay);
        if due < self.genesis { 1 } else { (due - self.genesis).div_ceil(self.period).saturating_add(1) }
    }
}

impl FromStr for BeaconPolicy {
    type Err = BadBeaconPolicy;
    fn from_str(text: &str) -> Result<Self, BadBeaconPolicy> {
        let read = || {
            let [name, genesis, period, delay] = *text.split(':').collect::<Vec<_>>() else { return None };
            let policy = Self {
                name: name.parse().ok()?,
                genesis: genesis.parse().ok()?,
                period: period.parse().ok()?,
                delay: delay.parse().ok()?,
            };
            (policy.period > 0).then_some(policy)
        };
        read().ok_or_else(|| BadBeaconPolicy(text.chars().take(120).collect()))
    }
}

impl fmt::Display for BeaconPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.name, self.genesis, self.period, self.delay)
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

    #[test]
    fn a_beacon_policy_reads_as_it_is_written() {
        let text = "drand-quicknet:1692803367:3:3600";
        let policy: BeaconPolicy = text.parse().unwrap();
        assert_eq!((policy.genesis, policy.period, policy.delay), (1_692_803_367, 3, 3600));
        assert_eq!(policy.to_string(), text);
        for bad in
            ["", "-", "drand", "drand:1:3", "drand:1:0:5", "drand:1:3:5:7", "drand:1:3:-5", "d d:1:3:5"]
        {
            assert!(bad.parse::<BeaconPolicy>().is_err(), "{bad:?}");
        }
    }
}
