//! What holds of every answer to `REACH`.

use std::collections::BTreeSet;

use musterd_engine::Ruleset;
use musterd_engine::briefing::{Briefing, Map, Part, Row};
use musterd_engine::hex::Hex;
use musterd_engine::orders::Weight;
use musterd_kit::palette::IN_REACH;
use musterd_kit::reach::A_PART;

/// A goal that an answer names: the order up to it, and the goal as it is called there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) order: String,
    pub(crate) place: String,
}

impl Named {
    /// The hex in its name.
    pub(crate) fn hex(&self) -> Hex {
        let mut words = self.place.split_whitespace();
        words.find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("no hex in {self:?}"))
    }

    /// The order to go there, by its hex.
    pub(crate) fn by_hex(&self) -> String {
        format!("{} {}", self.order, self.hex())
    }
}

/// Every goal that an answer names, with its costs left out.
pub(crate) fn goals(answer: &Briefing) -> Vec<Named> {
    let mut order = String::new();
    let mut goals = Vec::new();
    for part in answer.sections.iter().flat_map(|section| &section.parts) {
        match part {
            Part::Heading { text } => order.clone_from(text),
            Part::Table(table) => {
                for row in &table.rows {
                    let Row::Cells(cells) = row else { panic!("{row:?}") };
                    let places = without_notes(&cells[1]);
                    let named = |place: &str| Named { order: order.clone(), place: place.trim().to_owned() };
                    goals.extend(places.split(", ").map(named));
                }
            }
            _ => {}
        }
    }
    goals
}

/// A text without what stands in brackets.
fn without_notes(text: &str) -> String {
    let mut depth = 0_u32;
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            letter if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    plain
}

/// Asks for the reach of the units with these numbers. Each goal that an answer names must be one that orders take, which `line` writes; the maps must have
/// the signs of the palette, and mark what is in reach. Gives the number of goals that were ordered.
pub(crate) fn holds<R: Ruleset>(
    rules: &R,
    view: &R::View,
    last: u8,
    line: impl Fn(&Named) -> String,
) -> usize {
    let mut ordered = 0;
    for number in 1..=last {
        let answer = match rules.reach(view, &number.to_string()) {
            Ok(answer) => answer,
            Err(remark) => {
                assert_eq!((remark.line, remark.weight), (0, Weight::Error), "{remark:?}");
                continue;
            }
        };
        assert!(answer.title.starts_with("Reach of "), "{}", answer.title);
        for named in goals(&answer) {
            let line = line(&named);
            let reading = rules.read_orders(view, &line);
            assert!(!reading.has_errors() && !reading.orders.is_empty(), "{line}: {:?}", reading.remarks);
            ordered += 1;
        }
        for (title, map) in answer.maps() {
            assert!(map.palette == R::PALETTE, "{title}");
            assert_eq!(map.unknown_signs(), Vec::<char>::new(), "{title}");
            marks(&answer, map);
        }
    }
    ordered
}

/// The map of an answer marks every hex in reach that is on it, and nothing else; its legend says where it shows a part alone.
fn marks(answer: &Briefing, map: &Map) {
    let is_marked = |hex: &Hex| map.tiles[hex].control == Some(IN_REACH.sign);
    let is_shown = |hex: &Hex| map.tiles.contains_key(hex);
    let marked: BTreeSet<Hex> = map.tiles.keys().copied().filter(is_marked).collect();
    let own =
        hexes(&answer.sections[0].title).pop().unwrap_or_else(|| panic!("{}", answer.sections[0].title));
    assert!(is_shown(&own), "{}", answer.title);
    let reached: BTreeSet<Hex> = reached(answer).into_iter().filter(|hex| *hex != own).collect();
    let on_it: BTreeSet<Hex> = reached.iter().copied().filter(is_shown).collect();
    assert_eq!(marked, on_it, "{}", answer.title);
    let is_cut = map.legend.iter().any(|(_, text)| text.ends_with(A_PART));
    assert_eq!(is_cut, on_it != reached, "{}", answer.title);
}

/// The hexes to which the coming move gets a unit: each goal, or where it gets on its way to a farther one.
fn reached(answer: &Briefing) -> Vec<Hex> {
    let far = |text: &str| text.split_once("as far as ").map(|(_, far)| hexes(far));
    let mut reached = Vec::new();
    for part in answer.sections.iter().flat_map(|section| &section.parts) {
        match part {
            Part::Table(table) => {
                for row in &table.rows {
                    let Row::Cells(cells) = row else { panic!("{row:?}") };
                    let goals = members(&cells[1]);
                    reached.extend(
                        goals.iter().flat_map(|goal| far(goal).unwrap_or(hexes(&without_notes(goal)))),
                    );
                }
            }
            Part::Items { items, .. } => {
                reached.extend(items.iter().filter_map(|item| far(&item.text)).flatten());
            }
            _ => {}
        }
    }
    reached
}

/// The members of a list, with their notes.
fn members(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let mut members = vec![String::new()];
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match letter {
            ',' if depth == 0 => members.push(String::new()),
            letter => members.last_mut().unwrap().push(letter),
        }
    }
    members
}

/// The hexes that a text names.
fn hexes(text: &str) -> Vec<Hex> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| word.len() == 4).filter_map(|word| word.parse().ok()).collect()
}

/// What is asked wrongly is answered by a remark with a caret and a hint: nothing, and a unit that is called almost like one.
pub(crate) fn refuses<R: Ruleset>(rules: &R, view: &R::View, wrong: &str, hint: &str) {
    let nothing = rules.reach(view, "").unwrap_err();
    let example = nothing.hint.clone().unwrap_or_default();
    assert!(nothing.span.is_some() && example.starts_with("write REACH "), "{nothing:?}");
    let again = rules.reach(view, example.trim_start_matches("write REACH "));
    assert!(again.is_ok(), "{example}: {again:?}");
    let unknown = rules.reach(view, wrong).unwrap_err();
    let (start, length) = unknown.span.unwrap_or_else(|| panic!("{unknown:?}"));
    assert!(start + length <= wrong.chars().count(), "{unknown:?}");
    assert!(unknown.hint.as_deref().unwrap_or_default().contains(hint), "{unknown:?}");
}
