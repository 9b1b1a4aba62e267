//! The engine: a sans-I/O core, generic over the ruleset. Pure.
//!
//! A [`Ruleset`] knows a game's rules. A [`Match`] is one game in play: its hidden state, moved only by events. A
//! [`Scribe`] writes an adjudication: it throws the dice and records the events. The [`journal`] keeps causes and events,
//! so that loading a game folds events and verifying it adjudicates again.

pub mod alike;
pub mod as_text;
pub mod briefing;
pub mod calls;
mod data_error;
mod examination;
pub mod files;
mod fold;
pub mod founding;
pub mod hex;
mod in_play;
pub mod journal;
mod levels;
pub mod orders;
pub mod palette;
pub mod particulars;
mod proposals;
mod ruleset;
pub mod rulings;
mod scribe;
pub mod sheet;
pub mod terms;
pub mod tokens;
pub mod yaml;

pub use examination::Examination;
pub use fold::Fold;
pub use founding::{Founding, SeatSpec};
pub use in_play::{Adjudication, Damaged, Match, digest_of};
pub use levels::{Level, Levels, NoLevel};
pub use musterd_dice::{GameId, Seat};
pub use ruleset::{Awaiting, Input, PublishedFormat, Ride, Ruleset, as_data};
pub use scribe::{EventsByLine, LabelStem, Scribe};
