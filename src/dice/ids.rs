//! The two names that the protocol binds dice to: a game and a seat.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that is not a valid name: the kind of name, and the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {what}: use 1 to {longest} of {alphabet}")]
pub struct BadId {
    what: &'static str,
    longest: usize,
    alphabet: &'static str,
    text: String,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $longest:literal, $alphabet:literal, $extra:pat) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The name as it stands in mails, logs and labels.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                // A lone `-` stands for an absent value in log entries, so it can't be a name.
                let good = (1..=$longest).contains(&text.len())
                    && text != "-"
                    && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | $extra));
                if good {
                    Ok(Self(text.to_owned()))
                } else {
                    let text = text.chars().take(80).collect();
                    Err(BadId { what: $what, longest: $longest, alphabet: $alphabet, text })
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;
            fn try_from(text: String) -> Result<Self, BadId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// The name of one running game: `[a-z0-9-]{1,20}`.
    GameId, "game id", 20, "a-z, 0-9 and -", b'-'
}

id! {
    /// One player's place on a side, which stays when the player changes: `french`, `allied.austria`. `[a-z0-9.-]{1,32}`; the dice protocol calls it
    /// a *slot*.
    Seat, "seat", 32, "a-z, 0-9, . and -", b'.' | b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_to_their_alphabet_and_length() {
        for good in ["a", "1805", "-x-", "twenty-letters-long0"] {
            assert_eq!(good.parse::<GameId>().unwrap().as_str(), good);
        }
        for bad in ["", "-", "Alpha", "a.b", "a b", "a\n", "é", "twenty-1-letters-long"] {
            assert!(bad.parse::<GameId>().is_err(), "{bad:?}");
        }
        assert!("allied.austria".parse::<Seat>().is_ok());
        assert!("x".repeat(32).parse::<Seat>().is_ok());
        for bad in ["", "-", "french,allied", "French", "a/b", &"x".repeat(33)] {
            assert!(bad.parse::<Seat>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn seats_sort_by_their_bytes() {
        let sorted = ["a-b", "a.b", "a0", "aa"].map(|name| name.parse::<Seat>().unwrap());
        assert!(sorted.is_sorted());
    }
}
