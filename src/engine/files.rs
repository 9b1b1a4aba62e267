//! The data files of a game: nouns and numbers as YAML, embedded whole in the founding of a game.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dice::{Digest, hash};

/// The text of every file that one game is founded on, by its path under `games/<ruleset>/`: `ruleset.yaml`,
/// `maps/europe.yaml`, and `scenario.yaml`, whatever the scenario's own file was called.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleFiles(pub BTreeMap<String, String>);

impl RuleFiles {
    /// The text of one file.
    ///
    /// # Errors
    /// When the file is missing.
    pub fn text(&self, path: &str) -> Result<&str, DataErrors> {
        self.0.get(path).map(String::as_str).ok_or_else(|| DataErrors::one(path, 0, "the file is missing"))
    }

    /// One file read as YAML into a typed value; unknown fields are the type's to refuse.
    ///
    /// # Errors
    /// When the file is missing, larger than 512 KiB, or not what the type wants; with the line.
    pub fn yaml<T: serde::de::DeserializeOwned>(&self, path: &str) -> Result<T, DataErrors> {
        let text = self.text(path)?;
        if text.len() > 512 * 1024 {
            return Err(DataErrors::one(path, 0, "the file is larger than 512 KiB"));
        }
        serde_yaml::from_str(text)
            .map_err(|e| DataErrors::one(path, e.location().map_or(0, |at| at.line()), e.to_string()))
    }

    /// The digest of the founding bytes for the log's first entry: the ruleset's name and version, then every path and
    /// text, each with its length before it.
    #[must_use]
    pub fn digest(&self, ruleset: &str, rules_version: u32) -> Digest {
        let version = rules_version.to_string();
        let mut fields: Vec<&[u8]> = vec![ruleset.as_bytes(), version.as_bytes()];
        for (path, text) in &self.0 {
            fields.extend([path.as_bytes(), text.as_bytes()]);
        }
        hash("founding", &fields)
    }
}

/// Everything wrong with a set of data files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DataErrors(pub Vec<DataError>);

/// One fault in a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataError {
    /// Path under `games/<ruleset>/`.
    pub file: String,
    /// Line from 1; 0 where unknown.
    pub line: usize,
    /// What is wrong and what is expected.
    pub reason: String,
}

impl DataErrors {
    /// A single fault.
    #[must_use]
    pub fn one(file: impl Into<String>, line: usize, reason: impl Into<String>) -> Self {
        Self(vec![DataError { file: file.into(), line, reason: reason.into() }])
    }
}

impl fmt::Display for DataErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, e) in self.0.iter().enumerate() {
            let newline = if i == 0 { "" } else { "\n" };
            if e.line > 0 {
                write!(f, "{newline}{}:{}: {}", e.file, e.line, e.reason)?;
            } else {
                write!(f, "{newline}{}: {}", e.file, e.reason)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for DataErrors {}
