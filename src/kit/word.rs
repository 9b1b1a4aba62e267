//! Short words that data files declare, such as `austria` or `marsh-lake`: they are kept in place, so that a noun of a game which is one can be copied.
//! [`short_words!`](crate::short_words!) declares such nouns.

use std::borrow::Cow;
use std::fmt;

use musterd_engine::yaml::{Reader, short};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Value, json};

/// What the macro names.
#[doc(hidden)]
pub use serde;

use crate::data::Node;

/// A word of 2 to 16 small letters, with dashes between them where its kind may have some.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortWord([u8; ShortWord::LONGEST]);

/// Which characters the words of a kind have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// Small letters.
    Alone,
    /// Small letters, and single dashes between them.
    Dashed,
}

impl ShortWord {
    /// The most characters.
    pub const LONGEST: usize = 16;

    /// The word, if it is one of its kind.
    #[must_use]
    pub const fn of(word: &str, letters: Letters) -> Option<Self> {
        let (bytes, mut padded) = (word.as_bytes(), [0; Self::LONGEST]);
        if bytes.len() < 2 || bytes.len() > Self::LONGEST {
            return None;
        }
        let mut place = 0;
        while place < bytes.len() {
            let is_between = place > 0 && place + 1 < bytes.len() && bytes[place - 1] != b'-';
            let is_dash = bytes[place] == b'-' && is_between && matches!(letters, Letters::Dashed);
            if !bytes[place].is_ascii_lowercase() && !is_dash {
                return None;
            }
            padded[place] = bytes[place];
            place += 1;
        }
        Some(Self(padded))
    }

    /// Its characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|letter| *letter == 0).unwrap_or(Self::LONGEST);
        #[expect(clippy::expect_used, reason = "`of` takes small letters and dashes alone")]
        std::str::from_utf8(&self.0[..length]).expect("a word is ASCII")
    }

    /// Reads a word of a file; `what` is what it is a word for. What is no such word is noted; then it is the one that it is in small letters, if any.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader, node: &Node, what: &str, letters: Letters) -> Option<Self> {
        let text = reader.text(node, &format!("{what}'s word"))?;
        if let Some(word) = Self::of(text, letters) {
            return Some(word);
        }
        let small = text.to_lowercase();
        let meant = Self::of(&small, letters);
        let hint = match (meant, letters) {
            (Some(_), _) => format!("; did you mean `{small}`?"),
            (None, Letters::Alone) => format!(": write 2 to {} small letters", Self::LONGEST),
            (None, Letters::Dashed) => {
                format!(": write 2 to {} small letters, with dashes between them if you like", Self::LONGEST)
            }
        };
        reader.fault(node.at, format!("`{}` is no word for {what}{hint}", short(text)));
        meant
    }

    /// A word of no letter, in the place of one that can't be read.
    #[doc(hidden)]
    #[must_use]
    pub const fn stand_in() -> Self {
        Self([0; Self::LONGEST])
    }

    /// Reads a word of events and published data.
    ///
    /// # Errors
    /// It is no word of its kind.
    #[doc(hidden)]
    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
        what: &str,
        letters: Letters,
    ) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(from)?;
        let unfit = || de::Error::custom(format!("`{}` is no word for {what}", short(&word)));
        Self::of(&word, letters).ok_or_else(unfit)
    }

    /// The JSON schema of a kind.
    #[doc(hidden)]
    #[must_use]
    pub fn schema(letters: Letters) -> Value {
        let pattern = match letters {
            Letters::Alone => "^[a-z]+$",
            Letters::Dashed => "^[a-z]+(-[a-z]+)*$",
        };
        json!({ "type": "string", "pattern": pattern, "minLength": 2, "maxLength": Self::LONGEST })
    }
}

impl fmt::Debug for ShortWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Declares nouns that are short words: `short_words! { /// A people. pub struct People: "a people", Letters::Alone; }`.
#[macro_export]
macro_rules! short_words {
    ($($(#[doc = $doc:literal])+ $shown:vis struct $name:ident: $what:literal, $letters:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $shown struct $name($crate::word::ShortWord);

        impl $name {
            /// The noun of a word, if it is a word for one.
            #[must_use]
            pub const fn of(word: &str) -> Option<Self> {
                match $crate::word::ShortWord::of(word, $letters) {
                    Some(word) => Some(Self(word)),
                    None => None,
                }
            }

            /// Its word.
            #[must_use]
            pub fn word(&self) -> &str {
                self.0.as_str()
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl $crate::word::serde::Serialize for $name {
            fn serialize<S: $crate::word::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }

        impl<'de> $crate::word::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::word::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::word::ShortWord::deserialize(from, $what, $letters).map(Self)
            }
        }

        impl $crate::data::Data for $name {
            fn read(
                reader: &mut $crate::data::Reader,
                node: &$crate::data::Node,
                _: $crate::data::Noun<'_>,
                _: &$crate::data::Range,
            ) -> Option<Self> {
                $crate::word::ShortWord::read(reader, node, $what, $letters).map(Self)
            }

            /// Of no letter.
            fn stand_in(_: &$crate::data::Range) -> Option<Self> {
                Some(Self($crate::word::ShortWord::stand_in()))
            }

            fn schema(_: &$crate::data::Range) -> $crate::data::Value {
                $crate::word::ShortWord::schema($letters)
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_word_is_small_letters_with_single_dashes_inside_where_its_kind_has_them() {
        for (word, alone, dashed) in [
            ("ab", true, true),
            ("abcdefghijklmnop", true, true),
            ("abcdefghijklmnopq", false, false),
            ("a", false, false),
            ("", false, false),
            ("Ab", false, false),
            ("a1", false, false),
            ("marsh-lake", false, true),
            ("-lake", false, false),
            ("lake-", false, false),
            ("marsh--lake", false, false),
            ("é-é", false, false),
        ] {
            let read = |letters| ShortWord::of(word, letters);
            assert_eq!(read(Letters::Alone).is_some(), alone, "{word}");
            assert_eq!(read(Letters::Dashed).is_some(), dashed, "{word}");
            assert!(read(Letters::Dashed).is_none_or(|read| read.as_str() == word), "{word}");
        }
    }
}
