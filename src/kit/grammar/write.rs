//! Writes an order by its form, so that it is read back as the same.

use std::fmt::Debug;

use super::Grammar;
use super::read::{Part, Said};
use super::shape::{Noun, Sequence, Step};

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// The line of an order that has these parts, in the order of its shape. `noun` writes a noun at the end of the line, as the ruleset's lexicon
    /// reads it.
    ///
    /// # Panics
    /// The shape has no place for a part, or demands one that is not there.
    pub fn write<N: Debug>(&self, verb: V, parts: &[Part<N>], noun: impl Fn(&N, &mut String)) -> String {
        let entry = self.of(verb);
        let mut writer = Writer { noun, parts, line: String::with_capacity(40), lacks: None };
        writer.line.push_str(entry.form.words[0]);
        writer.sequence(&entry.shape);
        assert!(writer.parts.is_empty(), "{} has no place for {:?}", entry.form.words[0], writer.parts);
        assert!(writer.lacks.is_none(), "{} lacks {:?}", writer.line, writer.lacks);
        writer.line
    }
}

struct Writer<'w, N, F> {
    noun: F,
    /// The parts that are not written yet.
    parts: &'w [Part<N>],
    line: String,
    /// What the shape demands and the parts don't have.
    lacks: Option<&'static str>,
}

impl<N, F: Fn(&N, &mut String)> Writer<'_, N, F> {
    fn sequence<K>(&mut self, sequence: &Sequence<K>) {
        for step in &sequence.0 {
            match step {
                Step::Word(words) if !words.must_stand() => {}
                Step::Word(words) => {
                    if words.name.is_some_and(|name| self.is_next(name)) {
                        self.parts = &self.parts[1..];
                    }
                    self.push(words.spellings[0]);
                }
                Step::Noun(noun) => self.nouns(noun),
                Step::Optional(inner) if inner.is_words() || self.takes(inner) => self.sequence(inner),
                Step::Optional(_) => {}
                Step::Choice(ways) => self.one_of(ways),
                Step::Repeated(ways) => {
                    while ways.iter().any(|way| self.takes(way)) {
                        self.one_of(ways);
                    }
                }
            }
        }
    }

    /// The way that takes most of the parts that are left; of equals the first.
    fn one_of<K>(&mut self, ways: &[Sequence<K>]) {
        let (parts, end, lacks) = (self.parts, self.line.len(), self.lacks);
        let mut able = ways.iter().filter(|way| self.takes(way)).peekable();
        let Some(first) = able.next() else {
            match ways.iter().find(|way| way.is_words()) {
                Some(words) => self.sequence(words),
                None => self.lacks = self.lacks.or(Some("one of several")),
            }
            return;
        };
        if able.peek().is_none() {
            return self.sequence(first);
        }
        let others: Vec<&Sequence<K>> = able.collect();
        self.sequence(first);
        let mut best = (self.lacks, self.parts, self.line.split_off(end));
        for way in others {
            (self.parts, self.lacks) = (parts, lacks);
            self.sequence(way);
            let written = self.line.split_off(end);
            if (self.lacks.is_some(), self.parts.len()) < (best.0.is_some(), best.1.len()) {
                best = (self.lacks, self.parts, written);
            }
        }
        (self.lacks, self.parts) = (best.0, best.1);
        self.line.push_str(&best.2);
    }

    fn nouns<K>(&mut self, noun: &Noun<K>) {
        let mut is_first = true;
        while is_first || noun.several {
            let Some((part, rest)) = self.parts.split_first().filter(|(part, _)| part.name == noun.name)
            else {
                if is_first {
                    self.lacks = self.lacks.or(Some(noun.name));
                }
                return;
            };
            self.line.push_str(if is_first { " " } else { ", " });
            is_first = false;
            match &part.said {
                Said::Noun(noun) => (self.noun)(noun, &mut self.line),
                Said::All => self.line.push_str("ALL"),
                Said::Word => {}
            }
            self.parts = rest;
        }
    }

    /// Whether a sequence begins with the next part.
    fn takes<K>(&self, sequence: &Sequence<K>) -> bool {
        for step in &sequence.0 {
            match step {
                Step::Word(words) => {
                    if let Some(name) = words.name {
                        return self.is_next(name);
                    }
                }
                Step::Noun(noun) => return self.is_next(noun.name),
                Step::Optional(inner) if self.takes(inner) => return true,
                Step::Optional(_) => {}
                Step::Choice(ways) => return ways.iter().any(|way| self.takes(way)),
                Step::Repeated(ways) => {
                    if ways.iter().any(|way| self.takes(way)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn is_next(&self, name: &str) -> bool {
        self.parts.first().is_some_and(|part| part.name == name)
    }

    fn push(&mut self, word: &str) {
        self.line.push(' ');
        self.line.push_str(word);
    }
}
