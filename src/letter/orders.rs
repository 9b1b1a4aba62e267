//! The order block of a letter, where a player may write it in many ways and places.

use std::collections::BTreeSet;

use super::reply::{Line, Voice, tell_voices};
use super::route::read_key_line;
use crate::dice::Block;

/// The line that opens an explicit block, alone on its line, in capitals.
pub(super) const BEGIN: &str = "BEGIN ORDERS";
/// How many lines between two order lines are taken for mistyped orders, not prose.
const MOST_BETWEEN: usize = 3;
/// The line that closes it.
const END: &str = "END ORDERS";

/// Where an explicit block stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// In what the player wrote.
    Written,
    /// In an attached file.
    Attached,
    /// Inside the quoted mail: the player filled in the form there, or sent it back as it was. The desk, which knows the
    /// form it mailed, must not take an unchanged one for new orders.
    Quoted,
}

/// The orders of a letter. No block holds a key line: blocks become public, and the secret in it must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Orders {
    /// The lines between `BEGIN ORDERS` and `END ORDERS`, possibly none; or a whole attached file without these marks.
    Block {
        /// The lines.
        block: Block,
        /// Where it stood.
        source: Source,
    },
    /// Order lines that the player wrote without marks.
    Recognised {
        /// The order lines, other text left out.
        block: Block,
        /// Whether a form with orders in it stood in the quotation below, and was passed over for these lines.
        form_below: bool,
    },
    /// `BEGIN ORDERS` without `END ORDERS`: all that follows it up to the signature or the quotation. It holds at least
    /// one order line. It counts as orders, with a remark: a forgotten last line must not cost anybody a turn, and the
    /// receipt shows a mail that was cut short for what it is.
    Unterminated(Block),
    /// None at all.
    None,
}

impl Orders {
    /// The block, if there is one.
    #[must_use]
    pub fn block(&self) -> Option<&Block> {
        match self {
            Self::Block { block, .. } | Self::Recognised { block, .. } | Self::Unterminated(block) => {
                Some(block)
            }
            Self::None => None,
        }
    }
}

/// Finds the order block of a letter. `is_order_line` says whether a line reads as an order of the game's rules (a
/// comment, a `salt:` or a `seen:` line doesn't).
///
/// The first of these that the letter has:
///
/// 1. a block in what the player wrote, empty only if no order line stands outside it;
/// 2. a block begun there and never ended;
/// 3. attached orders with at least one order line;
/// 4. a block in the quotation with an order line that carries no quote mark: a form filled in by a program that marks
///    quoted lines;
/// 5. order lines that the player wrote anywhere outside a quotation or a signature, with the few lines that stand
///    directly between two of them: a mistyped order must be answered, not passed over. They beat a quoted form even where
///    that has order lines: it mostly has, because a form holds the current standing orders;
/// 6. a block in the quotation with at least one order line.
///
/// A quoted or attached form without an order line is never an empty block: a player who answers a dispatch with thanks
/// doesn't cancel the orders sent before.
#[must_use]
pub fn find_orders(text: &str, attachment: Option<&str>, is_order_line: &dyn Fn(&str) -> bool) -> Orders {
    let lines = tell_voices(text);
    // A ruleset may well read END ORDERS as an order: END closes a section of La Grande Armee's.
    let is_order_line = &|line: &str| !is_mark(line) && is_order_line(line);
    let has_order = |block: &Block| block.as_str().lines().any(|line| is_order_line(line.trim()));
    let own = Span::find(&lines, |voice| voice != Voice::Quoted, |voice| voice != Voice::Quoted);
    let quoted = Span::find(&lines, |voice| voice == Voice::Quoted, |_| true).filter(|span| span.ended);
    let outside = |at: usize| ![&own, &quoted].into_iter().flatten().any(|span| span.holds(at));
    let written =
        |at: usize| lines[at].voice == Voice::Written && outside(at) && !lines[at].text.trim().is_empty();
    let known: Vec<usize> =
        (0..lines.len()).filter(|&at| written(at) && is_order_line(lines[at].text.trim())).collect();
    // A mistyped order looks like prose. Between two orders, with no blank line, it is kept and answered as a mistake.
    let between = known.windows(2).flat_map(|pair| {
        let gap = pair[0] + 1..pair[1];
        if gap.len() <= MOST_BETWEEN && gap.clone().all(written) { gap } else { 0..0 }
    });
    let loose: BTreeSet<usize> = known.iter().copied().chain(between).collect();
    let loose: Vec<&str> = loose.into_iter().map(|at| lines[at].text).collect();

    if let Some(own) = &own {
        let block = own.block(&lines);
        if own.ended && (loose.is_empty() || has_order(&block)) {
            return Orders::Block { block, source: Source::Written };
        }
        if !own.ended && has_order(&block) {
            return Orders::Unterminated(block);
        }
    }
    if let Some(block) = attachment.map(attached_block).filter(has_order) {
        return Orders::Block { block, source: Source::Attached };
    }
    let form = quoted.map(|span| (span.block(&lines), span.is_edited(&lines, is_order_line)));
    let form = form.filter(|(block, _)| has_order(block));
    match form {
        Some((block, edited)) if edited || loose.is_empty() => {
            Orders::Block { block, source: Source::Quoted }
        }
        form if !loose.is_empty() => {
            Orders::Recognised { block: block_of(loose), form_below: form.is_some() }
        }
        _ => Orders::None,
    }
}

