//! Who says something: a mail that somebody kept.

use std::fmt;

use serde::Serialize;

use super::place::{FileRef, short};

/// The longest subject that is repeated, in characters.
const LONGEST_SUBJECT: usize = 60;

/// A mail that somebody kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MailRef {
    /// The file that it lies in.
    pub path: String,
    /// Which of the file's mails it is, from 1; none where the file is the mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Its subject.
    pub subject: String,
}

impl MailRef {
    /// It as the place of something.
    pub(super) fn place(&self) -> FileRef {
        FileRef(self.to_string())
    }
}

impl fmt::Display for MailRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short(&self.path))?;
        if let Some(number) = self.number {
            write!(f, ", mail {number}")?;
        }
        let mut subject: String = self.subject.chars().take(LONGEST_SUBJECT).collect();
        if subject.len() < self.subject.len() {
            subject.push_str("...");
        }
        write!(f, " (\"{subject}\")")
    }
}
