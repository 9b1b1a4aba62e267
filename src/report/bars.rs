//! Bars drawn in characters: how often each outcome came up, with the usual range and the expected number drawn over it.

use super::WIDTH;
use super::ascii::ascii;
use super::typeset;
use musterd_engine::briefing::{Bar, Bars};

/// The longest label that is shown whole.
const WIDEST_LABEL: usize = 16;

/// Writes the bars, a line each: `#` up to the outcome's count, `[` and `]` at the ends of the usual range, `|` at the expected number. A `*` after a
/// number says that the number is outside that range.
pub(super) fn write(page: &mut String, bars: &Bars) {
    typeset::paragraph(page, "", "", &bars.title);
    write_rows(page, bars);
}

/// Writes the bars without their title.
pub(super) fn write_rows(page: &mut String, bars: &Bars) {
    let labels: Vec<String> = bars.rows.iter().map(label).collect();
    let wide = labels.iter().map(String::len).max().unwrap_or_default();
    let digits = bars.rows.iter().map(|bar| bar.count.to_string().len()).max().unwrap_or_default();
    let room = WIDTH - 2 - wide - 2 - 2 - digits - 2;
    for (label, bar) in labels.iter().zip(&bars.rows) {
        let drawn = draw(bars, bar.count, room);
        let star = if bars.is_usual(bar) { "" } else { " *" };
        page.push_str(&format!("  {label:>wide$}  {drawn:<room$}  {:>digits$}{star}\n", bar.count));
    }
}

fn label(bar: &Bar) -> String {
    let mut label = ascii(&bar.label).replace('\n', " ");
    label.truncate(WIDEST_LABEL);
    label.trim().to_owned()
}

fn draw(bars: &Bars, count: u64, room: usize) -> String {
    let filled = bars.reach(count, room as u64) as usize;
    let mut line: Vec<u8> = (0..room).map(|at| if at < filled { b'#' } else { b' ' }).collect();
    for (mark, of) in [(b'|', bars.expected), (b'[', bars.low), (b']', bars.high)] {
        let at = (bars.reach(of, room as u64) as usize).min(room - 1);
        line[at] = mark;
    }
    line.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_counts_expectation_and_the_usual_range() {
        let row = |label: &str, count| Bar { label: label.to_owned(), count };
        let bars = Bars {
            title: "d4, 240 dice".to_owned(),
            expected: 60,
            low: 47,
            high: 73,
            rows: vec![row("1", 60), row("2", 40), row("3", 73), row("4", 67)],
        };
        let mut page = String::new();
        write(&mut page, &bars);
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(
            lines,
            [
                "d4, 240 dice",
                "  1  ###########################################[###########|          ]  60",
                "  2  ####################################       [           |          ]  40 *",
                "  3  ###########################################[###########|##########]  73",
                "  4  ###########################################[###########|#####     ]  67"
            ]
        );
    }

    #[test]
    fn numbers_of_any_size_keep_their_places() {
        let rows = [0, 1, u64::MAX].map(|count| Bar { label: "x".repeat(50), count }).into();
        for (low, high) in [(0, 0), (0, u64::MAX), (u64::MAX, u64::MAX)] {
            let bars = Bars { title: String::new(), expected: high, low, high, rows: Vec::clone(&rows) };
            let mut page = String::new();
            write(&mut page, &bars);
            assert!(page.lines().all(|line| line.len() <= WIDTH), "{page}");
        }
    }
}
