//! The meaning of a line of a letter for a set of orders.

use super::latin::in_latin;
use musterd_dice::ProtocolLine;

/// The line that opens an explicit block: in capitals, alone on its line except for characters that [`decorates`] knows.
const BEGIN: [&str; 2] = ["BEGIN", "ORDERS"];
/// The line that closes it.
const END: [&str; 2] = ["END", "ORDERS"];

/// The meaning of a line for a set of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// An order: it makes a set even without a marked block.
    Order,
    /// A line that accompanies orders and is none: `READY`, `WAIT`, a question. It counts without marks too.
    Aside,
    /// A line that belongs to a set if there is one, but makes none: a mistyped order, the player's salt.
    Beside,
    /// Any other line.
    Prose,
}

/// Whether a line is a mistyped order.
pub(super) fn is_slip(line: &str, kind: &dyn Fn(&str) -> LineKind) -> bool {
    kind(line) == LineKind::Beside && ProtocolLine::of(line).is_none()
}

/// Whether a line counts without a marked block.
pub(super) const fn is_meant(kind: LineKind) -> bool {
    matches!(kind, LineKind::Order | LineKind::Aside)
}

/// Whether a line is meant to open or close a block, in any case.
pub(super) fn is_mark(line: &str) -> bool {
    [BEGIN, END].into_iter().any(|mark| has_words(line, mark, str::eq_ignore_ascii_case))
}

/// Whether a line opens a block.
pub(super) fn begins_block(line: &str) -> bool {
    is(line, BEGIN)
}

/// Whether a line closes a block.
pub(super) fn ends_block(line: &str) -> bool {
    is(line, END)
}

/// Whether a line opens or closes a block.
fn is(line: &str, mark: [&str; 2]) -> bool {
    has_words(line, mark, |a, b| a == b)
}

/// Whether a character may stand around a mark: `--- BEGIN ORDERS ---`, `**END ORDERS**`, `## BEGIN ORDERS:`. `|` may not, because the host's mails
/// mark quoted text with it.
fn decorates(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t'
            | '*'
            | '-'
            | '='
            | '_'
            | '~'
            | '#'
            | '+'
            | '<'
            | '>'
            | '['
            | ']'
            | '('
            | ')'
            | '{'
            | '}'
            | ':'
            | '.'
            | '"'
            | '\''
            | '`'
    )
}

/// Whether a line consists of the words of a mark, apart from spaces and characters that [`decorates`] knows.
fn has_words(line: &str, mark: [&str; 2], same: impl Fn(&str, &str) -> bool) -> bool {
    // Cheap test first: this runs on every line of every mail, several times.
    let line = line.trim_start_matches(decorates);
    let begins_like =
        |byte: u8| !byte.is_ascii_graphic() || byte.eq_ignore_ascii_case(&mark[0].as_bytes()[0]);
    if !line.bytes().next().is_some_and(begins_like) {
        return false;
    }
    let line = in_latin(line.trim_end_matches(decorates));
    let mut words = line.split_whitespace();
    mark.iter().all(|word| words.next().is_some_and(|found| same(found, word))) && words.next().is_none()
}
