//! Reads a line by its form, from the left to the right and without going back: so a remark points at the first thing that doesn't fit.

use super::shape::{Sequence, Step, Words};
use super::{Entry, Form, Grammar};
use crate::lexicon::{Lexicon, at, missing};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind, Span};
use musterd_engine::yaml::short;

/// Words and marks between the nouns of a list.
const SEPARATORS: [&str; 4] = [",", "AND", "+", "&"];
/// What stands for all nouns of a kind.
const ALL: [&str; 2] = ["ALL", "EVERYBODY"];

/// A line, read by its form.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence<V, N> {
    /// What it orders.
    pub verb: V,
    /// What it keeps, in the order written.
    pub parts: Vec<Part<N>>,
    /// The place behind the line, for a remark that something is missing.
    pub end: Span,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<N> {
    /// Its name in the shape.
    pub name: &'static str,
    /// What stands there.
    pub said: Said<N>,
    /// Its place in the line.
    pub span: Span,
}

/// What a part of a sentence says.
#[derive(Debug, Clone, PartialEq)]
pub enum Said<N> {
    /// A word that the shape names.
    Word,
    /// `ALL`, in the place of nouns.
    All,
    /// A noun.
    Noun(N),
}

impl<N> Part<N> {
    /// A part to write.
    #[must_use]
    pub const fn noun(name: &'static str, noun: N) -> Self {
        Self { name, said: Said::Noun(noun), span: (0, 0) }
    }

    /// A named word to write.
    #[must_use]
    pub const fn word(name: &'static str) -> Self {
        Self { name, said: Said::Word, span: (0, 0) }
    }
}

impl<V, N> Sentence<V, N> {
    /// The nouns of this name.
    pub fn nouns(&self, name: &str) -> impl Iterator<Item = &N> {
        self.parts.iter().filter(move |part| part.name == name).filter_map(|part| match &part.said {
            Said::Noun(noun) => Some(noun),
            Said::Word | Said::All => None,
        })
    }

    /// The first noun of this name.
    #[must_use]
    pub fn noun(&self, name: &str) -> Option<&N> {
        self.nouns(name).next()
    }

    /// The first noun of this name, which the shape demands.
    ///
    /// # Panics
    /// The shape doesn't demand it.
    #[must_use]
    pub fn the(&self, name: &str) -> &N {
        #[expect(clippy::expect_used, reason = "the shape demands it")]
        self.noun(name).expect("the shape demands the noun")
    }

    /// Whether a part of this name stands in the line.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// Whether `ALL` stands in the place of the nouns of this name.
    #[must_use]
    pub fn is_all(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name && matches!(part.said, Said::All))
    }
}

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// Reads a line without its comment; `None` if it is empty. `offered` says which orders can be given now, for the hint where a first word is
    /// unknown.
    ///
    /// # Errors
    /// What can't be understood, with its place in the line.
    pub fn read<L: Lexicon<Kind = K>>(
        &self,
        lexicon: &L,
        line: &str,
        offered: impl Fn(V) -> bool,
    ) -> Result<Option<Sentence<V, L::Noun>>, Remark> {
        let mut cursor = Cursor::new(line);
        let Some(first) = cursor.take() else { return Ok(None) };
        let Some(entry) = self.named(first.text).filter(|_| first.kind == Kind::Word) else {
            let hint = self.near_verb(first.text).map_or_else(
                || {
                    let offered = self.entries.iter().filter(|entry| offered(entry.form.verb));
                    format!(
                        "{}s are {}",
                        self.what,
                        offered.map(Entry::opening).collect::<Vec<_>>().join(", ")
                    )
                },
                |near| format!("did you mean {near}?"),
            );
            return Err(at(first, format!("`{}` is no {}.", short(first.text), self.what)).hint(hint));
        };
        entry.read(self.what, lexicon, &mut cursor).map(Some)
    }

    /// Reads what stands behind the first word of an order.
    ///
    /// # Errors
    /// Those of [`Grammar::read`].
    pub fn read_rest<L: Lexicon<Kind = K>>(
        &self,
        lexicon: &L,
        verb: V,
        cursor: &mut Cursor<'_>,
    ) -> Result<Sentence<V, L::Noun>, Remark> {
        self.of(verb).read(self.what, lexicon, cursor)
    }
}

impl<V: Copy, K: Copy> Entry<V, K> {
    /// What an order of this form always begins with: `MOVE`, `IF ATTACKED`.
    fn opening(&self) -> String {
        let words = self.shape.0.iter().map_while(|step| match step {
            Step::Word(words) if !words.tolerated => Some(words.spellings[0]),
            _ => None,
        });
        std::iter::once(self.form.words[0]).chain(words).collect::<Vec<_>>().join(" ")
    }

