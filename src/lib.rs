//! `musterd`: a play-by-email adjudicator for old wargames, with dice that anybody can audit.
//!
//! The layers import one way only; see `ARCHITECTURE.md`.

pub mod audit;
pub mod cli;
pub mod daemon;
pub mod desk;
pub mod dice;
pub mod engine;
pub mod fault;
pub mod fresh;
pub mod hex;
pub mod letter;
mod lines;
mod nouns;
pub mod post;
pub mod regular;
pub mod report;
pub mod rules;
pub mod store;
mod worker;
