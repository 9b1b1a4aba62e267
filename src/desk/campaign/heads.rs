//! The heads of the log that an order form may show.

use musterd_dice::{Block, Digest, LogEntry};

/// The heads of a game's log, and the places of its openings.
#[derive(Debug, Default)]
pub struct Heads {
    /// The head after each line, by the line's index.
    heads: Vec<Digest>,
    /// The index of each opening, and the adjudication that it opened; rising.
    openings: Vec<(u64, u32)>,
}

/// How a `seen:` line relates to the open window.
pub(super) enum Seen {
    /// The line names no head from before the window.
    Current,
    /// The line names the log as it was while this earlier window was open.
    Earlier(u32),
    /// The line names no head of this game's log.
    Foreign,
}

impl Heads {
    /// Adds a line of the log.
    pub fn push(&mut self, line: &LogEntry, head: Digest) {
        if let LogEntry::Open { t, .. } = line {
            self.openings.push((u64::try_from(self.heads.len()).unwrap_or(u64::MAX), *t));
        }
        self.heads.push(head);
    }

    pub(super) fn seen(&self, block: &Block) -> Seen {
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
