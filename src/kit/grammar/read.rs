//! Reads a line by its form, from the left to the right and without going back: so a remark points at the first thing that doesn't fit.

use std::borrow::Cow;

use super::shape::{Extent, Noun, Presence, Sequence, Step, Words};
use super::{Entry, Form, Grammar, Manner};
use crate::lexicon::{Lexicon, SEPARATORS, at, missing};
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Span, Token};
use musterd_engine::yaml::short;

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
    /// The first part of this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&Part<N>> {
        self.parts.iter().find(|part| part.name == name)
    }

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
        self.part(name).is_some()
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
        let verb = self.verb_of(first, offered)?;
        self.read_rest(lexicon, verb, &mut cursor).map(Some)
    }

    /// Reads what stands behind the first word of an order, to the end of the line.
    ///
    /// # Errors
    /// Those of [`Grammar::read`].
    pub fn read_rest<L: Lexicon<Kind = K>>(
        &self,
        lexicon: &L,
        verb: V,
        cursor: &mut Cursor<'_>,
    ) -> Result<Sentence<V, L::Noun>, Remark> {
        let read = self.of(verb).read(lexicon, cursor, true)?;
        self.complete(cursor)?;
        Ok(read)
    }

    /// Reads what stands behind the first word of a line in which another order follows; the cursor then stands before it.
    ///
    /// # Errors
    /// Those of [`Grammar::read`].
    pub fn read_part<L: Lexicon<Kind = K>>(
        &self,
        lexicon: &L,
        verb: V,
        cursor: &mut Cursor<'_>,
    ) -> Result<Sentence<V, L::Noun>, Remark> {
        self.of(verb).read(lexicon, cursor, false)
    }

    /// What the form of a verb says where something is missing.
    ///
    /// # Panics
    /// The form says nothing of it.
    pub fn lacking(&self, lexicon: &impl Lexicon, verb: V, what: &str, place: Span) -> Remark {
        #[expect(clippy::expect_used, reason = "the forms are the program's own")]
        let lack = self.of(verb).form.lack(what).expect("the form says what is missing");
        lack.at(lexicon, place, "")
    }

    /// Refuses what stands behind a complete line.
    ///
    /// # Errors
    /// Something stands there.
    pub fn complete(&self, cursor: &Cursor<'_>) -> Result<(), Remark> {
        cursor.peek().map_or(Ok(()), |rest| Err(behind(rest, &self.manner)))
    }
}

impl<V: Copy, K: Copy> Entry<V, K> {
    /// `ends` says that nothing may follow in the line.
    fn read<L: Lexicon<Kind = K>>(
        &self,
        lexicon: &L,
        cursor: &mut Cursor<'_>,
        ends: bool,
    ) -> Result<Sentence<V, L::Noun>, Remark> {
        let mut reader = Reader { lexicon, form: self.form, cursor, parts: Vec::with_capacity(4) };
        reader.sequence(After { steps: &self.shape.0, outer: None }, ends)?;
        let parts = reader.parts;
        Ok(Sentence { verb: self.form.verb, parts, end: cursor.here() })
    }
}

fn behind(rest: Token<'_>, manner: &Manner) -> Remark {
    let text = format!("What is `{}` here? The {} is complete before it.", short(rest.text), manner.what);
    let remark = at(rest, text);
    match manner.behind {
        Some(hint) => remark.hint(hint),
        None => remark,
    }
}

/// What follows in the line: the next steps of a sequence, then those of the sequence that it stands in.
struct After<'s, K> {
    steps: &'s [Step<K>],
    outer: Option<&'s After<'s, K>>,
}

impl<K> Clone for After<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for After<'_, K> {}

impl<'s, K> After<'s, K> {
    /// The next step, and what follows it.
    fn next(self) -> Option<(&'s Step<K>, Self)> {
        match self.steps.split_first() {
            Some((step, steps)) => Some((step, Self { steps, ..self })),
            None => self.outer.and_then(|outer| outer.next()),
        }
    }

