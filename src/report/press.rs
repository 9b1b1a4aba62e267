//! A player's letter, as the host passes it on.

use serde::Serialize;

use super::letters::{Addressee, Message, Page, shown};
use super::{Templates, text};
use crate::dice::Witness;

/// A player's letter, passed on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Press {
    /// To whom.
    #[serde(flatten)]
    pub to: Addressee,
    /// The title of its writer.
    pub from: String,
    /// The titles of everybody whom it goes to.
    #[serde(skip)]
    pub readers: Vec<String>,
    /// What it says, lines ended by LF.
    pub text: String,
    /// The log when this was written.
    #[serde(serialize_with = "shown")]
    pub witness: Witness,
}

/// A player's letter.
#[must_use]
pub fn press(templates: &Templates, mail: &Press) -> Message {
    let more = Passed { letter: text::quoted(&mail.text).join("\n"), readers: text::listed(&mail.readers) };
    let subject = format!("Letter from {}", mail.from);
    templates.message("press", Some(&mail.to.game), &subject, &Page { mail, more })
}

#[derive(Serialize)]
struct Passed {
    letter: String,
    readers: String,
}
