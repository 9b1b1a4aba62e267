//! The nouns of an order language: units, places, numbers and whatever else an order names.

use std::borrow::Cow;
use std::fmt::Debug;

use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Kind, Span, Token};

/// Words and marks between the nouns of a list.
pub const SEPARATORS: [&str; 4] = [",", "AND", "+", "&"];

/// Reads the nouns of one ruleset, as one leader may use them.
pub trait Lexicon {
    /// The kinds of noun that a slot of a shape can ask for.
    type Kind: Copy;
    /// A noun of any kind.
    type Noun: Clone + Debug + PartialEq;

    /// The words that stand for all nouns of a kind, in the place of a list. A language that says more of them names them in its shapes.
    const ALL: &'static [&'static str] = &["ALL", "EVERYBODY"];

    /// Reads a noun of this kind; the cursor then stands behind it.
    ///
    /// # Errors
    /// No such noun stands there; the remark says what was expected and points at the place.
    fn read(&self, kind: Self::Kind, cursor: &mut Cursor<'_>) -> Result<Self::Noun, Remark>;

    /// Reads a member of a list, which may be several nouns: `3-5`. Gives each with its place.
    ///
    /// # Errors
    /// Those of [`Lexicon::read`].
    fn read_some(
        &self,
        kind: Self::Kind,
        cursor: &mut Cursor<'_>,
        found: &mut dyn FnMut(Self::Noun, Span),
    ) -> Result<(), Remark> {
        let before = cursor.rest().len();
        let noun = self.read(kind, cursor)?;
        found(noun, cursor.span_since(before));
        Ok(())
    }

    /// An example from the forms, such as `MOVE 1 TO Ulm`, in the names of this game.
    fn example(&self, text: &'static str) -> Cow<'static, str> {
        Cow::Borrowed(text)
    }

    /// Whether these tokens may begin with a noun of this kind: where a shape has several ways on, the first that may begin is taken.
    fn begins(&self, _kind: Self::Kind, tokens: &[Token<'_>]) -> bool {
        !tokens.is_empty()
    }
}

/// The words that a line of a letter is told from an order by.
pub trait Vocabulary {
    /// Whether a word is a unit or a place by number, as nearly every order has one.
    fn is_name(&self, token: &Token<'_>) -> bool;

    /// Whether a word is any other noun of the game.
    fn is_noun(&self, token: &Token<'_>) -> bool;
}

/// A remark on a token.
pub fn at(token: Token<'_>, text: impl Into<String>) -> Remark {
    Remark::error(0, text).at(token.span.0, token.span.1)
}

/// A remark on a place in a line.
pub fn on(span: Span, text: impl Into<String>) -> Remark {
    Remark::error(0, text).at(span.0, span.1)
}

/// A remark that something is missing at the cursor.
pub fn missing(cursor: &Cursor<'_>, text: impl Into<String>) -> Remark {
    let (start, length) = cursor.here();
    Remark::error(0, text).at(start, length)
}

/// Whether a token is a number: digits and nothing else.
#[must_use]
pub fn is_number(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && token.text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word is so short a number that it may be a unit's: two digits at most.
#[must_use]
pub fn is_short_number(text: &str) -> bool {
    matches!(text.len(), 1 | 2) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word stands in a name, and is long enough to tell of it: four letters at least.
#[must_use]
pub fn is_word_of(name: &str, token: &Token<'_>) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.len() >= 4 && word.eq_ignore_ascii_case(token.text))
}

/// The numbers at the ends of `3-7` or `3 - 7`. One that is too large is the largest that there is.
#[must_use]
pub fn range(tokens: &[Token<'_>]) -> Option<(u16, u16)> {
    let (first, last) = match tokens {
        [one] if one.kind == Kind::Word => one.text.split_once('-')?,
        [first, dash, last] if dash.is("-") && first.kind == Kind::Word && last.kind == Kind::Word => {
            (first.text, last.text)
        }
        _ => return None,
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = |text: &str| text.parse().unwrap_or(u16::MAX);
    (digits(first) && digits(last)).then(|| (number(first), number(last)))
}

/// The numbers at the ends of a range of units, `3-7` or `3 - 7`, which may have the letter of their side: `A3-A5`, `A3-5`. With them the number of tokens.
/// `lettered` gives the number of a unit that is written with its letter.
pub fn range_of_units(
    tokens: &[Token<'_>],
    lettered: impl Fn(&str) -> Option<u16>,
) -> Option<((u16, u16), usize)> {
    let with_letters = |tokens: &[Token<'_>]| {
        let (first, last) = match tokens {
            [one] if one.kind == Kind::Word => one.text.split_once('-')?,
            [first, dash, last] if dash.is("-") => (first.text, last.text),
            _ => return None,
        };
        lettered(first).zip(lettered(last).or_else(|| last.parse().ok()))
    };
    let of = |tokens: &[Token<'_>]| range(tokens).or_else(|| with_letters(tokens));
    [1, 3].into_iter().find_map(|count| Some((of(tokens.get(..count)?)?, count)))
}

/// The first few of many names, for a hint.
#[must_use]
pub fn first_few(names: &[String]) -> String {
    match names.len() {
        0..=12 => names.join(", "),
        _ => format!("{}, ...", names[..12].join(", ")),
    }
}

/// Declares the kinds of noun of a language, each with its name in the shapes: `kinds! { enum Kind { "own": Own, "hex": Hex } }`. `Kind::named` finds
/// a kind by its name.
#[macro_export]
macro_rules! kinds {
    ($visible:vis enum $Kind:ident { $($(#[$about:meta])* $name:literal: $kind:ident,)+ }) => {
        /// The kinds of noun.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visible enum $Kind {
            $($(#[$about])* $kind,)+
        }

        impl $Kind {
            /// The kind of this name in the shapes.
            $visible fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$kind),)+
                    _ => None,
                }
            }
        }
    };
}

/// Declares the nouns of a language, each with the method that takes it out: `nouns! { enum Noun { hex: Hex(Hex), count: Count(u16) } }`. A method
/// panics where the noun is another, which means that a shape and its reader disagree.
#[macro_export]
macro_rules! nouns {
    ($visible:vis enum $Noun:ident { $($(#[$about:meta])* $take:ident: $noun:ident($type:ty),)+ }) => {
        /// A noun of any kind.
        #[derive(Debug, Clone, PartialEq, Eq)]
        $visible enum $Noun {
            $($(#[$about])* $noun($type),)+
        }

        #[allow(dead_code, reason = "a line whose parts are read in order takes some nouns by matching")]
        impl $Noun {
            $($visible fn $take(&self) -> $type {
                let Self::$noun(noun) = self else { panic!("{self:?} stands where the shape has no such noun") };
                noun.clone()
            })+
        }
    };
}

#[cfg(test)]
mod tests {
    use musterd_engine::tokens::cut;

    use super::*;

    #[test]
    fn a_short_number_has_two_digits_at_most_and_a_word_of_a_name_four_letters_at_least() {
        assert!(is_short_number("7") && is_short_number("07"));
        assert!(!["", "107", "A7", "-1"].into_iter().any(is_short_number));
        let is_of = |word| is_word_of("Henry Hill (the Hill)", &cut(word)[0]);
        assert!(is_of("HENRY") && is_of("hill"));
        assert!(!is_of("the") && !is_of("Hen") && !is_of("hills"));
    }
}
