//! What the commands print.

use std::io::{self, Write};

use serde::Serialize;

use super::plain;

/// Prints an error, with a mark on a terminal.
pub(super) fn error(message: &str) {
    let (bold, end) = if super::colours(&io::stderr()) { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
    let _ = writeln!(io::stderr(), "{bold}error:{end} {}", plain::shown(message));
}

/// Prints text to standard output, without what would act on a terminal; a reader that has gone away is no fault.
pub(super) fn text(text: &str) {
    write(&plain::shown(text));
}

fn write(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = out.write_all(b"\n");
    }
}

/// Prints a value as one JSON document.
pub(super) fn json(value: &impl Serialize) {
    let document = serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    write(&plain::shown_json(&document));
}

/// Prints a value as one line of JSON.
pub(super) fn json_line(value: &impl Serialize) {
    let line = serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    write(&plain::shown_json(&line));
}
