//! The contents of a receipt for a set of orders: each order as understood, every problem with its line and a caret under it, and the changes since
//! the last set.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use minijinja::value::Value;
use serde::Serialize;

use super::mail::{Addressee, Part, WindowShown, shown};
use super::page::{Piece, Pieces};
use super::text::{self, paragraph};
use super::told::Told;
use super::{WIDTH, ascii};
use musterd_dice::{Block, Digest, OpenHead};
use musterd_engine::briefing::Fact;
use musterd_engine::orders::{Recap, Remark, Weight};
use musterd_engine::sheet::Sheet;
use musterd_text::lines;
use musterd_text::nouns::count;

/// How many of the skipped lines are shown.
const MOST_PASSED_OVER: usize = 12;
/// The indent under a line's number.
const UNDER: &str = "      ";

/// The answer to a seat's orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt<'a> {
    /// The recipient.
    #[serde(flatten)]
    pub to: Addressee,
    /// The window of the orders.
    pub window: WindowShown,
    /// The orders' canonical bytes; the attachment `orders.txt` holds the same.
    pub block: Block,
    /// The orders as understood.
    #[serde(skip)]
    pub recap: &'a Recap,
    /// Errors, warnings, and answers to questions.
    #[serde(skip)]
    pub remarks: &'a [Remark],
    /// What is told of them, where it is bound already.
    #[serde(skip)]
    pub told: Option<Told>,
    /// The recap of the set that this one replaces.
    #[serde(skip)]
    pub previous: Option<&'a Recap>,
    /// Whether the seat is done: the turn may run before its deadline.
    pub ready: bool,
    /// A sentence or two saying that the mail stopped a turn that was about to run.
    #[serde(skip)]
    pub stopped: Option<String>,
    /// That the orders were left for this turn in an earlier one, in words.
    #[serde(skip)]
    pub left: Option<String>,
    /// Whether turns to come go on without a mail of the seat's until something is in reach.
    pub until_contact: bool,
    /// Whether the orders ask to wait for the deadline.
    pub wait: bool,
    /// Whether the block confirms the seat.
    pub join: bool,
    /// Lines of the mail that were not read as orders, if the player should know of them.
    #[serde(skip)]
    pub passed_over: Vec<String>,
    /// Whether the player marked the orders by `BEGIN ORDERS`, so that the skipped lines stand outside the marks.
    pub marked: bool,
    /// Whether `END ORDERS` is missing below them.
    #[serde(skip)]
    pub unended: bool,
    /// Whether a `READY` was left out of the block, because something that was not read may be an order.
    pub held_back: bool,
    /// Other parts of the mail that may hold orders and were not read.
    #[serde(skip)]
    pub unread: Vec<NotRead>,
    /// Changed lines of the form that were not read because orders stood above it.
    #[serde(skip)]
    pub form_lines: Vec<String>,
    /// Commands in the mail that ask for time, for days away or to give up the seat.
    #[serde(skip)]
    pub asks: Vec<String>,
    /// The leaf in the log.
    pub leaf: Digest,
    /// The end of the log when this was written, without its number: that would count what the others have sent.
    #[serde(serialize_with = "shown")]
    pub witness: OpenHead,
}

/// A part of a mail that may hold orders and was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRead {
    /// The part: a file's name, `your subject line`.
    pub what: String,
    /// Its lines that look like orders; empty if it could not be read at all.
    pub lines: Vec<String>,
}

/// The unread parts in a few words, for a subject.
pub(super) fn not_read_in_words(parts: &[NotRead]) -> String {
    match parts {
        [] => String::new(),
        [one] => format!("{} not read", one.what),
        [first, others @ ..] => format!("{} and {} not read", first.what, count(others.len(), "other part")),
    }
}

