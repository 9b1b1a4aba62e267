//! The part of a mail that the log binds (docs/dice.md, "What was told"): what the program tells of the game, between its two marks.

use std::borrow::Cow;

use super::html::{self, Html};
use super::text;
use musterd_dice::told::{TellingId, page_words, text_words};
use musterd_dice::{Digest, GameId};
use musterd_engine::briefing::Briefing;

/// The number of this program's wording. Whatever changes a sentence that a report or a receipt tells raises it, once between two releases
/// (`tests/it/wording.rs` notices; 0.1.0 had 1).
pub const WORDING: u32 = 2;

/// What a mail tells, set as text and as a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// The text, without its marks.
    pub text: String,
    /// The page, without its marks; empty where the mail has none.
    pub html: String,
    /// The lines before it and behind it, once it is bound.
    marks: Option<(String, String)>,
}

impl Told {
    /// What a report tells: what the host and its game master say in their own words, the standing, then all sections.
    pub fn of_report(said: &[String], briefing: &Briefing) -> Self {
        let text = text::lines(|page| {
            for words in said {
                text::paragraph(page, "", "", words);
                page.push('\n');
            }
            if !briefing.standing.is_empty() {
                text::facts(page, &briefing.standing);
                page.push('\n');
            }
            page.push_str(&text::of_sections(&briefing.sections));
        });
        let mut page = Html::default();
        said.iter().for_each(|words| html::paragraph(&mut page, words));
        if !briefing.standing.is_empty() {
            html::facts(&mut page, &briefing.standing);
        }
        html::sections(&mut page, &briefing.sections);
        Self { text, html: page.finish(), marks: None }
    }

    /// What a mail of text alone tells.
    pub(super) fn of_text(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// SHA-256 of the words of the text.
    pub fn text_digest(&self) -> Digest {
        Digest::of(text_words(&self.text).as_bytes())
    }

    /// SHA-256 of the words of the page.
    pub fn page_digest(&self) -> Digest {
        Digest::of(page_words(&self.html).as_bytes())
    }

    /// The same with the marks of a telling.
    pub fn marked(self, game: &GameId, id: &TellingId) -> Self {
        Self { marks: Some((id.begins(game), id.ends(game))), ..self }
    }

    /// Whether the log binds it.
    pub(super) const fn is_bound(&self) -> bool {
        self.marks.is_some()
    }

    /// Whether there is nothing to tell, and nothing is bound.
    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_none() && self.text.is_empty()
    }

    /// The text with its marks, as lines of a page.
    pub(super) fn as_text(&self) -> Cow<'_, str> {
        match &self.marks {
            Some((begins, ends)) => format!("{begins}\n\n{}\n\n{ends}\n", self.text.trim_end()).into(),
            None => self.text.as_str().into(),
        }
    }

    /// The page with its marks.
    pub(super) fn write_html(&self, page: &mut Html) {
        let marks = self.marks.as_ref();
        marks.into_iter().for_each(|(begins, _)| html::mark(page, begins));
        page.piece(&self.html);
        marks.into_iter().for_each(|(_, ends)| html::mark(page, ends));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use musterd_dice::told::Marked;
    use musterd_engine::briefing::{Bar, Bars, Fact, Item, Part, Section, Table};

    fn briefing() -> Briefing {
        let mut table = Table::new(&["Unit", ">Strength", "What it did, at length"]);
        table.row(["IV Soult".to_owned(), "12".to_owned(), "marched on and on ".repeat(9)]);
        table.group("The reserve");
        table.row(["Guard".to_owned(), "3".to_owned(), String::new()]);
        let item = Item {
            text: "Mack 1 & 2 were `destroyed` <there>.".to_owned(),
            details: vec!["die 6 +1".to_owned()],
        };
        let bars = Bars {
            title: "Sixes".to_owned(),
            expected: 3,
            low: 1,
            high: 5,
            rows: vec![Bar { label: "6".to_owned(), count: 4 }],
        };
        let parts = vec![
            Part::text("Snow fell on Ulm's walls. ".repeat(9)),
            Part::Heading { text: "Fights".to_owned() },
            Part::Items { numbered: true, items: vec![item.clone(), item] },
            Part::Table(table),
            Part::Bars(bars),
            Part::Plain { lines: vec!["a  b".to_owned()] },
        ];
        Briefing {
            standing: vec![Fact::of("Points", "18 of 20")],
            sections: vec![Section::chapter("The war"), Section::of("What happened", parts)],
            ..Briefing::default()
        }
    }

    fn marked() -> Told {
        let id = TellingId { t: 2, seat: "french".parse().unwrap(), n: 1 };
        Told::of_report(&["The GM: it snows.".to_owned()], &briefing()).marked(&"alpha".parse().unwrap(), &id)
    }

    #[test]
    fn text_and_page_say_the_same() {
        let told = marked();
        let mut page = Html::default();
        told.write_html(&mut page);
        let (text, page) =
            (Marked::in_text(&told.as_text()).unwrap(), Marked::in_page(&page.finish()).unwrap());
        assert!(text.is_whole && page.is_whole && text.id == page.id);
        assert_eq!(text.plain.differences(&page.plain), None);
    }

    #[test]
    fn what_is_bound_is_what_stands_between_the_marks() {
        let told = marked();
        let text = Marked::in_text(&format!("Dear player\n{}Greetings", told.as_text())).unwrap();
        assert_eq!(text.digest, told.text_digest());
        let mut page = Html::default();
        told.write_html(&mut page);
        let page = Marked::in_page(&page.finish()).unwrap();
        assert_eq!(page.digest, told.page_digest());
    }
}
