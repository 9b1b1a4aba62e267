//! The names of a mail's parts.

use mail_parser::{MessagePart, MimeHeaders};

use super::plain::make_plain;

/// The longest part of a file's name that is shown, in characters.
const LONGEST_NAME: usize = 60;

/// A name as it may stand in a subject: on one line, without brackets, because tags stand in brackets there; `otherwise` if nothing is left of it.
#[must_use]
pub fn shown_name(name: &str, otherwise: &str) -> String {
    let plain =
        make_plain(name).replace(|c: char| c.is_whitespace(), " ").replace('[', "(").replace(']', ")");
    let name: String = plain.trim().chars().take(LONGEST_NAME).collect();
    if name.is_empty() { otherwise.to_owned() } else { name }
}

/// The name of a part, or its type if it has no name.
pub(super) fn name_of(part: &MessagePart<'_>) -> String {
    let kind = || match kind_of_part(part) {
        (kind, _) if kind.is_empty() => "a part without a name".to_owned(),
        (kind, subtype) => format!("a part of type {kind}/{subtype}"),
    };
    shown_name(part.attachment_name().unwrap_or_default(), &shown_name(&kind(), ""))
}

/// The name of a part, in lower case.
pub(super) fn name_in_small(part: &MessagePart<'_>) -> String {
    part.attachment_name().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The type of a part and its subtype, in lower case.
pub(super) fn kind_of_part(part: &MessagePart<'_>) -> (String, String) {
    let content = part.content_type();
    let kind = content.map(|content| content.ctype().to_ascii_lowercase()).unwrap_or_default();
    let subtype = content.and_then(|content| content.subtype()).unwrap_or_default();
    (kind, subtype.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_on_its_line_and_has_no_brackets() {
        assert_eq!(shown_name("plan\r\nBcc: x [beta].doc", ""), "plan Bcc: x (beta).doc");
        assert_eq!(shown_name(&"x".repeat(100), "").len(), LONGEST_NAME);
        assert_eq!(shown_name(" \u{200b}", "none"), "none");
    }
}