/// The unread parts as lines of a page, each part with its lines below it; the first of them if there are many.
pub(super) fn not_read(parts: &[NotRead]) -> String {
    text::lines(|page| {
        for part in parts.iter().take(MOST_PASSED_OVER) {
            let end = if part.lines.is_empty() { " (can't be read)" } else { ":" };
            paragraph(page, "  - ", "    ", &format!("{}{end}", part.what));
            for line in part.lines.iter().take(MOST_PASSED_OVER) {
                text::exact(page, &format!("    | {}", pointed(line, None).0));
            }
            match part.lines.len().saturating_sub(MOST_PASSED_OVER) {
                0 => {}
                more => text::exact(page, &format!("    | ... and {}", count(more, "more line"))),
            }
        }
        match parts.len().saturating_sub(MOST_PASSED_OVER) {
            0 => {}
            more => text::exact(page, &format!("  - ... and {}", count(more, "more part"))),
        }
    })
}

/// The parts of a receipt that are made from the orders.
#[derive(Serialize)]
pub(super) struct ReceiptParts {
    /// The result in a sentence or two.
    verdict: String,
    /// A sentence saying that the mail stopped a turn.
    stopped: String,
    /// The window of the orders, its deadline, and whether the seat is ready.
    facts: Value,
    /// The number of lines that will not be carried out.
    pub(super) errors: usize,
    /// The number of other lines that can't be carried out as things stand.
    futile: usize,
    /// What is told of the orders: problems, how they were understood, what follows.
    told: Value,
    passed_over: Value,
    /// Changed lines of the form that were not read.
    form_lines: Value,
    /// Other parts that were not read.
    unread: Value,
    /// Commands for which a `READY` was left out.
    asks: Value,
    /// The skipped lines that are struck out.
    struck_out: Value,
    changes: Value,
    /// Whether the set only confirms the seat.
    bare_join: bool,
    salted: bool,
    sha256: Digest,
}

impl ReceiptParts {
    /// `5 orders for Autumn 1805, French to move, 2 lines with errors`.
    pub(super) fn subject(&self, mail: &Receipt<'_>) -> String {
        let unread = match mail.unread.as_slice() {
            [] => String::new(),
            parts => format!(", {}", not_read_in_words(parts)),
        };
        if is_bare_join(mail) && self.errors == 0 {
            return format!("your seat is confirmed{unread}");
        }
        let errors = match self.errors {
            0 => String::new(),
            n => format!(", {} with errors", count(n, "line")),
        };
        let futile = match self.futile {
            0 => String::new(),
            n => format!(", {} can't be carried out", count(n, "line")),
        };
        let held_back = if mail.held_back { ", READY left out" } else { "" };
        let orders = count(mail.recap.orders.len(), "order");
        format!("{orders} for {}{errors}{futile}{unread}{held_back}", mail.window.title)
    }
}

/// Makes the parts.
pub(super) fn answer<'a>(mail: &'a Receipt<'_>, pieces: &mut Pieces<'a>) -> ReceiptParts {
    let lines_of = |weight: Weight| {
        let such = mail.remarks.iter().filter(move |remark| remark.weight == weight);
        such.map(|remark| remark.line).collect::<BTreeSet<_>>()
    };
    let wrong = lines_of(Weight::Error);
    // Line 0 is the whole set.
    let futile = lines_of(Weight::Futile).difference(&wrong).filter(|line| **line > 0).count();
    let errors = wrong.len();
    let (struck_out, others): (Vec<&String>, Vec<&String>) =
        mail.passed_over.iter().partition(|line| line.starts_with("~~") && line.ends_with("~~"));
    let told = match &mail.told {
        Some(told) => Cow::Borrowed(told),
        None => Cow::Owned(Told::of_orders(&mail.block, mail.recap, mail.remarks)),
    };
    let told = pieces.place(Piece::Told(told));
    let mut lines = |lines: String| pieces.place(Piece::Lines(lines));
    ReceiptParts {
        verdict: verdict(mail, errors, futile),
        stopped: mail.stopped.clone().unwrap_or_default(),
        facts: lines(text::fact_lines(&facts(mail)).trim_end().to_owned()),
        errors,
        futile,
        told,
        passed_over: lines(passed_over(&others)),
        form_lines: lines(passed_over(&mail.form_lines.iter().collect::<Vec<_>>())),
        unread: lines(not_read(&mail.unread)),
        asks: lines(passed_over(&mail.asks.iter().filter(|_| mail.held_back).collect::<Vec<_>>())),
        struck_out: lines(passed_over(&struck_out)),
        changes: lines(mail.previous.map(|previous| changes(previous, mail.recap)).unwrap_or_default()),
        bare_join: is_bare_join(mail),
        salted: mail.block.salt(),
        sha256: mail.block.digest(),
    }
}

