//! La Grande Armée: the Napoleonic wars, season by season, on thirty by ten hexes.
//!
//! Sources: the game's manual, version 1.01, cited as `Manual 5.64`, and the numbered rulings of `docs/rulings/lga.md`.

pub mod brief;
pub mod data;
#[cfg(test)]
mod fixture;
pub mod form;
pub mod ground;
pub mod map;
pub mod model;
pub mod numbers;
pub mod order;
pub mod path;
pub mod plan;
pub mod read;
pub mod recap;
pub mod scenario;
pub mod sight;
pub mod view;

pub use data::{Lga, shipped};
