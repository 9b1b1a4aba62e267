//! YAML as a tree in which every value knows its place, and a [`Reader`] that checks such a tree against the format of a file and notes every fault,
//! not only the first.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as WordError, StrDeserializer};

use super::alike::meant;
use super::data_error::DataError;
pub use super::data_error::LineColumn;

/// The deepest nesting of lists and mappings that is read.
const DEEPEST: usize = 32;

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The place where it begins.
    pub at: LineColumn,
    /// The value.
    pub content: Content,
}

/// The kinds of value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A text or number. A missing value is an unquoted empty text.
    Text {
        /// The text itself.
        text: String,
        /// Whether it stands in quotes.
        quoted: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys and values, in order.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The place of a character of a text on one line, by its number from 0.
    #[must_use]
    pub const fn character(&self, number: usize) -> LineColumn {
        let quote = matches!(&self.content, Content::Text { quoted: true, .. });
        LineColumn { line: self.at.line, column: self.at.column + number + quote as usize }
    }

    /// Its text, if it is a text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text { text, .. } => Some(text),
            Content::List(_) | Content::Map(_) => None,
        }
    }

    /// The value of a key, if it is a mapping that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Content::Map(pairs) = &self.content else { return None };
        pairs.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// Whether it is keys and values.
    #[must_use]
    pub const fn is_map(&self) -> bool {
        matches!(self.content, Content::Map(_))
    }

    /// Whether it is a list.
    #[must_use]
    pub const fn is_list(&self) -> bool {
        matches!(self.content, Content::List(_))
    }

    fn is_nothing(&self) -> bool {
        let Content::Text { text, quoted: false } = &self.content else { return false };
        matches!(text.as_str(), "" | "~" | "null")
    }
}

/// A list or mapping that is still being read.
struct Open {
    at: LineColumn,
    map: bool,
    nodes: Vec<Node>,
}

/// The first character that no text file has, and how to repair the file. Bytes that are not UTF-8 are read as U+FFFD, so that a file in another
/// encoding is reported like any other fault.
pub(super) fn garbled(text: &str) -> Option<(LineColumn, String)> {
    let strange =
        |c: char| c == char::REPLACEMENT_CHARACTER || (c.is_control() && !"\n\r\t\u{85}".contains(c));
    let (offset, found) = text.char_indices().find(|(_, c)| strange(*c))?;
    let before = &text[..offset];
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let at = LineColumn { line: before.matches('\n').count() + 1, column };
    let reason = match found {
        char::REPLACEMENT_CHARACTER => "this is no UTF-8: save the file with that encoding".to_owned(),
        other => {
            format!("a control character ({}) has no place in a text: take it out", other.escape_unicode())
        }
    };
    Some((at, reason))
}

/// Whether a text can be read at all.
///
/// # Errors
/// The text contains U+FFFD (a byte that was not UTF-8) or a control character: its place, and how to repair the file.
pub fn readable(text: &str) -> Result<(), (LineColumn, String)> {
    garbled(text).map_or(Ok(()), Err)
}

/// Reads one document.
///
/// # Errors
/// The text is not YAML, or uses YAML features that data files may not use: several documents, anchors, tags, deep nesting. The error has the place
/// and the reason.
pub fn parse(text: &str) -> Result<Node, (LineColumn, String)> {
    let mut open: Vec<Open> = Vec::new();
    let mut document: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|e| (LineColumn::from(*e.marker()), format!("no YAML: {}", e.info())))?;
        let at = LineColumn::from(span.start);
        let refuse = |what: &str| Err((at, format!("{what} has no place in a data file: write it out")));
        let node = match event {
            Event::SequenceStart(0, None) | Event::MappingStart(0, None) if open.len() >= DEEPEST => {
                return refuse("nesting as deep as this");
            }
            Event::SequenceStart(0, None) => {
                open.push(Open { at, map: false, nodes: Vec::new() });
                continue;
            }
            Event::MappingStart(0, None) => {
                open.push(Open { at, map: true, nodes: Vec::new() });
                continue;
            }
            Event::Scalar(text, style, 0, None) => {
                let quoted = style != ScalarStyle::Plain;
                Node { at, content: Content::Text { text: text.into_owned(), quoted } }
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(closed) => closed.into_node(),
                None => continue,
            },
            Event::Alias(_) => return refuse("an alias"),
            Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) => {
                return refuse("an anchor or a tag");
            }
            Event::DocumentStart(_) if document.is_some() => return refuse("a second document"),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => continue,
        };
        match open.last_mut() {
            Some(parent) => parent.nodes.push(node),
            None => document = Some(node),
        }
    }
    document.ok_or_else(|| (LineColumn { line: 1, column: 1 }, "the file is empty".to_owned()))
}