impl Told {
    /// What a receipt tells: what is wrong with the orders, how they were understood, and what follows from them.
    pub fn of_orders(block: &Block, recap: &Recap, remarks: &[Remark]) -> Self {
        Self::of_text(told(block, recap, remarks))
    }
}

/// What is told of a set of orders, each part under its heading.
fn told(block: &Block, recap: &Recap, remarks: &[Remark]) -> String {
    let is_error = |remark: &Remark| remark.weight == Weight::Error;
    let parts = [
        (if remarks.iter().any(is_error) { "Problems" } else { "Remarks" }, problems(block, remarks)),
        ("Orders as understood", understood(recap)),
        ("Units without an order", dashed(&recap.defaults)),
        ("What is to come", dashed(&recap.ahead)),
    ];
    text::lines(|page| {
        for (title, part) in parts.iter().filter(|(_, part)| !part.is_empty()) {
            if !page.is_empty() {
                page.push('\n');
            }
            text::heading(page, title);
            page.push_str(part.trim_end());
            page.push('\n');
        }
    })
}

fn dashed(all: &[String]) -> String {
    text::lines(|page| all.iter().for_each(|line| paragraph(page, "  - ", "    ", line)))
}

/// Whether a set only confirms the seat, as before the game has begun.
fn is_bare_join(mail: &Receipt<'_>) -> bool {
    mail.join && mail.recap.orders.is_empty()
}

fn verdict(mail: &Receipt<'_>, errors: usize, futile: usize) -> String {
    let seat = if mail.join { "Your seat is confirmed. " } else { "" };
    let orders = match (mail.recap.orders.len(), errors) {
        (0, 0) if mail.join => String::new(),
        (0, 0) => "This set holds no orders: your forces do what units without an order do.".to_owned(),
        (n, 0) => format!("{} understood, with no errors{}.", count(n, "order"), but_futile(futile)),
        (n, errors) => format!(
            "{} WILL NOT BE CARRIED OUT; {} understood{}. Send the whole set again, corrected: a new set replaces this one.",
            count(errors, "line").to_uppercase(),
            count(n, "order"),
            but_futile(futile)
        ),
    };
    let unended = match mail.unended {
        true => {
            " No line END ORDERS ends them: all lines of yours below BEGIN ORDERS were read as orders. Write END ORDERS on a line of its own below \
             the last one."
        }
        false => "",
    };
    format!("{seat}{orders}{unended}")
}

/// The lines that can't be carried out as things stand, as the end of a sentence.
fn but_futile(futile: usize) -> String {
    match futile {
        0 => String::new(),
        n => format!("; {} can't be carried out as things stand, see the warnings", count(n, "line")),
    }
}

fn facts(mail: &Receipt<'_>) -> Vec<Fact> {
    let kind = match mail.window.part {
        Part::Phasing => "",
        Part::Standing => " (standing orders)",
    };
    let mut facts = vec![Fact::of("For", format!("{}{kind}", mail.window.title))];
    if let Some(deadline) = &mail.window.deadline {
        facts.push(Fact::of("Until", format!("{} ({})", deadline.long, deadline.left_in_words())));
    }
    facts.extend(mail.left.as_ref().map(|left| Fact::of("Left", left.clone())));
    let wrong = mail.remarks.iter().any(|remark| remark.weight == Weight::Error);
    let ready = match (mail.wait, mail.ready, &mail.window.deadline) {
        (false, ..) if is_bare_join(mail) => "yes: the game begins when every seat has confirmed".to_owned(),
        (true, ..) => "no: you asked to wait for the deadline".to_owned(),
        _ if mail.held_back => "not yet: your READY was left out, see below".to_owned(),
        (false, true, _) if wrong => "not yet: READY counts once no line has an error".to_owned(),
        (false, true, _) if Sheet::of(mail.block.as_str()).until_contact && !mail.until_contact => format!(
            "{}; UNTIL CONTACT isn't followed, as this game shows its log while it runs",
            when_it_runs(&mail.window)
        ),
        (false, true, _) if mail.until_contact => format!(
            "{}; and turns to come go on without a mail of yours until something is in reach",
            when_it_runs(&mail.window)
        ),
        (false, true, _) => when_it_runs(&mail.window),
        (false, false, Some(_)) => "no; write READY on a line of its own when you are done".to_owned(),
        (false, false, None) => "no; the turn waits for a line READY from you".to_owned(),
    };
    facts.push(Fact::of("Ready", ready));
    facts
}

