//! Bars as an SVG drawing: a band for the usual range, a line for the expected number, a bar for the count.

use super::writer::Html;
use musterd_engine::briefing::Bars;

/// The distance from the middle of one bar to that of the next.
const PITCH: i32 = 20;
/// The place where bars begin, and the length of the longest bar.
const LEFT: i32 = 80;
const LENGTH: i32 = 400;
/// The room after the bars, for their numbers.
const RIGHT: i32 = 90;

/// Draws a chart inside a page.
pub(super) fn draw(page: &mut Html, bars: &Bars) {
    let height = PITCH * i32::try_from(bars.rows.len()).unwrap_or_default();
    page.tag("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"Bars\" width=\"100%\" viewBox=\"0 0 ");
    page.number(LEFT + LENGTH + RIGHT);
    page.tag(" ");
    page.number(height);
    page.tag("\" style=\"max-width:570px;height:auto\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"12\">");
    page.end_line();
    page.tag("<rect width=\"100%\" height=\"100%\" fill=\"#fbf8ef\"/>");
    page.end_line();
    rect(page, "#e3d6b8", (reach(bars, bars.low), 0), reach(bars, bars.high) - reach(bars, bars.low), height);
    for (row, bar) in (0..).zip(&bars.rows) {
        let top = row * PITCH;
        let colour = if bars.is_usual(bar) { "#4a6fa5" } else { "#b3261e" };
        rect(page, colour, (LEFT, top + 3), reach(bars, bar.count) - LEFT, PITCH - 6);
        words(page, "end", LEFT - 8, top + 14, &bar.label);
        words(page, "start", LEFT + LENGTH + 8, top + 14, &bar.count.to_string());
    }
    page.tag("<path stroke=\"#2b2118\" stroke-dasharray=\"3 3\" d=\"");
    page.place("M", (reach(bars, bars.expected), 0));
    page.place("L", (reach(bars, bars.expected), height));
    page.tag("\"/></svg>");
    page.end_line();
}

/// The length of the bar for a count.
fn reach(bars: &Bars, count: u64) -> i32 {
    LEFT + i32::try_from(bars.reach(count, LENGTH.unsigned_abs().into())).unwrap_or(LENGTH)
}

fn rect(page: &mut Html, colour: &'static str, (x, y): (i32, i32), width: i32, height: i32) {
    page.tag("<rect fill=\"");
    page.tag(colour);
    for (name, value) in
        [("\" x=\"", x), ("\" y=\"", y), ("\" width=\"", width.max(1)), ("\" height=\"", height)]
    {
        page.tag(name);
        page.number(value);
    }
    page.tag("\"/>");
    page.end_line();
}

fn words(page: &mut Html, anchor: &'static str, x: i32, y: i32, text: &str) {
    page.tag("<text fill=\"#2b2118\" text-anchor=\"");
    page.tag(anchor);
    page.tag("\" x=\"");
    page.number(x);
    page.tag("\" y=\"");
    page.number(y);
    page.tag("\">");
    page.prose(text);
    page.tag("</text>");
    page.end_line();
}
