//! Data files by declaration. [`data!`](crate::data!) declares a struct of a file once: its keys, ranges, defaults and documentation. From that come its
//! reader, its faults with file, line and column, and its JSON schema, which an editor completes keys and shows documentation from.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use musterd_engine::Seat;
use musterd_engine::founding::{GM, NO_SEAT_GM};
use musterd_engine::hex::{BadHex, Hex};
use musterd_engine::yaml::{LineColumn, short};
use serde_json::json;

/// What the macros name.
#[doc(hidden)]
pub use musterd_engine::yaml::{Fields, Node, Reader};
#[doc(hidden)]
pub use serde_json::Value;

/// The numbers that a field may have.
pub type Range = RangeInclusive<i64>;

/// All numbers.
pub const ANY: Range = i64::MIN..=i64::MAX;

/// How faults name a value.
#[derive(Debug, Clone, Copy)]
pub struct Noun<'a> {
    /// The key that it stands under.
    pub key: &'a str,
    /// Another name, such as `the map's name`.
    pub said: Option<&'a str>,
}

impl Noun<'_> {
    /// `the map's name`, or the key in backticks.
    #[must_use]
    pub fn thing(self) -> String {
        self.said.map_or_else(|| format!("`{}`", self.key), str::to_owned)
    }

    /// `year`, or `number for` the key.
    fn number(self) -> String {
        self.said.map_or_else(|| format!("number for `{}`", self.key), str::to_owned)
    }
}

/// A value of a data file. In the place of a value that can't be read, not even as it may be meant, stands a stand-in, so that all else of the file is
/// read and every fault is told at once. A check of how values hang together asks whether it knows them ([`At::known`]), so that no fault
/// follows from another.
pub trait Data: Sized {
    /// Whether a stand-in of it can be told from what a file has.
    const MARKED: bool = false;

    /// Reads a value. What is wrong with it is noted; then there is none.
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self>;

    /// The value of a key that is left out, where it may be.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }

    /// What stands in the place of a value that can't be read or is missing, its fault being noted: an empty text, NUL for a sign, an empty list, the
    /// least number of its range, which is that of its type where it has none. So a check asks [`At::known`] before it reckons with a number. Without a
    /// stand-in the whole around the value can't be read either.
    #[must_use]
    fn stand_in(_range: &Range) -> Option<Self> {
        None
    }

    /// Its JSON schema.
    fn schema(range: &Range) -> Value;
}

/// The JSON schema of a file, with its title; `range` is that of all numbers that have none of their own.
#[must_use]
pub fn schema_of<T: Data>(title: &str, range: &Range) -> String {
    written(&form_of::<T>(title, range))
}

/// The JSON schema of a file as [`schema_of`] writes it, as a JSON value.
#[must_use]
pub fn form_of<T: Data>(title: &str, range: &Range) -> Value {
    let mut schema = T::schema(range);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(title);
    schema
}

/// A schema as it is published.
#[must_use]
pub fn written(schema: &Value) -> String {
    format!("{schema:#}\n")
}

/// Reads a whole file for further checks: with stand-ins in the place of what can't be read, whose faults are noted. `range` is that of all numbers that
/// have none of their own.
pub fn read_draft<T: Data>(reader: &mut Reader, tree: &Node, range: &Range) -> Option<T> {
    T::read(reader, tree, Noun { key: "file", said: None }, range)
}

/// Reads a text by its own reader, whose error is the fault.
#[doc(hidden)]
pub fn parsed<T: TryFrom<String, Error = String>>(
    reader: &mut Reader,
    node: &Node,
    noun: Noun<'_>,
) -> Option<T> {
    let text = reader.text(node, &noun.thing())?;
    T::try_from(text.to_owned()).map_err(|reason| reader.fault(node.at, reason)).ok()
}

/// An enum that is read by words, declared by [`words!`](crate::words!).
pub trait Words: Data {
    /// All its words.
    fn listed() -> &'static [&'static str];
}

/// A mapping with known keys, declared by [`data!`](crate::data!).
pub trait Record: Data {
    /// Its keys.
    fn keys() -> Vec<&'static str>;