/// Whether a line is meant to open or close a block, in capitals or not.
fn is_mark(line: &str) -> bool {
    [BEGIN, END].iter().any(|mark| line.trim().eq_ignore_ascii_case(mark))
}

/// The block of these lines, key lines left out.
fn block_of<'a>(lines: impl IntoIterator<Item = &'a str>) -> Block {
    let kept = lines.into_iter().filter(|line| read_key_line(line).is_none());
    Block::canonical(&kept.flat_map(|line| [line, "\n"]).collect::<String>())
}

/// An attached file's block; the whole file if it has no marks, as the receipt's `orders.txt` has none.
fn attached_block(file: &str) -> Block {
    let lines: Vec<Line<'_>> = file.lines().map(|text| Line { voice: Voice::Written, text }).collect();
    match Span::find(&lines, |_| true, |_| true) {
        Some(span) => span.block(&lines),
        None => block_of(file.lines()),
    }
}

/// An explicit block: the places of its first line and of the line behind its last.
struct Span {
    first: usize,
    behind: usize,
    /// Whether an `END ORDERS` closes it.
    ended: bool,
}

impl Span {
    /// The first `BEGIN ORDERS` in a voice that may begin, up to the next `END ORDERS` in a voice that may end. Without
    /// one, up to where the player stops speaking.
    fn find(
        lines: &[Line<'_>],
        begins: impl Fn(Voice) -> bool,
        ends: impl Fn(Voice) -> bool,
    ) -> Option<Self> {
        let first = 1 + lines.iter().position(|line| begins(line.voice) && line.text.trim() == BEGIN)?;
        let rest = &lines[first..];
        if let Some(length) = rest.iter().position(|line| ends(line.voice) && line.text.trim() == END) {
            return Some(Self { first, behind: first + length, ended: true });
        }
        let length = rest.iter().position(|line| line.voice != Voice::Written).unwrap_or(rest.len());
        Some(Self { first, behind: first + length, ended: false })
    }

    fn holds(&self, at: usize) -> bool {
        (self.first..self.behind).contains(&at)
    }

    fn block(&self, lines: &[Line<'_>]) -> Block {
        block_of(lines[self.first..self.behind].iter().map(|line| line.text))
    }

    fn is_edited(&self, lines: &[Line<'_>], is_order_line: &dyn Fn(&str) -> bool) -> bool {
        lines[self.first..self.behind]
            .iter()
            .any(|line| line.voice != Voice::Quoted && is_order_line(line.text.trim()))
    }
}
