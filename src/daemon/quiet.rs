//! Keeps the log readable: a trouble that lasts is told when it begins and then once an hour, not at every try.

use std::collections::BTreeMap;

/// How long the same is not said again, in seconds.
const HOUR: i64 = 3600;
/// How many different things are remembered; beyond that the log may repeat itself.
const MOST: usize = 1000;

/// What was said lately.
#[derive(Debug, Default)]
pub(crate) struct Quiet {
    said: BTreeMap<String, i64>,
}

impl Quiet {
    /// Whether this is worth a line at `now` (unix seconds): it was not said within the last hour.
    pub(crate) fn may_say(&mut self, what: &str, now: i64) -> bool {
        if self.said.get(what).is_some_and(|at| (0..HOUR).contains(&(now - at))) {
            return false;
        }
        if self.said.len() >= MOST {
            self.said.clear();
        }
        self.said.insert(what.to_owned(), now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_said_once_an_hour_and_something_else_at_once() {
        let mut quiet = Quiet::default();
        assert!(quiet.may_say("no connection", 1000));
        assert!(!quiet.may_say("no connection", 4599));
        assert!(quiet.may_say("login refused", 1001));
        assert!(quiet.may_say("no connection", 4600));
        assert!(quiet.may_say("no connection", 500), "the clock was set back");
    }
}
