//! Which turn a set of orders was written for, by its `seen: INDEX HEAD` line (dice.md): the order form fills it in with the end of the
//! log as it was when the form was mailed.

use super::Campaign;
use musterd_dice::{Block, Digest, LogEntry};
use musterd_engine::orders::Remark;
use musterd_text::lines;

/// The heads of a game's log, and where in it the windows opened.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// That of each line, by its index.
    heads: Vec<Digest>,
    /// The index of each opening, and the adjudication that it opened; rising.
    openings: Vec<(u64, u32)>,
}

/// What a `seen:` line is to the open window.
enum Seen {
    /// It names no line of the log from before the window.
    Current,
    /// The log as it was while this earlier window was open.
    Earlier(u32),
    /// No line of this game's log.
    Foreign,
}

impl Heads {
    /// The log has one more line.
    pub(super) fn push(&mut self, line: &LogEntry, head: Digest) {
        if let LogEntry::Open { t, .. } = line {
            self.openings.push((u64::try_from(self.heads.len()).unwrap_or(u64::MAX), *t));
        }
        self.heads.push(head);
    }

    fn seen(&self, block: &Block) -> Seen {
        let Some((index, head)) = block.seen() else { return Seen::Current };
        if usize::try_from(index).ok().and_then(|index| self.heads.get(index)) != Some(&head) {
            return Seen::Foreign;
        }
        let mut earlier = self.openings.iter().rev().skip_while(|(opened, _)| *opened > index);
        match (earlier.next(), self.openings.first(), self.openings.last()) {
            (None, Some((_, first)), _) => Seen::Earlier(*first),
            (Some((_, t)), _, Some((_, open))) if t != open => Seen::Earlier(*t),
            _ => Seen::Current,
        }
    }
}

impl Campaign {
    /// The adjudication before the open one whose form this set of orders is.
    #[must_use]
    pub fn is_form_of(&self, block: &Block) -> Option<u32> {
        match self.heads.seen(block) {
            Seen::Earlier(t) => Some(t),
            Seen::Current | Seen::Foreign => None,
        }
    }

    /// Says of a form of an earlier turn, or of another log, that it is one: an error, so that its `READY` runs nothing.
    pub(super) fn point_out_seen(&self, block: &Block, remarks: &mut Vec<Remark>) {
        let text = match (self.heads.seen(block), &self.window) {
            (Seen::Earlier(t), Some(open)) => {
                format!("This form is that of t {t}, and t {} is open now.", open.t)
            }
            (Seen::Foreign, _) => {
                "The log of this game has no such line: the form is another game's, or it was changed."
                    .to_owned()
            }
            (Seen::Current, _) | (Seen::Earlier(_), None) => return,
        };
        let says = |line: &str| Block::canonical(line).seen().is_some();
        let line = lines::lines(block.as_str()).position(says).map_or(0, |at| at + 1);
        let hint = "write into the form of the newest dispatch; or strike this line out, if the orders are meant for now";
        remarks.push(Remark { hint: Some(hint.to_owned()), ..Remark::error(line, text) });
    }
}
