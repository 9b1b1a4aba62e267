//! What playing an order through comes to: what it will do, what is doubtful, why it can't be.

use crate::odds::Attacker;
use musterd_engine::hex::Hex;
use musterd_engine::orders::{Remark, Weight};
use musterd_engine::tokens::Span;

/// What part of an order a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Its unit.
    Unit,
    /// Its goal, path or amount.
    Goal,
}

/// An order that can never be carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objection {
    /// What is wrong with it.
    pub about: About,
    /// Why, one sentence.
    pub text: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl Objection {
    /// Says why.
    #[must_use]
    pub fn new(about: About, text: impl Into<String>) -> Self {
        Self { about, text: text.into(), hint: None }
    }

    /// Says what to do instead.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The error that its writer reads, pointing at the part of his line that it is about.
    #[must_use]
    pub fn at(self, line: usize, span: impl FnOnce(About) -> Span) -> Remark {
        Remark { line, span: Some(span(self.about)), weight: Weight::Error, text: self.text, hint: self.hint }
    }
}

/// Something that may not go as meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// What is doubtful.
    pub about: About,
    /// A warning or a note.
    pub weight: Weight,
    /// One sentence.
    pub text: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Doubt {
    /// It may go wrong.
    #[must_use]
    pub fn warning(about: About, text: impl Into<String>) -> Self {
        Self { about, weight: Weight::Warning, text: text.into(), hint: None }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The remark that its writer reads, pointing at the part of his line that it is about.
    #[must_use]
    pub fn at(self, line: usize, span: impl FnOnce(About) -> Span) -> Remark {
        Remark { line, span: Some(span(self.about)), weight: self.weight, text: self.text, hint: self.hint }
    }

    /// Worth knowing.
    #[must_use]
    pub fn note(about: About, text: impl Into<String>) -> Self {
        Self { weight: Weight::Note, ..Self::warning(about, text) }
    }
}

/// An order that can be carried out, as far as its seat knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outlook {
    /// The order in full words; empty, as is `effect`, unless the plan was asked for words.
    pub order: String,
    /// What it costs and will do; empty where there is nothing to add.
    pub effect: String,
    /// What may not go as meant.
    pub doubts: Vec<Doubt>,
    /// Of an attack that is put into words: on which hex, and by what as it will be then.
    pub attack: Option<(Hex, Attacker)>,
}

impl Outlook {
    /// Nothing doubtful so far.
    #[must_use]
    pub const fn new(order: String, effect: String) -> Self {
        Self { order, effect, doubts: Vec::new(), attack: None }
    }
}
