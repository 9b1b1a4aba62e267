//! An order block as the host reads it: the lines that are the same in every game, and the rest.
//!
//! `READY`, `WAIT`, `JOIN`, `salt: …` and `seen: INDEX HEAD` belong to the host; every other line is the ruleset's.

/// What the host takes from a block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The player is done: the turn may run before its deadline.
    pub ready: bool,
    /// The player asks not to run before the deadline; beats `READY`.
    pub wait: bool,
    /// The player confirms the seat.
    pub join: bool,
    /// The block with the host's lines emptied, so that line numbers stay true.
    pub orders: String,
}

impl Sheet {
    /// Splits a canonical block. Any text has a sheet.
    #[must_use]
    pub fn of(block: &str) -> Self {
        let mut sheet = Self::default();
        for line in block.split_inclusive('\n') {
            let words = line.split('#').next().unwrap_or_default().trim();
            let lower = words.to_ascii_lowercase();
            let taken = match lower.as_str() {
                "ready" => {
                    sheet.ready = true;
                    true
                }
                "wait" => {
                    sheet.wait = true;
                    true
                }
                "join" => {
                    sheet.join = true;
                    true
                }
                other => other.starts_with("salt:") || other.starts_with("seen:"),
            };
            sheet.orders.push_str(if taken { "\n" } else { line });
        }
        sheet
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_lines_are_taken_and_line_numbers_stay() {
        let sheet = Sheet::of("salt: a # b\nMOVE 1 TO Ulm\n Ready # yes\nseen: 3 ab\nEND 2\n");
        assert!(sheet.ready && !sheet.wait && !sheet.join);
        assert_eq!(sheet.orders, "\nMOVE 1 TO Ulm\n\n\nEND 2\n");
    }

    #[test]
    fn a_word_inside_an_order_is_not_the_hosts() {
        assert_eq!(Sheet::of("GET READY\n").orders, "GET READY\n");
    }
}