    /// Reads it of a mapping that may have other keys too.
    fn of_fields(reader: &mut Reader, fields: &Fields<'_>, range: &Range) -> Option<Self>;

    /// What stands in the place of one that can't be read.
    fn blank(range: &Range) -> Option<Self>;

    /// What an editor is told of each key.
    fn properties(range: &Range) -> Vec<Property>;
}

/// A key of a file.
pub struct Property {
    /// The key.
    pub key: &'static str,
    /// Whether it has to be there.
    pub required: bool,
    /// What it means.
    pub about: &'static str,
    /// The schema of its value.
    pub schema: Value,
}

/// Declares structs of a data file. Before the fields stands how faults name the thing: `"a city"`; then, after `where`, a function that gives what its
/// schema says besides the fields, which is laid over it by [`refine`]. A field is `name: Type`, if need be `name "key": Type`,
/// then `as "what faults call it"`, `[least..=most]`, `= default`. A field without a default is required, unless it is an [`Option`]. Numbers
/// without a range have that of the struct around them. The first field may be `..part: Record`, whose keys stand among those of the struct.
#[macro_export]
macro_rules! data {
    ($(
        $(#[doc = $doc:literal])+
        $(#[derive($($derived:path),*)])?
        $shown:vis struct $name:ident: $what:literal $(where $form:path)? {
            $(.. $part_visible:vis $part:ident: $part_of:ty,)?
            $(
                $(#[doc = $about:literal])+
                $visible:vis $field:ident $($key:literal)?: $of:ty $(as $said:literal)? $([$range:expr])? $(= $default:expr)?
            ),* $(,)?
        }
    )+) => {$(
        $(#[doc = $doc])+
        $(#[derive($($derived),*)])?
        $shown struct $name {
            $($part_visible $part: $part_of,)?
            $($(#[doc = $about])+ $visible $field: $of,)*
        }

        impl $crate::data::Record for $name {
            fn keys() -> Vec<&'static str> {
                #[allow(unused_mut, reason = "not every record has a part")]
                let mut keys = vec![$($crate::data_key!($field $($key)?)),*];
                $(keys.extend(<$part_of as $crate::data::Record>::keys());)?
                keys
            }

            fn of_fields(
                reader: &mut $crate::data::Reader,
                fields: &$crate::data::Fields<'_>,
                range: &$crate::data::Range,
            ) -> Option<Self> {
                $(let $part = <$part_of as $crate::data::Record>::of_fields(reader, fields, range);)?
                $(let $field = {
                    let key = $crate::data_key!($field $($key)?);
                    let noun = $crate::data::Noun { key, said: $crate::data_option!($($said)?) };
                    let range = $crate::data_range!(range $(, $range)?);
                    $crate::data::field::<$of>(reader, fields, noun, &range, $crate::data_option!($($default)?))
                };)*
                Some(Self { $($part: $part?,)? $($field: $field?,)* })
            }

            fn blank(range: &$crate::data::Range) -> Option<Self> {
                $(let $part = <$part_of as $crate::data::Record>::blank(range)?;)?
                $(let $field = $crate::data::blank::<$of>(
                    &$crate::data_range!(range $(, $range)?),
                    $crate::data_option!($($default)?),
                )?;)*
                Some(Self { $($part,)? $($field,)* })
            }

            fn properties(range: &$crate::data::Range) -> Vec<$crate::data::Property> {
                #[allow(unused_mut, reason = "not every record has a part")]
                let mut properties = vec![$({
                    let usual: Option<$of> = $crate::data_option!($($default)?);
                    $crate::data::Property {
                        key: $crate::data_key!($field $($key)?),
                        required: usual.or_else(<$of as $crate::data::Data>::absent).is_none(),
                        about: concat!($($about, "\n"),+),
                        schema: <$of as $crate::data::Data>::schema(&$crate::data_range!(range $(, $range)?)),
                    }
                }),*];
                $(properties.extend(<$part_of as $crate::data::Record>::properties(range));)?
                properties
            }
        }

        impl $crate::data::Data for $name {
            fn read(
                reader: &mut $crate::data::Reader,
                node: &$crate::data::Node,
                _: $crate::data::Noun<'_>,
                range: &$crate::data::Range,
            ) -> Option<Self> {
                let fields = reader.fields(node, $what, &<Self as $crate::data::Record>::keys());
                // What has no keys at all lacks none of them.
                if !node.is_map() {
                    return None;
                }
                <Self as $crate::data::Record>::of_fields(reader, &fields, range)
            }

            fn stand_in(range: &$crate::data::Range) -> Option<Self> {
                <Self as $crate::data::Record>::blank(range)
            }

            fn schema(range: &$crate::data::Range) -> $crate::data::Value {
                #[allow(unused_mut, reason = "not every record says more")]
                let mut schema =
                    $crate::data::record(concat!($($doc, "\n"),+), &<Self as $crate::data::Record>::properties(range));
                $($crate::data::refine(&mut schema, $form());)?
                schema
            }
        }
    )+};
}

/// Declares texts with a schema for editors. What a text means is read where its surroundings are known.
#[macro_export]
macro_rules! texts {
    ($($(#[doc = $doc:literal])+ $shown:vis struct $name:ident: $what:literal $schema:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Clone)]
        $shown struct $name(pub String);

        impl $crate::data::Data for $name {
            fn read(
                reader: &mut $crate::data::Reader,
                node: &$crate::data::Node,
                _: $crate::data::Noun<'_>,
                _: &$crate::data::Range,
            ) -> Option<Self> {
                reader.text(node, $what).map(|text| Self(text.to_owned()))
            }

            fn stand_in(_: &$crate::data::Range) -> Option<Self> {
                Some(Self(String::new()))
            }

            fn schema(_: &$crate::data::Range) -> $crate::data::Value {
                $schema
            }
        }
    )+};
}

/// Declares values that are written as a text, with its schema, and are read by `TryFrom<String>`; with `or`, what stands in the place of one that can't
/// be read: `Outcome: like("^[ADS][0-9]$"), or Outcome::NONE;`.
#[macro_export]
macro_rules! written {
    ($($name:ty: $schema:expr $(, or $stand_in:expr)?;)+) => {$(
        impl $crate::data::Data for $name {
            fn read(
                reader: &mut $crate::data::Reader,
                node: &$crate::data::Node,
                noun: $crate::data::Noun<'_>,
                _: &$crate::data::Range,
            ) -> Option<Self> {
                $crate::data::parsed(reader, node, noun)
            }

            $(fn stand_in(_: &$crate::data::Range) -> Option<Self> {
                Some($stand_in)
            })?

            fn schema(_: &$crate::data::Range) -> $crate::data::Value {
                $schema
            }
        }
    )+};
}

/// The key of a field of [`data!`].
#[doc(hidden)]
#[macro_export]
macro_rules! data_key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! data_option {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! data_range {
    ($outer:ident) => {
        $outer.clone()
    };
    ($outer:ident, $range:expr) => {
        $range
    };
}

/// Declares what words a file has for the values of an enum that serde reads by these words, and how faults name one.
#[macro_export]
macro_rules! words {
    ($($name:ty: $what:literal $words:expr;)+) => {$(
        impl $crate::data::Data for $name {
            fn read(
                reader: &mut $crate::data::Reader,
                node: &$crate::data::Node,
                _: $crate::data::Noun<'_>,
                _: &$crate::data::Range,
            ) -> Option<Self> {
                reader.word(node, $what, &$words)
            }

            fn stand_in(_: &$crate::data::Range) -> Option<Self> {
                $words.first().and_then(|word| $crate::data::of_word(word))
            }

            fn schema(_: &$crate::data::Range) -> $crate::data::Value {
                $crate::data::one_of(&$words)
            }
        }

        impl $crate::data::Words for $name {
            fn listed() -> &'static [&'static str] {
                &$words
            }
        }
    )+};
}

/// Declares nouns of the rules: enums whose values files, events and published data write as a word. Behind a word stands what readers are told, where that
/// is another; behind the enum how faults of files name it, where files have it. As in `named! { /// A crossing. pub enum Crossing: "kind of crossing" {
/// /// On boats. Pontoon = "pontoon" => "pontoon bridge", } }`.
#[macro_export]
macro_rules! named {
    ($(
        $(#[$about:meta])+
        $visible:vis enum $name:ident $(: $what:literal)? {
            $($(#[$of:meta])* $variant:ident = $word:literal $(=> $said:literal)?,)+
        }
    )+) => {$(
        $(#[$about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive($crate::word::serde::Serialize, $crate::word::serde::Deserialize)]
        $visible enum $name {
            $($(#[$of])* #[serde(rename = $word)] $variant,)+
        }

        #[allow(dead_code, reason = "not every noun is listed and told")]
        impl $name {
            /// All, in the order in which they are declared.
            $visible const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];
            /// The words for them, in the same order.
            $visible const WORDS: [&'static str; Self::ALL.len()] = [$($word),+];

            /// The word for it in files and events.
            #[must_use]
            $visible const fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }

            /// What readers are told.
            #[must_use]
            $visible const fn words(self) -> &'static str {
                match self {
                    $(Self::$variant => $crate::named_words!($word $($said)?),)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.words())
            }
        }

        $($crate::words! { $name: $what Self::WORDS; })?
    )+};
}

/// What readers are told of a value of [`named!`]: its word, unless another stands behind it.
#[doc(hidden)]
#[macro_export]
macro_rules! named_words {
    ($word:literal) => {
        $word
    };
    ($word:literal $said:literal) => {
        $said
    };
}

/// Reads a field of [`data!`].
#[doc(hidden)]
pub fn field<T: Data>(
    reader: &mut Reader,
    fields: &Fields<'_>,
    noun: Noun<'_>,
    range: &Range,
    usual: Option<T>,
) -> Option<T> {
    match fields.get(noun.key) {
        Some(node) => T::read(reader, node, noun, range).or_else(|| unread(range, usual)),
        None => usual.or_else(T::absent).or_else(|| {
            fields.need(reader, noun.key);
            T::stand_in(range)
        }),
    }
}

/// What a check goes on with in the place of a value that can't be read: a stand-in that is known as one, else the default.
fn unread<T: Data>(range: &Range, usual: Option<T>) -> Option<T> {
    if T::MARKED { T::stand_in(range) } else { usual.or_else(|| T::stand_in(range)) }
}

/// A field of [`data!`] in a stand-in of the whole.
#[doc(hidden)]
pub fn blank<T: Data>(range: &Range, usual: Option<T>) -> Option<T> {
    unread(range, usual.or_else(T::absent))
}

/// The value of an enum that serde reads by this word.
#[doc(hidden)]
#[must_use]
pub fn of_word<T: serde::de::DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(json!(word)).ok()
}

/// The schema of a mapping with these keys.
#[doc(hidden)]
#[must_use]
pub fn record(about: &str, keys: &[Property]) -> Value {
    let required: Vec<&str> = keys.iter().filter(|key| key.required).map(|key| key.key).collect();
    let properties = keys.iter().map(|Property { key, about, schema, .. }| {
        let mut schema = schema.clone();
        schema["description"] = json!(plain(about));
        ((*key).to_owned(), schema)
    });
    let properties: serde_json::Map<String, Value> = properties.collect();
    json!({
        "type": "object",
        "description": plain(about),
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The schema of a word out of these.
#[must_use]
pub fn one_of(words: &[&str]) -> Value {
    json!({ "enum": words })
}

/// The schema of a text of this form, a regular expression.
#[must_use]
pub fn like(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

/// The schema of any text. A number or `true` is one too where a text is wanted; what is empty is none.
#[must_use]
pub fn any_text() -> Value {
    json!({ "type": ["string", "number", "boolean"], "pattern": "\\S" })
}

/// The schema of a hex. In quotes or not: YAML takes four digits without quotes for a number.
#[must_use]
pub fn hex_form() -> Value {
    json!({ "anyOf": [like(&format!("^{HEX}$")), { "type": "integer", "minimum": 101, "maximum": 9999 }] })
}

/// The schema of a name that orders can tell from a number: it has a letter.
#[must_use]
pub fn name_form() -> Value {
    json!({ "type": ["string", "boolean"], "pattern": r"[A-Za-z]|[^\x00-\x7F]" })
}

/// The digits of a hex, as a regular expression.
pub const HEX: &str = "(0[1-9]|[1-9][0-9]){2}";

/// Lays over a schema what else is to be said: keys of mappings one by one, anything else in the place of what is there.
pub fn refine(schema: &mut Value, more: Value) {
    match (schema, more) {
        (Value::Object(schema), Value::Object(more)) => {
            for (key, value) in more {
                refine(schema.entry(key).or_insert(Value::Null), value);
            }
        }
        (schema, more) => *schema = more,
    }
}

/// The schema that asks for what is in `then` where a key has a value.
#[must_use]
pub fn where_is(key: &str, value: &Value, then: &Value) -> Value {
    json!({ "if": { "properties": { key: { "const": value } }, "required": [key] }, "then": then })
}

/// Documentation of code as text: on one line, without the brackets of links.
fn plain(about: &str) -> String {
    let text: String = about.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("[`", "`").replace("`]", "`")
}

/// A value with its place. Without a place (line 0) it is a stand-in: it could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At<T> {
    /// Where it begins.
    pub at: LineColumn,
    /// Where its first character stands, within quotes.
    pub first: LineColumn,
    /// The value.
    pub value: T,
}

/// Whether every entry of a list could be read.
pub fn whole<'a, T: 'a>(list: impl IntoIterator<Item = &'a At<T>>) -> bool {
    list.into_iter().all(|entry| entry.known().is_some())
}

impl<T> At<T> {
    /// The value, if it could be read. Its fault is noted otherwise.
    #[must_use]
    pub const fn known(&self) -> Option<&T> {
        if self.at.line == 0 { None } else { Some(&self.value) }
    }

    /// The place of a character of a text on one line, by its number from 0.
    #[must_use]
    pub const fn character(&self, number: usize) -> LineColumn {
        LineColumn { line: self.first.line, column: self.first.column + number }
    }
}

impl<T: Data> Data for At<T> {
    const MARKED: bool = true;

    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        Some(Self { at: node.at, first: node.character(0), value: T::read(reader, node, noun, range)? })
    }

    fn stand_in(range: &Range) -> Option<Self> {
        let at = LineColumn::default();
        Some(Self { at, first: at, value: T::stand_in(range)? })
    }

    fn schema(range: &Range) -> Value {
        T::schema(range)
    }
}

impl Data for String {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, _: &Range) -> Option<Self> {
        reader.text(node, &noun.thing()).map(|text| text.trim().to_owned())
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self::new())
    }

    fn schema(_: &Range) -> Value {
        any_text()
    }
}

/// The seat that a file names. What can't be one is noted.
pub fn seat(reader: &mut Reader, named: &At<String>) -> Option<Seat> {
    let seat = seat_out_of_play(reader, named)?;
    if seat.as_str() == GM {
        reader.fault(named.at, NO_SEAT_GM);
        return None;
    }
    Some(seat)
}

/// The same of a seat that the game doesn't have, by its options: its name alone has to be of the form of seats.
pub fn seat_out_of_play(reader: &mut Reader, named: &At<String>) -> Option<Seat> {
    let text = named.known()?;
    let seat = text.parse();
    if seat.is_err() {
        let reason = format!("`{}` can't be a seat: write small letters, digits, - and .", short(text));
        reader.fault(named.at, reason);
    }
    seat.ok()
}

impl Data for Hex {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, _: &Range) -> Option<Self> {
        let text = reader.text(node, &noun.thing())?;
        text.parse().map_err(|error: BadHex| reader.fault(node.at, error.to_string())).ok()
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self::new(0, 0))
    }

    fn schema(_: &Range) -> Value {
        hex_form()
    }
}

impl Data for char {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, _: &Range) -> Option<Self> {
        let text = reader.text(node, &noun.thing())?;
        let mut chars = text.chars();
        if let (Some(sign), None) = (chars.next(), chars.next()) {
            return Some(sign);
        }
        reader.fault(
            node.at,
            format!("`{}` is no sign for {}: write one character", short(text), noun.thing()),
        );
        None
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some('\0')
    }

    fn schema(_: &Range) -> Value {
        json!({ "anyOf": [like("^\\S$"), { "type": "integer", "minimum": 0, "maximum": 9 }] })
    }
}

impl Data for bool {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, _: &Range) -> Option<Self> {
        reader.flag(node, &noun.thing())
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(false)
    }

    fn schema(_: &Range) -> Value {
        json!({ "type": "boolean" })
    }
}

/// Numbers, within what their type holds.
macro_rules! numbers {
    ($($of:ty),*) => {$(
        impl Data for $of {
            fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
                reader.number(node, &noun.number(), within(range, i64::from(<$of>::MIN)..=i64::from(<$of>::MAX)))
            }

            fn stand_in(range: &Range) -> Option<Self> {
                let range = within(range, i64::from(<$of>::MIN)..=i64::from(<$of>::MAX));
                Self::try_from(*range.start()).ok()
            }

            fn schema(range: &Range) -> Value {
                let range = within(range, i64::from(<$of>::MIN)..=i64::from(<$of>::MAX));
                json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() })
            }
        }
    )*};
}

numbers!(u8, u16, u32, i8, i32, i64);

fn within(range: &Range, of: Range) -> Range {
    let fits = *range.start().max(of.start())..=*range.end().min(of.end());
    assert!(
        !fits.is_empty(),
        "a field of a type from {} to {} can have nothing from {} to {}",
        of.start(),
        of.end(),
        range.start(),
        range.end()
    );
    fits
}

impl<T: Data> Data for Option<T> {
    const MARKED: bool = T::MARKED;

    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        T::read(reader, node, noun, range).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    /// None, but for what shows that it is a stand-in: a key that can't be read is not one that is left out.
    fn stand_in(range: &Range) -> Option<Self> {
        if T::MARKED { T::stand_in(range).map(Some) } else { Some(None) }
    }

    fn schema(range: &Range) -> Value {
        T::schema(range)
    }
}

impl<T: Data> Data for Vec<T> {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let nodes = reader.list(node, &noun.thing());
        if !node.is_list() {
            return None;
        }
        let entry = |node| T::read(reader, node, noun, range).or_else(|| T::stand_in(range));
        Some(nodes.iter().filter_map(entry).collect())
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self::new())
    }

    fn schema(range: &Range) -> Value {
        json!({ "type": "array", "items": T::schema(range) })
    }
}

impl<T: Data, const N: usize> Data for [T; N] {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let before = reader.errors.len();
        let values = Vec::read(reader, node, noun, range)?;
        let many = values.len();
        let array = values.try_into().ok();
        if array.is_none() && reader.errors.len() == before {
            reader.fault(node.at, format!("{} has {many} entries: write {N}", noun.thing()));
        }
        array
    }

    fn stand_in(range: &Range) -> Option<Self> {
        let values: Option<Vec<T>> = (0..N).map(|_| T::stand_in(range)).collect();
        values?.try_into().ok()
    }

    fn schema(range: &Range) -> Value {
        json!({ "type": "array", "items": T::schema(range), "minItems": N, "maxItems": N })
    }
}

impl<A: Data, B: Data> Data for (A, B) {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let nodes = reader.list(node, &noun.thing());
        if !node.is_list() {
            return None;
        }
        let [first, second] = nodes else {
            reader.fault(node.at, format!("an entry of {} is a list of two: write [a, b]", noun.thing()));
            return None;
        };
        let (first, second) = (A::read(reader, first, noun, range), B::read(reader, second, noun, range));
        first.zip(second)
    }

