//! Assembles the text of a mail from its parts: which version is read, and which lines only the other version has.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::marks::Marks;
use super::part::marked_text;
use super::plain::strip_quote_marks;
use super::{struck, versions};

/// The most lines that a program writes in place of a plain version.
const LONGEST_STAND_IN: usize = 5;

/// The text of a mail.
pub(super) struct Text {
    pub(super) text: String,
    /// The lines of the other version that are missing in this text.
    pub(super) other: Option<String>,
}

/// The text of a mail: its plain parts; if they are blank or don't hold the text, its HTML; if there is none, attached text without a name (damaged
/// MIME leads to it); otherwise a mail of one part with a type that the parser doesn't know as text. Forwarded mails follow, as quotations.
pub(super) fn read_text(mail: &Message<'_>, raw: &[u8], depth: usize, marks: &dyn Marks) -> Text {
    let mut other = None;
    let join = |parts: Vec<&MessagePart<'_>>| {
        let mut text = String::new();
        for part in parts.into_iter().filter(|part| !is_awaited(part, marks)) {
            text.push_str(&marked_text(part, raw, marks));
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        }
        text
    };
    // The parser counts inline pictures among the bodies.
    let mut text = join(mail.text_bodies().filter(|part| part.is_text()).collect());
    if text.trim().is_empty() {
        text = join(mail.html_bodies().filter(|part| part.is_text()).collect());
    } else {
        let page = join(mail.html_bodies().filter(|part| matches!(part.body, PartType::Html(_))).collect());
        if !page.trim().is_empty() {
            Text { text, other } = with_page(&text, page, marks);
        }
    }
    if text.trim().is_empty() {
        text = join(
            mail.attachments().filter(|part| part.is_text() && part.attachment_name().is_none()).collect(),
        );
    }
    if text.trim().is_empty()
        && mail.parts.len() == 1
        && std::str::from_utf8(mail.root_part().contents()).is_ok()
    {
        text = join(vec![mail.root_part()]);
    }
    text = struck::settle(text);
    if depth > 0 {
        for forwarded in mail.attachments().filter_map(MessagePart::message) {
            for line in read_text(forwarded, forwarded.raw_message.as_ref(), depth - 1, marks).text.lines() {
                text.push_str("> ");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    Text { text, other }
}

/// The text of a mail without forwarded mails.
pub(super) fn text_alone(mail: &Message<'_>, raw: &[u8], marks: &dyn Marks) -> String {
    read_text(mail, raw, 0, marks).text
}

/// The text of a mail with a plain and an HTML version: the plain one, corrected by the other; or the HTML one, if the plain one says something else,
/// such as that the reader's program is too old.
fn with_page(plain: &str, page: String, marks: &dyn Marks) -> Text {
    let begins = |text: &str| text.lines().any(|line| marks.begins_block(strip_quote_marks(line)));
    let is_stand_in = || {
        let mut lines = plain.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.clone().count() <= LONGEST_STAND_IN
            && plain.len() < page.len()
            && !lines.any(|line| page.contains(line))
    };
    if !begins(plain) && (begins(&page) || is_stand_in()) {
        Text { other: versions::lacking(&page, plain, marks), text: page }
    } else {
        let text = versions::set_right(plain, &page);
        Text { other: versions::lacking(&text, &page, marks).map(struck::settle), text }
    }
}

/// Whether a part is a file that the caller waits for, judged by its name.
pub(super) fn is_awaited(part: &MessagePart<'_>, marks: &dyn Marks) -> bool {
    let content = !matches!(part.body, PartType::Multipart(_) | PartType::Message(_));
    content && part.attachment_name().is_some_and(|name| marks.is_awaited(name))
}

#[cfg(test)]
mod tests {
    use super::super::marks::NoMarks;
    use super::*;

    #[test]
    fn a_short_text_that_the_page_has_too_is_no_stand_in_for_it() {
        let page = "Read this in a browser\nMOVE 1 TO Ulm\nRegards\n";
        assert_eq!(with_page("MOVE 1 TO Ulm\n", page.to_owned(), &NoMarks).text, "MOVE 1 TO Ulm\n");
        assert_eq!(with_page("Your program can't show this.\n", page.to_owned(), &NoMarks).text, page);
    }
}
