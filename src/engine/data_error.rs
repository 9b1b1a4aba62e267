//! Faults in data files, with their places.

use std::fmt;

use saphyr_parser::Marker;
use serde::Serialize;

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
pub struct LineColumn {
    /// Line, from 1; 0 if it is unknown.
    pub line: usize,
    /// Column in characters, from 1; 0 if it is unknown.
    pub column: usize,
}

impl From<Marker> for LineColumn {
    fn from(marker: Marker) -> Self {
        Self { line: marker.line(), column: marker.col() + 1 }
    }
}

/// All faults of a set of data files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct DataErrors(pub Vec<DataError>);

/// One fault in a data file, or one thing in it that may not be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DataError {
    /// Path under `games/<ruleset>/`.
    pub file: String,
    /// The place of the fault; line 0 if it is unknown.
    #[serde(flatten)]
    pub at: LineColumn,
    /// What is wrong and what to do.
    pub reason: String,
}

impl DataErrors {
    /// A single fault. `line` is 0 if the line is unknown.
    #[must_use]
    pub fn one(file: impl Into<String>, line: usize, reason: impl Into<String>) -> Self {
        let at = LineColumn { line, column: 0 };
        Self(vec![DataError { file: file.into(), at, reason: reason.into() }])
    }
}

impl fmt::Display for DataError {
    /// `file:line:column: reason`; unknown parts are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, at: LineColumn { line, column }, reason } = self;
        match (line, column) {
            (0, _) => write!(f, "{file}: {reason}"),
            (line, 0) => write!(f, "{file}:{line}: {reason}"),
            (line, column) => write!(f, "{file}:{line}:{column}: {reason}"),
        }
    }
}

impl fmt::Display for DataErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            let newline = if i == 0 { "" } else { "\n" };
            write!(f, "{newline}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DataErrors {}
