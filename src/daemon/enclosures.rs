//! In which shapes a report is shown, and which files come with it.

use serde::{Deserialize, Serialize};

use musterd_report::letters::AuditFile;

/// How a report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// As the text of its mail.
    #[default]
    Text,
    /// As the HTML of its mail.
    Html,
    /// Its maps alone, in letters.
    Map,
    /// Its maps alone, drawn.
    Svg,
    /// As data: the JSON that comes with its mail.
    Data,
}

/// A file that comes with every dispatch, unless the host leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Enclosure {
    /// The order form, to be filled in and sent back.
    Form,
    /// The report as data.
    Json,
    /// The deadline for a calendar.
    Ics,
}

impl Enclosure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Form, Self::Json, Self::Ics];
}

/// How the name of an audit file ends.
pub(super) const AUDIT_ENDING: &str = ".audit.json";

/// The audit file that goes with dispatches.
pub(super) struct Audit {
    pub(super) name: String,
    /// None where it is too large.
    pub(super) text: Option<String>,
}

impl Audit {
    pub(super) fn place(&self) -> AuditFile {
        match self.text {
            Some(_) => AuditFile::Attached(self.name.clone()),
            None => AuditFile::TooLarge,
        }
    }
}
