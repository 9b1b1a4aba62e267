//! A page as simple HTML: one column, every style inline, nothing fetched, no scripts. Mail programs remove style sheets, classes and scripts, and
//! put their own colours behind a page. So only maps have a background of their own, and every colour can be read on black as well as on white.

mod bars;
mod legend;
mod looks;
mod map;
mod measures;
mod sheet;
mod undrawn;
mod writer;

use super::text;
use musterd_engine::briefing::{Bars, Briefing, Fact, Item, Map, Part, Row, Section, Table};

pub use map::drawing;
pub use undrawn::without_drawings;
pub(super) use writer::Html;

/// A box for preformatted lines.
const LINES: &str = "<pre style=\"margin:.6em 0;padding:.5em .7em;border-left:3px solid #a07c4c;\
    font:13px/1.35 Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre-wrap;overflow-wrap:anywhere\">";
/// A box for a drawing in characters, whose lines must not be broken.
const DRAWN: &str = "<pre style=\"margin:.4em 0;overflow-x:auto;\
    font:12px/1.2 Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre\">";
const PARAGRAPH: &str = "<p style=\"margin:.6em 0\">";
const HEADING: &str = "<h2 style=\"font-size:1.15em;margin:1.6em 0 .4em;padding-bottom:.15em;\
    border-bottom:1px solid #a07c4c;letter-spacing:.03em\">";
const CHAPTER: &str =
    "<h1 style=\"font-size:1.3em;margin:1.8em 0 0;padding-bottom:.15em;border-bottom:3px double #a07c4c\">";
const SMALL_HEADING: &str = "<h3 style=\"font-size:1em;margin:1em 0 .2em\">";
const TABLE: &str = "<table cellspacing=\"0\" cellpadding=\"4\" style=\"border-collapse:collapse;margin:.4em 0;font-size:.9em\">";
/// The style of a table with many columns: nine of them fit the 390 pixels of a telephone.
const WIDE_TABLE: &str = "<table cellspacing=\"0\" cellpadding=\"2\" style=\"border-collapse:collapse;margin:.4em 0;font-size:.75em\">";
/// The most columns of a table in the usual style.
const FEW_COLUMNS: usize = 7;

/// Preformatted lines, broken where a screen is too narrow; nothing if all of them are blank.
pub(super) fn lines(page: &mut Html, lines: &str) {
    boxed(page, LINES, lines);
}

/// Preformatted lines in one of the boxes; nothing if all of them are blank.
fn boxed(page: &mut Html, of: &'static str, lines: &str) {
    let lines = lines.trim_end().trim_start_matches('\n');
    if !lines.is_empty() {
        page.tag(of);
        page.verbatim(lines);
        page.tag("</pre>");
        page.end_line();
    }
}

/// A page of preformatted lines alone, without its frame. No line is broken, as carets and columns stand under others.
pub(super) fn in_lines(text: &str) -> String {
    let mut page = Html::default();
    page.tag(DRAWN);
    page.verbatim(text.trim_end());
    page.tag("</pre>");
    page.finish()
}

/// A page of its own, for a file that a browser opens: the title, the standing facts and the sections of a briefing.
pub fn whole(briefing: &Briefing) -> String {
    let mut page = Html::default();
    page.tag(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
    );
    page.prose(&briefing.title);
    page.tag(
        "</title>\n</head>\n<body style=\"max-width:46em;margin:0 auto;padding:.6em .8em 2em;\
         font:16px/1.45 Georgia,'Times New Roman',serif\">\n",
    );
    heading(&mut page, &briefing.title);
    if !briefing.standing.is_empty() {
        facts(&mut page, &briefing.standing);
    }
    sections(&mut page, &briefing.sections);
    page.tag("</body>\n</html>\n");
    page.finish()
}

/// A whole page, with preformatted lines at its end.
pub(super) fn with_lines_below(page: &str, below: &str) -> String {
    let mut written = Html::default();
    lines(&mut written, below);
    let (before, behind) = page.split_at(page.rfind("</body>").unwrap_or(page.len()));
    format!("{before}{}{behind}", written.finish())
}

/// A paragraph.
pub(super) fn paragraph(page: &mut Html, text: &str) {
    page.tag(PARAGRAPH);
    page.words(text);
    page.tag("</p>");
    page.end_line();
}

/// A line that programs look for, and that a reader may pass over.
pub(super) fn mark(page: &mut Html, text: &str) {
    page.tag("<p style=\"margin:.6em 0;font-size:.75em;opacity:.7\">");
    page.prose(text);
    page.tag("</p>");
    page.end_line();
}

/// A heading.
pub(super) fn heading(page: &mut Html, title: &str) {
    page.tag(HEADING);
    page.prose(title);
    page.tag("</h2>");
    page.end_line();
}

/// Two texts on one line, the second at the right edge; `large` for the first line of a page.
pub(super) fn beside(page: &mut Html, left: &str, right: &str, large: bool) {
    page.tag(if large {
        "<table role=\"presentation\" width=\"100%\" style=\"font-size:1.3em;font-weight:bold;letter-spacing:.04em\"><tr>"
    } else {
        "<table role=\"presentation\" width=\"100%\"><tr>"
    });
    page.tag("<td>");
    page.prose(left);
    page.tag("</td><td align=\"right\">");
    page.prose(right);
    page.tag("</td></tr></table>");
    page.end_line();
}

