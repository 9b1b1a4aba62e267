//! The ground in data files: rows of signs or of words, one a hex.

use std::collections::BTreeMap;

use musterd_engine::hex::Hex;
use musterd_engine::yaml::{LineColumn, Reader, short};

use crate::data::{At, HEX, hex_form, like};
use crate::texts;
use serde_json::{Value, json};

/// How the hexes of a row are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Each is a character.
    Signs,
    /// Each is a word, between blanks.
    Words,
}

/// The number of columns and of rows.
pub type Size = (u8, u8);

/// Rows of a file, a row a row of hexes.
#[derive(Debug)]
pub struct Rows<'f> {
    rows: Vec<Row<'f>>,
    /// The hexes that a row has.
    columns: u8,
    /// Whether its number of rows and columns is known.
    sized: bool,
}

/// A row: what stands for each hex, with its place.
#[derive(Debug)]
struct Row<'f> {
    cells: Vec<(&'f str, LineColumn)>,
    /// The place behind its last character.
    end: LineColumn,
    /// Whether it could be read.
    known: bool,
}

impl<'f> Row<'f> {
    fn of(row: &'f At<String>, cells: Cells) -> Self {
        let signs = row.value.split_inclusive(|_| true);
        let signs = (0..).zip(signs).map(|(number, sign)| (sign, row.character(number)));
        let cells = match cells {
            Cells::Signs => signs.collect(),
            Cells::Words => words(&row.value, signs),
        };
        Self { cells, end: row.character(row.value.chars().count()), known: row.known().is_some() }
    }
}

/// The words of a text, each with the place of its first sign.
fn words<'f>(
    text: &'f str,
    signs: impl Iterator<Item = (&'f str, LineColumn)>,
) -> Vec<(&'f str, LineColumn)> {
    let mut was_blank = true;
    let begins = signs.filter_map(|(sign, at)| {
        let is_blank = sign.trim().is_empty();
        let begins = was_blank && !is_blank;
        was_blank = is_blank;
        begins.then_some(at)
    });
    text.split_whitespace().zip(begins).collect()
}

