//! Finds out which turn a set of orders was written for, by its `seen: INDEX HEAD` line (dice.md). The order form contains the end of the log as it
//! was when the form was mailed.

use super::Campaign;
use super::heads::{Heads, Seen};
use musterd_dice::Block;
use musterd_engine::orders::Remark;
use musterd_text::lines;

impl Campaign {
    /// The earlier adjudication whose form this set of orders is, if it isn't the open one's.
    pub fn is_form_of(&self, block: &Block) -> Option<u32> {
        match self.heads.seen(block) {
            Seen::Earlier(t) => Some(t),
            Seen::Current | Seen::Foreign => None,
        }
    }
}

impl Heads {
    /// That this is the form of an earlier turn than the `open` one, or for another log. It is an error, so a `READY` beside it runs nothing.
    pub(super) fn remark(&self, block: &Block, open: Option<u32>) -> Option<Remark> {
        let text = match (self.seen(block), open) {
            (Seen::Earlier(t), Some(open)) => {
                format!("This form is that of t {t}, and t {open} is open now.")
            }
            (Seen::Foreign, _) => {
                "The log of this game has no such line: the form is another game's, or it was changed."
                    .to_owned()
            }
            (Seen::Current, _) | (Seen::Earlier(_), None) => return None,
        };
        let says = |line: &str| Block::canonical(line).seen().is_some();
        let line = lines::lines(block.as_str()).position(says).map_or(0, |at| at + 1);
        let hint = "write into the form of the newest dispatch; or strike this line out, if the orders are meant for now";
        Some(Remark { hint: Some(hint.to_owned()), ..Remark::error(line, text) })
    }
}
