//! What can be ordered, in words: for `HELP ORDERS`, and for the guides.

use super::Grammar;
use musterd_engine::orders::OrderUse;

impl<V: Copy + PartialEq, K: Copy> Grammar<V, K> {
    /// Every use of the forms that are offered, in the order of the list.
    pub fn uses(&self, offered: impl Fn(V) -> bool) -> Vec<OrderUse> {
        let forms = self.forms().filter(|form| offered(form.verb));
        forms
            .flat_map(|form| {
                let also = self.shortest(form.words[0]).into_iter().chain(form.words[1..].iter().copied());
                // Said once for each form.
                let mut also = Some(also.collect());
                form.uses.iter().map(move |one| OrderUse {
                    also: also.take().unwrap_or_default(),
                    ..OrderUse::of(one.lines, one.does)
                })
            })
            .collect()
    }
}
