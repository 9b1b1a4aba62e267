//! A report to one seat, as a document: what it says, not how it looks. Rulesets make it from a view and from sights, so
//! nothing hidden can be in it; `report` turns it into text, HTML and pictures.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::hex::Hex;

/// A report to one seat.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Briefing {
    /// Name of the campaign or battle and how far it is: `Austrian Challenge, turn 3 of 10`.
    pub title: String,
    /// Who is addressed: `the French commander`.
    pub to: String,
    /// The game's date: `Autumn 1805`.
    pub date: String,
    /// One line for the subject: `Autumn 1805 - French to move`.
    pub subject: String,
    /// The standing in a few facts: victory, points.
    pub standing: Vec<Fact>,
    /// The rest, in reading order.
    pub sections: Vec<Section>,
}

/// A label and what it says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// One or two words.
    pub label: String,
    /// The text beside it; wrapped under itself.
    pub text: String,
}

/// A part of a report under its own heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The heading, in sentence case.
    pub title: String,
    /// What stands under it. A section without anything is a chapter: its heading stands over the sections that follow.
    pub parts: Vec<Part>,
}

impl Section {
    /// The heading over the sections that follow, up to the next one.
    #[must_use]
    pub fn chapter(title: impl Into<String>) -> Self {
        Self { title: title.into(), parts: Vec::new() }
    }

    /// Whether this is the heading of a chapter.
    #[must_use]
    pub const fn is_chapter(&self) -> bool {
        self.parts.is_empty()
    }
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Part {
    /// A paragraph.
    Text {
        /// Prose, wrapped by the renderer.
        text: String,
    },
    /// A small heading inside a section.
    Heading {
        /// The words.
        text: String,
    },
    /// Labels with texts.
    Facts {
        /// In order.
        facts: Vec<Fact>,
    },
    /// A numbered or dashed list of happenings, each with details under it.
    Items {
        /// Whether they are numbered, from 1.
        numbered: bool,
        /// In order.
        items: Vec<Item>,
    },
    /// A table.
    Table(Table),
    /// A map.
    Map(Map),
    /// How often each of several outcomes came up.
    Bars(Bars),
    /// Lines to be shown exactly as they are.
    Plain {
        /// At most 78 ASCII characters each.
        lines: Vec<String>,
    },
}

/// One happening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What happened, a sentence.
    pub text: String,
    /// How: the die, each modifier, the result.
    pub details: Vec<String>,
}

/// A table of short texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// The columns, from the left.
    pub columns: Vec<Column>,
    /// The rows, from the top.
    pub rows: Vec<Row>,
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Row {
    /// A text for each column; missing ones are empty.
    Cells(Vec<String>),
    /// A small heading over the rows below it.
    Group(String),
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// Whether its texts stand at the right: numbers.
    pub right: bool,
}

impl Table {
    /// An empty table: a `>` before a heading sets that column to the right.
    #[must_use]
    pub fn new(headings: &[&str]) -> Self {
        let column = |h: &&str| match h.strip_prefix('>') {
            Some(title) => Column { title: title.to_owned(), right: true },
            None => Column { title: (*h).to_owned(), right: false },
        };
        Self { columns: headings.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(Row::Cells(cells.into()));
    }

    /// Adds a small heading over the rows to come.
    pub fn group(&mut self, title: impl Into<String>) {
        self.rows.push(Row::Group(title.into()));
    }
}

/// How often each of several outcomes came up that were to be expected equally often.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bars {
    /// What they count, and what was to be expected: a sentence.
    pub title: String,
    /// How many of each were to be expected, rounded.
    pub expected: u64,
    /// The usual range: at least so many…
    pub low: u64,
    /// … and at most so many.
    pub high: u64,
    /// The outcomes, from the top.
    pub rows: Vec<Bar>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// What came up.
    pub label: String,
    /// How often.
    pub count: u64,
}

impl Bars {
    /// Whether an outcome came up as often as is usual.
    #[must_use]
    pub fn is_usual(&self, bar: &Bar) -> bool {
        (self.low..=self.high).contains(&bar.count)
    }

    /// How far a count reaches where the longest bar, or the end of the usual range, reaches `length`.
    #[must_use]
    pub fn reach(&self, count: u64, length: u64) -> u64 {
        let counts = self.rows.iter().map(|bar| bar.count);
        let most = counts.chain([self.high, self.expected, 1]).max().unwrap_or(1);
        let reach = u128::from(count.min(most)) * u128::from(length) / u128::from(most);
        u64::try_from(reach).unwrap_or(length)
    }
}

/// How closely a map is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Two characters a hex: the whole map.
    Strategic,
    /// A brick of six by three characters a hex, at most twelve columns: terrain, rivers, names, stacks.
    Theatre,
}

/// A map of hexes in staggered rows, with what one seat sees on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Map {
    /// What the map is called, where a report has several.
    pub title: String,
    /// How closely it is drawn.
    pub scale: Scale,
    /// The top left hex shown.
    pub first: Hex,
    /// The bottom right hex shown.
    pub last: Hex,
    /// The hexes; one that is missing is drawn as closed.
    pub tiles: BTreeMap<Hex, Tile>,
    /// Hex sides that matter, both hexes in order.
    pub sides: Vec<Side>,
    /// What the signs mean: sign, meaning.
    pub legend: Vec<(String, String)>,
}

/// A hex as drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tile {
    /// Terrain sign: ` ` clear, `f` forest, `^` mountain, `%` marsh, `H` a bridge over water; `~` is drawn as sea.
    pub ground: char,
    /// City sign: `*` capital, `@` major, `o` minor, `#` stronghold.
    pub city: Option<char>,
    /// Name, shortened by the renderer where it must be.
    pub name: String,
    /// The sign of whoever holds it, which fills the room that the forces leave; none where it is ours, and at sea.
    pub control: Option<char>,
    /// The forces seen, at most five characters: `F3g+2`.
    pub forces: String,
    /// One character for the forces on a strategic map: the nation's letter.
    pub pin: Option<char>,
    /// Whether the forces are the reader's own side's.
    pub own: bool,
    /// Out of play in this scenario.
    pub closed: bool,
}

/// A hex side that is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The hex on one side.
    pub a: Hex,
    /// The hex on the other.
    pub b: Hex,
    /// What it is.
    pub kind: SideKind,
}

/// What a hex side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideKind {
    /// A river.
    River,
    /// Nothing passes.
    Blocked,
    /// A bridge.
    Bridge,
}
