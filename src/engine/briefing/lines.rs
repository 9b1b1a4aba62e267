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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Becomes {
    /// Whether it isn't told.
    pub struck: bool,
    /// The game master's words in its place.
    pub instead: Option<String>,
    /// Lines of his behind it.
    pub behind: Vec<String>,
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

    /// The same lines, each with what becomes of it by these changes.
    pub fn lines_by_hand<'a>(&self, edits: impl IntoIterator<Item = &'a LineEdit>) -> Vec<(&str, Becomes)> {
        let Edits { mut by_line, mut seen, .. } = Edits::of(edits);
        let mut becomes = |line: &str| {
            let nth = seen.entry(line.to_owned()).or_default();
            *nth += 1;
            by_line.remove(&(line.to_owned(), *nth - 1)).unwrap_or_default()
        };
        self.lines().into_iter().map(|line| (line, becomes(line))).collect()
    }

    /// The changes of this report for one that tells the same, or less of it, perhaps in other words. A line in other words is found between the lines
    /// that both have; where it is not clear which it is, all that may be it are changed. Of such a line the game master's words are left out: he wrote
    /// them for a reader who may know what is hidden there.
    #[must_use]
    pub fn edits_for(&self, told: &Self, edits: &[LineEdit]) -> Vec<LineEdit> {
        let (own, other) = (self.lines(), told.lines());
        let places = in_other_words(&own, &other);
        let nth = |lines: &[&str], at: usize| lines[..at].iter().filter(|line| **line == lines[at]).count();
        let changed = |edit: &LineEdit| {
            let is_it = |at: &usize| own[*at] == edit.line && nth(&own, *at) == edit.nth as usize;
            let Some(at) = (0..own.len()).find(is_it) else { return Vec::new() };
            let change = |at: usize| match &edit.change {
                LineChange::Reworded(_) if other[at] != edit.line => Some(LineChange::Struck),
                LineChange::Added(_) if other[at] != edit.line => None,
                change => Some(change.clone()),
            };
            let of = |at: usize| {
                let nth = u32::try_from(nth(&other, at)).unwrap_or(u32::MAX);
                Some(LineEdit { line: other[at].to_owned(), nth, change: change(at)?, ..edit.clone() })
            };
            places[at].iter().filter_map(|at| of(*at)).collect()
        };
        edits.iter().flat_map(changed).collect()
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

/// For each line of a report the lines of another one that tell the same: the same line; or, of those between the lines that both have, each that has
/// no more words in common with another line of the report.
fn in_other_words(own: &[&str], other: &[&str]) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); own.len()];
    let (mut mine, mut theirs) = (0, 0);
    for (at, to) in common(own, other).into_iter().chain([(own.len(), other.len())]) {
        for (place, line) in other.iter().enumerate().take(to).skip(theirs) {
            let likeness: Vec<usize> = own[mine..at].iter().map(|own| words_shared(own, line)).collect();
            let most = likeness.iter().max();
            for (nth, _) in likeness.iter().enumerate().filter(|(_, many)| Some(*many) == most) {
                places[mine + nth].push(place);
            }
        }
        places.get_mut(at).into_iter().for_each(|place| place.push(to));
        (mine, theirs) = (at + 1, to + 1);
    }
    places
}

/// How many words of the second line the first one has.
fn words_shared(one: &str, other: &str) -> usize {
    let words = |line| str::split(line, |c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words(other).filter(|word| words(one).any(|own| own.eq_ignore_ascii_case(word))).count()
}

/// The longest common part of two lists of lines, as pairs of places.
fn common(own: &[&str], other: &[&str]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    let mut longest = vec![0_usize; (own.len() + 1) * width];
    for at in (0..own.len()).rev() {
        for to in (0..other.len()).rev() {
            longest[at * width + to] = match own[at] == other[to] {
                true => longest[(at + 1) * width + to + 1] + 1,
                false => longest[(at + 1) * width + to].max(longest[at * width + to + 1]),
            };
        }
    }
    let (mut at, mut to, mut pairs) = (0, 0, Vec::new());
    while at < own.len() && to < other.len() {
        if own[at] == other[to] {
            pairs.push((at, to));
            (at, to) = (at + 1, to + 1);
        } else if longest[(at + 1) * width + to] >= longest[at * width + to + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
    pairs
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
    fn a_change_reaches_a_report_that_tells_the_line_in_other_words() {
        let report = |lines: &[&str]| Briefing {
            sections: vec![Section::of(
                "What happened",
                lines.iter().map(|line| Part::text(*line)).collect(),
            )],
            ..Briefing::default()
        };
        let own = report(&[
            "Ney was told to march.",
            "Ney, with 3 corps, marched to Ulm.",
            "Snow fell.",
            "Soult lies hidden in Augsburg.",
            "Mack attacked Ney and lost 4.",
            "Mack attacked Soult and lost 2.",
        ]);
        let shown =
            report(&["Ney marched to Ulm.", "Snow fell.", "Mack attacked Ney.", "Mack attacked Soult."]);
        let told = |line: &str, change: LineChange| {
            let mut told = shown.clone();
            let done = told.change_lines(&own.edits_for(&shown, &[edit(line, 0, change)]));
            assert_eq!(done.lost, [""; 0]);
            let lines: Vec<String> = told.lines().into_iter().map(str::to_owned).collect();
            (lines, done.struck, done.own)
        };
        let is = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let all = shown.lines();
        let (lines, ..) = told("Ney, with 3 corps, marched to Ulm.", LineChange::Struck);
        assert_eq!(lines, is(&all[1..]));
        let (lines, ..) =
            told("Mack attacked Soult and lost 2.", LineChange::Reworded("A fight.".to_owned()));
        assert_eq!(lines, is(&all[..3]), "the words are for who knows what the other line hides");
        let added = told("Mack attacked Soult and lost 2.", LineChange::Added("By night.".to_owned()));
        assert_eq!(added, (is(&all), 0, 0));
        let (lines, ..) = told("Snow fell.", LineChange::Added("It was cold.".to_owned()));
        assert_eq!(lines, is(&[all[0], all[1], "GM: It was cold.", all[2], all[3]]));
        // What they aren't told isn't changed.
        for line in ["Ney was told to march.", "Soult lies hidden in Augsburg.", "Nobody said this."] {
            assert_eq!(told(line, LineChange::Struck), (is(&all), 0, 0), "{line}");
        }
    }

    #[test]
    fn a_report_that_nobody_changed_stays_as_it_is() {
        let mut told = report();
        assert_eq!(told.change_lines(&[]), ByHand::default());
        assert_eq!(told, report());
    }
}
