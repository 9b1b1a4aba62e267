//! A page between its template and its reader. A template writes words and marks: a mark stands for a paragraph, a heading, or the whole report. The
//! page is then rendered twice, as text and as HTML, so that a host words a mail in one place only.
//!
//! Template output without a filter is shown as it is on the text page, and as the same lines in a fixed-width font on the HTML page.

use std::borrow::Cow;

use minijinja::value::Value;
use minijinja::{AutoEscape, Error, Output, State, escape_formatter};
use serde::Serialize;

use super::html::Html;
use super::mail::Message;
use super::told::Told;
use super::{WIDTH, html, text};
use musterd_dice::GameId;
use musterd_engine::briefing::{Fact, Section};

/// The characters around a mark. No value can bring them into a page: see [`write_value`] and [`clean`].
const OPEN: char = '\u{1}';
const NEXT: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// A value that a template can only show as a whole.
pub(super) enum Piece<'a> {
    /// Lines that stay as they are.
    Lines(String),
    /// Labels with texts.
    Facts(Vec<Fact>),
    /// All sections of a report.
    Sections(&'a [Section]),
    /// What the log binds of a mail.
    Told(Cow<'a, Told>),
}

/// The pieces of one page.
#[derive(Default)]
pub(super) struct Pieces<'a>(Vec<Piece<'a>>);

impl<'a> Pieces<'a> {
    /// A mark for a piece, for a template's values. An empty piece gives an empty text, so that `{% if %}` can test it.
    pub(super) fn place(&mut self, piece: Piece<'a>) -> Value {
        let is_empty = match &piece {
            Piece::Lines(lines) => lines.is_empty(),
            Piece::Facts(facts) => facts.is_empty(),
            Piece::Sections(sections) => sections.is_empty(),
            Piece::Told(told) => told.is_empty(),
        };
        if is_empty {
            return Value::from("");
        }
        self.0.push(piece);
        mark(Sort::Piece, &(self.0.len() - 1).to_string())
    }
}

impl Pieces<'_> {
    /// The mark of the piece that the log binds, if there is one: no mail may lose it.
    pub(super) fn bound(&self) -> Option<String> {
        let is_bound = |piece: &Piece<'_>| matches!(piece, Piece::Told(told) if told.is_bound());
        let at = self.0.iter().position(is_bound)?;
        Some(mark(Sort::Piece, &at.to_string()).to_string())
    }
}

/// The sorts of marks. They are written as digits: a template may put a marked text in capitals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Paragraph,
    Heading,
    Beside,
    Rule,
    Piece,
}

impl Sort {
    const ALL: [Self; 5] = [Self::Paragraph, Self::Heading, Self::Beside, Self::Rule, Self::Piece];
}

fn mark(sort: Sort, inside: &str) -> Value {
    Value::from_safe_string(format!("{OPEN}{}{inside}{CLOSE}", sort as u8))
}

/// A text as a paragraph.
pub(super) fn paragraph(text: &str) -> Value {
    mark(Sort::Paragraph, &clean(text))
}

/// A title as a heading.
pub(super) fn heading(title: &str) -> Value {
    mark(Sort::Heading, &clean(title))
}

/// Two texts on one line, the second at the right edge.
pub(super) fn beside(left: &str, right: &str) -> Value {
    mark(Sort::Beside, &format!("{}{NEXT}{}", clean(left), clean(right)))
}

/// A line across the page.
pub(super) fn rule() -> Value {
    mark(Sort::Rule, "")
}

/// A text without the characters of marks.
fn clean(text: &str) -> Cow<'_, str> {
    let is_sign = |c: char| matches!(c, OPEN | NEXT | CLOSE);
    if text.contains(is_sign) { Cow::Owned(text.replace(is_sign, "")) } else { Cow::Borrowed(text) }
}

/// Writes a template's values into its page: only the output of our filters may hold marks.
pub(super) fn write_value(out: &mut Output<'_>, state: &State<'_, '_>, value: &Value) -> Result<(), Error> {
    if matches!(state.auto_escape(), AutoEscape::Html) {
        return escape_formatter(out, state, value);
    }
    let wrote = match value.as_str() {
        Some(text) if value.is_safe() => out.write_str(text),
        Some(text) => out.write_str(&clean(text)),
        None => out.write_str(&clean(&value.to_string())),
    };
    Ok(wrote?)
}

/// A mail before its template is applied.
pub(super) struct Sheet<'a> {
    /// The template's name.
    pub(super) template: &'static str,
    pub(super) game: Option<&'a GameId>,
    /// The subject, without the game's name.
    pub(super) subject: String,
    /// The values that the template may use.
    pub(super) values: Value,
    pub(super) pieces: Pieces<'a>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new<T: Serialize>(
        template: &'static str,
        game: Option<&'a GameId>,
        subject: String,
        mail: &T,
        pieces: Pieces<'a>,
    ) -> Self {
        Self { template, game, subject, values: Value::from_serialize(mail), pieces }
    }
}

