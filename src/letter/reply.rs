//! Which lines of a letter its sender wrote, and which are the mail that is being answered.

use super::plain::{is_quoted, strip_quote_marks};

/// Whose words a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    /// The sender's.
    Written,
    /// Below a signature mark (`-- `).
    Signature,
    /// The answered or forwarded mail's: marked by `>`, or below the line that introduces it.
    Quoted,
}

/// A line without its quote marks, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) voice: Voice,
    pub(super) text: &'a str,
}

/// What the sender of a text wrote: its lines without those of a signature or of the mail that it answers.
#[must_use]
pub fn own_words(text: &str) -> String {
    let own =
        tell_voices(text).into_iter().zip(text.lines()).filter(|(line, _)| line.voice == Voice::Written);
    own.flat_map(|(_, line)| [line, "\n"]).collect()
}

/// Tells the voices of a plain text apart.
///
/// A quotation with marks ends where its marks end, so that orders below or between quoted lines count as written. A
/// quotation without marks (Outlook, phones) begins at the line that introduces it and goes on to the end.
pub(super) fn tell_voices(text: &str) -> Vec<Line<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut told = Vec::with_capacity(lines.len());
    let mut voice = Voice::Written;
    let mut unmarked_quote = false;
    while told.len() < lines.len() {
        let at = told.len();
        let introduction = if unmarked_quote { 0 } else { introduction_length(&lines[at..]) };
        if introduction > 0 {
            let rest = &lines[at + introduction..];
            let next = rest.iter().find(|line| !line.trim().is_empty());
            unmarked_quote = !next.is_some_and(|line| is_quoted(line));
            let quoted = lines[at..at + introduction].iter();
            told.extend(quoted.map(|text| Line { voice: Voice::Quoted, text: strip_quote_marks(text) }));
            voice = Voice::Written;
            continue;
        }
        let line = lines[at];
        if is_quoted(line) {
            voice = Voice::Written;
        } else if line.trim_end() == "--" {
            voice = Voice::Signature;
        }
        let voice = if unmarked_quote || is_quoted(line) { Voice::Quoted } else { voice };
        told.push(Line { voice, text: strip_quote_marks(line) });
    }
    told
}

/// How many of the first lines introduce a quotation: 0 if they don't.
fn introduction_length(lines: &[&str]) -> usize {
    let first = lines[0].trim();
    // Cheap tests first: this runs on every line of every mail.
    if first.is_empty() || is_quoted(first) {
        return 0;
    }
    if is_separator(first) || is_header_block(lines) { 1 } else { attribution_length(lines) }
}

/// `-----Original Message-----`, `---------- Forwarded message ---------`, `Begin forwarded message:` and their kin.
fn is_separator(line: &str) -> bool {
    const WORDS: &[&str] =
        &["message", "nachricht", "mensaje", "mensagem", "messaggio", "bericht", "meddelande", "wiadomo"];
    let says_so = || {
        let lower = line.to_lowercase();
        WORDS.iter().any(|word| lower.contains(word))
    };
    line.starts_with("---") && line.ends_with("---") && says_so()
        || line.eq_ignore_ascii_case("begin forwarded message:")
}

/// The header block that Outlook and phones put above what they quote: `From:`, then two of date, `To:`, `Subject:`
/// within the next lines, in one of the languages they speak.
fn is_header_block(lines: &[&str]) -> bool {
    const FROM: &[&str] = &["from", "von", "de", "da", "van", "från", "fra", "od"];
    const OTHERS: &[&str] = &[
        "sent",
        "date",
        "to",
        "subject",
        "cc",
        "gesendet",
        "datum",
        "an",
        "betreff",
        "envoyé",
        "à",
        "objet",
        "enviado",
        "fecha",
        "para",
        "asunto",
        "inviato",
        "data",
        "a",
        "oggetto",
        "verzonden",
        "aan",
        "onderwerp",
        "skickat",
        "till",
        "ämne",
        "sendt",
        "til",
        "emne",
    ];
    let label = |line: &str| {
        let (label, _) = line.split_once(':')?;
        (label.len() <= 20).then(|| label.trim_matches([' ', '*', '\t']).to_lowercase())
    };
    let is = |line: &str, labels: &[&str]| label(line).is_some_and(|label| labels.contains(&label.as_str()));
    is(lines[0], FROM)
        && lines[1..]
            .iter()
            .filter(|line| !line.trim().is_empty())
            .take(4)
            .filter(|line| is(line, OTHERS))
            .count()
            >= 2
}

