//! The pieces that a report is made of.

use musterd_engine::briefing::{Fact, Part, Section};

pub(super) fn section(title: &str, parts: Vec<Part>) -> Section {
    Section { title: title.to_owned(), parts }
}

pub(super) fn fact(label: impl Into<String>, text: impl Into<String>) -> Fact {
    Fact { label: label.into(), text: text.into() }
}
