//! The shapes of orders, parsed from their notation ([`super::Form::shape`]).

use std::iter::Peekable;
use std::str::SplitWhitespace;

/// What follows the first word of an order.
pub(super) type Shape<K> = Sequence<K>;

/// Steps one behind the other.
#[derive(Debug)]
pub(super) struct Sequence<K>(pub(super) Vec<Step<K>>);

/// A step of a shape.
#[derive(Debug)]
pub(super) enum Step<K> {
    /// One of these words.
    Word(Words),
    /// A noun.
    Noun(Noun<K>),
    /// What may stand there or not.
    Optional(Sequence<K>),
    /// One of several sequences.
    Choice(Vec<Sequence<K>>),
    /// Any number of several sequences, in any order.
    Repeated(Vec<Sequence<K>>),
}

/// The place of a noun.
#[derive(Debug)]
pub(super) struct Noun<K> {
    pub(super) name: &'static str,
    pub(super) kind: K,
    /// Whether several may stand there.
    pub(super) several: bool,
    pub(super) extent: Extent,
}

/// How far a noun goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// As far as the lexicon finds it to go.
    Closed,
    /// To what follows it in the shape.
    Open,
}

/// A word with its other spellings.
#[derive(Debug)]
pub(super) struct Words {
    /// The name under which the order keeps it, if it does.
    pub(super) name: Option<&'static str>,
    /// The spellings; the first is written.
    pub(super) spellings: Vec<&'static str>,
    pub(super) presence: Presence,
}

/// Whether a word stands in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// It must, and is written.
    Needed,
    /// It must, and is written; of several in a line the last is meant.
    Last,
    /// It may, and is never written.
    Tolerated,
    /// It must not.
    Barred,
}

impl Words {
    pub(super) const fn must_stand(&self) -> bool {
        matches!(self.presence, Presence::Needed | Presence::Last)
    }
}

impl<K> Step<K> {
    pub(super) const fn may_be_missing(&self) -> bool {
        match self {
            Self::Word(words) => !words.must_stand(),
            Self::Optional(_) | Self::Repeated(_) => true,
            Self::Noun(_) | Self::Choice(_) => false,
        }
    }

    /// Whether it may be a noun that goes as far as what follows it: then it can't be told by its beginning.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Word(_) => false,
            Self::Noun(noun) => noun.extent == Extent::Open,
            Self::Optional(inner) => inner.0.first().is_some_and(Self::is_open),
            Self::Choice(ways) | Self::Repeated(ways) => {
                ways.iter().any(|way| way.0.first().is_some_and(Self::is_open))
            }
        }
    }

    /// The word that it begins with, for a remark that it is missing; of several ways the last one's.
    pub(super) fn first_word(&self) -> Option<&'static str> {
        match self {
            Self::Word(words) => words.spellings.first().copied(),
            Self::Choice(ways) => ways.last()?.0.first()?.first_word(),
            Self::Noun(_) | Self::Optional(_) | Self::Repeated(_) => None,
        }
    }
}

impl<K> Sequence<K> {
    /// Every word and mark in it.
    pub(super) fn words(&self) -> Vec<&'static str> {
        let of = |step: &Step<K>| match step {
            Step::Word(words) => words.spellings.clone(),
            Step::Noun(_) => Vec::new(),
            Step::Optional(inner) => inner.words(),
            Step::Choice(ways) | Step::Repeated(ways) => ways.iter().flat_map(Self::words).collect(),
        };
        self.0.iter().flat_map(of).collect()
    }

    /// The name of the noun that it begins with, if that takes all before a word.
    pub(super) fn open_noun(&self) -> Option<&'static str> {
        match self.0.first()? {
            Step::Noun(noun) if noun.extent == Extent::Open => Some(noun.name),
            _ => None,
        }
    }

    /// Whether a word must come first in it.
    pub(super) fn asks_for_word(&self) -> bool {
        let first = self.0.iter().find(|step| match step {
            Step::Word(words) => words.must_stand(),
            Step::Optional(inner) => !inner.is_words(),
            Step::Noun(_) | Step::Choice(_) | Step::Repeated(_) => true,
        });
        first.is_none_or(|step| matches!(step, Step::Word(_)))
    }

    /// Whether something of it must stand there.
    fn takes_something(&self) -> bool {
        self.0.iter().any(|step| match step {
            Step::Word(words) => words.must_stand(),
            Step::Noun(_) => true,
            Step::Optional(_) | Step::Repeated(_) => false,
            Step::Choice(ways) => ways.iter().all(Self::takes_something),
        })
    }

    /// Whether it keeps nothing: it consists of words without names.
    pub(super) fn is_words(&self) -> bool {
        self.0.iter().all(|step| match step {
            Step::Word(words) => words.name.is_none(),
            Step::Noun(_) => false,
            Step::Optional(inner) => inner.is_words(),
            Step::Choice(ways) | Step::Repeated(ways) => ways.iter().all(Self::is_words),
        })
    }
}

