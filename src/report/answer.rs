//! The answer to commands.

use std::borrow::Cow;

use minijinja::value::Value;
use serde::{Deserialize, Serialize};

use super::letters::MailValues;
use super::mail::{Message, shown_if_any};
use super::page::{self, Piece, Pieces, Sheet};
use super::receipt::{pointed, underlined};
use super::{Templates, text};
use musterd_dice::{GameId, OpenHead};
use musterd_engine::briefing::Fact;

/// The topics that help exists for, besides how to write to the host at all.
pub const TOPICS: [&str; 6] = ["orders", "commands", "seats", "press", "dice", "gm"];

/// The answer to the commands of one mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The game, if they were about one.
    pub game: Option<GameId>,
    /// One line, without the game's name.
    pub subject: String,
    /// The commands, each with its answer.
    #[serde(skip)]
    pub items: Vec<Answered>,
    /// The end of the game's log, without its number, where a command took orders back. An answer that shows it whenever it is asked for would tell
    /// when others write.
    #[serde(serialize_with = "shown_if_any")]
    pub witness: Option<OpenHead>,
}

/// What an answer points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caret {
    /// The line, if it stands below the command's first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
    /// The place in the line: the first character (from 0) and the number of characters.
    pub span: (usize, usize),
}

impl Caret {
    /// The lines to show of a command that was written as `line`, with the caret under the place; indented by two.
    pub fn under(&self, line: &str) -> String {
        match &self.below {
            Some(below) => format!("  {}\n{}", pointed(line, None).0, underlined(below, self.span)),
            None => underlined(line, self.span),
        }
    }
}

/// A command and its result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answered {
    /// The command as written.
    pub line: String,
    /// The place in it that the answer is about.
    pub caret: Option<Caret>,
    /// Whether the command was wrong, so that nothing was done.
    pub wrong: bool,
    /// The paragraphs of the answer; each is wrapped.
    pub paragraphs: Vec<String>,
    /// Facts under headings, below the paragraphs.
    pub tables: Vec<(String, Vec<Fact>)>,
    /// A finished page, at the end.
    pub page: String,
}

/// The answer to commands; its subject begins with `[ERRORS]` if one of them was wrong.
pub fn answer(templates: &Templates, mail: &Answer) -> Message {
    let mut message = templates.message(&sheet(mail));
    if mail.items.iter().any(|item| item.wrong) {
        message.subject.insert_str(0, "[ERRORS] ");
    }
    message
}

pub(super) fn sheet(mail: &Answer) -> Sheet<'_> {
    let game = mail.game.as_ref().map_or("", GameId::as_str);
    let mut pieces = Pieces::default();
    let items = mail.items.iter().map(|item| laid_out(item, &mut pieces)).collect();
    let more = Laid { heading: page::beside("Your commands", game), items };
    Sheet::new("answer", mail.game.as_ref(), mail.subject.clone(), &MailValues { mail, more }, pieces)
}

/// The commands that a topic of `HELP` describes.
#[derive(Debug, Clone, Serialize)]
pub struct Commands {
    /// The commands with their effects, as [`columns`](text::columns) lays them out.
    pub commands: String,
    /// The first words of the commands that the host answers with a code to confirm.
    pub coded: String,
    /// The first words of the commands that anybody may write.
    pub open: String,
}

/// The help on a topic; for an unknown topic, a short help on all of them and on how to ask.
pub fn help_on(templates: &Templates, topic: &str, commands: &Commands, host: &str) -> String {
    templates.message(&topic_sheet(topic, commands, host)).body.trim_end_matches('\n').to_owned()
}

pub(super) fn topic_sheet(topic: &str, commands: &Commands, host: &str) -> Sheet<'static> {
    let topic = if TOPICS.contains(&topic) { topic } else { "" };
    let topic = Topic { topic, topics: TOPICS.join(", "), commands, host };
    Sheet::new("topics", None, String::new(), &topic, Pieces::default())
}

/// What stands below the paragraphs of an answer: facts under headings, and a page that is laid out already.
pub fn below(tables: &[(String, Vec<Fact>)], page: &str) -> String {
    text::lines(|all| {
        for (heading, facts) in tables {
            if !all.is_empty() {
                all.push('\n');
            }
            text::paragraph(all, "", "", heading);
            text::facts(all, facts);
        }
        if !all.is_empty() && !page.is_empty() {
            all.push('\n');
        }
        all.push_str(page);
    })
}

fn laid_out<'a>(item: &'a Answered, pieces: &mut Pieces<'_>) -> Item<'a> {
    let page = pieces.place(Piece::Lines(below(&item.tables, &item.page)));
    let line = match &item.caret {
        Some(caret) => Cow::Owned(caret.under(&item.line).trim().to_owned()),
        None => Cow::Borrowed(item.line.as_str()),
    };
    Item { line, wrong: item.wrong, paragraphs: &item.paragraphs, page }
}

#[derive(Serialize)]
struct Laid<'a> {
    heading: Value,
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    line: Cow<'a, str>,
    wrong: bool,
    paragraphs: &'a [String],
    page: Value,
}

#[derive(Serialize)]
struct Topic<'a> {
    topic: &'a str,
    topics: String,
    #[serde(flatten)]
    commands: &'a Commands,
    host: &'a str,
}
