//! The answer to commands.

use serde::Serialize;

use super::letters::{Message, Page, shown_if_any};
use super::{Templates, text};
use crate::dice::{GameId, Witness};

/// The answer to the commands of one mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The game, if they were about one.
    pub game: Option<GameId>,
    /// One line, without the game's name.
    pub subject: String,
    /// Each command.
    pub items: Vec<Answered>,
    /// The game's log when this was written.
    #[serde(serialize_with = "shown_if_any")]
    pub witness: Option<Witness>,
}

/// A command, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answered {
    /// The command as written.
    pub line: String,
    /// Whether something was wrong with it: nothing was done.
    pub wrong: bool,
    /// What there is to say; each is wrapped.
    pub paragraphs: Vec<String>,
}

/// The answer to commands.
#[must_use]
pub fn answer(templates: &Templates, mail: &Answer) -> Message {
    let game = mail.game.as_ref().map_or("", GameId::as_str);
    let more = Banner { heading: text::beside("Your commands", game) };
    templates.message("answer", mail.game.as_ref(), &mail.subject, &Page { mail, more })
}

#[derive(Serialize)]
struct Banner {
    heading: String,
}
