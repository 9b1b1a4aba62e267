//! Tells which lines of a letter its sender wrote, and which belong to the mail that is being answered.

use super::introduction::introduction_length;
use super::marks::Marks;
use super::plain::{is_quoted, strip_quote_marks};
use musterd_text::lines::lines;

/// The shortest line of underscores above a mailing list's footer: Mailman's has 47, the line above Outlook's quotation 32.
const LIST_RULE: usize = 40;
/// The most lines of a mailing list's footer.
const LONGEST_FOOTER: usize = 6;

/// The author of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The sender wrote the line.
    Written,
    /// The line stands below a signature mark (`-- `), or below the rule above a mailing list's footer.
    Signature,
    /// The line belongs to the answered or forwarded mail: it is marked by `>`, or stands below the line that introduces that mail.
    Quoted,
}

/// A line without its quote marks, and its author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoicedLine<'a> {
    /// The author of the line.
    pub voice: Voice,
    /// The text, without quote marks.
    pub text: &'a str,
}

/// The sender's own words in a text: its lines without the signature and the quoted mail.
#[must_use]
pub fn own_words(text: &str, marks: &dyn Marks) -> String {
    let own = tell_voices(text, marks)
        .into_iter()
        .zip(text.lines())
        .filter(|(line, _)| line.voice == Voice::Written);
    own.flat_map(|(_, line)| [line, "\n"]).collect()
}

/// Finds the author of each line of a plain text.
///
/// A quotation with marks ends where its marks end, so lines below or between quoted ones count as written by the sender. A quotation without marks
/// (Outlook, phones) begins at the line that introduces it and goes on to the end. If no known line introduces it, it begins at a line of the
/// caller's own mail ([`Marks::is_own_rule`]).
#[must_use]
pub fn tell_voices<'a>(text: &'a str, marks: &dyn Marks) -> Vec<VoicedLine<'a>> {
    let lines: Vec<&str> = lines(text).collect();
    let mut told = Vec::with_capacity(lines.len());
    let mut voice = Voice::Written;
    let mut unmarked_quote = false;
    let last_of_ours = lines.iter().rposition(|line| marks.is_own_line(line)).unwrap_or(0);
    while told.len() < lines.len() {
        let at = told.len();
        let introduction = match &lines[at..] {
            _ if unmarked_quote => 0,
            rest if at < last_of_ours && marks.is_own_rule(rest[0]) => 1,
            rest => introduction_length(rest),
        };
        if introduction > 0 {
            let rest = &lines[at + introduction..];
            let next = rest.iter().find(|line| !line.trim().is_empty());
            unmarked_quote = !next.is_some_and(|line| is_quoted(line));
            let quoted = lines[at..at + introduction].iter();
            told.extend(
                quoted.map(|text| VoicedLine { voice: Voice::Quoted, text: strip_quote_marks(text) }),
            );
            voice = Voice::Written;
            continue;
        }
        let line = lines[at];
        if !unmarked_quote && !is_quoted(line) && marks.shows_own_address(line) {
            told.push(VoicedLine { voice: Voice::Quoted, text: strip_quote_marks(line) });
            continue;
        }
        if is_quoted(line) {
            voice = Voice::Written;
        } else if line.trim_end() == "--" || is_list_rule(&lines[at..]) {
            voice = Voice::Signature;
        }
        let voice = if unmarked_quote || is_quoted(line) { Voice::Quoted } else { voice };
        told.push(VoicedLine { voice, text: strip_quote_marks(line) });
    }
    told
}

