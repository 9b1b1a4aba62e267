//! Text helpers for every layer: the lines of a text, and numbers with their nouns.

pub mod lines;
pub mod nouns;