impl<'f> Rows<'f> {
    /// Reads the rows that a map is made of: as wide as most of them are. What is wrong with their number and lengths is noted; `key` is what they stand
    /// under, `most` how many there may be.
    pub fn read(
        reader: &mut Reader,
        key: &str,
        rows: &'f At<Vec<At<String>>>,
        cells: Cells,
        most: Size,
    ) -> Self {
        let many = rows.value.len();
        let known = rows.known().is_some();
        if (known && many == 0) || many > usize::from(most.1) {
            reader.fault(rows.at, format!("`{key}` has {many} rows: write 1 to {}", most.1));
        }
        let read = |row| Row::of(row, cells);
        let rows: Vec<Row<'f>> = rows.value.iter().take(usize::from(most.1)).map(read).collect();
        let mut lengths: BTreeMap<usize, (usize, LineColumn)> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.known) {
            lengths.entry(row.cells.len()).or_insert((0, row.end)).0 += 1;
        }
        let usual = lengths.into_iter().max_by_key(|(_, (count, _))| *count);
        let (usual, (_, end)) = usual.unwrap_or_default();
        if usual > usize::from(most.0) {
            reader.fault(end, format!("`{key}` has {usual} hexes in a row: write at most {}", most.0));
        }
        let fits = u8::try_from(usual).ok().filter(|columns| *columns <= most.0);
        let sized = usual > 0 && fits.is_some() && many <= usize::from(most.1);
        let mut read = Self { rows, columns: fits.unwrap_or(most.0), sized };
        read.note_widths(reader, key, usual);
        read.rows.iter_mut().for_each(|row| row.cells.truncate(usize::from(most.0)));
        read
    }

    /// Reads rows that belong to those of a map of this size; where it is not known, nothing is said of theirs.
    pub fn beside(
        reader: &mut Reader,
        key: &str,
        rows: &'f At<Vec<At<String>>>,
        cells: Cells,
        size: Option<Size>,
    ) -> Self {
        let read = |row| Row::of(row, cells);
        let Some((columns, height)) = size.filter(|_| rows.known().is_some()) else {
            return Self { rows: Vec::new(), columns: 0, sized: false };
        };
        let sized = rows.value.len() == usize::from(height);
        if !sized {
            let reason =
                format!("`{key}` has {} rows and the map {height}: write a row a row", rows.value.len());
            reader.fault(rows.at, reason);
        }
        let rows = rows.value.iter().map(read).collect();
        let read = Self { rows, columns, sized };
        read.note_widths(reader, key, usize::from(columns));
        read
    }

    /// Notes a fault for each row that has not so many hexes.
    fn note_widths(&self, reader: &mut Reader, key: &str, columns: usize) {
        for (number, row) in (1..).zip(&self.rows).filter(|(_, row)| row.known && row.cells.len() != columns)
        {
            let place = row.cells.get(columns).map_or(row.end, |(_, at)| *at);
            let many = row.cells.len();
            let reason =
                format!("row {number} of `{key}` has {many} hexes, the others {columns}: write as many");
            reader.fault(place, reason);
        }
    }

    /// The number of columns and of rows, no more than there may be.
    #[must_use]
    pub fn size(&self) -> Size {
        (self.columns, u8::try_from(self.rows.len()).unwrap_or(u8::MAX))
    }

    /// The same, if it is known.
    #[must_use]
    pub fn known_size(&self) -> Option<Size> {
        self.sized.then(|| self.size())
    }

    /// What stands for a hex, with its place; `None` beyond the rows, and in a row of the wrong length, in which it may belong to another hex.
    #[must_use]
    pub fn at(&self, hex: Hex) -> Option<(&'f str, LineColumn)> {
        let row = &self.rows.get(usize::from(hex.row).checked_sub(1)?)?.cells;
        let is_whole = row.len() == usize::from(self.columns);
        row.get(usize::from(hex.col).checked_sub(1)?).filter(|_| is_whole).copied()
    }

    /// The ground of each hex, row by row, by the sign that stands for it; `None` where it isn't known. What is no sign of any is noted, with the `signs`
    /// that there are.
    pub fn ground<T>(
        &self,
        reader: &mut Reader,
        of: impl Fn(char) -> Option<T>,
        signs: &str,
    ) -> Vec<Option<T>> {
        let known = |hex| {
            let (sign, at) = self.at(hex)?;
            let known = sign.chars().next().and_then(&of);
            if known.is_none() {
                reader.fault(at, format!("`{}` is no ground: write {signs}", short(sign)));
            }
            known
        };
        hexes(self.size()).map(known).collect()
    }
}

texts! {
    /// A hex, or two with - between: the corners of a rectangle, or the hexes of a side.
    pub struct HexOrTwo: "a hex, or two with - between" hexes_form();
}

fn hexes_form() -> Value {
    json!({ "anyOf": [like(&format!("^ *{HEX}( *- *{HEX})? *$")), hex_form()] })
}

impl HexOrTwo {
    /// The two texts; the only one twice.
    #[must_use]
    pub fn corners(&self) -> (&str, &str) {
        self.0.split_once('-').unwrap_or((&self.0, &self.0))
    }
}

/// The size of a map for what its files say of its hexes. A hex that lies off the map is noted; where the size is not known, nothing is.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// What faults call the map: `field`.
    pub of: &'static str,
    /// Its columns and rows.
    pub size: Size,
    /// Whether they are known.
    pub known: bool,
}

impl Bounds {
    /// A hex, if the map has it.
    pub fn on(self, reader: &mut Reader, at: LineColumn, hex: Hex) -> Option<Hex> {
        let (columns, rows) = self.size;
        if hex.is_within((Hex::new(1, 1), Hex::new(columns, rows))) {
            return Some(hex);
        }
        if self.known {
            let of = self.of;
            reader.fault(at, format!("{hex} is off the {of}, which has {columns} columns and {rows} rows"));
        }
        None
    }

    /// The hex that a file names, if the map has it.
    pub fn hex(self, reader: &mut Reader, named: &At<Hex>) -> Option<Hex> {
        self.on(reader, named.at, *named.known()?)
    }

