//! What the commands print.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use serde::Serialize;

use super::plain;

/// The first error of standard output. Output before the error may be lost too.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Whether a stream may be coloured: it is a terminal, and the user hasn't disabled colours.
pub(super) fn colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints an error, with a mark on a terminal.
pub(super) fn error(message: &str) {
    let (bold, end) = if colours(&io::stderr()) { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
    let _ = writeln!(io::stderr(), "{bold}error:{end} {}", plain::shown(message));
}

/// Prints text to standard output, without characters that would control a terminal.
pub(super) fn text(text: &str) {
    write(&plain::shown(text));
}

/// Prints a prompt: what is typed stands behind it in the same line.
pub(super) fn prompt(text: &str) {
    write_with(&plain::shown(text), "");
}

fn write(text: &str) {
    write_with(text, if text.ends_with('\n') { "" } else { "\n" });
}

fn write_with(text: &str, end: &str) {
    let mut out = io::stdout().lock();
    // Flushed at once, so that a full disk is noticed here and not at the end.
    note(
        out.write_all(text.as_bytes())
            .and_then(|()| out.write_all(end.as_bytes()))
            .and_then(|()| out.flush()),
    );
}

/// Notes the result of a write to standard output. It is no error if the reader has gone away.
pub(super) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = LOST.set(error);
    }
}

/// Why some of the output was lost, if so.
pub(super) fn lost() -> Option<&'static io::Error> {
    LOST.get()
}

/// Prints a value as one JSON document.
pub(super) fn json(value: &impl Serialize) {
    let document = serde_json::to_string_pretty(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    json_text(&document);
}

/// Prints a JSON document.
pub(super) fn json_text(document: &str) {
    write(&plain::shown_json(document));
}

/// Prints a value as one line of JSON.
pub(super) fn json_line(value: &impl Serialize) {
    let line = serde_json::to_string(value).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    write(&plain::shown_json(&line));
}