/// A line across the page.
pub(super) fn rule(page: &mut Html) {
    page.tag("<hr style=\"border:0;border-top:3px double #a07c4c;margin:.4em 0\">");
    page.end_line();
}

/// Labels with their texts.
pub(super) fn facts(page: &mut Html, facts: &[Fact]) {
    page.tag(TABLE);
    page.end_line();
    for fact in facts {
        page.tag("<tr valign=\"top\"><th align=\"left\">");
        page.prose(&fact.label);
        page.tag("</th><td>");
        page.words(&fact.text);
        page.tag("</td></tr>");
        page.end_line();
    }
    page.tag("</table>");
    page.end_line();
}

/// All sections of a report.
pub(super) fn sections(page: &mut Html, all: &[Section]) {
    all.iter().for_each(|one| section(page, one));
}

fn section(page: &mut Html, section: &Section) {
    if section.is_chapter() {
        page.tag(CHAPTER);
        page.prose(&section.title);
        page.tag("</h1>");
        return page.end_line();
    }
    heading(page, &section.title);
    for part in &section.parts {
        match part {
            Part::Text { text } => paragraph(page, text),
            Part::Heading { text } => {
                page.tag(SMALL_HEADING);
                page.prose(text);
                page.tag("</h3>");
                page.end_line();
            }
            Part::Facts { facts: all } => facts(page, all),
            Part::Items { numbered, items: all } => items(page, *numbered, all),
            Part::Table(all) => table(page, all),
            Part::Map(all) => map(page, all),
            Part::Bars(all) => bars(page, all),
            // A map in letters is one: columns stand under others.
            Part::Plain { lines: all } => boxed(page, DRAWN, &all.join("\n")),
        }
    }
}

fn items(page: &mut Html, numbered: bool, items: &[Item]) {
    page.tag(if numbered {
        "<ol style=\"margin:.4em 0;padding-left:2em\">"
    } else {
        "<ul style=\"margin:.4em 0;padding-left:1.4em\">"
    });
    page.end_line();
    for item in items {
        page.tag("<li style=\"margin:.35em 0\">");
        page.words(&item.text);
        for detail in &item.details {
            page.tag("<br><span style=\"font-size:.88em;opacity:.8\">");
            page.words(detail);
            page.tag("</span>");
            page.end_line();
        }
        page.tag("</li>");
        page.end_line();
    }
    page.tag(if numbered { "</ol>" } else { "</ul>" });
    page.end_line();
}

fn table(page: &mut Html, table: &Table) {
    page.tag("<div style=\"overflow-x:auto\">");
    page.tag(if table.columns.len() > FEW_COLUMNS { WIDE_TABLE } else { TABLE });
    page.end_line();
    if table.columns.iter().any(|column| !column.title.is_empty()) {
        page.tag("<tr>");
        for column in &table.columns {
            page.tag(match column.right {
                true => "<th align=\"right\" style=\"border-bottom:1px solid #a07c4c\">",
                false => "<th align=\"left\" style=\"border-bottom:1px solid #a07c4c\">",
            });
            page.prose(&column.title);
            page.tag("</th>");
            page.end_long_line();
        }
        page.tag("</tr>");
        page.end_line();
    }
    for row in &table.rows {
        page.tag("<tr valign=\"top\">");
        match row {
            Row::Group(title) => {
                page.tag("<td style=\"padding-top:.5em;font-style:italic\" colspan=\"");
                page.number(i32::try_from(table.columns.len()).unwrap_or(1));
                page.tag("\">");
                page.prose(title);
                page.tag("</td>");
            }
            Row::Cells(cells) => {
                for (column, cell) in table.columns.iter().zip(cells) {
                    page.tag(if column.right { "<td align=\"right\">" } else { "<td>" });
                    page.prose(cell);
                    page.tag("</td>");
                    page.end_long_line();
                }
            }
        }
        page.tag("</tr>");
        page.end_line();
    }
    page.tag("</table></div>");
    page.end_line();
}

/// A map as a drawing.
fn map(page: &mut Html, map: &Map) {
    if !map.title.is_empty() {
        paragraph(page, &map.title);
    }
    let letters = text::lines(|page| super::map::write(page, map));
    drawn(page, "The map in letters", &letters, |page| map::draw(page, map));
}

/// Bars as a drawing.
fn bars(page: &mut Html, bars: &Bars) {
    paragraph(page, &bars.title);
    let letters = text::lines(|page| super::bars::write_rows(page, bars));
    drawn(page, "The bars in letters", &letters, |page| bars::draw(page, bars));
}

/// A drawing, and the same in characters for mail programs that remove drawings. Such a program may leave the words of a drawing behind; the box
/// around them has font size zero.
fn drawn(page: &mut Html, summary: &'static str, letters: &str, draw: impl FnOnce(&mut Html)) {
    page.tag("<div style=\"font-size:0;line-height:0;margin:.5em 0\">");
    page.end_line();
    draw(page);
    page.tag("</div>");
    page.end_line();
    page.tag("<details><summary style=\"font-size:.9em\">");
    page.tag(summary);
    page.tag("</summary>");
    page.tag(DRAWN);
    page.verbatim(letters.trim_end());
    page.tag("</pre></details>");
    page.end_line();
}
