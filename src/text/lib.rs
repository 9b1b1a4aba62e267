//! Small things that every layer says: the lines of a text, and numbers with their nouns.

pub mod lines;
pub mod nouns;
