//! The check of a scenario or map for its author, before anybody plays it.

use serde::Serialize;

use super::briefing::Section;
use super::files::DataError;

/// The result of examining a data file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Examination {
    /// The faults that make it unusable; empty if it can be played.
    pub errors: Vec<DataError>,
    /// Things that can be played but may not be meant: one side has won before the game begins, a unit starves where it stands.
    pub warnings: Vec<DataError>,
    /// The file in numbers, for judging it; empty if there are errors.
    pub summary: Vec<Section>,
}
