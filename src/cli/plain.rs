//! Makes text safe for a terminal or a log. The text may quote strangers: no escape sequence in it may colour, move or clear anything, imitate
//! another line, or reverse the order of the text.

use musterd_desk::mail;
use std::borrow::Cow;
use std::io::{self, Write};

/// Characters that control instead of being shown: control characters, and those that change the direction of text.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text for a terminal: lines and tabs stay, every other control character is shown as `\u{1b}`.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    let acts = |c: char| acts(c) && !matches!(c, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().fold(String::new(), |mut shown, c| {
        match acts(c) {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
        shown
    }))
}

/// A JSON document for a terminal, with the same meaning: control characters can stand only within its strings.
pub(super) fn shown_json(document: &str) -> Cow<'_, str> {
    let acts = |c: char| acts(c) && c != '\n';
    if !document.contains(acts) {
        return Cow::Borrowed(document);
    }
    Cow::Owned(document.chars().fold(String::new(), |mut shown, c| {
        match acts(c) {
            // All of them lie in the plane that four digits reach.
            true => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => shown.push(c),
        }
        shown
    }))
}

/// The log: each event is one write and stays one line, whatever its fields contain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Log;

impl Write for Log {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        io::stderr().write_all(one_line(event).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// An event as one line. Escape characters stay: the log's own colours consist of them, and the formatter has already escaped those of values. No
/// secret of a seat gets through, whatever the source of an address in the event.
fn one_line(event: &[u8]) -> String {
    let event = mail::without_secrets(String::from_utf8_lossy(event).into_owned());
    let (line, end) = match event.strip_suffix('\n') {
        Some(line) => (line, "\n"),
        None => (event.as_str(), ""),
    };
    let mut plain = String::with_capacity(event.len());
    for c in line.chars() {
        match acts(c) && !matches!(c, '\t' | '\u{1b}') {
            true => plain.extend(c.escape_default()),
            false => plain.push(c),
        }
    }
    plain.push_str(end);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2Jb\rc\u{9b}31md\u{202e}e\u{7f}";

    #[test]
    fn what_strangers_write_does_nothing_to_a_terminal() {
        assert_eq!(shown(HOSTILE), "a\\u{1b}[2Jb\\u{d}c\\u{9b}31md\\u{202e}e\\u{7f}");
        assert!(matches!(shown("two lines,\n\tand a tab: Bücher"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_json_document_keeps_its_meaning() {
        let document = serde_json::to_string_pretty(&[HOSTILE]).unwrap();
        let shown = shown_json(&document);
        assert!(!shown.contains(|c: char| acts(c) && c != '\n'), "{shown}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).unwrap(), [HOSTILE]);
    }

    #[test]
    fn no_seats_secret_is_in_the_log_whoever_says_it() {
        for (event, shown) in [
            ("to=campaign+alpha.allied.npev818gvt2xwe9h@x.org y", "to=campaign+alpha.allied.***@x.org y"),
            ("550 <Campaign+Alpha.Allied.NPEV818GVT2XWE9H@X.org>", "550 <Campaign+Alpha.Allied.***@X.org>"),
            ("cut off: c+a.b.npev818gvt2xwe9h", "cut off: c+a.b.***"),
            ("c=2Ba.b.npev818gvt2xwe9h@x, c+a.b.0123456789abcdef@x", "c=2Ba.b.***@x, c+a.b.***@x"),
            // A server's name, a sub-address without a secret, a number of the relay's.
            ("mx.stadtwerkekreisa.de c+alpha.french@x.org 4.aaaaaaaaaaaaaaaa", ""),
        ] {
            assert_eq!(one_line(event.as_bytes()), if shown.is_empty() { event } else { shown });
        }
    }

    #[test]
    fn an_event_of_the_log_is_one_line() {
        let event = b"INFO mail from=x\nERROR all is lost\r reason=y\n";
        assert_eq!(one_line(event), "INFO mail from=x\\nERROR all is lost\\r reason=y\n");
    }
}
