//! What comes of a command, of the GM's, a player's or anybody's.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::HostError;
use musterd_desk::mail::{Attachment, CommandFault, place_of, place_of_words};
use musterd_engine::briefing::Fact;
use musterd_report::answer::Caret;

/// What became of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It was done, or answered.
    #[default]
    Done,
    /// Nothing was done: it waits to be confirmed.
    Unconfirmed,
    /// Nothing was done: something is wrong with it.
    Wrong,
}

/// What came of a command, and what is said of it.
#[derive(Default)]
pub(crate) struct Response {
    pub(crate) effect: Effect,
    pub(crate) paragraphs: Vec<String>,
    /// Facts under headings.
    pub(crate) tables: Vec<(String, Vec<Fact>)>,
    /// A page laid out already.
    pub(crate) page: String,
    /// Files that come with it.
    pub(crate) files: Vec<Attachment>,
    /// What in the command it is about.
    pub(crate) about: Option<Box<About>>,
}

/// What in a command an answer is about.
pub(crate) enum About {
    /// This place in its line: the first character (from 0) and the number of characters.
    Place((usize, usize)),
    /// These words of its line.
    Words(String),
    /// The words of its line from this number on, from 0 for the first, and how many.
    Nth(usize, usize),
    /// This place in these words of its line.
    Within(String, (usize, usize)),
    /// This place in a line below its first one.
    Below(String, (usize, usize)),
}

impl Response {
    /// It was done, and there is this to say.
    pub(crate) fn of(paragraphs: Vec<String>) -> Self {
        Self { paragraphs, ..Self::default() }
    }

    /// A command that can't be read; `seats` are those that it may name.
    pub(crate) fn unread(fault: &CommandFault, seats: &[&str]) -> Self {
        match fault.unreadable() {
            Some(slip) => Self {
                effect: Effect::Wrong,
                about: Some(Box::new(About::Place(slip.span))),
                ..Self::of(vec![
                    format!("ERROR: {} Nothing was done.", slip.told(seats)),
                    format!("Hint: {}", slip.hint(seats)),
                ])
            },
            None => {
                let about = match fault {
                    CommandFault::NoEnd { instead: Some(line), .. } => {
                        Some(Box::new(About::Below(line.clone(), (0, line.chars().count()))))
                    }
                    _ => None,
                };
                Self { about, ..Self::wrong(format!("This command can't be read: {fault}.")) }
            }
        }
    }

    /// What it points at, in a command that was written so.
    pub(crate) fn caret(&self, line: &str) -> Option<Caret> {
        let (below, span) = match self.about.as_deref()? {
            About::Place(span) => (None, *span),
            About::Words(words) => (None, place_of(line, words, None)?),
            About::Nth(from, many) => (None, place_of_words(line, *from, *many)?),
            About::Within(words, span) => (None, place_of(line, words, Some(*span))?),
            About::Below(below, span) => (Some(below.clone()), *span),
        };
        Some(Caret { below, span })
    }

    /// Nothing was done: why, and what to do.
    pub(crate) fn wrong(why: impl Into<String>) -> Self {
        Self::refused(vec![why.into()])
    }

    /// The same in several paragraphs.
    pub(crate) fn refused(paragraphs: Vec<String>) -> Self {
        Self { effect: Effect::Wrong, ..Self::of(paragraphs) }
    }
}

/// Why a command comes to an early end.
pub(crate) enum Early {
    /// There is only this to say.
    With(Response),
    /// The machine failed.
    Failed(HostError),
}

impl<E: Into<HostError>> From<E> for Early {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Early {
    /// The same, about these words of the command.
    pub(crate) fn about(self, words: impl Into<String>) -> Self {
        self.at(About::Words(words.into()))
    }

    /// The same, about this place in the command, if it is about none yet.
    pub(crate) fn at(self, about: About) -> Self {
        match self {
            Self::With(response) => {
                let about = response.about.or_else(|| Some(Box::new(about)));
                Self::With(Response { about, ..response })
            }
            failed @ Self::Failed(_) => failed,
        }
    }
}

/// What comes of a command, early or at its end.
pub(crate) type Responded = Result<Response, Early>;

/// What is said of it, early or at its end.
pub(crate) fn said(responded: Responded) -> Result<Response, HostError> {
    match responded {
        Ok(response) | Err(Early::With(response)) => Ok(response),
        Err(Early::Failed(error)) => Err(error),
    }
}

/// It was done, and there is this to say.
pub(crate) fn done(paragraph: impl Into<String>) -> Responded {
    Ok(Response::of(vec![paragraph.into()]))
}

/// It can't be done: why, and what to do.
pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, Early> {
    Err(Early::With(Response::wrong(why)))
}

/// The same with the words that nothing was done.
pub(crate) fn undone<T>(why: impl Display) -> Result<T, Early> {
    wrong(format!("{why} Nothing was done."))
}

/// [`wrong`] about these words of the command.
pub(crate) fn wrong_at<T>(words: impl Into<String>, why: impl Into<String>) -> Result<T, Early> {
    wrong(why).map_err(|early: Early| early.about(words))
}

/// [`undone`] about these words of the command.
pub(crate) fn undone_at<T>(words: impl Into<String>, why: impl Display) -> Result<T, Early> {
    undone(why).map_err(|early: Early| early.about(words))
}
