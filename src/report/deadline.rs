//! Deadlines in words.

use jiff::{Timestamp, Zoned};
use serde::Serialize;

/// A deadline as its reader's clock shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Deadline {
    /// The long form: `Saturday 28 November 2026, 20:00 CET`.
    pub long: String,
    /// The short form: `Sat 28 Nov 20:00 CET`.
    pub short: String,
    /// The form of RFC 3339, on the reader's clock: `2026-11-28T20:00:00+01:00`.
    pub at: String,
    /// The time left when the mail was written: `6 days 10 hours`; empty once the deadline has passed.
    pub left: String,
}

impl Deadline {
    /// The deadline `at`, in the reader's zone, as seen at `now`.
    pub fn new(at: &Zoned, now: Timestamp) -> Self {
        Self {
            long: at.strftime("%A %-d %B %Y, %H:%M %Z").to_string(),
            short: at.strftime("%a %-d %b %H:%M %Z").to_string(),
            at: at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            left: span_in_words((at.timestamp().as_second() - now.as_second()) / 60),
        }
    }

    /// The time left in words, `6 days 10 hours from now`, or that the deadline has passed.
    pub(super) fn left_in_words(&self) -> String {
        if self.left.is_empty() { "passed".to_owned() } else { format!("{} from now", self.left) }
    }
}

/// Minutes in the two largest units that matter to a reader; empty for zero.
pub fn span_in_words(minutes: i64) -> String {
    let count = |n: i64, unit: &str| match n {
        0 => String::new(),
        1 => format!("1 {unit}"),
        n => format!("{n} {unit}s"),
    };
    let (large, small) = match minutes {
        ..=0 => return String::new(),
        1..60 => (count(minutes, "minute"), String::new()),
        60..1440 => (count(minutes / 60, "hour"), count(minutes % 60, "minute")),
        1440.. => (count(minutes / 1440, "day"), count(minutes / 60 % 24, "hour")),
    };
    format!("{large} {small}").trim_end().to_owned()
}
