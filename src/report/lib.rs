//! Texts for players: a [`Briefing`](musterd_engine::briefing::Briefing) as text and as HTML, and the mails around it. Pure.
//!
//! All output is plain ASCII, and text is at most [`WIDTH`] columns wide, whatever the input: mail programs of any age can show it.

pub mod answer;
mod ascii;
mod bars;
pub mod cards;
mod check;
pub mod data;
mod deadline;
pub mod dice;
mod form;
pub mod html;
pub mod ics;
pub mod letters;
mod mail;
pub mod map;
mod page;
pub mod press;
mod reason;
mod receipt;
mod samples;
pub mod statistics;
mod table;
mod templates;
pub mod text;
mod told;
mod typeset;
mod wrap;

pub use ascii::ascii;
pub use check::{Finding, check, check_founded};
pub use deadline::span_in_words;
pub use mail::Message;
pub use receipt::underlined;
pub use templates::{OwnTemplates, TemplateError, Templates, built_in_templates};
pub use told::{Told, WORDING};

/// The most columns that a line may have.
pub const WIDTH: usize = 78;