/// When the turn runs, for a player who is ready.
fn when_it_runs(window: &WindowShown) -> String {
    match (&window.runs, &window.recall) {
        (Some(runs), _) => format!(
            "yes, and so is everybody: the turn runs on {} ({}), unless a mail stops it before: WAIT, new orders, or WITHDRAW ORDERS",
            runs.long,
            runs.left_in_words()
        ),
        (None, Some(recall)) => format!("yes: the turn runs {recall} after everybody is"),
        (None, None) => "yes: the turn may run as soon as everybody is".to_owned(),
    }
}

/// Errors, warnings and answers for a block, each with its line.
pub fn problems(block: &Block, remarks: &[Remark]) -> String {
    let lines: Vec<&str> = lines::lines(block.as_str()).collect();
    text::lines(|page| {
        let mut before: Option<&Remark> = None;
        for (i, remark) in remarks.iter().enumerate() {
            // An order for several units may cause the same remark for each of them.
            if remarks[..i].contains(remark) {
                continue;
            }
            let source = remark.line.checked_sub(1).and_then(|n| lines.get(n)).copied();
            let again =
                source.is_some() && before.is_some_and(|b| (b.line, b.span) == (remark.line, remark.span));
            if before.is_some() && !again {
                page.push('\n');
            }
            if let Some(source) = source.filter(|_| !again) {
                point(page, remark, source);
            }
            said(page, remark, if source.is_some() { UNDER } else { "" });
            before = Some(remark);
        }
    })
}

/// The skipped lines, each on one line of the page; of a long letter only the beginning.
fn passed_over(lines: &[&String]) -> String {
    text::lines(|page| {
        for line in lines.iter().take(MOST_PASSED_OVER) {
            text::exact(page, &format!("  | {}", pointed(line, None).0));
        }
        match lines.len().saturating_sub(MOST_PASSED_OVER) {
            0 => {}
            more => text::exact(page, &format!("  | ... and {}", count(more, "more line"))),
        }
    })
}

/// Shows the line of a remark, with a caret under the place that the remark is about.
fn point(page: &mut String, remark: &Remark, source: &str) {
    let (line, caret) = pointed(source, remark.span);
    text::exact(page, &format!("{:>4}  {line}", remark.line));
    if let Some(caret) = caret {
        text::exact(page, &format!("{UNDER}{caret}"));
    }
}

fn said(page: &mut String, remark: &Remark, under: &str) {
    let weight = match remark.weight {
        Weight::Error => "ERROR: ",
        Weight::Futile | Weight::Warning => "Warning: ",
        Weight::Note => "",
    };
    paragraph(page, &format!("{under}{weight}"), under, &remark.text);
    if let Some(hint) = &remark.hint {
        paragraph(page, &format!("{under}Hint: "), &format!("{under}  "), hint);
    }
}

/// A line with carets under the piece of it at `span`: the first character, from 0, and the number of characters. Both are indented by two.
pub fn underlined(source: &str, span: (usize, usize)) -> String {
    let (line, carets) = pointed(source, Some(span));
    let shown = format!("  {line}");
    format!("{}\n  {}\n", shown.trim_end(), carets.unwrap_or_default())
}

