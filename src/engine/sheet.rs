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
        let mut sheet = Self { orders: String::with_capacity(block.len()), ..Self::default() };
        for line in block.split_inclusive('\n') {
            // Cheap test first: this runs on every line of every set, several times.
            let first = line.trim_start().bytes().next().unwrap_or_default();
            if !b"rwjs".contains(&first.to_ascii_lowercase()) {
                sheet.orders.push_str(line);
                continue;
            }
            let words = line.bytes().position(|byte| byte == b'#').map_or(line, |comment| &line[..comment]);
            let word = words.trim().trim_end_matches(['.', '!', ';']);
            let is = |host: &str| word.eq_ignore_ascii_case(host);
            let (ready, wait, join) = (is("ready"), is("wait"), is("join"));
            sheet.ready |= ready;
            sheet.wait |= wait;
            sheet.join |= join;
            let named = word
                .get(..5)
                .is_some_and(|name| ["salt:", "seen:"].iter().any(|host| name.eq_ignore_ascii_case(host)));
            sheet.orders.push_str(if ready || wait || join || named { "\n" } else { line });
        }
        sheet
    }

    /// Whether a line is the host's `READY` or `WAIT` mistyped. In capitals only: `Reddy` and `Walt` are names.
    #[must_use]
    pub fn is_slip(line: &str) -> bool {
        let word = line.split('#').next().unwrap_or_default().trim();
        let shouted = (3..=8).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase());
        shouted && ["READY", "WAIT"].iter().any(|host| strsim::osa_distance(word, host) == 1)
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
        assert!(Sheet::of("Ready!\n").ready && Sheet::of("WAIT.").wait);
    }

    #[test]
    fn a_mistyped_host_line_is_told_from_a_name() {
        for slip in ["REDY", "RAEDY", "READYY", "WIAT  # please"] {
            assert!(Sheet::is_slip(slip), "{slip}");
        }
        for other in ["READY", "Reddy", "Walt", "RALLY", "READY OR NOT", "", "# REDY"] {
            assert!(!Sheet::is_slip(other), "{other}");
        }
    }
}
