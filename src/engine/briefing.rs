//! A report to one seat, as a document: its content, not its look. Rulesets make it from a view and from sights, so nothing hidden can be in it;
//! `report` turns it into text, HTML and pictures.

mod lines;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::hex::Hex;
use crate::palette::{AddedCounter, AddedGround, Ground, Palette};
pub use lines::{Becomes, ByHand};

/// A report to one seat.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Briefing {
    /// Name of the campaign or battle and how far it is: `Austrian Challenge, turn 3 of 10`.
    pub title: String,
    /// The addressee: `the French commander`.
    pub to: String,
    /// The game's date: `Autumn 1805`.
    pub date: String,
    /// One line for the subject: `Autumn 1805 - French to move`.
    pub subject: String,
    /// The standing in a few facts: victory, points.
    pub standing: Vec<Fact>,
    /// What facts of the standing say instead once the game was ended otherwise than by its rules; one without a text is left out then.
    #[serde(skip)]
    pub at_end: Vec<Fact>,
    /// The rest, in reading order.
    pub sections: Vec<Section>,
}

impl Briefing {
    /// Makes it the last report of a game that was ended otherwise than by its rules: it says so, and nothing in its standing waits for orders.
    pub fn end(&mut self) {
        for last in std::mem::take(&mut self.at_end) {
            match self.standing.iter().position(|fact| fact.label == last.label) {
                Some(at) if last.text.is_empty() => _ = self.standing.remove(at),
                Some(at) => self.standing[at] = last,
                None => {}
            }
        }
        self.standing.push(Fact::of("Game", "Over: no turn runs any more."));
        self.subject = format!("{}: the game is over", self.title);
    }

    /// Its maps, each with the title of its section.
    pub fn maps(&self) -> impl Iterator<Item = (&str, &Map)> {
        self.sections.iter().flat_map(|section| {
            section.parts.iter().filter_map(|part| match part {
                Part::Map(map) => Some((section.title.as_str(), map)),
                _ => None,
            })
        })
    }
}

/// A label with a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// One or two words.
    pub label: String,
    /// The text beside it; wrapped under itself.
    pub text: String,
}

/// A part of a report under its own heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The heading, in sentence case.
    pub title: String,
    /// The contents of the section. A section without parts is a chapter: its heading stands over the sections that follow.
    pub parts: Vec<Part>,
}

impl Fact {
    /// A fact.
    pub fn of(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self { label: label.into(), text: text.into() }
    }
}

impl Section {
    /// A section.
    pub fn of(title: impl Into<String>, parts: Vec<Part>) -> Self {
        Self { title: title.into(), parts }
    }

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Part {
    /// A paragraph.
    Text {
        /// Prose, wrapped by the renderer.
        text: String,
    },
    /// A small heading inside a section.
    Heading {
        /// The text of the heading.
        text: String,
    },
    /// Labels with texts.
    Facts {
        /// The facts, in reading order.
        facts: Vec<Fact>,
    },
    /// A numbered or dashed list of happenings, each with details under it.
    Items {
        /// Whether they are numbered, from 1.
        numbered: bool,
        /// The items, in reading order.
        items: Vec<Item>,
    },
    /// A table.
    Table(Table),
    /// A map.
    Map(Map),
    /// A count of how often each of several outcomes came up.
    Bars(Bars),
    /// Lines to be shown exactly as they are.
    Plain {
        /// At most 78 ASCII characters each.
        lines: Vec<String>,
    },
}

impl Part {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// One happening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// What happened, a sentence.
    pub text: String,
    /// How it happened: the die, each modifier, the result.
    pub details: Vec<String>,
}

impl Item {
    /// What happened, with nothing on how.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), details: Vec::new() }
    }
}

/// A table of short texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Table {
    /// The columns, from the left.
    pub columns: Vec<Column>,
    /// The rows, from the top.
    pub rows: Vec<Row>,
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Row {
    /// A text for each column; missing ones are empty.
    Cells(Vec<String>),
    /// A small heading over the rows below it.
    Group(String),
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// Whether its texts are aligned to the right, as numbers are.
    pub right: bool,
}

impl Table {
    /// An empty table. A heading that begins with `>` belongs to a column that is aligned to the right.
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

/// A count of how often each of several outcomes came up that are all equally likely.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Bars {
    /// A sentence that says what is counted and what was to be expected.
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

/// One outcome with its count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// The outcome.
    pub label: String,
    /// How often it came up.
    pub count: u64,
}

impl Bars {
    /// Whether an outcome came up about as often as expected.
    #[must_use]
    pub fn is_usual(&self, bar: &Bar) -> bool {
        (self.low..=self.high).contains(&bar.count)
    }

    /// The length of the bar for this count, if the longest bar, or the end of the usual range, has the length `length`.
    #[must_use]
    pub fn reach(&self, count: u64, length: u64) -> u64 {
        let counts = self.rows.iter().map(|bar| bar.count);
        let most = counts.chain([self.high, self.expected, 1]).max().unwrap_or(1);
        let reach = u128::from(count.min(most)) * u128::from(length) / u128::from(most);
        u64::try_from(reach).unwrap_or(length)
    }
}

