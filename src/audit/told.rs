//! Findings for programs: what they know them by, and beside it the sentence that people read.

use std::fmt::Display;

use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct Told<'a, T> {
    #[serde(flatten)]
    what: &'a T,
    text: String,
}

/// A finding with its sentence.
pub(super) fn one<T: Serialize + Display, S: Serializer>(what: &T, to: S) -> Result<S::Ok, S::Error> {
    Told { what, text: what.to_string() }.serialize(to)
}

/// The same where there may be none.
pub(super) fn option<T: Serialize + Display, S: Serializer>(
    what: &Option<T>,
    to: S,
) -> Result<S::Ok, S::Error> {
    what.as_ref().map(|what| Told { what, text: what.to_string() }).serialize(to)
}

/// Findings with their sentences.
pub(super) fn all<T: Serialize + Display, S: Serializer>(all: &[T], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(all.iter().map(|what| Told { what, text: what.to_string() }))
}
