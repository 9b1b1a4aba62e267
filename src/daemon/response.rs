//! What comes of a command, of the GM's, a player's or anybody's.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::HostError;
use musterd_desk::mail::Attachment;
use musterd_engine::briefing::Fact;

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
}

impl Response {
    /// It was done, and there is this to say.
    pub(crate) fn of(paragraphs: Vec<String>) -> Self {
        Self { paragraphs, ..Self::default() }
    }

    /// Nothing was done: why, and what to do.
    pub(crate) fn wrong(why: impl Into<String>) -> Self {
        Self { effect: Effect::Wrong, ..Self::of(vec![why.into()]) }
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
