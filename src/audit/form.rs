//! The forms in which a mail tells something.

use std::fmt;

use serde::Serialize;

/// A form in which a mail tells something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Its plain text.
    Text,
    /// Its page of HTML.
    Page,
    /// Its data, attached.
    Data,
}

impl Form {
    pub(super) const ALL: [Self; 3] = [Self::Text, Self::Page, Self::Data];
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Page => "page",
            Self::Data => "data",
        })
    }
}
