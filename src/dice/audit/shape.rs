//! The outer shape of an audit file, which is looked over before anything in it is: plain JSON, each name once, not nested without end.
//!
//! Two readers of one file must not see two things in it (the first of two members, say, and the last), or each could be shown
//! what it likes to see.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::finding::Fault;

/// The protocol that these files are of.
pub const PROTOCOL: &str = "pbemdice/1";

/// A text that is no audit file at all, so that there is nothing to examine.
#[derive(Debug, thiserror::Error)]
pub enum NotAnAuditFile {
    /// Not JSON, or without `protocol`, `witness`, `log` and `turns`.
    #[error("this is not an audit file: {0}")]
    Json(#[from] serde_json::Error),
    /// A file of another protocol.
    #[error("this is an audit file of `{0}`, and only {PROTOCOL} is known here")]
    Protocol(String),
    /// JSON of another shape.
    #[error("this is not an audit file: it is no object with the lists `witness`, `log` and `turns`")]
    Shape,
    /// An object in which a name stands twice: two readers could see two things in it.
    #[error("this is not an audit file: the name `{0}` stands twice in one object")]
    NameTwice(String),
    /// Lists and objects in each other, without end.
    #[error("this is not an audit file: it is nested deeper than {} levels", DEEPEST)]
    TooDeep,
}

/// How many objects and lists may stand in each other.
pub(super) const DEEPEST: usize = 64;
/// How much is quoted of what can't be read, in characters.
const QUOTED: usize = 200;

/// A file whose parts were not read yet: each is read by itself, so that one damaged entry hides no other.
#[derive(Deserialize)]
pub(super) struct Outer<'a> {
    protocol: String,
    #[serde(borrow)]
    pub(super) witness: &'a RawValue,
    #[serde(borrow)]
    pub(super) log: &'a RawValue,
    #[serde(borrow)]
    pub(super) turns: &'a RawValue,
}

impl<'a> Outer<'a> {
    pub(super) fn of(text: &'a str) -> Result<Self, NotAnAuditFile> {
        let outer: Self = serde_json::from_str(text)?;
        let is_object = text.trim_start().starts_with('{');
        let lists = [outer.witness, outer.log, outer.turns];
        if !is_object || lists.iter().any(|list| !list.get().starts_with('[')) {
            return Err(NotAnAuditFile::Shape);
        }
        look_over(text)?;
        if outer.protocol != PROTOCOL {
            return Err(NotAnAuditFile::Protocol(outer.protocol.chars().take(QUOTED).collect()));
        }
        Ok(outer)
    }
}

/// Looks at every name and every bracket of a text that is JSON.
pub(super) fn look_over(text: &str) -> Result<(), NotAnAuditFile> {
    // Of each object that is open its names so far; nothing of a list.
    let mut open: Vec<Option<BTreeSet<Cow<'_, str>>>> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = end_of_string(bytes, at);
                let behind = bytes.iter().skip(end).find(|byte| !byte.is_ascii_whitespace());
                if let (Some(b':'), Some(Some(names)), Some(quoted)) =
                    (behind, open.last_mut(), text.get(at..end))
                {
                    let name = unquoted(quoted)?;
                    if names.contains(&name) {
                        return Err(NotAnAuditFile::NameTwice(name.chars().take(QUOTED).collect()));
                    }
                    names.insert(name);
                }
                at = end;
                continue;
            }
            b'{' => open.push(Some(BTreeSet::new())),
            b'[' => open.push(None),
            b'}' | b']' => _ = open.pop(),
            _ => {}
        }
        if open.len() > DEEPEST {
            return Err(NotAnAuditFile::TooDeep);
        }
        at += 1;
    }
    Ok(())
}

/// Where the string that begins here ends: behind its closing quotation mark.
fn end_of_string(bytes: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn unquoted(quoted: &str) -> Result<Cow<'_, str>, serde_json::Error> {
    if quoted.contains('\\') {
        return serde_json::from_str::<String>(quoted).map(Cow::Owned);
    }
    serde_json::from_str::<&str>(quoted).map(Cow::Borrowed)
}

/// Hands on each element of a list with its number, and keeps none.
pub fn each<'a>(
    list: &'a RawValue,
    see: impl FnMut(usize, &'a RawValue),
) -> Result<usize, serde_json::Error> {
    struct Each<F>(F);
    impl<'de, F: FnMut(usize, &'de RawValue)> Visitor<'de> for Each<F> {
        type Value = usize;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list")
        }
        fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<usize, A::Error> {
            let mut number = 0;
            while let Some(element) = list.next_element()? {
                (self.0)(number, element);
                number += 1;
            }
            Ok(number)
        }
    }
    serde_json::Deserializer::from_str(list.get()).deserialize_seq(Each(see))
}

/// An object that is read by itself. A list of the same members in their order is none.
pub(super) fn object<T: DeserializeOwned>(raw: &RawValue) -> Result<T, Fault> {
    if !raw.get().starts_with('{') {
        return Err(unreadable(&"an object belongs there"));
    }
    serde_json::from_str(raw.get()).map_err(|error| unreadable(&error))
}

/// That a part can't be read, and why, in few words: an error may quote all of it.
pub(super) fn unreadable(why: &dyn std::fmt::Display) -> Fault {
    Fault::Malformed(why.to_string().chars().take(QUOTED).collect())
}

/// For serde: a list of objects, none of which is written as a list.
pub(super) fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: DeserializeOwned,
{
    let all = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(all.into_iter().map(|Object(one)| one).collect())
}

/// What is written as an object, whatever reads it.
struct Object<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(PhantomData)).map(Self)
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Members<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_twice_is_seen_however_it_is_spelled_and_wherever_it_stands() {
        for good in [r#"{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"a"}"#, r#"{"a":"\"a\":","b":"\\"}"#, "[]"] {
            assert!(look_over(good).is_ok(), "{good}");
        }
        for bad in [r#"{"a":1,"a":1}"#, r#"{"x":[{"a" :1,"b":[{}],"\u0061": 2}]}"#] {
            assert!(matches!(look_over(bad), Err(NotAnAuditFile::NameTwice(name)) if name == "a"), "{bad}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(look_over(&nested(DEEPEST)).is_ok());
        assert!(matches!(look_over(&nested(DEEPEST + 1)), Err(NotAnAuditFile::TooDeep)));
    }
}
