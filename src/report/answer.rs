//! The answer to commands.

use minijinja::value::Value;
use serde::Serialize;

use super::letters::MailValues;
use super::mail::{Message, shown_if_any};
use super::page::{self, Piece, Pieces, Sheet};
use super::{Templates, text};
use musterd_dice::{GameId, Witness};
use musterd_engine::briefing::Fact;

/// What there is help about, besides how to write to the host at all.
pub const TOPICS: [&str; 6] = ["orders", "commands", "seats", "press", "dice", "gm"];

/// The answer to the commands of one mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The game, if they were about one.
    pub game: Option<GameId>,
    /// One line, without the game's name.
    pub subject: String,
    /// Each command.
    #[serde(skip)]
    pub items: Vec<Answered>,
    /// The game's log when this was written.
    #[serde(serialize_with = "shown_if_any")]
    pub witness: Option<Witness>,
}

/// A command, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answered {
    /// The command as written.
    pub line: String,
    /// Whether something was wrong with it: nothing was done.
    pub wrong: bool,
    /// What there is to say; each is wrapped.
    pub paragraphs: Vec<String>,
    /// Facts under headings, below that.
    pub tables: Vec<(String, Vec<Fact>)>,
    /// A page laid out already, last.
    pub page: String,
}

/// The answer to commands; its subject begins with `[ERRORS]` where something was wrong with one.
#[must_use]
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

/// What the commands are that a topic of `HELP` is about.
#[derive(Debug, Clone, Serialize)]
pub struct Commands {
    /// Each, with what it does, as [`columns`](text::columns) lays them out.
    pub commands: String,
    /// The first words of those that the host answers with a code.
    pub coded: String,
    /// The first words of all that anybody may write.
    pub open: String,
}

/// What the host has to say about a topic; about all of them in short, and how to ask, if it knows no such topic.
#[must_use]
pub fn help_on(templates: &Templates, topic: &str, commands: &Commands, host: &str) -> String {
    templates.message(&topic_sheet(topic, commands, host)).body.trim_end_matches('\n').to_owned()
}

pub(super) fn topic_sheet(topic: &str, commands: &Commands, host: &str) -> Sheet<'static> {
    let topic = if TOPICS.contains(&topic) { topic } else { "" };
    let topic = Topic { topic, topics: TOPICS.join(", "), commands, host };
    Sheet::new("topics", None, String::new(), &topic, Pieces::default())
}

fn laid_out<'a>(item: &'a Answered, pieces: &mut Pieces<'_>) -> Item<'a> {
    let page = text::lines(|page| {
        for (heading, facts) in &item.tables {
            if !page.is_empty() {
                page.push('\n');
            }
            text::paragraph(page, "", "", heading);
            text::facts(page, facts);
        }
        if !page.is_empty() && !item.page.is_empty() {
            page.push('\n');
        }
        page.push_str(&item.page);
    });
    let page = pieces.place(Piece::Lines(page));
    Item { line: &item.line, wrong: item.wrong, paragraphs: &item.paragraphs, page }
}

#[derive(Serialize)]
struct Laid<'a> {
    heading: Value,
    items: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    line: &'a str,
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
