//! The caller's knowledge of its own mails and of the mails that it waits for: this library knows no program's mails by itself.

use std::fmt;

use subtle::ConstantTimeEq;

/// The marks of the caller's own mails, and of the text that it looks for in others' mails. Every method has a default, for a caller that sends no
/// mail and looks for nothing; [`NoMarks`] is that caller.
///
/// Some methods are called for every line of every mail: they should begin with a cheap test.
pub trait Marks {
    /// The header that the caller puts on each of its own mails: a mail that bears it has come back.
    fn own_header(&self) -> Option<&str> {
        None
    }

    /// Whether a forwarded mail is one of the caller's own, unchanged, judged by the value of [`Self::own_header`] in it and by its Message-ID
    /// (without `<>`). Such a mail encloses nothing.
    fn is_as_sent(&self, _header: &str, _message_id: &str) -> bool {
        false
    }

    /// Whether the caller attaches a file of this name, in lower case, to its own mails.
    fn is_own_file(&self, _name: &str) -> bool {
        false
    }

    /// Whether a line occurs in the caller's own mails and rarely in others.
    fn is_own_line(&self, _line: &str) -> bool {
        false
    }

    /// Whether a line begins a quotation of the caller's own mail that no program has introduced. It counts only above a line that
    /// [`Self::is_own_line`] knows.
    fn is_own_rule(&self, _line: &str) -> bool {
        false
    }

    /// Whether a line shows an address that occurs only in the caller's own mails, as the line that introduces a quotation does.
    fn shows_own_address(&self, _line: &str) -> bool {
        false
    }

    /// The proof that somebody has read a mail of the caller's, if an address, from the `Reply-To` of that mail, contains it.
    fn proof_in_address(&self, _address: &str) -> Option<Proof> {
        None
    }

    /// The proof that somebody has read a mail of the caller's, if a line of that mail's text contains it.
    fn proof_in_line(&self, _line: &str) -> Option<Proof> {
        None
    }

    /// A text without the caller's secrets, for a place where others may read it.
    fn masked(&self, text: String) -> String {
        text
    }

    /// Whether a file of this name is the one that the caller waits for.
    fn is_awaited(&self, _name: &str) -> bool {
        false
    }

    /// Whether a line begins a block of text that the caller looks for. If a mail has two versions, the version with such a block is read; and a file
    /// with such a block is read.
    fn begins_block(&self, _line: &str) -> bool {
        false
    }

    /// Whether a line must not be joined with another where a program broke lines.
    fn stands_alone(&self, _line: &str) -> bool {
        false
    }
}

/// The marks of a caller that has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoMarks;

impl Marks for NoMarks {}

/// A secret of the caller's that was found in a mail. It is compared in constant time, and `Debug` doesn't show it.
#[derive(Clone)]
pub struct Proof(String);

impl Proof {
    /// The proof that consists of this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Proof {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Proof {}

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proof(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_compared_and_never_printed() {
        assert_eq!(Proof::new("geese"), Proof::new("geese"));
        assert_ne!(Proof::new("geese"), Proof::new("ducks"));
        assert_ne!(Proof::new("geese"), Proof::new("gees"));
        assert_eq!(format!("{:?}", Proof::new("geese")), "Proof(…)");
    }
}
