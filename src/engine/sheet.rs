//! An order block, split into the host's lines, which are the same in every game, and the ruleset's lines.
//!
//! `READY`, `READY UNTIL CONTACT`, `WAIT`, `JOIN`, `salt: …` and `seen: INDEX HEAD` belong to the host; every other line is the ruleset's.

use musterd_text::lines;

use crate::alike;
use crate::orders::Remark;
use crate::tokens::{Span, Token, cut, without_comment};

/// The host's lines of a block, as understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The player is done: the turn may run before its deadline.
    pub ready: bool,
    /// The player is done until something is in reach: later turns may run without a mail of his too.
    pub until_contact: bool,
    /// The player asks not to run the turn before the deadline. This overrides `READY`.
    pub wait: bool,
    /// The player confirms the seat.
    pub join: bool,
}

/// A line that belongs to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HostLine {
    Ready,
    ReadyUntilContact,
    Wait,
    Join,
    /// `salt: …` or `seen: …`, lines of the dice protocol.
    Protocol,
}

/// A mistyped line of the host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slip {
    /// What it was meant to be.
    pub meant: &'static str,
    /// The place of what is wrong in it.
    pub span: Span,
}

impl Slip {
    /// What is said of it, as of any line that is no order.
    #[must_use]
    pub fn remark(self, line: usize, text: &str) -> Remark {
        let text = without_comment(text).trim();
        let remark = Remark::error(line, format!("`{text}` is no order."));
        remark.at(self.span.0, self.span.1).hint(format!("did you mean {}?", self.meant))
    }
}

impl HostLine {
    fn of(line: &str) -> Option<Self> {
        // Cheap test first: this runs on every line of every set of orders, several times.
        let first = match line.bytes().next()? {
            first if first.is_ascii_graphic() => first,
            _ => line.trim_start().bytes().next()?,
        };
        if !matches!(first.to_ascii_lowercase(), b'r' | b'w' | b'j' | b's') {
            return None;
        }
        let words = line.bytes().position(|byte| byte == b'#').map_or(line, |comment| &line[..comment]);
        let word = words.trim().trim_end_matches(['.', '!', ';']);
        let is = |host: &str| word.eq_ignore_ascii_case(host);
        let begins = |host: &str| word.get(..host.len()).is_some_and(|name| name.eq_ignore_ascii_case(host));
        let own = [
            ("ready until contact", Self::ReadyUntilContact),
            ("ready", Self::Ready),
            ("wait", Self::Wait),
            ("join", Self::Join),
        ];
        let own = own.into_iter().find(|(host, _)| is(host)).map(|(_, line)| line);
        own.or_else(|| (begins("salt:") || begins("seen:")).then_some(Self::Protocol))
    }
}

impl Sheet {
    /// Reads the host's lines of a block. Any text can be read.
    #[must_use]
    pub fn of(block: &str) -> Self {
        let mut sheet = Self::default();
        for line in lines::lines(block).filter_map(HostLine::of) {
            sheet.ready |= matches!(line, HostLine::Ready | HostLine::ReadyUntilContact);
            sheet.until_contact |= line == HostLine::ReadyUntilContact;
            sheet.wait |= line == HostLine::Wait;
            sheet.join |= line == HostLine::Join;
        }
        sheet
    }

    /// The block for the ruleset: the host's lines are emptied, so that line numbers stay the same.
    #[must_use]
    pub fn orders(block: &str) -> String {
        let mut orders = String::with_capacity(block.len());
        for line in lines::ended(block) {
            orders.push_str(if HostLine::of(line).is_some() { "\n" } else { line });
        }
        orders
    }

    /// Whether a line belongs to the host.
    #[must_use]
    pub fn is_hosts(line: &str) -> bool {
        HostLine::of(line).is_some()
    }

    /// The host's line that a mistyped one was meant to be: `READY`, `READY UNTIL CONTACT` or `WAIT`. A single word, and words behind the three,
    /// count only in capitals: `Reddy` and `Walt` are names.
    #[must_use]
    pub fn slip(line: &str) -> Option<Slip> {
        // Cheap test first, as in `HostLine::of`.
        if !line.trim_start().bytes().next()?.is_ascii_alphabetic() || Self::is_hosts(line) {
            return None;
        }
        let words = cut(without_comment(line));
        let is_shouted = |word: &Token<'_>| word.text.bytes().all(|b| b.is_ascii_uppercase());
        match words.as_slice() {
            [word] => {
                let is_like = |host: &&str| alike::slips(word.text, host) == 1;
                let meant = ["READY", "WAIT"].into_iter().find(is_like)?;
                ((3..=8).contains(&word.text.len()) && is_shouted(word))
                    .then_some(Slip { meant, span: word.span })
            }
            [ready, until, contact, behind @ ..] => {
                let said = [(ready, "READY", 1), (until, "UNTIL", 2), (contact, "CONTACT", 2)];
                let is_like = said
                    .iter()
                    .all(|(word, host, most)| alike::slips(&word.text.to_uppercase(), host) <= *most);
                let wrong = said.iter().find(|(word, host, _)| !word.is(host)).map(|(word, ..)| *word);
                let wrong = wrong.or_else(|| behind.first())?;
                (is_like && (behind.is_empty() || words.iter().take(3).all(is_shouted)))
                    .then_some(Slip { meant: "READY UNTIL CONTACT", span: wrong.span })
            }
            _ => None,
        }
    }

    /// Whether a line is a mistyped one of the host's.
    #[must_use]
    pub fn is_slip(line: &str) -> bool {
        Self::slip(line).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_lines_are_taken_and_line_numbers_stay() {
        let block = "salt: a # b\nMOVE 1 TO Ulm\n Ready # yes\nseen: 3 ab\nEND 2\n";
        let sheet = Sheet::of(block);
        assert!(sheet.ready && !sheet.wait && !sheet.join);
        assert_eq!(Sheet::orders(block), "\nMOVE 1 TO Ulm\n\n\nEND 2\n");
    }

    #[test]
    fn a_word_inside_an_order_is_not_the_hosts() {
        assert_eq!(Sheet::orders("GET READY\n"), "GET READY\n");
        assert!(Sheet::of("Ready!\n").ready && Sheet::of("WAIT.").wait);
    }

    #[test]
    fn a_mistyped_host_line_is_told_from_a_name() {
        for slip in ["REDY", "RAEDY", "READYY", "WIAT  # please"] {
            assert!(Sheet::is_slip(slip), "{slip}");
        }
        for slip in ["READY UNTIL CONTCT", "ready untill contact", "REDY UNTIL CONTACT # so"] {
            assert_eq!(Sheet::slip(slip).map(|slip| slip.meant), Some("READY UNTIL CONTACT"), "{slip}");
        }
        assert_eq!(Sheet::slip("READY UNTIL CONTACT please").map(|slip| slip.span), Some((20, 6)));
        for other in ["ready until contact is made", "Ready until Sunday", "READY UNTIL CONTACT"] {
            assert_eq!(Sheet::slip(other), None, "{other}");
        }
        for other in ["READY", "Reddy", "Walt", "RALLY", "READY OR NOT", "", "# REDY"] {
            assert!(!Sheet::is_slip(other), "{other}");
        }
    }
}