/// What an attribution says that its author did.
const VERBS: &[&str] = &[
    " wrote",
    " writes",
    " schrieb",
    " a écrit",
    " escribió",
    " ha scritto",
    " schreef",
    " skrev",
    " escreveu",
    " napisał",
];

/// `On Monday Ney wrote:`, on up to three lines, as many languages as the usual programs speak.
fn attribution_length(lines: &[&str]) -> usize {
    const STARTS: &[&str] =
        &["on ", "am ", "le ", "el ", "il ", "op ", "den ", "em ", "w dniu ", "dnia ", "på "];
    const LONGEST: usize = 400;
    if introduces_marks(lines) {
        return 1;
    }
    // An order begins like none of these and ends in no colon: most lines go no further.
    let first = lines[0].trim();
    let begins = |start: &u8| first.as_bytes().first().is_some_and(|byte| byte.eq_ignore_ascii_case(start));
    if !first.ends_with(':') && !STARTS.iter().any(|start| begins(&start.as_bytes()[0])) {
        return 0;
    }
    let mut joined = String::new();
    for (index, line) in lines.iter().take(3).enumerate() {
        if line.trim().is_empty() || line.len() > LONGEST {
            return 0;
        }
        joined.push_str(&line.trim().to_lowercase());
        let dated = || joined.contains('@') || joined.bytes().any(|byte| byte.is_ascii_digit());
        if joined.ends_with(':') && dated() && VERBS.iter().any(|verb| joined.contains(verb)) {
            return index + 1;
        }
        // Only a line that begins like one may go on: else an order above it would be swallowed.
        if !STARTS.iter().any(|start| joined.starts_with(start)) {
            return 0;
        }
        joined.push(' ');
    }
    0
}

/// An attribution right above quote marks: a line with a colon at its end that says so, or, in a language that we don't know, has a
/// time of day.
fn introduces_marks(lines: &[&str]) -> bool {
    let first = lines[0].trim();
    if !first.ends_with([':', '\u{ff1a}']) {
        return false;
    }
    let timed = || {
        first.as_bytes().windows(4).any(|four| {
            four[0].is_ascii_digit()
                && four[1] == b':'
                && four[2].is_ascii_digit()
                && four[3].is_ascii_digit()
        })
    };
    let says_so = || {
        let lower = first.to_lowercase();
        VERBS.iter().any(|verb| lower.contains(verb))
    };
    let next = || lines[1..].iter().take(2).find(|line| !line.trim().is_empty());
    (timed() || says_so()) && next().is_some_and(|line| is_quoted(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<&str> {
        let lines = tell_voices(text).into_iter().filter(|line| line.voice == Voice::Written);
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
    fn orders_between_and_below_marked_quotations_are_written() {
        assert_eq!(written("On 3 May Ney wrote:\n\n> a\nMOVE 1\n> b\nMOVE 2"), ["MOVE 1", "MOVE 2"]);
    }

    #[test]
    fn a_signature_ends_at_the_next_quotation() {
        assert_eq!(written("MOVE 1\n-- \nNey\n> a\nMOVE 2"), ["MOVE 1", "MOVE 2"]);
    }

    #[test]
    fn orders_and_prose_are_not_taken_for_introductions() {
        let text = "From: here on:\nOn Ulm I march\nMOVE 1 TO 2\n--- ORDERS ---";
        assert_eq!(written(text), text.lines().collect::<Vec<_>>());
    }
}
