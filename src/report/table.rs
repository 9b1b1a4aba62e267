//! Tables in fixed columns, never wider than the page.

use super::WIDTH;
use super::ascii::ascii;
use super::typeset;
use super::wrap::wrap;
use musterd_engine::briefing::{Fact, Row, Table};

/// The indent of a table.
const INDENT: usize = 2;
/// The gap between two columns.
const GAP: usize = 2;

/// Writes a table. If it is too wide, the widest columns are narrowed and their texts wrapped; if it has more columns than the page can hold, each
/// row becomes a list.
pub(super) fn write(page: &mut String, table: &Table) {
    let Some(widths) = widths(table) else { return as_lists(page, table) };
    let headings: Vec<String> = table.columns.iter().map(|c| c.title.clone()).collect();
    if headings.iter().any(|h| !h.is_empty()) {
        write_row(page, table, &widths, &headings);
    }
    for row in &table.rows {
        match row {
            Row::Cells(cells) => write_row(page, table, &widths, cells),
            Row::Group(title) => typeset::paragraph(page, "", "  ", title),
        }
    }
}

/// Whether a table fits on the page without wrapping a text.
pub(super) fn fits(table: &Table) -> bool {
    room(table).is_some_and(|room| whole_widths(table, WIDTH).iter().sum::<usize>() <= room)
}

/// The width that the page has for the texts of a table; `None` if not even one character for each column would fit.
fn room(table: &Table) -> Option<usize> {
    let count = table.columns.len();
    WIDTH.checked_sub(INDENT + GAP * count.saturating_sub(1)).filter(|room| *room >= count)
}

/// The columns' widths with every text on one line, none wider than `most`.
fn whole_widths(table: &Table, most: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = table.columns.iter().map(|c| ascii(&c.title).len().clamp(1, most)).collect();
    for row in &table.rows {
        let Row::Cells(cells) = row else { continue };
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(ascii(cell).len().min(most));
        }
    }
    widths
}

/// The columns' widths so that they fit the page together; `None` if not even one character each would fit.
fn widths(table: &Table) -> Option<Vec<usize>> {
    let (count, room) = (table.columns.len(), room(table)?);
    let mut widths = whole_widths(table, room);
    while widths.iter().sum::<usize>() > room {
        // Columns of numbers are narrowed only when no column of texts can be.
        let texts = (0..count).filter(|i| !table.columns[*i].right && widths[*i] > 8);
        let widest = texts.max_by_key(|i| widths[*i]).or_else(|| (0..count).max_by_key(|i| widths[*i]))?;
        widths[widest] -= 1;
    }
    Some(widths)
}

fn write_row(page: &mut String, table: &Table, widths: &[usize], cells: &[String]) {
    let cells: Vec<Vec<String>> = widths
        .iter()
        .enumerate()
        .map(|(i, width)| {
            let cell = cells.get(i).map_or("", String::as_str);
            let mut lines = String::new();
            ascii(cell).split('\n').for_each(|line| wrap(&mut lines, *width, "", "", line));
            lines.lines().map(str::to_owned).collect()
        })
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..height {
        let mut text = " ".repeat(INDENT);
        for (i, (width, cell)) in widths.iter().zip(&cells).enumerate() {
            if i > 0 {
                text.push_str(&" ".repeat(GAP));
            }
            let part = cell.get(line).map_or("", String::as_str);
            if table.columns[i].right {
                text.push_str(&format!("{part:>width$}"));
            } else {
                text.push_str(&format!("{part:<width$}"));
            }
        }
        page.push_str(text.trim_end());
        page.push('\n');
    }
}

fn as_lists(page: &mut String, table: &Table) {
    for row in &table.rows {
        match row {
            Row::Group(title) => typeset::paragraph(page, "", "", title),
            Row::Cells(cells) => {
                let fact = |(column, cell): (&musterd_engine::briefing::Column, &String)| Fact {
                    label: column.title.clone(),
                    text: cell.clone(),
                };
                typeset::facts(page, &table.columns.iter().zip(cells).map(fact).collect::<Vec<_>>());
            }
        }
    }
}
