//! The content of a file, recognised by its bytes first, then by its type and its name: programs give a text any type, and people any name.

use mail_parser::{MessagePart, MimeHeaders, PartType};
use serde::de::IgnoredAny;

use super::marks::Marks;
use super::names::{kind_of_part, name_in_small};
use super::part::part_text;

/// The line that begins an encrypted passage (RFC 9580, 6.2).
pub(super) const ENCRYPTED: &str = "-----BEGIN PGP MESSAGE-----";
/// The largest file of tags, other than an HTML page, whose words are read, in bytes: files that gateways add are small.
const LARGEST_MARKUP: usize = 10_000;

/// Extensions of files that hold a mail in its encodings, or a link to something else.
const CLOSED_NAMES: [&str; 7] = [".eml", ".msg", ".mht", ".mhtml", ".url", ".webloc", ".gdoc"];
/// Extensions of documents, which mostly aren't text. An empty one was lost on the way.
const DOCUMENT_NAMES: [&str; 6] = [".rtf", ".doc", ".docx", ".odt", ".pdf", ".csv"];

/// Passages that programs add, by the lines that begin and end them. A passage without an end goes to the end of the file.
const ADDED: [(&str, &str); 7] = [
    ("BEGIN:VCARD", "END:VCARD"),
    ("BEGIN:VCALENDAR", "END:VCALENDAR"),
    ("-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"),
    ("-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"),
    ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"),
    ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"),
    ("-----BEGIN PKCS7-----", "-----END PKCS7-----"),
];

/// The nature of a text's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nature {
    /// A person wrote it.
    #[default]
    Written,
    /// A program added it, judged by its type or its name.
    Added,
    /// A table, or a text whose type says something else: its words may not be what they seem.
    Odd,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing that a person wrote.
    Nothing,
    /// A text.
    Text(String, Nature),
    /// Something that can't be read.
    Closed,
    /// Bytes that are no text.
    Binary,
}

/// The content of a part. `is_added`: whether its type or its name belongs to something that programs add.
pub(super) fn content_of(part: &MessagePart<'_>, raw: &[u8], is_added: bool, marks: &dyn Marks) -> Content {
    let name = name_in_small(part);
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    if ends(&CLOSED_NAMES) {
        return Content::Closed;
    }
    let Some(text) = text_of(part, raw, marks) else { return Content::Binary };
    if text.trim().is_empty() {
        return if ends(&DOCUMENT_NAMES) { Content::Closed } else { Content::Nothing };
    }
    let left = without_added(&text);
    if left.trim().is_empty() || is_data(&text) {
        return Content::Nothing;
    }
    // An Autocrypt setup message holds a program's keys and may be encrypted.
    let is_setup = part.is_content_type("application", "autocrypt-setup");
    if is_closed(&left) && !is_setup || !is_added && has_mail_encoding(&left) {
        return Content::Closed;
    }
    let is_enriched = ["enriched", "richtext"].iter().any(|subtype| part.is_content_type("text", subtype));
    let left = if is_enriched && left.contains("</") { without_enrichment(&left) } else { left };
    if is_markup(&left) {
        let is_small = left.len() <= LARGEST_MARKUP;
        return if is_small { Content::Text(without_tags(&left), Nature::Added) } else { Content::Closed };
    }
    let nature = match is_added {
        true => Nature::Added,
        false if is_odd(part) || ends(&[".csv", ".tsv"]) => Nature::Odd,
        false => Nature::Written,
    };
    Content::Text(left, nature)
}

/// Whether the type of a part is that of a table, or not that of a text.
fn is_odd(part: &MessagePart<'_>) -> bool {
    match kind_of_part(part) {
        (kind, subtype) if kind == "text" => subtype == "csv",
        (kind, subtype) if kind == "application" => {
            !["octet", "x-", "text"].iter().any(|begin| subtype.starts_with(begin))
        }
        (kind, _) => kind == "message",
    }
}

/// A part's text; `None` if its bytes are not text.
fn text_of(part: &MessagePart<'_>, raw: &[u8], marks: &dyn Marks) -> Option<String> {
    let (kind, subtype) = kind_of_part(part);
    let is_named = [".txt", ".text", ".md"].iter().any(|end| name_in_small(part).ends_with(end));
    let is_document = DOCUMENT_NAMES.iter().any(|end| name_in_small(part).ends_with(end));
    let is_declared = match kind.as_str() {
        "text" => matches!(subtype.as_str(), "plain" | "html" | "markdown" | "x-markdown") && !is_document,
        "" => true,
        // Its parts could not be found, so it is read as one text.
        "multipart" => part.is_text(),
        _ => false,
    };
    let bytes = part.contents();
    let is_clean = || {
        let has_controls = |text: &str| text.contains(|c: char| c.is_control() && !c.is_whitespace());
        let is_text = matches!(part.body, PartType::Text(_) | PartType::Html(_));
        std::str::from_utf8(bytes)
            .is_ok_and(|text| !(has_controls(text) || is_text && text.contains(char::REPLACEMENT_CHARACTER)))
    };
    // A small picture or recording may have bytes that look like text.
    let is_none = matches!(kind.as_str(), "audio" | "video" | "font" | "model")
        || kind == "image" && subtype != "svg+xml" && !is_named;
    (!is_none && (is_named && kind != "image" || is_declared || is_clean()))
        .then(|| part_text(part, raw, marks))
}