    /// The hex that a text names, if the map has it.
    pub fn read(self, reader: &mut Reader, at: LineColumn, text: &str) -> Option<Hex> {
        match text.trim().parse::<Hex>() {
            Ok(hex) => self.on(reader, at, hex),
            Err(bad) => {
                reader.fault(at, bad.to_string());
                None
            }
        }
    }

    /// Hexes of the map in the order in which they stand: single ones, and rectangles such as `0101-0312`; with the place of each.
    pub fn hexes(self, reader: &mut Reader, parts: &[At<HexOrTwo>]) -> Vec<(LineColumn, Vec<Hex>)> {
        let mut found = Vec::new();
        for At { at, value, .. } in parts.iter().filter(|part| part.known().is_some()) {
            let (first, last) = value.corners();
            let a = self.read(reader, *at, first);
            let b = if first == last { a } else { self.read(reader, *at, last) };
            let Some(rectangle) = a.zip(b).map(|(a, b)| Hex::rectangle(a, b)) else { continue };
            found.push((*at, hexes(self.size).filter(|hex| hex.is_within(rectangle)).collect()));
        }
        found
    }
}

/// What the schema of rows says besides that they are texts: one of these signs a hex, and how many there may be.
#[must_use]
pub fn form(signs: &str, most: Size) -> Value {
    let row = json!({ "type": "string", "pattern": format!("^[{signs}]{{1,{}}}$", most.0) });
    json!({ "minItems": 1, "maxItems": most.1, "items": row })
}

/// All hexes of a map of this size, row by row.
pub fn hexes((columns, rows): Size) -> impl Iterator<Item = Hex> {
    (1..=rows).flat_map(move |row| (1..=columns).map(move |col| Hex::new(col, row)))
}

