//! What an author learns of a scenario or map of his own before anybody plays it.

use serde::Serialize;

use super::briefing::Section;
use super::files::DataError;

/// The result of looking a data file over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Examination {
    /// What makes it unusable; none if it can be played.
    pub errors: Vec<DataError>,
    /// What can be played but may not be meant: one side has won before it begins, a unit starves where it stands.
    pub warnings: Vec<DataError>,
    /// The file in numbers, for judging it; empty where there are errors.
    pub summary: Vec<Section>,
}
