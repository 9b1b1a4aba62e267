//! The result of playing an order through: its effects, doubts about it, or why it is impossible.

use crate::odds::Attacker;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Remark, Weight};
use musterd_engine::tokens::Span;

/// The part of an order that a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Its unit.
    Unit,
    /// Its goal, path or amount.
    Goal,
}

/// Something to tell the player of an order: why it can never be carried out, or what may not go as meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The part that it is about.
    pub about: About,
    /// An error for an order that can never be carried out; else a warning or a note.
    pub weight: Weight,
    /// One sentence.
    pub text: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Doubt {
    /// An objection: the order can never be carried out.
    pub fn objection(about: About, text: impl Into<String>) -> Self {
        Self { about, weight: Weight::Error, text: text.into(), hint: None }
    }

    /// A warning: the order may go wrong.
    pub fn warning(about: About, text: impl Into<String>) -> Self {
        Self { weight: Weight::Warning, ..Self::objection(about, text) }
    }

    /// A note: something worth knowing.
    pub fn note(about: About, text: impl Into<String>) -> Self {
        Self { weight: Weight::Note, ..Self::objection(about, text) }
    }

    /// Adds what to do about it.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The remark for the player, pointing at the part of the line that it is about.
    pub fn at(self, line: usize, span: impl FnOnce(About) -> Span) -> Remark {
        Remark { line, span: Some(span(self.about)), weight: self.weight, text: self.text, hint: self.hint }
    }
}

/// An order that can be carried out, as far as its seat knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    /// The order in full words; empty, as is `effect`, unless the plan was asked for words.
    pub order: String,
    /// What the order costs and will do; empty if there is nothing to add.
    pub effect: String,
    /// Things that may not go as meant.
    pub doubts: Vec<Doubt>,
    /// For an attack in a plan with texts: the hex attacked, and the attacker as it will be then. `None` for other orders.
    pub attack: Option<(Hex, Attacker)>,
}

impl Outlook {
    /// An outlook of an order that has no effect worth telling and no doubts.
    pub const fn of(order: String) -> Self {
        Self { order, effect: String::new(), doubts: Vec::new(), attack: None }
    }
}
