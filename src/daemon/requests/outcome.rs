//! What came of a command, and what is answered.

use musterd_desk::mail::Attachment;
use musterd_engine::briefing::Fact;
use musterd_report::answer::Answered;

/// How much one answer brings along, in bytes: a mail must stay below [`Packet::LARGEST`](musterd_store::Packet::LARGEST).
pub(super) const MOST_ATTACHED: usize = 100_000;

/// What came of a command.
pub(crate) enum Outcome {
    /// It was done, or answered.
    Done(Done),
    /// It could not be: why, and what to do.
    Wrong(String),
}

/// What is said of a command that was carried out.
#[derive(Default)]
pub(crate) struct Done {
    /// A paragraph each.
    pub(super) paragraphs: Vec<String>,
    /// Facts under headings.
    pub(super) tables: Vec<(String, Vec<Fact>)>,
    /// A page laid out already.
    pub(super) page: String,
    /// Files that come with the answer.
    pub(super) attachments: Vec<Attachment>,
}

impl Outcome {
    pub(super) fn done(paragraph: impl Into<String>) -> Self {
        Self::Done(Done { paragraphs: vec![paragraph.into()], ..Done::default() })
    }

    pub(super) fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}

/// What is to be answered for the commands of one mail.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) items: Vec<Answered>,
    pub(super) attachments: Vec<Attachment>,
}

impl Answers {
    pub(super) fn add(&mut self, line: &str, outcome: Outcome) {
        let attached: usize = self.attachments.iter().map(|file| file.bytes.len()).sum();
        let mut item = Answered { line: line.to_owned(), ..Answered::default() };
        match outcome {
            Outcome::Done(Done { attachments, .. })
                if attached + attachments.iter().map(|file| file.bytes.len()).sum::<usize>()
                    > MOST_ATTACHED =>
            {
                item.wrong = true;
                item.paragraphs =
                    vec!["That is too much for one mail: ask for it in a mail of its own.".to_owned()];
            }
            Outcome::Done(done) => {
                item.paragraphs = done.paragraphs;
                item.tables = done.tables;
                item.page = done.page;
                self.attachments.extend(done.attachments);
            }
            Outcome::Wrong(why) => {
                item.wrong = true;
                item.paragraphs = vec![why];
            }
        }
        self.items.push(item);
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
