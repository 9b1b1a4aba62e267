//! The check of a scenario or map for its author, before anybody plays it.

use serde::Serialize;

use super::briefing::Section;
use super::files::{DataError, SCENARIO};
use super::yaml::LineColumn;

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

impl Examination {
    /// One that found these faults, and says nothing else.
    #[must_use]
    pub fn failed(errors: Vec<DataError>) -> Self {
        Self { errors, ..Self::default() }
    }

    /// Adds a warning if a scenario that calls itself `id` has a file of another name: the commands know it by its file's.
    pub fn name(&mut self, file: &str, id: &str, at: LineColumn) {
        let stem = file.strip_prefix("scenarios/").and_then(|name| name.strip_suffix(".yaml"));
        if let Some(stem) = stem.filter(|stem| *stem != id) {
            let reason =
                format!("the id is `{id}`, but the file is {stem}.yaml: the commands call it {stem}");
            self.warnings.push(DataError { file: SCENARIO.to_owned(), at, reason });
        }
    }

    /// The same, with what was found in `scenario.yaml` told of the author's `file`.
    #[must_use]
    pub fn of_file(mut self, file: &str) -> Self {
        for fault in self.errors.iter_mut().chain(&mut self.warnings).filter(|fault| fault.file == SCENARIO) {
            file.clone_into(&mut fault.file);
        }
        self
    }
}