    fn stand_in(range: &Range) -> Option<Self> {
        A::stand_in(range).zip(B::stand_in(range))
    }

    fn schema(range: &Range) -> Value {
        json!({ "type": "array", "prefixItems": [A::schema(range), B::schema(range)], "minItems": 2, "maxItems": 2 })
    }
}

impl<K: Data + Ord, V: Data> Data for BTreeMap<K, V> {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        Some(Entries::read(reader, node, noun, range)?.by_key(reader))
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self::new())
    }

    fn schema(range: &Range) -> Value {
        Entries::<K, V>::schema(range)
    }
}

/// A value for each of an enum's words: a file has them all.
#[derive(Debug, Clone)]
pub struct Each<K, V>(BTreeMap<K, V>);

impl<K, V> std::ops::Deref for Each<K, V> {
    type Target = BTreeMap<K, V>;

    fn deref(&self) -> &BTreeMap<K, V> {
        &self.0
    }
}

impl<K: Words + Ord + serde::de::DeserializeOwned, V: Data> Data for Each<K, V> {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let entries = Entries::<K, V>::read(reader, node, noun, range)?;
        // A key that can't be read may be any.
        let whole = whole(entries.0.iter().map(|(key, _)| key));
        let read = entries.by_key(reader);
        let lacks = |word: &&str| of_word(word).is_some_and(|key: K| !read.contains_key(&key));
        for word in K::listed().iter().copied().filter(|word| whole && lacks(word)) {
            reader.fault(node.at, format!("{} has no line for {word}: add one", noun.thing()));
        }
        Some(Self(read))
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self(BTreeMap::new()))
    }

    fn schema(range: &Range) -> Value {
        let mut schema = Entries::<K, V>::schema(range);
        schema["required"] = json!(K::listed());
        schema
    }
}

