//! The building blocks of a page: headings, paragraphs, facts, numbered items, tables. Each writes whole lines of ASCII, at most
//! [`WIDTH`](crate::WIDTH) columns wide, without trailing blanks.

use super::typeset::ruled;
pub(super) use super::typeset::{beside, exact, facts, fit, heading, lines, narrow, paragraph};
pub use super::typeset::{columns, listed, page, quoted, sentence};
use super::{bars, table};
use crate::map;
use musterd_engine::briefing::{Briefing, Fact, Item, Part, Section, Table};

/// The standing of a briefing: the facts below its title.
pub fn standing(briefing: &Briefing) -> String {
    fact_lines(&briefing.standing)
}

/// Facts as lines.
pub(super) fn fact_lines(all: &[Fact]) -> String {
    let mut page = String::new();
    facts(&mut page, all);
    page
}

/// Every section of a briefing under its heading.
pub fn sections(briefing: &Briefing) -> String {
    of_sections(&briefing.sections)
}

/// Sections, each under its heading.
pub(super) fn of_sections(all: &[Section]) -> String {
    let mut page = String::new();
    for section in all {
        write_section(&mut page, section);
    }
    page
}

fn write_section(page: &mut String, section: &Section) {
    if !page.is_empty() {
        page.push('\n');
    }
    if section.is_chapter() {
        return ruled(page, &section.title, '=');
    }
    heading(page, &section.title);
    for (i, part) in section.parts.iter().enumerate() {
        // A blank line separates all parts, except a small heading from the part below it.
        if i > 0 && !matches!(section.parts[i - 1], Part::Heading { .. }) {
            page.push('\n');
        }
        write_part(page, part);
    }
}

fn write_part(page: &mut String, part: &Part) {
    match part {
        Part::Text { text } | Part::Heading { text } => paragraph(page, "", "", text),
        Part::Facts { facts: all } => facts(page, all),
        Part::Items { numbered, items: all } => items(page, *numbered, all),
        Part::Table(all) => table::write(page, all),
        Part::Map(all) => map::write(page, all),
        Part::Bars(all) => bars::write(page, all),
        Part::Plain { lines } => lines.iter().for_each(|line| exact(page, line)),
    }
}

/// Whether a table fits on the page without wrapping a text.
pub fn fits(all: &Table) -> bool {
    table::fits(all)
}

/// Items, numbered or with a dash, each with its details under it.
fn items(page: &mut String, numbered: bool, items: &[Item]) {
    let digits = items.len().to_string().len().max(2);
    for (i, item) in items.iter().enumerate() {
        let mark = if numbered { format!("{:>digits$}  ", i + 1) } else { "  - ".to_owned() };
        let under = " ".repeat(mark.len());
        paragraph(page, &mark, &under, &item.text);
        let further = format!("{under}  ");
        for detail in &item.details {
            paragraph(page, &under, &further, detail);
        }
    }
}
