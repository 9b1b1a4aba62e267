//! Finds out which turn a set of orders was written for, by its `seen: INDEX HEAD` line (dice.md). The order form contains the end of the log as it
//! was when the form was mailed.

use super::Campaign;
use super::heads::Seen;
use musterd_dice::Block;
use musterd_engine::orders::Remark;
use musterd_text::lines;

impl Campaign {
    /// The earlier adjudication whose form this set of orders is, if it isn't the open one's.
    #[must_use]
    pub fn is_form_of(&self, block: &Block) -> Option<u32> {
        match self.heads.seen(block) {
            Seen::Earlier(t) => Some(t),
            Seen::Current | Seen::Foreign => None,
        }
    }

    /// Adds a remark if this is the form of an earlier turn, or for another log. The remark is an error, so its `READY` runs nothing.
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
