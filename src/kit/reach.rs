//! The answer to `REACH 3`: where units can get to in their coming move.

use std::collections::{BTreeMap, BTreeSet};

use musterd_engine::briefing::{Briefing, Fact, Item, Map, Part, Scale, Section, Table};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Remark;
use musterd_engine::tokens::{Cursor, Span};
use musterd_report::map::{HIGHEST, MOST_COLUMNS, WIDEST};
use musterd_text::nouns::count;

use crate::lexicon::{Lexicon, SEPARATORS, missing, on};
use crate::palette::IN_REACH;

/// The most units that one question may name.
pub const MOST_UNITS: usize = 6;

/// The rows of a map of the theatre scale at most; a higher one is drawn small.
const MOST_ROWS: u8 = 12;

/// The columns and rows of a map at least, where the game's map has so many.
const LEAST: (u8, u8) = (7, 5);

/// What the legend says of what is in reach if the map can't show all of it.
pub const A_PART: &str = "of which the map shows a part";

/// The reach of one unit.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    /// The unit, as reports call it: `III Davout (3)`.
    pub unit: String,
    /// Where it stands: `Ulm 1507`.
    pub at: String,
    /// What its move depends on, such as its points.
    pub facts: Vec<Fact>,
    /// The manners in which it can move, with what each gets it to.
    pub manners: Vec<Manner>,
    /// What ends its way or hinders it, one sentence each.
    pub ends: Vec<String>,
    /// The map around it with what is in reach marked; see [`map`].
    pub map: Option<Map>,
}

/// A manner of moving.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// The order as players write it, up to its goal: `MOVE 3 TO`.
    pub order: String,
    /// What the first column counts: `moves`. A `>` before it aligns the column to the right.
    pub counted: &'static str,
    /// Where it gets the unit to.
    pub goals: Vec<Goal>,
}

/// A hex in reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// What it costs, in the units in which goals are sorted.
    pub cost: u32,
    /// What it costs, in words: `2`, `1.5`, `turn 3`.
    pub told: String,
    /// The hex.
    pub hex: Hex,
    /// The hex as reports call it: `Ulm 1507`, or its number alone.
    pub place: String,
    /// What is to be said of it, in a few words; empty if there is nothing.
    pub note: String,
}

impl Reach {
    /// Every hex that some manner gets to.
    pub fn goals(&self) -> impl Iterator<Item = Hex> + '_ {
        self.manners.iter().flat_map(|manner| manner.goals.iter().map(|goal| goal.hex))
    }

    fn parts(self) -> Vec<Part> {
        let mut parts = Vec::new();
        if !self.facts.is_empty() {
            parts.push(Part::Facts { facts: self.facts });
        }
        for manner in self.manners {
            parts.extend(manner.parts());
        }
        if !self.ends.is_empty() {
            let items = self.ends.into_iter().map(Item::of).collect();
            parts.push(Part::Items { numbered: false, items });
        }
        parts.extend(self.map.map(Part::Map));
        parts
    }
}

impl Manner {
    /// The goals by cost, named places before others.
    fn parts(self) -> Vec<Part> {
        let heading = Part::Heading { text: self.order };
        if self.goals.is_empty() {
            return vec![heading, Part::text("It gets nowhere.")];
        }
        let mut rows: BTreeMap<(u32, String), Vec<Goal>> = BTreeMap::new();
        for goal in self.goals {
            rows.entry((goal.cost, goal.told.clone())).or_default().push(goal);
        }
        let mut table = Table::new(&[self.counted, "gets to"]);
        for ((_, told), mut goals) in rows {
            goals.sort_by_key(|goal| (goal.is_bare(), goal.hex));
            let places: Vec<String> = goals.into_iter().map(Goal::in_words).collect();
            table.row([told, places.join(", ")]);
        }
        vec![heading, Part::Table(table)]
    }
}

impl Goal {
    /// Whether it has no name.
    fn is_bare(&self) -> bool {
        self.place == self.hex.to_string()
    }

    fn in_words(self) -> String {
        if self.note.is_empty() { self.place } else { format!("{} ({})", self.place, self.note) }
    }
}