/// The scale of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Two characters a hex: the whole map.
    Strategic,
    /// A brick of six by three characters a hex, at most twelve columns: terrain, rivers, names, stacks.
    Theatre,
}

/// A map of hexes in staggered rows, with what one seat sees on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Map {
    /// The title of the map, for a report with several maps.
    pub title: String,
    /// The scale.
    pub scale: Scale,
    /// The top left hex shown.
    pub first: Hex,
    /// The bottom right hex shown.
    pub last: Hex,
    /// The hexes; one that is missing is drawn as closed.
    pub tiles: BTreeMap<Hex, Tile>,
    /// The hex sides to draw, both hexes in order.
    pub sides: Vec<Side>,
    /// The parts of it that other maps show larger, each by its top left and its bottom right hex. A map of the whole has them in frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<(Hex, Hex)>,
    /// The legend: each sign with its meaning. A drawing takes from it the words for the signs that it has.
    pub legend: Vec<(String, String)>,
    /// How its signs look.
    #[serde(skip)]
    pub palette: &'static Palette,
    /// The kinds of ground that the game's files add to the palette. One with a sign of the palette takes that ground's place.
    #[serde(skip)]
    pub added: Vec<AddedGround>,
    /// The looks that the game's files give to some counters.
    #[serde(skip)]
    pub counters: Vec<AddedCounter>,
}

impl Map {
    /// A map of these hexes and all between them, without a title.
    #[must_use]
    pub fn of(palette: &'static Palette, scale: Scale, tiles: BTreeMap<Hex, Tile>) -> Self {
        let one = Hex::new(1, 1);
        let (first, last) = Hex::least_rectangle(tiles.keys().copied()).unwrap_or((one, one));
        Self {
            title: String::new(),
            scale,
            first,
            last,
            tiles,
            sides: Vec::new(),
            frames: Vec::new(),
            legend: Vec::new(),
            palette,
            added: Vec::new(),
            counters: Vec::new(),
        }
    }

    /// The kinds of ground, in the order of legends: those of its palette, then those added.
    pub fn grounds(&self) -> impl Iterator<Item = Ground<'_>> {
        let added = |sign: char| self.added.iter().find(|one| one.sign == sign).map(AddedGround::look);
        let own = self.palette.grounds.iter().map(move |ground| added(ground.sign).unwrap_or(*ground));
        let others = self.added.iter().filter(|one| self.palette.ground(one.sign).is_none());
        own.chain(others.map(AddedGround::look))
    }

    /// The ground with this sign.
    #[must_use]
    pub fn ground(&self, sign: char) -> Option<Ground<'_>> {
        let added = self.added.iter().find(|one| one.sign == sign).map(AddedGround::look);
        added.or_else(|| self.palette.ground(sign))
    }

    /// The look that the game's files give to the counter of a hex.
    #[must_use]
    pub fn counter(&self, tile: &Tile) -> Option<&AddedCounter> {
        self.counters.get(usize::from(tile.counter?))
    }

    /// Whether a ground is open water.
    #[must_use]
    pub fn is_water(&self, sign: char) -> bool {
        self.ground(sign).is_some_and(|ground| ground.water)
    }

    /// Its signs that its palette doesn't have.
    #[must_use]
    pub fn unknown_signs(&self) -> Vec<char> {
        let palette = self.palette;
        let open = || self.tiles.values().filter(|tile| !tile.closed);
        let grounds = open().map(|tile| tile.ground).filter(|sign| self.ground(*sign).is_none());
        let marks = open().filter_map(|tile| tile.city).filter(|sign| palette.mark(*sign).is_none());
        let sides = self.sides.iter().map(|side| side.sign).filter(|sign| palette.side(*sign).is_none());
        let is_held = |sign: &char| palette.holders.iter().any(|holder| holder.sign == *sign);
        let holders = open().filter_map(|tile| tile.control).filter(|sign| !is_held(sign));
        grounds.chain(marks).chain(sides).chain(holders).collect()
    }
}

/// A hex as drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Tile {
    /// The sign of its ground in the palette of its map; of clear ground a blank.
    pub ground: char,
    /// The sign of what stands there, such as a city.
    pub city: Option<char>,
    /// Name, shortened by the renderer where it must be.
    pub name: String,
    /// The sign of the nation that holds the hex. It fills the room that the forces leave. `None` if the reader's side holds the hex, and at sea.
    pub control: Option<char>,
    /// The forces seen, at most five characters: `F3g+2`.
    pub forces: String,
    /// One character for the forces on a strategic map: the nation's letter.
    pub pin: Option<char>,
    /// Whether the forces belong to the reader's own side.
    pub own: bool,
    /// Whether the forces are out of sight, and shown as they were last seen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remembered: bool,
    /// The place of its counter's look among those of the map; none for that of the palette.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<u16>,
    /// Whether the hex is out of play in this scenario.
    pub closed: bool,
}

/// A hex side that is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The hex on one side.
    pub a: Hex,
    /// The hex on the other.
    pub b: Hex,
    /// The sign of its kind in the palette of its map.
    pub sign: char,
}
