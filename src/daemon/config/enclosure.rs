//! Which files come with a dispatch.

use serde::Deserialize;

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