/// Whether a text is the source of something that shows other words, or no words: a document, an encrypted passage.
pub(super) fn is_closed(text: &str) -> bool {
    let begins = text.trim_start();
    ["{\\rtf", "%PDF", "%!PS"].iter().any(|sign| begins.starts_with(sign))
        || text.contains(ENCRYPTED) && text.lines().any(|line| line.starts_with(ENCRYPTED))
}

/// Whether a text is rich text (RTF).
pub(super) fn is_rich(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"{\\rtf")
}

/// Whether a text is a mail in its transmitted form: its words may be in any encoding.
fn has_mail_encoding(text: &str) -> bool {
    let is_header = |line: &str| {
        let begins = |name: &str| line.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
        begins("MIME-Version:") || begins("Content-Transfer-Encoding:")
    };
    text.lines().any(is_header)
}

/// Whether a text is JSON.
fn is_data(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether a text consists of tags: XML, SMIL, SVG. HTML pages were made plain before.
fn is_markup(text: &str) -> bool {
    let begins = text.trim_start();
    begins.starts_with('<') && begins[1..].starts_with(|c: char| c.is_alphabetic() || c == '?' || c == '!')
}

/// A text without the passages that programs add.
fn without_added(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match ADDED.iter().find(|(begin, _)| line.trim().eq_ignore_ascii_case(begin)) {
            Some((_, end)) => {
                lines.by_ref().take_while(|line| !line.trim().eq_ignore_ascii_case(end)).for_each(drop);
            }
            None => {
                left.push_str(line);
                left.push('\n');
            }
        }
    }
    left
}

/// The plain text of `text/enriched` (RFC 1896) or of its predecessor: tags are removed, and a run of line ends becomes shorter by one.
fn without_enrichment(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| paragraph.lines().collect::<Vec<_>>().join(" "));
    paragraphs.flat_map(|line| [in_place_of_tags(&line, ""), "\n".to_owned()]).collect()
}

/// The words of XML; each element's words are on lines of their own.
fn without_tags(text: &str) -> String {
    in_place_of_tags(text, "\n")
}

/// A text with each tag replaced by `other`.
fn in_place_of_tags(text: &str, other: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        plain.extend([before, other]);
        rest = behind.split_once('>').map_or("", |(_, behind)| behind);
    }
    plain + rest
}

/// The words of rich text (RTF), good enough to find a line in it: its paragraphs without control words and groups.
pub(super) fn without_rich_marks(source: &str) -> String {
    let mut plain = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find(['\\', '{', '}', '\n', '\r']) {
        plain.push_str(&rest[..at]);
        let Some(behind) = rest[at..].strip_prefix('\\') else {
            rest = &rest[at + 1..];
            continue;
        };
        let word = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        if word == 0 {
            // `\'e9` is a character, and any other sign after a backslash stands for itself; neither is kept.
            let skipped = if behind.starts_with('\'') { 3 } else { 1 };
            rest = behind.get(skipped..).unwrap_or_default();
            continue;
        }
        if matches!(&behind[..word], "par" | "line" | "row" | "cell") {
            plain.push('\n');
        } else if &behind[..word] == "tab" {
            plain.push(' ');
        }
        let number = |c: char| c.is_ascii_digit() || c == '-';
        rest = behind[word..].trim_start_matches(number);
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_make_goes_and_other_lines_stay() {
        for (begin, end) in ADDED {
            assert_eq!(without_added(&format!("MOVE 1\n{begin}\nMOVE 2\n{end}\nMOVE 3")), "MOVE 1\nMOVE 3\n");
            assert_eq!(without_added(&format!("{begin}\nMOVE 2\n")), "");
        }
    }

    #[test]
    fn data_and_tags_are_known_by_their_content() {
        assert!(is_data("{\"text\": \"MOVE 1\"}") && is_data("[1, 2]\n") && !is_data("[x] MOVE 1"));
        assert!(is_markup("<?xml version=\"1.0\"?><x/>") && is_markup("<svg/>") && !is_markup("< MOVE 1"));
        assert!(is_closed("{\\rtf1 MOVE 1}") && is_closed("%PDF-1.4") && !is_closed("% MOVE 1"));
    }

    #[test]
    fn the_words_of_rich_text_and_of_tags_are_found() {
        let rich =
            "{\\rtf1\\ansi{\\fonttbl\\f0 Arial;}\\f0\\b MOVE 1\\b0  TO Ulm\\par\r\nREADY\\par\r\n\\'e9\\}}";
        assert_eq!(without_rich_marks(rich), "Arial;MOVE 1 TO Ulm\nREADY\n");
        assert_eq!(without_tags("<svg><text>MOVE 1</text></svg>").trim(), "MOVE 1");
        for odd in ["\\", "\\'", "\\'é", "{\\par", "<", "a<b", "\\é"] {
            let _ = (without_rich_marks(odd), without_tags(odd));
        }
    }

    #[test]
    fn enriched_text_is_joined_and_loses_its_tags() {
        assert_eq!(without_enrichment("<bold>MOVE 1\nTO Ulm</bold>\n\nREADY"), "MOVE 1 TO Ulm\nREADY\n");
    }
}
