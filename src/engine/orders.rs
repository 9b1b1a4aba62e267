//! The result of reading a player's orders: the orders, remarks on mistakes, and the recap for a receipt.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};

use super::briefing::Fact;

/// Formats like `format!`, with room for a sentence reserved: `format!` begins with no room and moves its text whenever it runs out, which takes
/// longer than the writing. A receipt has hundreds of such texts.
#[must_use]
pub fn phrase(words: fmt::Arguments<'_>) -> String {
    let mut phrase = String::with_capacity(120);
    // Writing into a `String` can't fail.
    let _ = phrase.write_fmt(words);
    phrase
}

/// These texts joined, with room for a sentence reserved: like [`phrase`], for texts that need no formatting.
#[must_use]
pub fn joined<const N: usize>(texts: [&str; N]) -> String {
    let mut phrase = String::with_capacity(120);
    texts.iter().for_each(|text| phrase.push_str(text));
    phrase
}

/// The orders that were understood, and remarks on the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<O> {
    /// The orders, in the order written.
    pub orders: Vec<Placed<O>>,
    /// Mistakes and doubts, by line.
    pub remarks: Vec<Remark>,
}

impl<O> Default for Reading<O> {
    fn default() -> Self {
        Self { orders: Vec::new(), remarks: Vec::new() }
    }
}

impl<O> Reading<O> {
    /// Whether any line could not be used.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.remarks.iter().any(|r| r.weight == Weight::Error)
    }
}

/// An order with its line number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<O> {
    /// Line in the block, from 1.
    pub line: usize,
    /// The order.
    pub order: O,
}

/// How much a remark matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// The line will not be carried out.
    Error,
    /// The line is understood and stands, but as things are it can't be carried out. A receipt shows it as a warning.
    Futile,
    /// The line will be carried out, but perhaps not as meant.
    Warning,
    /// An answer or a hint.
    Note,
}

/// A player's mistake, a doubt, or an answer: a value, not an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Line in the block, from 1; 0 if the remark concerns the whole block.
    pub line: usize,
    /// The place in the line, for the caret: the first character (from 0) and the number of characters.
    pub span: Option<(usize, usize)>,
    /// How much it matters.
    pub weight: Weight,
    /// What is wrong: one sentence.
    pub text: String,
    /// What to write instead, if a guess is possible.
    pub hint: Option<String>,
}

impl Remark {
    /// A line that will not be carried out.
    #[must_use]
    pub fn error(line: usize, text: impl Into<String>) -> Self {
        Self { line, span: None, weight: Weight::Error, text: text.into(), hint: None }
    }

    /// A line that stands, but as things are can't be carried out.
    #[must_use]
    pub fn futile(line: usize, text: impl Into<String>) -> Self {
        Self { weight: Weight::Futile, ..Self::error(line, text) }
    }

    /// A line that will be carried out, but perhaps not as meant.
    #[must_use]
    pub fn warning(line: usize, text: impl Into<String>) -> Self {
        Self { weight: Weight::Warning, ..Self::error(line, text) }
    }

    /// An answer or a hint.
    #[must_use]
    pub fn note(line: usize, text: impl Into<String>) -> Self {
        Self { weight: Weight::Note, ..Self::error(line, text) }
    }

    /// Points at `length` characters from `start` in the line.
    #[must_use]
    pub fn at(self, start: usize, length: usize) -> Self {
        Self { span: Some((start, length)), ..self }
    }

    /// Says what to write instead.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// What a single line of a mail looks like, for players who write no order block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// An order. It may still be wrong; the receipt then says so.
    Order,
    /// A question about the position. It is not an order; it is answered beside the orders that stand.
    Question,
    /// A mistyped order, as far as it can be told from prose. It counts as an order, and is answered as a mistake, if the mail has other orders; by
    /// itself it makes no set of orders.
    Slip,
    /// Words of a letter that speak of orders, units, places or numbers: perhaps an order in words that the program doesn't know. The line doesn't
    /// count as an order, but a `READY` beside it doesn't run the turn.
    Doubtful,
    /// Any other words of a letter.
    Prose,
}

/// A use of an order, for help: `HIDE 3`, and what happens then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderUse {
    /// Examples of lines.
    pub lines: Vec<Cow<'static, str>>,
    /// Other words for the first word of the lines.
    pub also: Vec<&'static str>,
    /// What happens, in a few words.
    pub does: Cow<'static, str>,
}

impl OrderUse {
    /// A use without other words for it.
    #[must_use]
    pub fn of(lines: &[&'static str], does: &'static str) -> Self {
        let lines = lines.iter().map(|line| Cow::Borrowed(*line)).collect();
        Self { lines, also: Vec::new(), does: Cow::Borrowed(does) }
    }

    /// Whether a word, in capitals, begins its lines.
    #[must_use]
    pub fn begins_with(&self, word: &str) -> bool {
        self.lines.iter().any(|line| line.split(' ').next() == Some(word)) || self.also.contains(&word)
    }

    /// The same, with the words that nothing of the seat can do so as things stand.
    #[must_use]
    pub fn not_now(self) -> Self {
        let does = format!("{}; as things stand nothing of yours can do so", self.does);
        Self { does: Cow::Owned(does), ..self }
    }

    /// The examples, and what happens with the other words for it.
    #[must_use]
    pub fn fact(&self) -> Fact {
        Fact { label: self.lines.join(", "), text: self.in_words() }
    }

    fn in_words(&self) -> String {
        let also = match self.also.as_slice() {
            [] => String::new(),
            also => format!(" Also {}.", also.join(", ")),
        };
        let mut letters = self.does.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>() + "." + &also
    }
}

/// A receipt's summary of a set of orders, all of it computed from the seat's view.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Recap {
    /// The orders as understood.
    pub orders: Vec<Understood>,
    /// What the units without an order will do, one line for each kind of default.
    pub defaults: Vec<String>,
    /// What is to come after these orders, as far as the seat knows: supply, morale and the like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ahead: Vec<String>,
}

/// One order as understood, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Understood {
    /// Line in the block, from 1.
    pub line: usize,
    /// The order in full words: `Move III Davout from Reims 1204 to Ulm 1507`.
    pub order: String,
    /// What the order costs and will do: `by 1304, 1405, 1506: 4 of 5 moves`. Empty if there is nothing to add.
    pub effect: String,
}