impl Open {
    fn into_node(self) -> Node {
        let content = if self.map {
            let mut pairs = Vec::with_capacity(self.nodes.len() / 2);
            let mut nodes = self.nodes.into_iter();
            // Keys and values alternate.
            while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
                pairs.push((key, value));
            }
            Content::Map(pairs)
        } else {
            Content::List(self.nodes)
        };
        Node { at: self.at, content }
    }
}

/// Reads a tree against the format of its file, and notes faults and doubts. A value that can't be read becomes `None` with a fault noted, so that
/// reading goes on.
#[derive(Debug)]
pub struct Reader {
    file: String,
    /// The faults that make the file unusable.
    pub errors: Vec<DataError>,
    /// Things that may not be meant.
    pub warnings: Vec<DataError>,
}

/// A mapping with known keys.
#[derive(Debug)]
pub struct Fields<'n> {
    /// The place where it begins.
    pub at: LineColumn,
    what: String,
    fields: Vec<(&'n str, &'n Node)>,
}

impl Reader {
    /// A reader for this file, with no faults noted yet.
    #[must_use]
    pub fn new(file: &str) -> Self {
        Self { file: file.to_owned(), errors: Vec::new(), warnings: Vec::new() }
    }

    /// Notes a fault.
    pub fn fault(&mut self, at: LineColumn, reason: impl Into<String>) {
        self.errors.push(DataError { file: self.file.clone(), at, reason: reason.into() });
    }

    /// Notes something that may not be meant.
    pub fn doubt(&mut self, at: LineColumn, reason: impl Into<String>) {
        self.warnings.push(DataError { file: self.file.clone(), at, reason: reason.into() });
    }

    /// A mapping that may have these keys and no others, each at most once. `what` names the thing that it describes: `a city`. A misspelt key is a
    /// fault, and is read as the key that was meant, so that no further faults follow from it.
    pub fn fields<'n>(&mut self, node: &'n Node, what: &str, known: &[&'n str]) -> Fields<'n> {
        let mut fields: Vec<(&str, &Node)> = Vec::new();
        let mut misspelt = Vec::new();
        for (key, value) in self.entries(node, what) {
            let Content::Text { text: name, .. } = &key.content else { continue };
            if known.contains(&name.as_str()) {
                fields.push((name, value));
                continue;
            }
            let near = meant(name, known.iter().copied());
            let list = || format!("; the keys are {}", known.join(", "));
            let hint = near.map_or_else(list, |near| format!("; did you mean `{near}`?"));
            self.fault(key.at, format!("{what} has no key `{}`{hint}", short(name)));
            misspelt.extend(near.map(|near| (near, value)));
        }
        // A correctly written key takes precedence over a misspelt one.
        fields.extend(misspelt);
        Fields { at: node.at, what: what.to_owned(), fields }
    }

    /// The keys and values of a mapping whose keys are free; a repeated key is a fault.
    pub fn entries<'n>(&mut self, node: &'n Node, what: &str) -> Vec<(&'n Node, &'n Node)> {
        let Content::Map(pairs) = &node.content else {
            self.fault(
                node.at,
                format!("{what} is keys and values, not {}: write `key: value`", named(node)),
            );
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let mut entries = Vec::new();
        for (key, value) in pairs {
            match &key.content {
                Content::Text { text, .. } if seen.insert(text) => entries.push((key, value)),
                Content::Text { text, .. } => {
                    self.fault(key.at, format!("`{}` stands there twice: leave one out", short(text)));
                }
                Content::List(_) | Content::Map(_) => {
                    self.fault(key.at, format!("{} can't be a key: write a word", named(key)));
                }
            }
        }
        entries
    }

    /// The entries of a list.
    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.content {
            Content::List(nodes) => nodes,
            Content::Text { .. } | Content::Map(_) => {
                self.fault(
                    node.at,
                    format!("{what} is a list, not {}: begin each entry with `- `", named(node)),
                );
                &[]
            }
        }
    }

    /// A text that is not empty.
    pub fn text<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n str> {
        match &node.content {
            Content::Text { text, .. } if !node.is_nothing() && !text.trim().is_empty() => Some(text),
            _ => {
                self.fault(node.at, format!("{what} is a text, not {}", named(node)));
                None
            }
        }
    }

    /// One word out of those that stand for the values of a type. A misspelt word is a fault, and is read as the word that was meant.
    pub fn word<T: DeserializeOwned>(&mut self, node: &Node, what: &str, words: &[&str]) -> Option<T> {
        let read = |word: &str| {
            let from: StrDeserializer<'_, WordError> = word.into_deserializer();
            T::deserialize(from).ok()
        };
        let text = self.text(node, what)?;
        if words.contains(&text) {
            return read(text);
        }
        let near = meant(text, words.iter().copied());
        let list = || format!("write {}", words.join(", "));
        let hint = near.map_or_else(list, |near| format!("did you mean `{near}`?"));
        self.fault(node.at, format!("`{}` is no {what}; {hint}", short(text)));
        near.and_then(read)
    }

