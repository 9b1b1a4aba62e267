//! What a seat was told, as the log binds it (docs/dice.md, "What was told").

use serde::{Deserialize, Serialize};

use musterd_dice::told::{Contents, TellingId, ToldNote};
use musterd_dice::{Digest, LogEntry, Text};

/// A mail that tells a seat of an adjudication, or answers its orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Telling {
    /// Which.
    #[serde(flatten)]
    pub id: TellingId,
    /// The number of the program's wording.
    pub wording: u32,
    /// What was told, as far as it is bound.
    pub contents: Contents,
    /// The commitment to it.
    pub commit: Digest,
}

impl Telling {
    /// Its line of the log.
    pub(super) fn log_entry(&self) -> LogEntry {
        let Self { id, wording, contents, commit } = self;
        let note = ToldNote { id: id.clone(), kind: contents.kind, wording: *wording, commit: *commit };
        LogEntry::Note { text: Text::new(&note.to_string()) }
    }
}
