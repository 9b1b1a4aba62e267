//! A player's letter, as the host forwards it.

use minijinja::value::Value;
use serde::Serialize;

use super::letters::MailValues;
use super::mail::{Addressee, Message, shown};
use super::page::{Piece, Pieces, Sheet};
use super::{Templates, text};
use musterd_dice::OpenHead;

/// A forwarded letter of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Press {
    /// The recipient.
    #[serde(flatten)]
    pub to: Addressee,
    /// The title of its writer, or the words for an anonymous one.
    pub from: String,
    /// Whether the writer is anonymous.
    #[serde(skip)]
    pub anonymous: bool,
    /// The titles of all recipients.
    #[serde(skip)]
    pub readers: Vec<String>,
    /// The text, lines ended by LF.
    pub text: String,
    /// The end of the log when this was written, without its number.
    #[serde(serialize_with = "shown")]
    pub witness: OpenHead,
}

/// The mail that forwards a player's letter.
pub fn press(templates: &Templates, mail: &Press) -> Message {
    templates.message(&sheet(mail))
}

pub(super) fn sheet(mail: &Press) -> Sheet<'_> {
    let back = match mail.anonymous {
        true => "It can't be answered: nobody is told whose it is.".to_owned(),
        false => format!(
            "To write back, answer this mail and put your words between a line PRESS TO {} and a line END PRESS.",
            mail.from.to_uppercase()
        ),
    };
    let subject = format!("Letter from {}", mail.from);
    let mut pieces = Pieces::default();
    let letter = pieces.place(Piece::Lines(text::quoted(&mail.text).join("\n")));
    let more = Passed { letter, readers: text::listed(&mail.readers), back };
    Sheet::new("press", Some(&mail.to.game), subject, &MailValues { mail, more }, pieces)
}

#[derive(Serialize)]
struct Passed {
    letter: Value,
    readers: String,
    back: String,
}