    /// A whole number in a range.
    pub fn number<T: TryFrom<i64>>(
        &mut self,
        node: &Node,
        what: &str,
        range: RangeInclusive<i64>,
    ) -> Option<T> {
        let (least, most) = (range.start(), range.end());
        let read = match &node.content {
            Content::Text { text, quoted: false } => text.parse().ok(),
            _ => None,
        };
        let number = read.filter(|n| range.contains(n)).and_then(|n| T::try_from(n).ok());
        if number.is_none() {
            let reason = match &node.content {
                Content::Text { text, .. } if !node.is_nothing() => {
                    format!("`{}` is no {what}; write a number from {least} to {most}", short(text))
                }
                _ => format!("{what} is a number from {least} to {most}, not {}", named(node)),
            };
            self.fault(node.at, reason);
        }
        number
    }

    /// `true` or `false`.
    pub fn flag(&mut self, node: &Node, what: &str) -> Option<bool> {
        match &node.content {
            Content::Text { text, quoted: false } if text == "true" => Some(true),
            Content::Text { text, quoted: false } if text == "false" => Some(false),
            _ => {
                self.fault(node.at, format!("{what} is true or false, not {}", named(node)));
                None
            }
        }
    }
}

impl<'n> Fields<'n> {
    /// The value of a key, if the key is there.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.fields.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The value of a key that is required.
    pub fn need(&self, reader: &mut Reader, key: &str) -> Option<&'n Node> {
        let value = self.get(key);
        if value.is_none() {
            reader.fault(self.at, format!("{} needs a key `{key}`: add it", self.what));
        }
        value
    }
}

/// A text as a message quotes it: short, on one line.
#[must_use]
pub fn short(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect();
    if text.chars().nth(40).is_some() { format!("{clean}...") } else { clean }
}

fn named(node: &Node) -> impl fmt::Display {
    match &node.content {
        _ if node.is_nothing() => "nothing".to_owned(),
        Content::Text { text, .. } => format!("`{}`", short(text)),
        Content::List(_) => "a list".to_owned(),
        Content::Map(_) => "keys and values".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_knows_its_place() {
        let tree = parse("a: 1\nrows:\n  - \"f.~\"\n  - {b: x}\n").unwrap();
        let mut reader = Reader::new("f.yaml");
        let fields = reader.fields(&tree, "a file", &["a", "rows"]);
        let rows = reader.list(fields.get("rows").unwrap(), "rows");
        assert_eq!(rows[0].character(2), LineColumn { line: 3, column: 8 });
        assert_eq!(rows[1].at, LineColumn { line: 4, column: 5 });
        assert_eq!(reader.number::<u8>(fields.get("a").unwrap(), "a", 0..=9), Some(1));
        assert!(reader.errors.is_empty());
    }

    #[test]
    fn every_fault_is_noted_with_its_place() {
        let tree = parse("moral: 3\ntype: infntry\nyear: x\nyear: 2\nat: [1]\nskill: planer\n").unwrap();
        let mut reader = Reader::new("f.yaml");
        let fields = reader.fields(&tree, "a unit", &["name", "morale", "type", "year", "at", "skill"]);
        fields.need(&mut reader, "name");
        let kind: Option<String> = reader.word(fields.get("type").unwrap(), "type", &["infantry"]);
        assert_eq!(kind.as_deref(), Some("infantry"), "read as it was meant");
        let skill: Option<String> =
            reader.word(fields.get("skill").unwrap(), "skill", &["cautious", "planner"]);
        assert_eq!(skill.as_deref(), Some("planner"), "read as it was meant");
        assert!(fields.get("morale").is_some(), "so is a key");
        let _: Option<u16> = reader.number(fields.get("year").unwrap(), "year", 1..=9);
        reader.text(fields.get("at").unwrap(), "the hex");
        let said: Vec<String> = reader.errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "f.yaml:4:1: `year` stands there twice: leave one out",
                "f.yaml:1:1: a unit has no key `moral`; did you mean `morale`?",
                "f.yaml:1:1: a unit needs a key `name`: add it",
                "f.yaml:2:7: `infntry` is no type; did you mean `infantry`?",
                "f.yaml:6:8: `planer` is no skill; did you mean `planner`?",
                "f.yaml:3:7: `x` is no year; write a number from 1 to 9",
                "f.yaml:5:5: the hex is a text, not a list",
            ]
        );
    }

    #[test]
    fn what_data_files_have_no_use_for_is_refused() {
        for bad in ["", "a: &x 1", "a: *x", "a: !t 1", "a: 1\n---\nb: 2", "a: [", "a:\n - b\n c"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
