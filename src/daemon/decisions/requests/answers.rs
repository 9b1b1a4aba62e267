//! What is answered to the commands of one mail.

use crate::response::{Effect, Response};
use musterd_desk::mail::Attachment;
use musterd_report::answer::Answered;

/// How much one answer brings along, in bytes: a mail must stay below [`Packet::LARGEST`](musterd_store::Packet::LARGEST).
pub(super) const MOST_ATTACHED: usize = 100_000;
/// How long the pages of one answer may be together, where it has several: each is in the mail twice, as text and as HTML.
const MOST_PAGES: usize = 40_000;

/// What is to be answered for the commands of one mail.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) items: Vec<Answered>,
    pub(super) attachments: Vec<Attachment>,
}

impl Answers {
    pub(super) fn add(&mut self, line: &str, response: Response) {
        let size = |files: &[Attachment]| files.iter().map(|file| file.bytes.len()).sum::<usize>();
        let attached = size(&self.attachments) + size(&response.files);
        let pages: usize = self.items.iter().map(|item| item.page.len()).sum();
        let is_too_long = pages > 0 && pages + response.page.len() > MOST_PAGES;
        let response = match attached > MOST_ATTACHED || is_too_long {
            true => Response::wrong("That is too much for one mail: ask for it in a mail of its own."),
            false => response,
        };
        let caret = response.caret(line);
        let Response { effect, paragraphs, tables, page, files, .. } = response;
        let (line, wrong) = (line.to_owned(), effect == Effect::Wrong);
        self.attachments.extend(files);
        self.items.push(Answered { line, caret, wrong, paragraphs, tables, page });
    }

    pub(super) fn subject(&self) -> String {
        let wrong = self.items.iter().filter(|item| item.wrong).count();
        match (self.items.len(), wrong) {
            (1, 0) => "your command".to_owned(),
            (n, 0) => format!("your {n} commands"),
            (1, _) => "your command, with an error".to_owned(),
            (n, wrong) => format!("your {n} commands, {wrong} with errors"),
        }
    }
}

/// What the log tells of a command: the rest of its line may be a code.
pub(super) fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}
