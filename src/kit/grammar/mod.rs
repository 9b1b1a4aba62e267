//! Orders as data: a ruleset lists the forms of its orders, and from the one list come the reader, the canonical writer, the words that tell an order
//! from prose, the help and the tables in the guides.

mod help;
mod language;
mod likeness;
mod read;
mod shape;
mod verbs;
mod write;

pub use read::{Part, Said, Sentence};
pub use verbs::Sureness;

use crate::lexicon::{Lexicon, on};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::Span;
use musterd_engine::yaml::short;
use shape::Shape;

/// One form of order.
#[derive(Debug, Clone, Copy)]
pub struct Form<V: 'static> {
    /// What it orders.
    pub verb: V,
    /// The words that it may begin with; the first is the one that is written.
    pub words: &'static [&'static str],
    /// What follows the first word:
    ///
    /// - `TO|->` is a word or mark, one of several; `TO|->?` one that may stand there and is never written; `AT|IN!` one that must not
    ///   stand there: what the form says of `AT` is said of it; `AT|IN$` one of which the last in the line is meant;
    /// - `keep=KEEP|ATTACK` is a word that the order keeps, under the name before the `=`;
    /// - `{who:own}` is a noun of the kind `own`, under the name `who`; `{who:own+}` is one or more of them, or `ALL`;
    /// - `{goal:place..}` is a noun that takes all that stands before the next word of the shape; `{who:own+..}` is a list of such nouns;
    /// - `[ ... ]` may stand there or not; of words alone it is written;
    /// - `( ... / ... )` is one of several; `( ... / ... )*` any number of them in any order.
    ///
    /// Blanks part all of these.
    ///
    /// A line is read from the left to the right. Where a shape parts, the next token decides; where a noun comes first that takes all before a word,
    /// that word must stand further on.
    pub shape: &'static str,
    /// What remarks say where something is missing.
    pub missing: &'static [Lack],
    /// Orders of this form, each as it may be written and with what happens then: for help and guides.
    pub uses: &'static [Use],
}

/// What a remark says where something is missing.
#[derive(Debug, Clone, Copy)]
pub struct Lack {
    what: &'static str,
    text: &'static str,
    hint: Option<&'static str>,
}

/// What a remark says where one of these words, or a noun of one of these names, is missing: `WHEN|of`. A `{}` in it is the token that stands there.
#[must_use]
pub const fn lack(what: &'static str, text: &'static str) -> Lack {
    Lack { what, text, hint: None }
}

impl Lack {
    /// Adds what to write instead.
    #[must_use]
    pub const fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The remark at a place, where `token` stands, with its example in the names of the game.
    fn at(&self, lexicon: &impl Lexicon, place: Span, token: &str) -> Remark {
        let remark = on(place, self.text.replace("{}", &format!("`{}`", short(token))));
        Remark { hint: self.hint.map(|hint| lexicon.example(hint).into_owned()), ..remark }
    }
}

impl<V> Form<V> {
    fn lack(&self, what: &str) -> Option<&'static Lack> {
        self.missing.iter().find(|lack| lack.what.split('|').any(|one| one == what))
    }
}

/// A use of a form.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// One or more examples: `HIDE 3`.
    pub lines: &'static [&'static str],
    /// What happens, in a few words.
    pub does: &'static str,
}

/// The manner of a language.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// What remarks call a line: `order`.
    pub what: &'static str,
    /// Whether the word that a form is written with may be cut short, as long as only one is meant.
    pub cut_short: bool,
    /// First words of lines that others read. A misspelt word may be one of them.
    pub others: &'static [&'static str],
    /// The hint where something stands behind a complete line.
    pub behind: Option<&'static str>,
}

impl Manner {
    /// The plain manner; `what` is what remarks call a line.
    #[must_use]
    pub const fn of(what: &'static str) -> Self {
        Self { what, cut_short: false, others: &[], behind: None }
    }
}

/// The order language of a ruleset: its forms, ready to read and write by. `V` are its verbs, `K` its kinds of noun.
#[derive(Debug)]
pub struct Grammar<V: 'static, K> {
    manner: Manner,
    entries: Vec<Entry<V, K>>,
    /// The words and marks of all shapes.
    words: Vec<&'static str>,
}

#[derive(Debug)]
struct Entry<V: 'static, K> {
    form: &'static Form<V>,
    shape: Shape<K>,
}

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// The grammar of these forms. `kind` gives the kind of noun by its name in the shapes. Of forms that begin with the same word the first is read
    /// by it; the others are read by [`Grammar::read_rest`].
    ///
    /// # Panics
    /// A shape is malformed, or names a kind that `kind` doesn't know.
    pub fn new(manner: Manner, forms: &'static [Form<V>], kind: impl Fn(&str) -> Option<K>) -> Self {
        let entry = |form: &'static Form<V>| Entry { form, shape: shape::parse(form.shape, &kind) };
        let entries: Vec<_> = forms.iter().map(entry).collect();
        let mut words: Vec<&str> = entries.iter().flat_map(|entry| entry.shape.words()).collect();
        words.sort_unstable();
        words.dedup();
        Self { manner, entries, words }
    }

    /// The forms, in the order of the list.
    pub fn forms(&self) -> impl Iterator<Item = &'static Form<V>> {
        self.entries.iter().map(|entry| entry.form)
    }

    /// Whether a word or mark stands in any shape.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|own| own.eq_ignore_ascii_case(word))
    }

    fn of(&self, verb: V) -> &Entry<V, K> {
        let entry = self.entries.iter().find(|entry| entry.form.verb == verb);
        #[expect(
            clippy::expect_used,
            reason = "a ruleset lists a form for each verb that it reads or writes"
        )]
        entry.expect("every verb has a form")
    }
}

#[cfg(test)]
mod tests;
