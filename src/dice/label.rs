//! Labels of random events, and rolls.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The full name of one random event: `t/phase/kind/subject/seq`, bytes `[a-z0-9._/-]{1,128}`. Each label has one stream.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Label(String);

/// A label outside the alphabet or the length that the protocol allows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a dice label: use 1 to 128 of a-z, 0-9, . _ / -")]
pub struct BadLabel(String);

impl Label {
    /// The label as it is hashed and printed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Phase, kind and subject; `None` if the label doesn't have the form `t/phase/kind/subject/seq`.
    #[must_use]
    pub fn stem(&self) -> Option<(&str, &str, &str)> {
        let mut parts = self.0.split('/');
        let (_, phase, kind, subject, _) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        parts.next().is_none().then_some((phase, kind, subject))
    }
}

impl FromStr for Label {
    type Err = BadLabel;
    fn from_str(text: &str) -> Result<Self, BadLabel> {
        text.to_owned().try_into()
    }
}

impl TryFrom<String> for Label {
    type Error = BadLabel;
    fn try_from(text: String) -> Result<Self, BadLabel> {
        let good = (1..=128).contains(&text.len())
            && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'/' | b'-'));
        if good { Ok(Self(text)) } else { Err(BadLabel(text.chars().take(140).collect())) }
    }
}

impl From<Label> for String {
    fn from(label: Label) -> String {
        label.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Dice thrown together under one label: `LABEL NdK = f1 f2 …` in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// The label of the event.
    pub label: Label,
    /// The number of faces of each die.
    pub sides: u32,
    /// The faces that came up, each `1..=sides`, in the order thrown.
    pub faces: Vec<u32>,
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}d{} =", self.label, self.faces.len(), self.sides)?;
        self.faces.iter().try_for_each(|face| write!(f, " {face}"))
    }
}

/// A source of dice for an adjudication: the seeded streams of the protocol, or a script in a test.
pub trait Roller {
    /// The faces of `count` dice of `sides` sides, each `1..=sides`, for the event `label`.
    fn roll(&mut self, label: &Label, count: u32, sides: u32) -> Vec<u32>;
}
