//! A set of orders, line by line: what is read of it, and the remarks on it, within limits that no player meets and no flood passes.

use std::collections::BTreeMap;

use musterd_engine::orders::{Placed, Reading, Remark, Weight};
use musterd_engine::tokens::without_comment;
use musterd_text::lines::lines;

/// Orders at most in one set: far more than any player needs, few enough that a flood does no harm.
pub const MOST_ORDERS: usize = 1_000;
/// Characters at most in a line.
pub const LONGEST_LINE: usize = 400;
/// Remarks of each weight that are shown.
pub const MOST_REMARKS: usize = 50;

/// The lines of a set that say anything, numbered from 1 as they stand, each without its comment; or the remark on a line that is too long to be
/// read.
pub fn lines_of(text: &str) -> impl Iterator<Item = (usize, Result<&str, Remark>)> {
    let numbered = (1..).zip(lines(text).map(|line| line.trim_end_matches('\r')));
    numbered.filter_map(|(number, line)| {
        if is_too_long(line) {
            let says = line.trim_start();
            if says.is_empty() || says.starts_with('#') {
                return None;
            }
            let text = format!("The line is longer than {LONGEST_LINE} characters and was not read.");
            return Some((number, Err(Remark::error(number, text).hint("one order a line"))));
        }
        let bare = without_comment(line);
        (!bare.trim().is_empty()).then_some((number, Ok(bare)))
    })
}

/// The remark on the first line that a set is not read for any more, as it has [`MOST_ORDERS`].
#[must_use]
pub fn too_many(line: usize) -> Remark {
    let text = format!("More than {MOST_ORDERS} orders: this one and those after it don't count.");
    Remark::error(line, text)
}

/// What a line comes to: orders, and what is said of them.
#[derive(Debug)]
pub struct Taken<O> {
    /// Its orders.
    pub orders: Vec<O>,
    /// Remarks on it.
    pub remarks: Vec<Remark>,
}

/// Reads a set line by line, up to [`MOST_ORDERS`]. `take` is given a line with its number and the orders before it, and gives nothing of a line that
/// asks for nothing. The line's number is added to the remarks of `Ok`; a remark in `Err` must have its own.
pub fn hear<O>(
    text: &str,
    mut take: impl FnMut(usize, &str, &[Placed<O>]) -> Result<Option<Taken<O>>, Remark>,
) -> (Vec<Placed<O>>, Remarks) {
    let (mut orders, mut remarks) = (Vec::new(), Remarks::default());
    for (line, words) in lines_of(text) {
        if orders.len() >= MOST_ORDERS {
            remarks.push(too_many(line));
            break;
        }
        match words.and_then(|words| take(line, words, &orders)) {
            Ok(Some(heard)) => {
                orders.extend(heard.orders.into_iter().map(|order| Placed { line, order }));
                heard.remarks.into_iter().for_each(|remark| remarks.push(Remark { line, ..remark }));
            }
            Ok(None) => {}
            Err(remark) => remarks.push(remark),
        }
    }
    (orders, remarks)
}

/// Reads a set whose lines are orders or nothing, up to [`MOST_ORDERS`]. `order` reads a line, and knows the orders before it; the number of the line is
/// added to its remarks.
pub fn read<O>(
    text: &str,
    mut order: impl FnMut(&str, &[Placed<O>]) -> Result<Option<O>, Remark>,
) -> Reading<O> {
    let (orders, remarks) = hear(text, |line, words, before| match order(words, before) {
        Ok(order) => Ok(order.map(|order| Taken { orders: vec![order], remarks: Vec::new() })),
        Err(remark) => Err(Remark { line, ..remark }),
    });
    Reading { orders, remarks: remarks.finish() }
}

/// Whether a line is longer than [`LONGEST_LINE`].
#[must_use]
pub fn is_too_long(line: &str) -> bool {
    // Bytes are tested first: a megabyte must not be walked through to learn that it is too long, nor a line that is short in bytes.
    let bytes = line.len();
    bytes > LONGEST_LINE * 4 || bytes > LONGEST_LINE && line.chars().count() > LONGEST_LINE
}

/// The remarks on a set, so many of each weight and no more.
#[derive(Debug, Default)]
pub struct Remarks {
    shown: Vec<Remark>,
    counts: BTreeMap<Weight, usize>,
}