/// The shape in this notation.
pub(super) fn parse<K>(notation: &'static str, kind: &impl Fn(&str) -> Option<K>) -> Shape<K> {
    let mut parser = Parser { notation, pieces: notation.split_whitespace().peekable(), kind };
    let shape = parser.sequence();
    parser.demand(parser.pieces.clone().next().is_none(), "a bracket closes that never opened");
    shape
}

struct Parser<'k, F> {
    notation: &'static str,
    pieces: Peekable<SplitWhitespace<'static>>,
    kind: &'k F,
}

impl<K, F: Fn(&str) -> Option<K>> Parser<'_, F> {
    /// The notation is the program's own: a fault in it is a fault of the program.
    fn demand(&self, holds: bool, fault: &str) {
        assert!(holds, "the shape `{}`: {fault}", self.notation);
    }

    fn sequence(&mut self) -> Sequence<K> {
        let mut steps = Vec::new();
        while let Some(piece) = self.pieces.next_if(|piece| !["]", "/", ")", ")*"].contains(piece)) {
            steps.push(self.step(piece));
        }
        Sequence(steps)
    }

    fn step(&mut self, piece: &'static str) -> Step<K> {
        match piece {
            "[" => {
                let inner = self.sequence();
                let closing = self.pieces.next();
                self.demand(closing == Some("]"), "a [ never closes");
                Step::Optional(inner)
            }
            "(" => {
                let mut ways = vec![self.sequence()];
                while self.pieces.next_if_eq(&"/").is_some() {
                    ways.push(self.sequence());
                }
                self.demand(ways.iter().all(|way| !way.0.is_empty()), "a choice of nothing");
                match self.pieces.next() {
                    Some(")") => Step::Choice(ways),
                    closing => {
                        self.demand(closing == Some(")*"), "a ( never closes");
                        // What begins none is read by the last.
                        let takes = ways.last().is_some_and(Sequence::takes_something);
                        self.demand(takes, "a repeated choice that may end in nothing");
                        Step::Repeated(ways)
                    }
                }
            }
            _ => match piece.strip_prefix('{').and_then(|piece| piece.strip_suffix('}')) {
                Some(slot) => self.noun(slot),
                None => Step::Word(self.word(piece)),
            },
        }
    }

    fn noun(&self, slot: &'static str) -> Step<K> {
        let (name, kind) = slot.split_once(':').unwrap_or((slot, slot));
        let (kind, extent) =
            kind.strip_suffix("..").map_or((kind, Extent::Closed), |kind| (kind, Extent::Open));
        let (kind, several) = kind.strip_suffix('+').map_or((kind, false), |kind| (kind, true));
        let kind = (self.kind)(kind);
        self.demand(kind.is_some(), "a kind of noun that the ruleset doesn't know");
        #[expect(clippy::unreachable, reason = "demanded above")]
        let Some(kind) = kind else { unreachable!("demanded above") };
        Step::Noun(Noun { name, kind, several, extent })
    }

    fn word(&self, piece: &'static str) -> Words {
        let (name, spellings) =
            piece.split_once('=').map_or((None, piece), |(name, word)| (Some(name), word));
        let marks = [('?', Presence::Tolerated), ('!', Presence::Barred), ('$', Presence::Last)];
        let marked =
            marks.into_iter().find_map(|(mark, presence)| Some((spellings.strip_suffix(mark)?, presence)));
        let (spellings, presence) = marked.unwrap_or((spellings, Presence::Needed));
        let words = Words { name, spellings: spellings.split('|').collect(), presence };
        self.demand(name.is_none() || words.must_stand(), "a word that is kept and not written");
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Option<()> {
        (name == "own").then_some(())
    }

    #[test]
    fn a_shape_has_its_words_and_nouns() {
        let shape = parse("{who:own+} TO|->? [ ( ANY / x=OPEN {to:own} ) ] ( IN / {own} )*", &kind);
        assert_eq!(shape.words(), ["TO", "->", "ANY", "OPEN", "IN"]);
        assert!(!shape.is_words());
        assert!(parse("[ TO ] ( AT / IN )", &kind).is_words());
    }

    #[test]
    fn a_malformed_shape_is_refused() {
        for bad in
            ["[ TO", "TO ]", "( TO", "( / TO )", "{who:them}", "( TO ]", "x=TO?", "( TO? / [ {own} ] )*"]
        {
            assert!(std::panic::catch_unwind(|| parse(bad, &kind)).is_err(), "{bad}");
        }
    }
}
