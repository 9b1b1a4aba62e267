//! In which shapes a report is shown, and which files come with it.

use serde::{Deserialize, Serialize};

use musterd_report::letters::AuditDelivery;

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

/// How the name of an audit file ends.
pub(crate) const AUDIT_ENDING: &str = ".audit.json";

/// The audit file that goes with dispatches.
pub(crate) struct Audit {
    pub(crate) name: String,
    /// None where it is too large.
    pub(crate) text: Option<String>,
}

impl Audit {
    pub(crate) fn place(&self) -> AuditDelivery {
        match self.text {
            Some(_) => AuditDelivery::Attached(self.name.clone()),
            None => AuditDelivery::TooLarge,
        }
    }
}