    /// The first step that must stand there.
    fn needed(self) -> Option<&'s Step<K>> {
        let (step, further) = self.next()?;
        if step.may_be_missing() { further.needed() } else { Some(step) }
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
    fn sequence(&mut self, whole: After<'_, L::Kind>, ends: bool) -> Result<(), Remark> {
        for (place, step) in whole.steps.iter().enumerate() {
            let ends = ends && place + 1 == whole.steps.len();
            let after = After { steps: &whole.steps[place + 1..], ..whole };
            match step {
                Step::Word(words) => self.word(words)?,
                Step::Noun(noun) if noun.extent == Extent::Open => self.open(noun, after)?,
                Step::Noun(noun) => self.noun(noun)?,
                Step::Optional(inner) => {
                    let is_there = self.may_begin(inner, after) && !self.is_for(after);
                    // Where nothing else can follow, the rest is read as what is expected there, so that the remark says what that is.
                    if is_there || ends && !inner.asks_for_word() && self.cursor.peek().is_some() {
                        self.sequence(After { steps: &inner.0, outer: Some(&after) }, ends)?;
                    }
                }
                Step::Choice(ways) => self.one_of(ways, after, ends)?,
                Step::Repeated(ways) => {
                    let again = After { steps: &whole.steps[place..], ..whole };
                    while self.cursor.peek().is_some()
                        && (ends || ways.iter().any(|way| self.may_begin(way, again)))
                    {
                        self.one_of(ways, again, false)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The first sequence that the next tokens may begin; of those that begin with the same open noun, the one in which it ends first. A word may be
    /// the beginning of an open noun too: it is one where nothing behind it fits the word. Where the tokens begin no sequence it is the last, which then
    /// says what is expected.
    fn one_of(
        &mut self,
        ways: &[Sequence<L::Kind>],
        after: After<'_, L::Kind>,
        ends: bool,
    ) -> Result<(), Remark> {
        let mut begun = ways.iter().filter(|way| self.may_begin(way, after)).peekable();
        let mut way = begun.next();
        if begun.peek().and_then(|way| way.open_noun()).is_some()
            && way.is_some_and(|way| self.stops_short(way, after))
        {
            way = begun.next();
        }
        if let Some(noun) = way.and_then(Sequence::open_noun) {
            let end =
                |way: &Sequence<L::Kind>| self.extent(After { steps: &way.0[1..], outer: Some(&after) }).0;
            let alike = begun.filter(|other| other.open_noun() == Some(noun));
            way = way.into_iter().chain(alike).min_by_key(|way| end(way));
        }
        match way.or(ways.last()) {
            Some(way) => self.sequence(After { steps: &way.0, outer: Some(&after) }, ends),
            None => Ok(()),
        }
    }

    /// Whether a sequence begins with the next token, a word, and nothing that may stand behind it stands there.
    fn stops_short(&self, way: &Sequence<L::Kind>, after: After<'_, L::Kind>) -> bool {
        let rest = After { steps: &way.0[1..], outer: Some(&after) };
        matches!(way.0[0], Step::Word(_))
            && self.cursor.rest().get(1..).is_some_and(|next| !next.is_empty() && !self.follows(rest, next))
    }

    fn word(&mut self, words: &Words) -> Result<(), Remark> {
        let word = words.spellings[0];
        let stands = self.cursor.peek().filter(|token| token.is_any(&words.spellings));
        match (words.presence, stands) {
            (Presence::Needed | Presence::Last | Presence::Tolerated, Some(token)) => {
                self.cursor.skip(1);
                self.parts.extend(words.name.map(|name| Part { name, said: Said::Word, span: token.span }));
                Ok(())
            }
            (Presence::Tolerated | Presence::Barred, None) => Ok(()),
            (Presence::Barred, Some(token)) => {
                let strange = || at(token, format!("What is `{}` here?", short(token.text)));
                Err(self.lacking(word).unwrap_or_else(strange))
            }
            (Presence::Needed | Presence::Last, None) => Err(self.lacking(word).unwrap_or_else(|| {
                let text = format!("Expected {word} here.");
                missing(self.cursor, text).hint(format!("for example {}", self.example()))
            })),
        }
    }

    /// A noun that ends where the lexicon finds its end, or several.
    fn noun(&mut self, noun: &Noun<L::Kind>) -> Result<(), Remark> {
        if noun.several
            && let Some(token) = self.cursor.take_any(L::ALL)
        {
            self.parts.push(Part { name: noun.name, said: Said::All, span: token.span });
            return Ok(());
        }
        loop {
            let before = self.cursor.rest().len();
            self.one(noun)?;
            // A noun of nothing ends its list.
            let goes_on = noun.several
                && self.cursor.rest().len() < before
                && (self.cursor.take_any(&SEPARATORS).is_some()
                    || self.lexicon.begins(noun.kind, self.cursor.rest()));
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// A noun that takes all that stands before what follows it, or a list of such nouns.
    fn open(&mut self, noun: &Noun<L::Kind>, after: After<'_, L::Kind>) -> Result<(), Remark> {
        let (count, lacking) = self.extent(after);
        if let Some(remark) = lacking.and_then(|word| self.lacking(word)) {
            return Err(remark);
        }
        let whole = self.cursor.narrow(count);
        if noun.several {
            // An empty list lacks its noun; one of separators alone is a list of nobody.
            let mut lacks_noun = self.cursor.peek().is_none();
            loop {
                while self.cursor.take_any(&SEPARATORS).is_some() {}
                let rest = self.cursor.rest();
                let count = rest.iter().position(|token| token.is_any(&SEPARATORS)).unwrap_or(rest.len());
                if count == 0 && !std::mem::take(&mut lacks_noun) {
                    break;
                }
                let list = self.cursor.narrow(count);
                self.taken_whole(noun)?;
                self.cursor.widen(list);
            }
        } else {
            self.taken_whole(noun)?;
        }
        self.cursor.widen(whole);
        Ok(())
    }

    fn taken_whole(&mut self, noun: &Noun<L::Kind>) -> Result<(), Remark> {
        self.one(noun)?;
        let strange = |rest: Token<'_>| at(rest, format!("What is `{}` here?", short(rest.text)));
        self.cursor.peek().map_or(Ok(()), |rest| Err(strange(rest)))
    }

    fn one(&mut self, noun: &Noun<L::Kind>) -> Result<(), Remark> {
        if self.cursor.peek().is_none()
            && let Some(remark) = self.lacking(noun.name)
        {
            return Err(remark);
        }
        let (name, parts) = (noun.name, &mut self.parts);
        self.lexicon.read_some(noun.kind, self.cursor, &mut |noun, span| {
            parts.push(Part { name, said: Said::Noun(noun), span });
        })
    }

    /// How many tokens stand before what follows; and the word that must follow and doesn't.
    fn extent(&self, after: After<'_, L::Kind>) -> (usize, Option<&'static str>) {
        let rest = self.cursor.rest();
        let mut from = after;
        let mut lacking = None;
        loop {
            if let Some(count) = (0..rest.len()).find(|&count| self.follows(from, &rest[count..])) {
                return (count, lacking);
            }
            // What must follow doesn't: what may follow that ends the noun too.
            loop {
                let Some((step, further)) = from.next() else { return (rest.len(), lacking) };
                from = further;
                if !step.may_be_missing() {
                    lacking = lacking.or(step.first_word());
                    break;
                }
            }
        }
    }

    /// Whether tokens are begun by what follows, up to the first step that must stand there.
    fn follows(&self, mut after: After<'_, L::Kind>, tokens: &[Token<'_>]) -> bool {
        while let Some((step, further)) = after.next() {
            if self.tells(step, tokens) {
                return true;
            }
            if !step.may_be_missing() {
                return false;
            }
            after = further;
        }
        false
    }

    /// Whether tokens surely begin a step: by a word, or by a noun that the lexicon knows by its look.
    fn tells(&self, step: &Step<L::Kind>, tokens: &[Token<'_>]) -> bool {
        let any = |ways: &[Sequence<L::Kind>]| {
            ways.iter().any(|way| self.follows(After { steps: &way.0, outer: None }, tokens))
        };
        match step {
            Step::Word(words) => {
                let mut is_there = tokens.iter().map(|token| token.is_any(&words.spellings));
                words.must_stand()
                    && is_there.next() == Some(true)
                    && (words.presence != Presence::Last || !is_there.any(|is_there| is_there))
            }
            Step::Noun(noun) => {
                noun.extent == Extent::Closed && !tokens.is_empty() && self.lexicon.begins(noun.kind, tokens)
            }
            Step::Optional(inner) => any(std::slice::from_ref(inner)),
            Step::Choice(ways) | Step::Repeated(ways) => any(ways),
        }
    }

    /// Whether the next tokens may begin a sequence.
    fn may_begin(&self, sequence: &Sequence<L::Kind>, after: After<'_, L::Kind>) -> bool {
        for (place, step) in sequence.0.iter().enumerate() {
            let rest = After { steps: &sequence.0[place + 1..], outer: Some(&after) };
            let next = self.cursor.peek();
            let begins = match step {
                Step::Word(words) => next.is_some_and(|token| token.is_any(&words.spellings)),
                Step::Noun(noun) => {
                    noun.extent == Extent::Open && next.is_some()
                        || noun.several && next.is_some_and(|token| token.is_any(L::ALL))
                        || self.lexicon.begins(noun.kind, self.cursor.rest())
                }
                Step::Optional(inner) => self.may_begin(inner, rest),
                Step::Choice(ways) | Step::Repeated(ways) => ways.iter().any(|way| self.may_begin(way, rest)),
            };
            // An open noun begins with anything: what must follow it decides.
            if begins && (!step.is_open() || self.stands_ahead(rest)) {
                return true;
            }
            if !step.may_be_missing() {
                return false;
            }
        }
        false
    }

    /// Whether what must follow in the same sequence stands further on, before anything that follows the sequence. Where nothing must, it does.
    fn stands_ahead(&self, after: After<'_, L::Kind>) -> bool {
        let Some(needed) = after.steps.iter().find(|step| !step.may_be_missing()) else { return true };
        let rest = self.cursor.rest();
        let outer = After { steps: &[], outer: after.outer };
        let first = (0..rest.len())
            .find(|&count| self.tells(needed, &rest[count..]) || self.follows(outer, &rest[count..]));
        first.is_some_and(|count| self.tells(needed, &rest[count..]))
    }

    /// Whether the next token is a word that must follow: so it belongs to no optional part before it.
    fn is_for(&self, after: After<'_, L::Kind>) -> bool {
        after
            .needed()
            .is_some_and(|needed| needed.first_word().is_some() && self.tells(needed, self.cursor.rest()))
    }

    /// The remark that the form has for something missing.
    fn lacking(&self, what: &str) -> Option<Remark> {
        let lack = self.form.lack(what)?;
        let token = self.cursor.peek().map_or("", |token| token.text);
        Some(lack.at(self.lexicon, self.cursor.here(), token))
    }

    fn example(&self) -> Cow<'static, str> {
        let first = self.form.uses.iter().flat_map(|one| one.lines).next();
        self.lexicon.example(first.copied().unwrap_or(self.form.words[0]))
    }
}