impl Remarks {
    /// Adds a remark.
    pub fn push(&mut self, remark: Remark) {
        let count = self.counts.entry(remark.weight).or_insert(0);
        *count += 1;
        if *count <= MOST_REMARKS {
            self.shown.push(remark);
        }
    }

    /// Whether further remarks of this weight are not shown.
    #[must_use]
    pub fn is_full(&self, weight: Weight) -> bool {
        self.counts.get(&weight).is_some_and(|count| *count >= MOST_REMARKS)
    }

    /// Earlier remarks, and these among them by line; those on the whole set come last.
    #[must_use]
    pub fn finish_with(self, mut earlier: Vec<Remark>) -> Vec<Remark> {
        earlier.extend(self.finish());
        earlier.sort_by_key(|remark| (remark.line == 0, remark.line));
        earlier
    }

    /// The remarks by line, and how many more there are.
    #[must_use]
    pub fn finish(mut self) -> Vec<Remark> {
        self.shown.sort_by_key(|remark| (remark.line, remark.weight));
        for (weight, count) in self.counts {
            if let Some(more) = count.checked_sub(MOST_REMARKS).filter(|more| *more > 0) {
                let what = match weight {
                    Weight::Error => "errors",
                    Weight::Futile => "warnings of orders that can't be carried out",
                    Weight::Warning => "warnings",
                    Weight::Note => "notes",
                };
                let text = format!("{more} more {what} are not shown.");
                self.shown.push(Remark { weight, ..Remark::error(0, text) });
            }
        }
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_and_lose_their_comments() {
        let long = "x".repeat(401);
        let set = format!("MOVE 1\r\n\n  # nothing\nHIDE 2 # here\n{long}\n#{long}\n");
        let read: Vec<_> = lines_of(&set).map(|(number, line)| (number, line.map_err(|r| r.line))).collect();
        assert_eq!(read, [(1, Ok("MOVE 1")), (4, Ok("HIDE 2 ")), (5, Err(5))]);
    }

    #[test]
    fn a_line_may_come_to_several_orders_or_none_and_a_refusal_says_what_it_is_of() {
        let (orders, remarks) = hear("ALL\n\nNOTE\nLEAVE\nLATER", |line, words, before| match words {
            "ALL" => Ok(Some(Taken { orders: vec![1, 2], remarks: vec![Remark::note(0, "two")] })),
            "LEAVE" => Err(Remark::error(0, format!("line {line}"))),
            "LATER" => Err(Remark::error(line, format!("{} before", before.len()))),
            _ => Ok(None),
        });
        assert_eq!(
            orders.iter().map(|placed| (placed.line, placed.order)).collect::<Vec<_>>(),
            [(1, 1), (1, 2)]
        );
        let told: Vec<(usize, String)> =
            remarks.finish().into_iter().map(|remark| (remark.line, remark.text)).collect();
        let told: Vec<(usize, &str)> = told.iter().map(|(line, text)| (*line, text.as_str())).collect();
        assert_eq!(told, [(0, "line 4"), (1, "two"), (5, "2 before")]);
    }

    #[test]
    fn a_flood_of_orders_is_read_to_the_most_and_no_further() {
        let read = read(&"GO\n".repeat(MOST_ORDERS + 5), |line, before| Ok(Some((line.len(), before.len()))));
        let last = read.orders.last().unwrap();
        assert_eq!((read.orders.len(), last.line, last.order), (1_000, 1_000, (2, 999)));
        assert_eq!(read.remarks, [too_many(1_001)]);
    }

    #[test]
    fn remarks_beyond_the_most_are_counted() {
        let mut remarks = Remarks::default();
        remarks.push(Remark::note(70, "a note"));
        for line in (1..=52).rev() {
            remarks.push(Remark::error(line, "an error"));
        }
        assert!(remarks.is_full(Weight::Error) && !remarks.is_full(Weight::Note));
        let shown = remarks.finish();
        assert_eq!(shown.len(), 52);
        assert_eq!((shown[0].line, shown[50].line), (3, 70));
        assert_eq!(shown[51].text, "2 more errors are not shown.");
        let mut later = Remarks::default();
        later.push(Remark::warning(4, "a doubt"));
        let all = later.finish_with(shown);
        assert_eq!((all[1].line, all[2].text.as_str(), all[52].line), (4, "a doubt", 0));
    }
}