/// Keys and values in the order of the file. Of a key that can't be read the stand-in is there.
#[derive(Debug, Clone)]
pub struct Entries<K, V>(pub Vec<(At<K>, V)>);

impl<K: Ord, V> Entries<K, V> {
    /// The values by their keys, those left out that can't be read. Two keys that are written otherwise and mean the same are a fault.
    fn by_key(self, reader: &mut Reader) -> BTreeMap<K, V> {
        let mut found: BTreeMap<K, (LineColumn, V)> = BTreeMap::new();
        for (key, value) in self.0.into_iter().filter(|(key, _)| key.known().is_some()) {
            if let Some((before, _)) = found.get(&key.value) {
                let reason = format!("this is the key of line {} once more: leave one out", before.line);
                reader.fault(key.at, reason);
            }
            found.insert(key.value, (key.at, value));
        }
        found.into_iter().map(|(key, (_, value))| (key, value)).collect()
    }
}

impl<K: Data, V: Data> Data for Entries<K, V> {
    fn read(reader: &mut Reader, node: &Node, noun: Noun<'_>, range: &Range) -> Option<Self> {
        let mut entries = Vec::new();
        let pairs = reader.entries(node, &noun.thing());
        if !node.is_map() {
            return None;
        }
        for (key, value) in pairs {
            let read = At::read(reader, key, noun, &ANY).or_else(|| At::stand_in(&ANY));
            let key = Noun { key: key.text().unwrap_or(noun.key), said: noun.said };
            let value = V::read(reader, value, key, range).or_else(|| V::stand_in(range));
            entries.extend(read.zip(value));
        }
        Some(Self(entries))
    }