/// The blocks of a page, from its top.
enum Block<'a> {
    Words(&'a str),
    Paragraph(&'a str),
    Heading(&'a str),
    Beside(&'a str, &'a str),
    Rule,
    Piece(&'a Piece<'a>),
}

/// A page as its template wrote it.
pub(super) struct Page<'a> {
    pub(super) marked: String,
    pub(super) pieces: &'a Pieces<'a>,
}

impl Page<'_> {
    fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let mut rest = self.marked.as_str();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let Some(inside) = rest.strip_prefix(OPEN) else {
                let (words, behind) = rest.split_at(rest.find(OPEN).unwrap_or(rest.len()));
                rest = behind;
                return Some(Block::Words(words));
            };
            let (inside, behind) = inside.split_once(CLOSE).unwrap_or((inside, ""));
            rest = behind;
            Some(self.block(inside).unwrap_or(Block::Words("")))
        })
    }

    fn block<'b>(&'b self, inside: &'b str) -> Option<Block<'b>> {
        let sort = Sort::ALL.into_iter().find(|sort| inside.starts_with(char::from(b'0' + *sort as u8)))?;
        let said = &inside[1..];
        Some(match sort {
            Sort::Paragraph => Block::Paragraph(said),
            Sort::Heading => Block::Heading(said),
            Sort::Beside => {
                let (left, right) = said.split_once(NEXT)?;
                Block::Beside(left, right)
            }
            Sort::Rule => Block::Rule,
            Sort::Piece => Block::Piece(self.pieces.0.get(said.parse::<usize>().ok()?)?),
        })
    }

    /// The page as text, before long lines are broken.
    pub(super) fn text(&self) -> String {
        let lines = self.pieces.0.iter().map(|piece| match piece {
            Piece::Lines(lines) => lines.len(),
            Piece::Told(told) => told.text.len(),
            Piece::Facts(_) | Piece::Sections(_) => 0,
        });
        let mut page = String::with_capacity(self.marked.len() + lines.sum::<usize>() + WIDTH * 8);
        for block in self.blocks() {
            match block {
                Block::Words(words) => page.push_str(words),
                Block::Paragraph(text) => page.push_str(&text::lines(|p| text::paragraph(p, "", "", text))),
                Block::Heading(title) => page.push_str(&text::lines(|p| text::heading(p, title))),
                Block::Beside(left, right) => page.push_str(&text::beside(left, right)),
                Block::Rule => page.push_str(&"=".repeat(WIDTH)),
                Block::Piece(Piece::Lines(lines)) => page.push_str(lines),
                Block::Piece(Piece::Facts(facts)) => text::facts(&mut page, facts),
                Block::Piece(Piece::Sections(all)) => page.push_str(&text::of_sections(all)),
                Block::Piece(Piece::Told(told)) => page.push_str(&told.as_text()),
            }
        }
        page
    }

    /// The page as HTML, without its frame. Adjacent preformatted lines go into one box, even if several values wrote them.
    pub(super) fn html(&self) -> String {
        let mut page = Html::default();
        let mut lines = String::new();
        let mut is_first = true;
        for block in self.blocks() {
            match block {
                Block::Words(words) => lines.push_str(words),
                Block::Piece(Piece::Lines(more)) => lines.push_str(more),
                block => {
                    html::lines(&mut page, &std::mem::take(&mut lines));
                    match block {
                        Block::Paragraph(text) => html::paragraph(&mut page, text),
                        Block::Heading(title) => html::heading(&mut page, title),
                        Block::Beside(left, right) => {
                            html::beside(&mut page, left, right, std::mem::take(&mut is_first));
                        }
                        Block::Rule => html::rule(&mut page),
                        Block::Piece(Piece::Facts(facts)) => html::facts(&mut page, facts),
                        Block::Piece(Piece::Sections(all)) => html::sections(&mut page, all),
                        Block::Piece(Piece::Told(told)) => told.write_html(&mut page),
                        Block::Words(_) | Block::Piece(Piece::Lines(_)) => {}
                    }
                }
            }
        }
        html::lines(&mut page, &lines);
        page.finish()
    }
}

impl Message {
    /// Adds lines below everything else, on the HTML page too: lines that a mail must contain whatever its template says.
    pub fn with_lines_below(self, lines: &str) -> Self {
        let Self { subject, body, html } = self;
        let body = format!("{}\n\n{lines}\n", body.trim_end());
        Self { subject, body, html: html.map(|page| html::with_lines_below(&page, lines)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_can_bring_a_mark_into_a_page() {
        let forged = format!("{OPEN}1Forged{CLOSE}");
        let pieces = Pieces::default();
        let marked = paragraph(&forged).to_string() + &beside(&forged, &forged).to_string();
        let page = Page { marked, pieces: &pieces };
        assert_eq!(page.blocks().filter(|block| matches!(block, Block::Heading(_))).count(), 0);
        assert!(page.text().starts_with("1Forged"), "{}", page.text());
    }

    #[test]
    fn a_damaged_mark_shows_nothing_and_stops_nothing() {
        let pieces = Pieces::default();
        for marked in ["a\u{1}", "a\u{1}9x\u{3}", "a\u{1}47\u{3}", "a\u{1}\u{3}", "a\u{1}2x\u{3}"] {
            let page = Page { marked: marked.to_owned(), pieces: &pieces };
            assert_eq!(page.text(), "a", "{marked:?}");
            assert!(page.html().contains('a'));
        }
    }
}
