//! What can be ordered, in words: for `HELP ORDERS`, and for the guides.

use super::Grammar;
use musterd_engine::orders::OrderUse;

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// Every use of the forms that are offered, in the order of the list.
    pub fn uses(&self, offered: impl Fn(V) -> bool) -> Vec<OrderUse> {
        let forms = self.forms().filter(|form| offered(form.verb));
        forms
            .flat_map(|form| {
                form.uses.iter().enumerate().map(|(place, one)| OrderUse {
                    lines: one.lines,
                    // Said once for each form.
                    also: if place == 0 { &form.words[1..] } else { &[] },
                    does: one.does,
                })
            })
            .collect()
    }
}
