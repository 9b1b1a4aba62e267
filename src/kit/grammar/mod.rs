//! Orders as data: a ruleset lists the forms of its orders, and from the one list come the reader, the canonical writer, the words that tell an order
//! from prose, the help and the tables in the guides.

mod help;
mod likeness;
mod read;
mod shape;
mod write;

pub use read::{Part, Said, Sentence};

use musterd_engine::alike::meant;
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
    /// - `TO|->` is a word or mark, one of several; `TO|->?` one that may stand there and is never written;
    /// - `keep=KEEP|ATTACK` is a word that the order keeps, under the name before the `=`;
    /// - `{who:own}` is a noun of the kind `own`, under the name `who`; `{who:own+}` is one or more of them, or `ALL`;
    /// - `[ ... ]` may stand there or not; of words alone it is written;
    /// - `( ... / ... )` is one of several; `( ... / ... )*` any number of them in any order.
    ///
    /// Blanks part all of these.
    pub shape: &'static str,
    /// What a remark says where something is missing: the word or the name of the noun, and the sentence.
    pub missing: &'static [(&'static str, &'static str)],
    /// Orders of this form, each as it may be written and with what happens then: for help and guides.
    pub uses: &'static [Use],
}

/// A use of a form.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    /// One or more examples: `HIDE 3`.
    pub lines: &'static [&'static str],
    /// What happens, in a few words.
    pub does: &'static str,
}

/// The order language of a ruleset: its forms, ready to read and write by. `V` are its verbs, `K` its kinds of noun.
#[derive(Debug)]
pub struct Grammar<V: 'static, K> {
    what: &'static str,
    entries: Vec<Entry<V, K>>,
}

#[derive(Debug)]
struct Entry<V: 'static, K> {
    form: &'static Form<V>,
    shape: Shape<K>,
}

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// The grammar of these forms; `what` is what remarks call a line: `order`. `kind` gives the kind of noun by its name in the shapes.
    ///
    /// # Panics
    /// A shape is malformed, or names a kind that `kind` doesn't know.
    pub fn new(what: &'static str, forms: &'static [Form<V>], kind: impl Fn(&str) -> Option<K>) -> Self {
        let entry = |form: &'static Form<V>| Entry { form, shape: shape::parse(form.shape, &kind) };
        Self { what, entries: forms.iter().map(entry).collect() }
    }

    /// The forms, in the order of the list.
    pub fn forms(&self) -> impl Iterator<Item = &'static Form<V>> {
        self.entries.iter().map(|entry| entry.form)
    }

    /// The verb that a word is, in any case.
    #[must_use]
    pub fn verb(&self, word: &str) -> Option<V> {
        self.named(word).map(|entry| entry.form.verb)
    }

    /// The first word of an order that somebody may have meant.
    #[must_use]
    pub fn near_verb(&self, word: &str) -> Option<&'static str> {
        meant(word, self.forms().flat_map(|form| form.words.iter().copied()))
    }

    /// Whether a word or mark stands in any shape.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        self.entries.iter().any(|entry| entry.shape.has_word(word))
    }

    fn named(&self, word: &str) -> Option<&Entry<V, K>> {
        self.entries.iter().find(|entry| entry.form.words.iter().any(|own| own.eq_ignore_ascii_case(word)))
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