    fn stand_in(_: &Range) -> Option<Self> {
        Some(Self(Vec::new()))
    }

    fn schema(range: &Range) -> Value {
        json!({ "type": "object", "propertyNames": K::schema(&ANY), "additionalProperties": V::schema(range) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Rank {
        Capital,
        Major,
    }

    words! { Rank: "rank" ["capital", "major"]; }

    named! {
        /// A crossing.
        enum Crossing: "kind of crossing" {
            /// Of stone.
            Bridge = "bridge",
            /// On boats.
            Pontoon = "pontoon" => "pontoon bridge",
        }
    }

    #[test]
    fn a_noun_has_one_word_in_files_and_events_and_may_have_another_for_readers() {
        assert_eq!(Crossing::ALL.map(Crossing::word), Crossing::WORDS);
        assert_eq!(Crossing::ALL.map(|one| one.to_string()), ["bridge", "pontoon bridge"]);
        let written = serde_json::to_string(&Crossing::ALL).unwrap();
        assert_eq!(written, r#"["bridge","pontoon"]"#);
        assert_eq!(serde_json::from_str::<[Crossing; 2]>(&written).unwrap(), Crossing::ALL);
        let mut reader = Reader::new("f");
        let node = musterd_engine::yaml::parse("pontoons").unwrap();
        let read = Crossing::read(&mut reader, &node, Noun { key: "crossing", said: None }, &ANY);
        assert_eq!(read, Some(Crossing::Pontoon), "the one that is meant");
        let fault = "f:1:1: `pontoons` is no kind of crossing; did you mean `pontoon`?";
        assert_eq!(reader.errors.iter().map(ToString::to_string).collect::<Vec<_>>(), [fault]);
        assert_eq!(Crossing::schema(&ANY), json!({ "enum": ["bridge", "pontoon"] }));
    }
    texts! {
        /// A road between two hexes.
        struct Road: "a road" like("^[0-9]{4}-[0-9]{4}$");
    }
    data! {
        /// A city of [`Rank`].
        #[derive(Debug)]
        struct City: "a city" {
            ..place: Place,
            /// How big it is.
            rank: Rank = Rank::Major,
            /// When it was
            /// founded.
            founded "year": Option<u16> as "year" [1..=999] = None,
            /// By type of unit.
            garrisons: BTreeMap<Rank, [u8; 2]> = BTreeMap::new(),
        }

        /// Where something is.
        #[derive(Debug)]
        struct Place: "a place" {
            /// Its hex.
            hex: At<Hex>,
            /// What leads there.
            roads: Vec<Road> = Vec::new(),
        }
    }

    fn read(text: &str) -> (Option<City>, Vec<String>) {
        let mut reader = Reader::new("f");
        let city = read_draft(&mut reader, &musterd_engine::yaml::parse(text).unwrap(), &(0..=50));
        (city, reader.errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_file_is_read_as_it_is_declared() {
        let (city, faults) =
            read("hex: '1204'\nyear: 12\nroads: [1204-1205]\ngarrisons: {capital: [1, 2]}\n");
        let city = city.unwrap();
        assert_eq!(
            (city.rank, city.founded, city.garrisons[&Rank::Capital]),
            (Rank::Major, Some(12), [1, 2])
        );
        assert_eq!((city.place.hex.value, city.place.roads[0].0.as_str()), (Hex::new(12, 4), "1204-1205"));
        assert_eq!((city.place.hex.character(1), faults), (LineColumn { line: 1, column: 8 }, Vec::new()));
    }

    #[test]
    fn every_fault_is_told_at_once_with_its_place() {
        let (city, faults) = read("rank: majr\nyear: 1000\ngarrisons: {capital: [1, 51], major: [1]}\n");
        let expected = [
            "f:1:1: a city needs a key `hex`: add it",
            "f:1:7: `majr` is no rank; did you mean `major`?",
            "f:2:7: `1000` is no year; write a number from 1 to 999",
            "f:3:26: `51` is no number for `capital`; write a number from 0 to 50",
            "f:3:38: `major` has 1 entries: write 2",
        ];
        assert_eq!(faults, expected);
        let city = city.unwrap();
        assert_eq!((city.place.hex.known(), city.founded), (None, None), "no hex, and none that is made up");
    }

    #[test]
    fn two_keys_that_mean_the_same_are_a_fault() {
        let mut reader = Reader::new("f");
        let tree = musterd_engine::yaml::parse("{Zorg: 1, ' Zorg': 2, Ghent: 3}").unwrap();
        let noun = Noun { key: "towns", said: None };
        let read = BTreeMap::<String, u8>::read(&mut reader, &tree, noun, &ANY).unwrap();
        let faults: Vec<String> = reader.errors.iter().map(ToString::to_string).collect();
        assert_eq!(faults, ["f:1:11: this is the key of line 1 once more: leave one out"]);
        assert_eq!(read.len(), 2);
    }

    #[test]
    fn what_is_no_mapping_or_list_lacks_neither_keys_nor_entries() {
        for (text, fault) in [
            ("[city]", "f:1:1: a city is keys and values, not a list: write `key: value`"),
            (
                "hex: '1204'\nroads: 1204-1205",
                "f:2:8: `roads` is a list, not `1204-1205`: begin each entry with `- `",
            ),
            (
                "hex: '1204'\ngarrisons: 3",
                "f:2:12: `garrisons` is keys and values, not `3`: write `key: value`",
            ),
            (
                "hex: '1204'\ngarrisons: {major: 3}",
                "f:2:20: `major` is a list, not `3`: begin each entry with `- `",
            ),
        ] {
            assert_eq!(read(text).1, [fault]);
        }
    }

    #[test]
    fn reading_goes_on_with_a_default_that_is_declared_or_with_a_stand_in() {
        let (city, faults) = read("hex: '1204'\nyear: never\n");
        assert_eq!((city.unwrap().founded, faults.len()), (None, 1));
        let (city, faults) = read("hex: '12'\nroads: [1204-1205, {}]\n");
        let city = city.unwrap();
        let roads: Vec<&str> = city.place.roads.iter().map(|road| road.0.as_str()).collect();
        assert_eq!((faults.len(), roads, city.place.hex.known()), (2, vec!["1204-1205", ""], None));
    }

    #[test]
    fn the_schema_has_keys_ranges_words_and_documentation() {
        let form: Value = serde_json::from_str(&schema_of::<City>("A city", &(0..=50))).unwrap();
        let keys = &form["properties"];
        assert_eq!((&form["required"], &form["description"]), (&json!(["hex"]), &json!("A city of `Rank`.")));
        let year =
            json!({ "type": "integer", "minimum": 1, "maximum": 999, "description": "When it was founded." });
        assert_eq!(keys["year"], year);
        assert_eq!(keys["rank"]["enum"], json!(["capital", "major"]));
        assert_eq!(keys["garrisons"]["additionalProperties"]["items"]["maximum"], json!(50));
        assert_eq!(keys["roads"]["items"]["pattern"], json!("^[0-9]{4}-[0-9]{4}$"));
    }
}
