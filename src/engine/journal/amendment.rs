//! Changes of the position that the GM makes by hand.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use musterd_dice::Digest;

/// A change of the position that the GM makes by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amendment {
    /// The adjudication that was open or comes next, or the one that runs again.
    pub t: u32,
    /// The GM's text, in the words of the game's rules: an input like orders.
    pub text: String,
    /// Resulting events in canonical form.
    pub events: Vec<Value>,
    /// The commitment to text and events. Only this goes into the log.
    pub commit: Digest,
    /// The reason for the public log, one line.
    pub reason: String,
}
