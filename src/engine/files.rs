//! The data files of a game: nouns and numbers as YAML. All of them are embedded in the entry that founds a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::data_error::LineColumn;
pub use super::data_error::{DataError, DataErrors};
use super::yaml::{self, Node};
use musterd_dice::{Digest, hash};

/// The scenario among the files of a game, whatever its own file is called.
pub const SCENARIO: &str = "scenario.yaml";
/// The largest data file that is read, in bytes.
const LARGEST: usize = 512 * 1024;

/// The beginning of the text that replaces the contents of a file that can't be read.
const UNREAD: &str = "\0unread: ";

/// The text of every file that one game is founded on, by its path under `games/<ruleset>/`: `ruleset.yaml`, `maps/europe.yaml`, and `scenario.yaml`,
/// whatever the scenario's own file is called.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleFiles(pub BTreeMap<String, String>);

impl RuleFiles {
    /// The files that are built into a program.
    #[must_use]
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    /// Those of one of these that a game needs which plays the scenario `scenarios/<id>.yaml`; `None` if there is none such.
    #[must_use]
    pub fn of_scenario(files: &[(&str, &str)], id: &str) -> Option<Self> {
        let mut own = Self::of(files);
        let scenario = own.0.remove(&format!("scenarios/{id}.yaml"))?;
        own.0.retain(|path, _| !path.starts_with("scenarios/"));
        own.0.insert(SCENARIO.to_owned(), scenario);
        Some(own)
    }

    /// Whether this text replaces the contents of a file that can't be read.
    #[must_use]
    pub fn is_unread(text: &str) -> bool {
        text.starts_with(UNREAD)
    }

    /// The text that replaces the contents of a file that can't be read. Only code that reads this file gets the reason `why`, as an error.
    #[must_use]
    pub fn unread(why: &str) -> String {
        format!("{UNREAD}{why}")
    }

    /// The text of one file, or the reason why it can't be read.
    fn text(&self, path: &str) -> Result<&str, DataErrors> {
        let text = self.0.get(path).ok_or_else(|| DataErrors::one(path, 0, "the file is missing"))?;
        if let Some(why) = text.strip_prefix(UNREAD) {
            return Err(DataErrors::one(path, 0, format!("the file can't be read: {why}")));
        }
        if text.len() > LARGEST {
            let reason = format!("the file is larger than {} KiB", LARGEST / 1024);
            return Err(DataErrors::one(path, 0, reason));
        }
        match yaml::garbled(text) {
            None => Ok(text),
            Some((at, reason)) => Err(DataErrors(vec![DataError { file: path.to_owned(), at, reason }])),
        }
    }

    /// Reads one file as YAML into a typed value. The type decides whether unknown fields are refused.
    ///
    /// # Errors
    /// The file is missing, larger than 512 KiB, not UTF-8, or doesn't fit the type; the error names the line.
    pub fn yaml<T: serde::de::DeserializeOwned>(&self, path: &str) -> Result<T, DataErrors> {
        // The typed reader follows aliases and has no limit to nesting, so the tree is read first: it refuses both.
        self.tree(path)?;
        let text = self.text(path)?;
        serde_yaml::from_str(text).map_err(|e| {
            let at = e
                .location()
                .map_or(LineColumn::default(), |at| LineColumn { line: at.line(), column: at.column() });
            let reason = e.to_string();
            // The place is already in front of the reason.
            let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
            DataErrors(vec![DataError { file: path.to_owned(), at, reason: reason.to_owned() }])
        })
    }

    /// Reads one file as YAML into a tree that knows the place of every value, for checks that find every fault at once.
    ///
    /// # Errors
    /// The file is missing, larger than 512 KiB, not UTF-8, or not YAML.
    pub fn tree(&self, path: &str) -> Result<Node, DataErrors> {
        let text = self.text(path)?;
        yaml::parse(text)
            .map_err(|(at, reason)| DataErrors(vec![DataError { file: path.to_owned(), at, reason }]))
    }

    /// The digest of the founding bytes for the log's first entry: the ruleset's name and version, then every path and text, each preceded by its
    /// length.
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