/// A source line shortened to fit the page, and the carets for the line under it. `span` counts characters of the line as the player wrote it.
pub(super) fn pointed(source: &str, span: Option<(usize, usize)>) -> (String, Option<String>) {
    let room = WIDTH - UNDER.len();
    let ascii_length = |part: &str| ascii(part).len();
    let prefix: String = source.chars().take(span.map_or(0, |(start, _)| start)).collect();
    let pointed: String =
        source.chars().skip(prefix.chars().count()).take(span.map_or(0, |(_, n)| n)).collect();
    let (mut start, length) = (ascii_length(&prefix), ascii_length(&pointed).max(1));
    let mut line: String = ascii(source).into_owned();
    let whole = line.len();
    if whole > room {
        // The marked place stays visible, with a little of the text before it.
        let cut = start.saturating_sub(room / 3).min(line.len() - room);
        line = line[cut..cut + room].to_owned();
        if cut > 0 {
            line.replace_range(..3, "...");
        }
        if cut + room < whole {
            line.replace_range(room - 3.., "...");
        }
        start = start.saturating_sub(cut);
    }
    let caret = span.map(|_| {
        let start = start.min(room - 1);
        format!("{}{}", " ".repeat(start), "^".repeat(length.min(room - start)))
    });
    (line, caret)
}

fn understood(recap: &Recap) -> String {
    text::lines(|page| {
        // Nearly the whole receipt is this list. Room is reserved for it, and for the margins of three lines for each order.
        let words = recap.orders.iter().map(|order| order.order.len() + order.effect.len() + 3 * UNDER.len());
        page.reserve(words.sum());
        let mut number = String::with_capacity(UNDER.len());
        for order in &recap.orders {
            number.clear();
            // Writing into a `String` can't fail.
            let _ = write!(number, "{:>4}  ", order.line);
            paragraph(page, &number, UNDER, &order.order);
            if !order.effect.is_empty() {
                paragraph(page, UNDER, UNDER, &order.effect);
            }
        }
    })
}

/// The orders that were added and dropped, compared by their words as understood.
fn changes(previous: &Recap, now: &Recap) -> String {
    let (before, after) = (words(previous), words(now));
    if before == after {
        return "Nothing: the same orders as before.".to_owned();
    }
    let (dropped, added) = (without(&before, &after), without(&after, &before));
    if dropped.is_empty() && added.is_empty() {
        return "The same orders in another sequence.".to_owned();
    }
    text::lines(|page| {
        dropped.iter().for_each(|order| paragraph(page, "  - ", "    ", order));
        added.iter().for_each(|order| paragraph(page, "  + ", "    ", order));
    })
}

fn words(recap: &Recap) -> Vec<&str> {
    recap.orders.iter().map(|understood| understood.order.as_str()).collect()
}

/// The elements of the first list without those of the second; equal elements are removed one for one.
fn without<'a>(all: &[&'a str], taken: &[&str]) -> Vec<&'a str> {
    let mut taken = taken.to_vec();
    all.iter()
        .copied()
        .filter(|order| match taken.iter().position(|other| other == order) {
            Some(place) => {
                taken.swap_remove(place);
                false
            }
            None => true,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_what_is_meant_whatever_becomes_of_the_letters_before_it() {
        assert_eq!(
            pointed("MOVE Würzburg to 99", Some((17, 2))),
            ("MOVE Wurzburg to 99".to_owned(), Some("                 ^^".to_owned()))
        );
        let (line, caret) = pointed("… 99", Some((2, 2)));
        assert_eq!((line.as_str(), caret.as_deref()), ("... 99", Some("    ^^")));
        let long = format!("{}HERE{}", "x".repeat(400), "y".repeat(400));
        let (line, caret) = pointed(&long, Some((400, 4)));
        let caret = caret.unwrap();
        assert!(line.len() <= WIDTH - UNDER.len() && line.starts_with("..."));
        assert_eq!(&line[caret.find('^').unwrap()..caret.len()], "HERE");
    }

    #[test]
    fn a_line_that_is_cut_off_says_so() {
        let (line, _) = pointed(&"please notify the sender ".repeat(5), None);
        assert!(line.ends_with("...") && line.len() == WIDTH - UNDER.len(), "{line}");
        assert_eq!(pointed("a short one", None).0, "a short one");
    }

    #[test]
    fn a_span_outside_the_line_still_points_inside_the_page() {
        let (_, caret) = pointed("short", Some((500, 500)));
        assert!(caret.unwrap().len() <= WIDTH - UNDER.len());
    }

    #[test]
    fn an_order_given_twice_is_missed_once() {
        assert_eq!(without(&["a", "a", "b"], &["a"]), ["a", "b"]);
    }
}