    fn read<L: Lexicon<Kind = K>>(
        &self,
        what: &str,
        lexicon: &L,
        cursor: &mut Cursor<'_>,
    ) -> Result<Sentence<V, L::Noun>, Remark> {
        let mut reader = Reader { lexicon, form: self.form, cursor, parts: Vec::with_capacity(4) };
        reader.sequence(&self.shape, true)?;
        let parts = reader.parts;
        match cursor.peek() {
            None => Ok(Sentence { verb: self.form.verb, parts, end: cursor.here() }),
            Some(rest) => {
                let text = format!("What is `{}` here? The {what} is complete before it.", short(rest.text));
                Err(at(rest, text))
            }
        }
    }
}

struct Reader<'r, 't, V: 'static, L: Lexicon> {
    lexicon: &'r L,
    form: &'static Form<V>,
    cursor: &'r mut Cursor<'t>,
    parts: Vec<Part<L::Noun>>,
}

impl<V, L: Lexicon> Reader<'_, '_, V, L> {
    /// `ends` says that nothing follows the sequence in its line.
    fn sequence(&mut self, sequence: &Sequence<L::Kind>, ends: bool) -> Result<(), Remark> {
        for (place, step) in sequence.0.iter().enumerate() {
            let ends = ends && place + 1 == sequence.0.len();
            match step {
                Step::Word(words) => self.word(words)?,
                Step::Noun { name, kind, several: false } => self.noun(name, *kind)?,
                Step::Noun { name, kind, several: true } => self.nouns(name, *kind)?,
                Step::Optional(inner) => {
                    // Where nothing else can follow, the rest is read as what is expected there, so that the remark says what that is.
                    if self.begins(inner) || ends && !inner.asks_for_word() && self.cursor.peek().is_some() {
                        self.sequence(inner, ends)?;
                    }
                }
                Step::Choice(ways) => self.one_of(ways, ends)?,
                Step::Repeated(ways) => {
                    while self.cursor.peek().is_some() && (ends || ways.iter().any(|way| self.begins(way))) {
                        self.one_of(ways, false)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The first sequence that the next tokens begin; where they begin none, the last, which then says what is expected.
    fn one_of(&mut self, ways: &[Sequence<L::Kind>], ends: bool) -> Result<(), Remark> {
        let begun = ways.iter().find(|way| self.begins(way));
        match begun.or(ways.last()) {
            Some(way) => self.sequence(way, ends),
            None => Ok(()),
        }
    }

    fn word(&mut self, words: &Words) -> Result<(), Remark> {
        let Some(token) = self.cursor.take_any(&words.spellings) else {
            if words.tolerated {
                return Ok(());
            }
            let word = words.spellings[0];
            return Err(self.expected(word).unwrap_or_else(|| {
                let text = format!("Expected {word} here.");
                missing(self.cursor, text).hint(format!("for example {}", self.example()))
            }));
        };
        self.parts.extend(words.name.map(|name| Part { name, said: Said::Word, span: token.span }));
        Ok(())
    }

    fn noun(&mut self, name: &'static str, kind: L::Kind) -> Result<(), Remark> {
        if self.cursor.peek().is_none()
            && let Some(remark) = self.expected(name)
        {
            return Err(remark);
        }
        let before = self.cursor.rest().len();
        let noun = self.lexicon.read(kind, self.cursor)?;
        let span = self.cursor.span_since(before);
        self.parts.push(Part { name, said: Said::Noun(noun), span });
        Ok(())
    }

    fn nouns(&mut self, name: &'static str, kind: L::Kind) -> Result<(), Remark> {
        if let Some(token) = self.cursor.take_any(&ALL) {
            self.parts.push(Part { name, said: Said::All, span: token.span });
            return Ok(());
        }
        loop {
            self.noun(name, kind)?;
            if self.cursor.take_any(&SEPARATORS).is_none() && !self.lexicon.begins(kind, self.cursor) {
                return Ok(());
            }
        }
    }

    /// Whether the next tokens may begin a sequence.
    fn begins(&self, sequence: &Sequence<L::Kind>) -> bool {
        for step in &sequence.0 {
            let begins = match step {
                Step::Word(words) => self.cursor.peek().is_some_and(|token| token.is_any(&words.spellings)),
                Step::Noun { kind, several, .. } => {
                    *several && self.cursor.peek().is_some_and(|token| token.is_any(&ALL))
                        || self.lexicon.begins(*kind, self.cursor)
                }
                Step::Optional(inner) => self.begins(inner),
                Step::Choice(ways) | Step::Repeated(ways) => ways.iter().any(|way| self.begins(way)),
            };
            let may_be_missing = match step {
                Step::Word(words) => words.tolerated,
                Step::Optional(_) | Step::Repeated(_) => true,
                Step::Noun { .. } | Step::Choice(_) => false,
            };
            if begins || !may_be_missing {
                return begins;
            }
        }
        false
    }

    /// The remark that the form has for something missing.
    fn expected(&self, what: &str) -> Option<Remark> {
        let (_, text) = self.form.missing.iter().find(|(name, _)| *name == what)?;
        Some(missing(self.cursor, *text))
    }

    fn example(&self) -> &'static str {
        self.form.uses.iter().flat_map(|one| one.lines).next().copied().unwrap_or(self.form.words[0])
    }
}
