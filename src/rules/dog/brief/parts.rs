//! The pieces that a report is made of.

use crate::data::Dog;
use crate::model::ArmyId;
use musterd_engine::briefing::{Fact, Part, Section};

/// Armies by name, in this order.
pub(crate) fn names(rules: &Dog, order: &[ArmyId]) -> String {
    let names: Vec<&str> = order.iter().map(|army| rules.battle().army(*army).name.as_str()).collect();
    names.join(", then ")
}

pub(crate) fn section(title: &str, parts: Vec<Part>) -> Section {
    Section { title: title.to_owned(), parts }
}

pub(crate) fn text(text: &str) -> Part {
    Part::Text { text: text.to_owned() }
}

pub(crate) fn fact(label: impl Into<String>, text: impl Into<String>) -> Fact {
    Fact { label: label.into(), text: text.into() }
}