/// Reads the units that a question names, by the lexicon of orders, each with its place in `text`. `kind` gives the kind of noun that stands at the
/// cursor. `example` is a unit of the seat's, as orders name it; `None` if it has none.
///
/// # Errors
/// The text is empty, names no unit, or names too many.
pub fn asked<L: Lexicon>(
    lexicon: &L,
    kind: impl Fn(&Cursor<'_>) -> L::Kind,
    text: &str,
    example: Option<&str>,
) -> Result<Vec<(L::Noun, Span)>, Remark> {
    let mut cursor = Cursor::new(text);
    if cursor.peek().is_none() {
        let remark = missing(&cursor, "The reach of which unit? Its number or name is missing.");
        return Err(match example {
            Some(unit) => remark.hint(format!("write REACH {unit}")),
            None => remark.hint("you have no unit that moves"),
        });
    }
    let whole = cursor.rest_span();
    let mut found: Vec<(L::Noun, Span)> = Vec::new();
    while cursor.peek().is_some() {
        if cursor.take_any(&SEPARATORS).is_some() {
            continue;
        }
        let member = cursor.rest().iter().position(|token| token.is_any(&SEPARATORS));
        let all = cursor.narrow(member.unwrap_or(usize::MAX));
        let before = cursor.rest().len();
        lexicon.read_some(kind(&cursor), &mut cursor, &mut |noun, span| {
            if !found.iter().any(|(known, _)| *known == noun) {
                found.push((noun, span));
            }
        })?;
        if cursor.rest().len() == before {
            cursor.skip(1);
        }
        cursor.widen(all);
        if found.len() > MOST_UNITS {
            let text = format!("REACH tells of {MOST_UNITS} units at most.");
            return Err(on(whole, text).hint("name fewer of them, or ask twice"));
        }
    }
    match found.is_empty() {
        true => Err(on(whole, "No unit is named here.").hint("write a unit's number or name")),
        false => Ok(found),
    }
}

/// The answer: a section for each unit. `head` brings addressee and date; its title and its sections are made here. `when` is the time of the move, as
/// the game counts it: `Summer 1805`, `round 3`.
#[must_use]
pub fn answer(head: Briefing, when: &str, reaches: Vec<Reach>) -> Briefing {
    let title = match reaches.as_slice() {
        [one] => format!("Reach of {}, at {}, {when}", one.unit, one.at),
        several => format!("Reach of {}, {when}", count(several.len(), "unit")),
    };
    let section = |reach: Reach| Section::of(format!("{} at {}", reach.unit, reach.at), reach.parts());
    let sections = reaches.into_iter().map(section).collect();
    Briefing { subject: title.clone(), title, standing: Vec::new(), at_end: Vec::new(), sections, ..head }
}

/// The part of a map from `first` to `last` that shows a unit at `at` and these hexes with one more around them, and the scale that it can be shown at. Where
/// that is larger than a sheet it is cut, with the unit as near to its middle as the hexes allow.
fn frame(at: Hex, goals: &BTreeSet<Hex>, (first, last): (Hex, Hex)) -> (Scale, (Hex, Hex)) {
    let edge = |of: fn(&Hex) -> u8, least: u8, most: u8| {
        let (from, to, own) = (of(&first), of(&last), of(&at));
        assert!((from..=to).contains(&own), "{at} lies on the map from {first} to {last}");
        let low = goals.iter().map(of).fold(own, u8::min).saturating_sub(1).clamp(from, own);
        let high = goals.iter().map(of).fold(own, u8::max).saturating_add(1).clamp(own, to);
        let whole = high - low + 1;
        let wide = whole.max(least).min(most).min(to - from + 1);
        let low = match whole > wide {
            true => own.saturating_sub(wide / 2).clamp(low, high + 1 - wide),
            false => low.saturating_sub((wide - whole) / 2).clamp(from, to + 1 - wide),
        };
        assert!((low..=low + (wide - 1)).contains(&own), "{at} is on its own map");
        (low, low + (wide - 1))
    };
    let (left, right) = edge(|hex| hex.col, LEAST.0, WIDEST);
    let (top, bottom) = edge(|hex| hex.row, LEAST.1, HIGHEST);
    let is_close = right - left < MOST_COLUMNS && bottom - top < MOST_ROWS;
    let scale = if is_close { Scale::Theatre } else { Scale::Strategic };
    (scale, (Hex::new(left, top), Hex::new(right, bottom)))
}

/// The map around a unit at `at` with the hexes in reach marked, of a game's map with these bounds. `draw` draws a part of the game's map with all that
/// the seat sees; the palette must have [`IN_REACH`].
pub fn map(
    at: Hex,
    goals: impl Iterator<Item = Hex>,
    bounds: (Hex, Hex),
    draw: impl Fn(Scale, (Hex, Hex)) -> Map,
) -> Map {
    let goals: BTreeSet<Hex> = goals.collect();
    let (scale, part) = frame(at, &goals, bounds);
    let mut map = draw(scale, part);
    let is_wet = |hex: &Hex| map.tiles.get(hex).is_some_and(|tile| map.is_water(tile.ground));
    // In letters, water of a close map has no room for a mark.
    if scale == Scale::Theatre && goals.iter().any(is_wet) {
        map = draw(Scale::Strategic, part);
    }
    for hex in &goals {
        if let Some(tile) = map.tiles.get_mut(hex) {
            tile.control = Some(IN_REACH.sign);
        }
    }
    if !goals.is_empty() {
        let is_cut = goals.iter().any(|hex| !hex.is_within(part));
        let meaning =
            if is_cut { format!("{}, {A_PART}", IN_REACH.meaning) } else { IN_REACH.meaning.to_owned() };
        map.legend.insert(0, (IN_REACH.sign.to_string(), meaning));
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_engine::palette::Palette;

    #[test]
    fn a_frame_holds_its_hexes_and_stays_on_the_map() {
        let map = (Hex::new(3, 2), Hex::new(40, 30));
        for (at, goals, scale) in [
            (Hex::new(3, 2), vec![], Scale::Theatre),
            (Hex::new(40, 30), vec![], Scale::Theatre),
            (Hex::new(10, 10), vec![Hex::new(18, 14)], Scale::Theatre),
            (Hex::new(10, 10), vec![Hex::new(24, 14)], Scale::Strategic),
            (Hex::new(10, 3), vec![Hex::new(12, 29)], Scale::Strategic),
        ] {
            let (found, part) = frame(at, &goals.iter().copied().collect(), map);
            let (first, last) = part;
            assert_eq!(found, scale, "{at} {goals:?}");
            assert!(
                goals.iter().chain([&at]).all(|hex| hex.is_within(part)),
                "{at} {goals:?} in {first} to {last}"
            );
            assert!(first.col >= 3 && first.row >= 2 && last.col <= 40 && last.row <= 30, "{first} {last}");
            assert!(last.col - first.col >= 6 && last.row - first.row >= 4, "{first} {last}");
        }
    }

    #[test]
    fn a_reach_that_is_larger_than_a_sheet_is_cut_around_its_unit() {
        let bounds = (Hex::new(1, 1), Hex::new(99, 99));
        for at in [Hex::new(2, 2), Hex::new(50, 50), Hex::new(98, 98), Hex::new(2, 98)] {
            let goals: BTreeSet<Hex> = [Hex::new(1, 1), Hex::new(99, 99)].into();
            let (_, (first, last)) = frame(at, &goals, bounds);
            assert!(at.is_within((first, last)), "{at} in {first} to {last}");
            assert_eq!(
                (last.col - first.col + 1, last.row - first.row + 1),
                (WIDEST.min(99), HIGHEST.min(99))
            );
            let to_edges = |own: u8, low: u8, high: u8| (own - low).abs_diff(high - own) <= 1;
            let is_inner = at == Hex::new(50, 50);
            assert!(
                !is_inner || to_edges(at.col, first.col, last.col) && to_edges(at.row, first.row, last.row)
            );
        }
    }

    #[test]
    fn a_map_that_shows_a_part_of_what_is_in_reach_says_so() {
        let bounds = (Hex::new(1, 1), Hex::new(99, 99));
        let draw = |scale, _| Map::of(&Palette::PLAIN, scale, BTreeMap::new());
        let says = |goal: Hex| {
            let map = map(Hex::new(2, 2), [goal].into_iter(), bounds, draw);
            map.legend[0].1.ends_with(A_PART)
        };
        assert!(says(Hex::new(99, 99)) && !says(Hex::new(5, 5)));
    }

    #[test]
    fn goals_are_listed_by_cost_and_named_places_first() {
        let goal = |cost: u32, place: &str, note: &str| Goal {
            cost,
            told: cost.to_string(),
            hex: place[place.len() - 4..].parse().unwrap(),
            place: place.to_owned(),
            note: note.to_owned(),
        };
        let goals = vec![goal(2, "0102", ""), goal(1, "0101", "next to an enemy"), goal(2, "Ulm 0103", "")];
        let reach = Reach {
            unit: "III Davout (3)".to_owned(),
            at: "Metz 1405".to_owned(),
            manners: vec![Manner { order: "MOVE 3 TO".to_owned(), counted: ">moves", goals }],
            ..Reach::default()
        };
        let answer = answer(Briefing::default(), "Summer 1805", vec![reach]);
        assert_eq!(answer.title, "Reach of III Davout (3), at Metz 1405, Summer 1805");
        let page = musterd_report::text::sections(&answer);
        let (first, second) =
            (page.find("0101 (next to an enemy)").unwrap(), page.find("Ulm 0103, 0102").unwrap());
        assert!(first < second, "{page}");
    }
}
