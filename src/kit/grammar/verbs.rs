//! The first words of lines: whole, cut short, and slips of the pen.

use super::shape::Step;
use super::{Entry, Grammar};
use crate::lexicon::at;
use musterd_engine::alike::{meant, slips, unlikeness};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Kind, Token};
use musterd_engine::yaml::short;

/// How sure it is that a word is the first word of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sureness<V> {
    /// It is one of them, written whole.
    Whole(V),
    /// It is cut short, and only one is meant.
    Short(V),
    /// It is cut short too much.
    Ambiguous,
    /// It is one wrong letter away from one; two, in a longer word or in capitals.
    Near,
    /// It is none.
    No,
}

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// The verb that a word is, in any case, written whole.
    #[must_use]
    pub fn verb(&self, word: &str) -> Option<V> {
        let word = self.bare(word);
        let is_it = |entry: &&Entry<V, K>| entry.form.words.iter().any(|own| own.eq_ignore_ascii_case(word));
        self.entries.iter().find(is_it).map(|entry| entry.form.verb)
    }

    /// The first word of an order that somebody may have meant.
    #[must_use]
    pub fn near_verb(&self, word: &str) -> Option<&'static str> {
        meant(word, self.words())
    }

    /// The verb that a token is, cut short or not. `offered` says which orders can be given now, for the hint.
    ///
    /// # Errors
    /// It is none, or could be several; the hint says what may have been meant.
    pub fn verb_of(&self, token: Token<'_>, offered: impl Fn(V) -> bool) -> Result<V, Remark> {
        // Where words are cut short they may stand in quotes too.
        let named = self.verb(token.text).filter(|_| self.manner.cut_short || token.kind == Kind::Word);
        if let Some(verb) = named {
            return Ok(verb);
        }
        let written = short(token.text);
        let mut begun = self.begun(token.text);
        if let [(_, verb)] = begun.as_slice() {
            return Ok(*verb);
        }
        if !begun.is_empty() {
            begun.sort_unstable_by_key(|(word, _)| *word);
            let words: Vec<&str> = begun.into_iter().map(|(word, _)| word).collect();
            let text = format!("`{written}` could be {}.", words.join(" or "));
            return Err(at(token, text).hint("write one letter more"));
        }
        let hint = self.guessed(token.text).map_or_else(
            || format!("{}s are {}", self.manner.what, self.openings(offered)),
            |near| format!("did you mean {near}?"),
        );
        Err(at(token, format!("`{written}` is no {}.", self.manner.what)).hint(hint))
    }

    /// What the orders begin with that are offered: `HIDE, IF ATTACKED`.
    pub fn openings(&self, offered: impl Fn(V) -> bool) -> String {
        let offered = self.entries.iter().filter(|entry| offered(entry.form.verb));
        offered.map(Entry::opening).collect::<Vec<_>>().join(", ")
    }

    /// How sure it is that a word of a letter is the first word of an order.
    #[must_use]
    pub fn sureness(&self, word: &str) -> Sureness<V> {
        if let Some(verb) = self.verb(word) {
            return Sureness::Whole(verb);
        }
        match self.begun(word).as_slice() {
            [(_, verb)] => return Sureness::Short(*verb),
            [] => {}
            _ => return Sureness::Ambiguous,
        }
        let upper = self.bare(word).to_ascii_uppercase();
        if !(3..=12).contains(&upper.len()) {
            return Sureness::No;
        }
        let most = if upper.len() >= 5 || upper.len() == 4 && word == upper { 2 } else { 1 };
        let near = |name: &str| least_distance(&upper, name) <= most && slips(&upper, name) <= most;
        match self.words().any(|name| name.len() > 2 && near(name)) {
            true => Sureness::Near,
            false => Sureness::No,
        }
    }

    /// The shortest beginning of a form's word by which it alone is meant, if that is not the whole word.
    pub(super) fn shortest(&self, word: &'static str) -> Option<&'static str> {
        let beginnings = (1..word.len()).filter_map(|length| word.get(..length));
        beginnings.into_iter().find(|beginning| self.begun(beginning).len() == 1)
    }

    /// The words that forms are written with, of those that may be cut short to this one.
    fn begun(&self, word: &str) -> Vec<(&'static str, V)> {
        let word = self.bare(word);
        let mut begun: Vec<(&'static str, V)> = Vec::new();
        if !self.manner.cut_short || word.is_empty() {
            return begun;
        }
        for form in self.forms() {
            let own = form.words[0];
            let begins = own.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word));
            if begins && begun.iter().all(|(other, _)| *other != own) {
                begun.push((own, form.verb));
            }
        }
        begun
    }

    /// The first word that was meant, for a hint.
    fn guessed(&self, word: &str) -> Option<&'static str> {
        if !self.manner.cut_short {
            return self.near_verb(word);
        }
        let word: String = word.chars().take(20).collect::<String>().to_ascii_uppercase();
        let known = self.words().chain(self.manner.others.iter().copied());
        let near = known.map(|name| (unlikeness(&word, name), name)).min()?;
        (near.0.slips <= 2 && word.len() > 2).then_some(near.1)
    }

    fn words(&self) -> impl Iterator<Item = &'static str> {
        self.forms().flat_map(|form| form.words.iter().copied())
    }

    /// A word without the full stop or colon of a word that is cut short.
    fn bare<'w>(&self, word: &'w str) -> &'w str {
        if self.manner.cut_short { word.trim_end_matches(['.', ':']) } else { word }
    }
}

impl<V, K> Entry<V, K> {
    /// What an order of this form always begins with: `MOVE`, `IF ATTACKED`.
    fn opening(&self) -> String {
        let words = self.shape.0.iter().map_while(|step| match step {
            Step::Word(words) if words.must_stand() => Some(words.spellings[0]),
            _ => None,
        });
        std::iter::once(self.form.words[0]).chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// A lower bound for the distance of two words in capitals: a slip of the pen adds or removes at most one letter. It decides nearly all comparisons;
/// the distance itself is slow to compute.
fn least_distance(one: &str, other: &str) -> usize {
    let letters = |word: &str| {
        let letters = word.bytes().filter(u8::is_ascii_uppercase);
        letters.fold(0_u32, |all, letter| all | 1 << (letter - b'A'))
    };
    let (mine, theirs) = (letters(one), letters(other));
    let only = (mine & !theirs).count_ones().max((theirs & !mine).count_ones());
    let longer = one.chars().count().abs_diff(other.chars().count());
    longer.max(usize::try_from(only).unwrap_or(0))
}