/// Whether a mailing list's footer begins here: a rule, then a few lines that name the list, up to the end or a quotation.
fn is_list_rule(lines: &[&str]) -> bool {
    let rule = lines[0].trim_end();
    if rule.len() < LIST_RULE || rule.bytes().any(|byte| byte != b'_') {
        return false;
    }
    let mut footer =
        lines[1..].iter().filter(|line| !line.trim().is_empty()).take_while(|line| !is_quoted(line));
    let is_short = footer.clone().nth(LONGEST_FOOTER).is_none();
    is_short && footer.any(|line| line.contains("://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The marks of a caller whose mails have a rule under the head and a line at the end.
    struct Ours;

    impl Marks for Ours {
        fn is_own_rule(&self, line: &str) -> bool {
            line == "====="
        }

        fn is_own_line(&self, line: &str) -> bool {
            line.starts_with("Chain: ")
        }
    }

    fn written(text: &str) -> Vec<&str> {
        let lines = tell_voices(text, &Ours).into_iter().filter(|line| line.voice == Voice::Written);
        lines.map(|line| line.text).filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn what_stands_below_an_introduction_without_marks_is_quoted() {
        assert_eq!(written("MOVE 1\n-----Original Message-----\nMOVE 2"), ["MOVE 1"]);
        assert_eq!(written("MOVE 1\nOn 3 May 1805 the host\n<h@example.org> wrote:\nMOVE 2"), ["MOVE 1"]);
        assert_eq!(written("MOVE 1\nVon: Host\nGesendet: gestern\nAn: Ney\nBetreff: x\nMOVE 2"), ["MOVE 1"]);
        assert_eq!(written("MOVE 1\nLe 3 mai 1805, Ney a écrit :\nMOVE 2"), ["MOVE 1"]);
    }

    #[test]
    fn the_callers_own_mail_is_known_where_nothing_introduces_it() {
        let rule = "=====";
        let text = format!("MOVE 1\n{rule}\nMOVE 2\nALPHA\n{rule}\nMOVE 3\n");
        assert_eq!(written(&text).len(), 6, "a person may draw lines");
        assert_eq!(written(&format!("{text}Chain: alpha 6\n")), ["MOVE 1"]);
    }

    #[test]
    fn an_attribution_in_any_language_stands_above_quote_marks() {
        assert_eq!(
            written("MOVE 1\n21.11.2026 16:15, Ney \u{43f}\u{438}\u{448}\u{435}\u{442}:\n> MOVE 2"),
            ["MOVE 1"]
        );
        assert_eq!(written("MOVE 1\nOn Saturday the umpire wrote:\n> MOVE 2"), ["MOVE 1"]);
        assert_eq!(written("MOVE 1\nW dniu 3.05.1805 o 9:05, Ney pisze:\n\n> MOVE 2"), ["MOVE 1"]);
        assert_eq!(written("MOVE 1 at 9:05:\nMOVE 2"), ["MOVE 1 at 9:05:", "MOVE 2"]);
    }

    #[test]
    fn lines_between_and_below_marked_quotations_are_written() {
        assert_eq!(written("On 3 May Ney wrote:\n\n> a\nMOVE 1\n> b\nMOVE 2"), ["MOVE 1", "MOVE 2"]);
    }

    #[test]
    fn a_signature_ends_at_the_next_quotation() {
        assert_eq!(written("MOVE 1\n-- \nNey\n> a\nMOVE 2"), ["MOVE 1", "MOVE 2"]);
    }

    #[test]
    fn a_mailing_lists_footer_is_nobodys_words() {
        let rule = "_".repeat(47);
        assert_eq!(
            written(&format!("MOVE 1\n{rule}\nstaff mailing list\nhttps://example.org/staff\n")),
            ["MOVE 1"]
        );
        for text in [
            format!("MOVE 1\n{rule}\nMOVE 2"),
            format!("{rule}\nMOVE 1\n{rule}\n{}https://x", "a\n".repeat(9)),
        ] {
            assert_eq!(written(&text).len(), text.lines().count(), "a person may draw lines: {text}");
        }
    }

    #[test]
    fn prose_is_not_taken_for_introductions() {
        let text = "From: here on:\nOn Ulm I march\nMOVE 1 TO 2\n--- ORDERS ---";
        assert_eq!(written(text), text.lines().collect::<Vec<_>>());
    }
}