/// The place of a hex among all hexes of a map of this size, row by row; `None` off the map.
#[must_use]
pub fn place((columns, rows): Size, hex: Hex) -> Option<usize> {
    let has = (1..=columns).contains(&hex.col) && (1..=rows).contains(&hex.row);
    has.then(|| (usize::from(hex.row) - 1) * usize::from(columns) + usize::from(hex.col) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ANY, Data, Noun};
    use musterd_engine::yaml::parse;

    fn read(text: &str, cells: Cells, beside: Option<Size>) -> (Size, Vec<Option<String>>, Vec<String>) {
        let mut reader = Reader::new("f");
        let noun = Noun { key: "ground", said: None };
        let rows = At::<Vec<At<String>>>::read(&mut reader, &parse(text).unwrap(), noun, &ANY).unwrap();
        let rows = match beside {
            Some(size) => Rows::beside(&mut reader, "ground", &rows, cells, Some(size)),
            None => Rows::read(&mut reader, "ground", &rows, cells, (4, 3)),
        };
        let cell = |hex: Hex| rows.at(hex).map(|(cell, at)| format!("{cell}@{}:{}", at.line, at.column));
        let all = hexes(rows.size()).map(cell).collect();
        (rows.size(), all, reader.errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn each_hex_has_a_sign_or_a_word_with_its_place() {
        let cell = |text: &str| Some(text.to_owned());
        let (size, cells, faults) = read("['.f', '~é']", Cells::Signs, None);
        assert_eq!((size, faults), ((2, 2), vec![]));
        assert_eq!(cells, [cell(".@1:3"), cell("f@1:4"), cell("~@1:9"), cell("é@1:10")]);
        let (size, cells, faults) = read("['f1  b']", Cells::Words, None);
        assert_eq!((size, faults, cells), ((2, 1), vec![], vec![cell("f1@1:3"), cell("b@1:7")]));
    }

    #[test]
    fn a_sign_of_no_ground_is_told_at_its_place() {
        let mut reader = Reader::new("f");
        let noun = Noun { key: "rows", said: None };
        let rows =
            At::<Vec<At<String>>>::read(&mut reader, &parse("['.~', '?.']").unwrap(), noun, &ANY).unwrap();
        let rows = Rows::read(&mut reader, "rows", &rows, Cells::Signs, (9, 9));
        let ground = rows.ground(&mut reader, |sign| ".~".find(sign), ". or ~");
        assert_eq!(ground, [Some(0), Some(1), None, Some(0)]);
        let told: Vec<String> = reader.errors.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["f:1:9: `?` is no ground: write . or ~"]);
    }

    #[test]
    fn every_hex_has_its_place_and_one_off_the_map_none() {
        let size = (3, 2);
        let places: Vec<Option<usize>> = hexes(size).map(|hex| place(size, hex)).collect();
        assert_eq!(places, (0..6).map(Some).collect::<Vec<_>>());
        for off in [Hex::new(0, 1), Hex::new(1, 0), Hex::new(4, 1), Hex::new(3, 3)] {
            assert_eq!(place(size, off), None, "{off}");
        }
    }

    #[test]
    fn hexes_of_a_file_are_single_ones_and_rectangles_and_those_off_the_map_are_told_where_its_size_is_known()
    {
        let text = "['0101', '0302 - 0201', '0501', '01-02']";
        let told = |known: bool| {
            let mut reader = Reader::new("f");
            let noun = Noun { key: "zone", said: None };
            let parts = Vec::<At<HexOrTwo>>::read(&mut reader, &parse(text).unwrap(), noun, &ANY).unwrap();
            let bounds = Bounds { of: "field", size: (3, 2), known };
            let found = bounds.hexes(&mut reader, &parts).into_iter().map(|(at, hexes)| {
                let hexes: Vec<String> = hexes.iter().map(ToString::to_string).collect();
                (at.column, hexes.join(" "))
            });
            (found.collect::<Vec<_>>(), reader.errors.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let (found, faults) = told(true);
        assert_eq!(found, [(2, "0101".to_owned()), (10, "0201 0301 0202 0302".to_owned())]);
        let bad = |of: &str| {
            format!("f:1:33: `{of}` is not a hex: write four digits, column then row, such as 1204")
        };
        let off = "f:1:25: 0501 is off the field, which has 3 columns and 2 rows".to_owned();
        assert_eq!(faults, [off, bad("01"), bad("02")]);
        assert_eq!(told(false), (found, vec![bad("01"), bad("02")]));
    }

    #[test]
    fn rows_that_are_too_many_too_long_or_uneven_are_told_and_nothing_of_them_is_guessed() {
        let (size, cells, faults) = read("['..', '...', '..']", Cells::Signs, None);
        assert_eq!(faults, ["f:1:11: row 2 of `ground` has 3 hexes, the others 2: write as many"]);
        assert!(size == (2, 3) && cells[2..4] == [None, None] && cells[4].is_some(), "{cells:?}");
        let (size, _, faults) = read("['.....', '.....', '.....', '.....']", Cells::Signs, None);
        let expected = [
            "f:1:1: `ground` has 4 rows: write 1 to 3",
            "f:1:8: `ground` has 5 hexes in a row: write at most 4",
        ];
        assert_eq!((size, faults), ((4, 3), expected.map(str::to_owned).to_vec()));
        let long = ".".repeat(300);
        let (size, _, faults) = read(&format!("['{long}', '{long}']"), Cells::Signs, None);
        let expected = ["f:1:303: `ground` has 300 hexes in a row: write at most 4".to_owned()];
        assert_eq!((size, faults), ((4, 2), expected.to_vec()), "one fault, whatever the length");
        let (size, _, faults) = read("[]", Cells::Signs, None);
        assert_eq!((size, faults), ((0, 0), vec!["f:1:1: `ground` has 0 rows: write 1 to 3".to_owned()]));
        let (_, cells, faults) = read("['..']", Cells::Signs, Some((3, 2)));
        let expected = [
            "f:1:1: `ground` has 1 rows and the map 2: write a row a row",
            "f:1:5: row 1 of `ground` has 2 hexes, the others 3: write as many",
        ];
        assert_eq!(faults, expected);
        assert_eq!(cells, [None, None, None]);
    }
}
