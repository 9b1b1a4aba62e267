//! The lines of a report that a game master can change by hand before it is mailed: its paragraphs, and its happenings with all that is told of how
//! they came about.

use std::collections::BTreeMap;

use super::{Briefing, Item, Part};
use musterd_dice::{LineChange, LineEdit};

/// What stands before the game master's words in a report.
const GM: &str = "GM: ";

/// How much of a report is the game master's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ByHand {
    /// Lines that aren't told.
    pub struck: usize,
    /// Lines of his own.
    pub own: usize,
    /// Lines that he changed and that aren't there any more: the position was changed since.
    pub lost: Vec<String>,
}

/// What is to become of one line.
#[derive(Default)]
struct Becomes {
    struck: bool,
    /// The game master's words in its place.
    instead: Option<String>,
    /// Lines of his behind it.
    behind: Vec<String>,
}

/// All that is to be done, by the text of a line and which of those with this text it is.
struct Edits {
    by_line: BTreeMap<(String, u32), Becomes>,
    seen: BTreeMap<String, u32>,
    done: ByHand,
}

impl Edits {
    fn of<'a>(edits: impl IntoIterator<Item = &'a LineEdit>) -> Self {
        let mut by_line: BTreeMap<(String, u32), Becomes> = BTreeMap::new();
        for LineEdit { line, nth, change, .. } in edits {
            let becomes = by_line.entry((line.clone(), *nth)).or_default();
            match change {
                LineChange::Struck => (becomes.struck, becomes.instead) = (true, None),
                LineChange::Reworded(words) => {
                    (becomes.struck, becomes.instead) = (true, Some(words.clone()));
                }
                LineChange::Added(words) => becomes.behind.push(words.clone()),
                LineChange::Restored => *becomes = Becomes::default(),
            }
        }
        Self { by_line, seen: BTreeMap::new(), done: ByHand::default() }
    }

    /// What becomes of the next line, which has this text: whether it stays, and what stands behind it.
    fn next(&mut self, text: &str) -> (bool, Vec<String>) {
        let nth = self.seen.entry(text.to_owned()).or_default();
        let Becomes { struck, instead, behind } =
            self.by_line.remove(&(text.to_owned(), *nth)).unwrap_or_default();
        *nth += 1;
        // A line in the place of another isn't counted as one that was struck.
        self.done.struck += usize::from(struck && instead.is_none());
        let own: Vec<String> = instead.into_iter().chain(behind).collect();
        self.done.own += own.len();
        (!struck, own.into_iter().map(|words| format!("{GM}{words}")).collect())
    }

    fn part(&mut self, part: Part) -> Vec<Part> {
        match part {
            Part::Text { text } => {
                let (stays, own) = self.next(&text);
                let own = own.into_iter().map(|text| Part::Text { text });
                stays.then_some(Part::Text { text }).into_iter().chain(own).collect()
            }
            Part::Items { numbered, items } => {
                let item = |item: Item| {
                    let (stays, own) = self.next(&item.text);
                    stays.then_some(item).into_iter().chain(own.into_iter().map(Item::of))
                };
                let items: Vec<Item> = items.into_iter().flat_map(item).collect();
                if items.is_empty() { Vec::new() } else { vec![Part::Items { numbered, items }] }
            }
            part => vec![part],
        }
    }
}

impl Briefing {
    /// The lines that can be changed, in reading order.
    #[must_use]
    pub fn lines(&self) -> Vec<&str> {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        parts
            .flat_map(|part| match part {
                Part::Text { text } => vec![text.as_str()],
                Part::Items { items, .. } => items.iter().map(|item| item.text.as_str()).collect(),
                _ => Vec::new(),
            })
            .collect()
    }

    /// Changes lines by hand, in the order in which that was asked for. A change whose line isn't there changes nothing.
    pub fn change_lines<'a>(&mut self, edits: impl IntoIterator<Item = &'a LineEdit>) -> ByHand {
        let mut edits = Edits::of(edits);
        if edits.by_line.is_empty() {
            return ByHand::default();
        }
        self.sections.retain_mut(|section| {
            let is_chapter = section.is_chapter();
            let parts = std::mem::take(&mut section.parts);
            section.parts = parts.into_iter().flat_map(|part| edits.part(part)).collect();
            is_chapter || !section.is_chapter()
        });
        let is_changed = |becomes: &Becomes| becomes.struck || !becomes.behind.is_empty();
        let lost = edits.by_line.into_iter().filter(|(_, becomes)| is_changed(becomes));
        ByHand { lost: lost.map(|((line, _), _)| line).collect(), ..edits.done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::briefing::Section;

    fn report() -> Briefing {
        let item = |text: &str| Item { text: text.to_owned(), details: vec!["die 6".to_owned()] };
        let items = Part::Items { numbered: true, items: vec![item("Ney marched."), item("Ney marched.")] };
        let sections = vec![
            Section::chapter("The war"),
            Section::of("Weather", vec![Part::text("Snow fell.")]),
            Section::of("What happened", vec![items, Part::text("All was quiet.")]),
        ];
        Briefing { sections, ..Briefing::default() }
    }

    fn edit(line: &str, nth: u32, change: LineChange) -> LineEdit {
        LineEdit { t: 2, seat: "french".parse().unwrap(), line: line.to_owned(), nth, change }
    }

    #[test]
    fn lines_are_struck_reworded_added_and_restored_each_by_itself() {
        let words = |words: &str| words.to_owned();
        let edits = [
            edit("Snow fell.", 0, LineChange::Struck),
            edit("Ney marched.", 1, LineChange::Added(words("It was dark."))),
            edit("Ney marched.", 1, LineChange::Reworded(words("Somebody marched."))),
            edit("Ney marched.", 0, LineChange::Added(words("He came far."))),
            edit("All was quiet.", 0, LineChange::Struck),
            edit("All was quiet.", 0, LineChange::Restored),
            edit("Nobody said this.", 0, LineChange::Added(words("Nor this."))),
        ];
        let mut told = report();
        let lost = vec!["Nobody said this.".to_owned()];
        assert_eq!(told.change_lines(&edits), ByHand { struck: 1, own: 3, lost });
        assert_eq!(
            told.lines(),
            [
                "Ney marched.",
                "GM: He came far.",
                "GM: Somebody marched.",
                "GM: It was dark.",
                "All was quiet."
            ]
        );
        let titles: Vec<&str> = told.sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles, ["The war", "What happened"], "an empty section is no chapter");
    }

    #[test]
    fn a_report_that_nobody_changed_stays_as_it_is() {
        let mut told = report();
        assert_eq!(told.change_lines(&[]), ByHand::default());
        assert_eq!(told, report());
    }
}
