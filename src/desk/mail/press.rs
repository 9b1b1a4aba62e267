//! Letters from player to player: the lines between `PRESS TO …` and `END PRESS` in a mail to the host, which forwards them.

use super::line::begins_block;
use super::reading::{own_words, tell_voices};
use super::route::read_key_line;
use musterd_letter::Voice;
use musterd_text::lines::lines;

/// How many letters one mail may bring.
const MOST: usize = 10;
/// The longest line that can open a letter, in bytes: a few names.
const LONGEST_OPENING: usize = 200;
/// The line that ends a letter.
const END: &str = "END PRESS";
/// The words between a letter's readers and the turn that opens it.
const SEALED: &str = " SEALED UNTIL ";

/// A letter as its writer framed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// The recipients, in the writer's words: the text after `PRESS TO`.
    pub to: String,
    /// Whether the writer is hidden from the readers: `PRESS ANONYMOUS TO …`.
    pub anonymous: bool,
    /// Until when it stays sealed, in the writer's words: `PRESS TO … SEALED UNTIL …`.
    pub sealed: Option<String>,
    /// The text: lines ended by LF, without blank lines at its ends and without key lines, which contain the writer's secret. Or why it can't be
    /// forwarded.
    pub text: Result<String, PressFault>,
}

/// A letter with a faulty frame. The messages are for its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PressFault {
    /// `END PRESS` is missing.
    #[error("no line END PRESS says where it ends; send it again with that line below it")]
    NoEnd,
    /// The letter is empty.
    #[error("it is empty")]
    Empty,
    /// The mail has too many letters.
    #[error("one mail brings at most {MOST} letters; nothing below that was read")]
    TooMany,
}

/// Takes the letters out of a player's text, and returns the rest: a letter is never read as orders, whatever it says. A letter in a quotation is an
/// old one and stays in the text.
///
/// The marks count in any case, and a missing `TO` is accepted if an `END PRESS` follows. A letter that begins in capitals and never ends continues
/// to the next `BEGIN ORDERS` or opening line of a letter, or to the end of the player's own lines: lines that look like orders may be part of it.
pub fn take_press(text: &str) -> (Vec<Press>, String) {
    let Taken { press, rest, .. } = take_letters(text);
    (press, rest)
}

/// A text without its letters, and the lines of letters that could not be told from the rest.
pub(super) struct Taken {
    pub(super) press: Vec<Press>,
    pub(super) rest: String,
    /// The recipients and lines of a letter that has no end, or is one too many: orders may be among the lines.
    pub(super) lost: Vec<(String, String)>,
}

/// Takes the letters out of a text, and keeps the lines of letters that can't be forwarded.
pub(super) fn take_letters(text: &str) -> Taken {
    let mut lines: Vec<&str> = lines(text).collect();
    let marks = Marks::of(&lines);
    let (mut found, mut lost) = (Vec::new(), Vec::new());
    let mut from = 0;
    while let Some(span) = next_letter(&lines, from, &marks) {
        let LetterSpan { opening, behind, ended } = span;
        let Opening { to, anonymous, sealed } = read_opening(lines[opening]).unwrap_or_default();
        let fault = if found.len() >= MOST {
            Some(PressFault::TooMany)
        } else if ended {
            None
        } else {
            Some(PressFault::NoEnd)
        };
        let body = lines[opening + 1..behind - usize::from(ended)].iter();
        let body = body.filter(|line| read_key_line(line).is_none()).copied().collect::<Vec<_>>().join("\n");
        let text = match (fault, trimmed(&body)) {
            (Some(fault), _) => Err(fault),
            (None, text) if text.is_empty() => Err(PressFault::Empty),
            (None, text) => Ok(text),
        };
        from = if fault == Some(PressFault::TooMany) { lines.len() } else { behind };
        if fault.is_some() {
            lost.push((to.clone(), own_words(&lines[opening + 1..from].join("\n"))));
        }
        found.push(Press { to, anonymous, sealed, text });
        lines[opening..from].fill("");
    }
    let rest = match found.is_empty() {
        true => text.to_owned(),
        false => lines.iter().flat_map(|line| [line, "\n"]).collect(),
    };
    Taken { press: found, rest, lost }
}

/// The index of a letter's first line and of the line after its last.
struct LetterSpan {
    opening: usize,
    behind: usize,
    ended: bool,
}

/// The indexes of the lines that open and end letters. A mail may have a hundred thousand of them, so each line is read once.
struct Marks {
    openings: Vec<usize>,
    /// The openings in capitals, which open a letter even if it has no end.
    in_capitals: Vec<usize>,
    ends: Vec<usize>,
}

impl Marks {
    fn of(lines: &[&str]) -> Self {
        let places = |is: &dyn Fn(&str) -> bool| (0..lines.len()).filter(|at| is(lines[*at])).collect();
        let openings: Vec<usize> = places(&|line| read_opening(line).is_some());
        let capitals =
            |at: &usize| ["PRESS TO", "PRESS ANON"].iter().any(|begin| lines[*at].trim().starts_with(begin));
        Self {
            in_capitals: openings.iter().copied().filter(capitals).collect(),
            openings,
            ends: places(&|line| line.trim().eq_ignore_ascii_case(END)),
        }
    }

    /// The first of these indexes that is not before `from`.
    fn next(places: &[usize], from: usize) -> Option<usize> {
        places.get(places.partition_point(|at| *at < from)).copied()
    }
}

/// The first letter that begins at or after a line.
fn next_letter(lines: &[&str], from: usize, marks: &Marks) -> Option<LetterSpan> {
    // Most mails contain no letter; only otherwise the voices have to be told apart.
    Marks::next(&marks.openings, from)?;
    let text = lines[from..].join("\n");
    let voices: Vec<Voice> = tell_voices(&text).into_iter().map(|line| line.voice).collect();
    let written = |at: usize| voices.get(at - from) == Some(&Voice::Written);
    let openings = marks.openings.iter().copied().filter(|at| *at >= from && written(*at));
    openings.into_iter().find_map(|opening| {
        let next = Marks::next(&marks.in_capitals, opening + 1);
        let end = Marks::next(&marks.ends, opening + 1);
        if let Some(end) = end.filter(|end| next.is_none_or(|next| *end < next)) {
            return Some(LetterSpan { opening, behind: end + 1, ended: true });
        }
        // Without an end, a line in small letters is prose: "press to the river".
        if marks.in_capitals.binary_search(&opening).is_err() {
            return None;
        }
        let stops = |at: &usize| !written(*at) || begins_block(lines[*at]) || Some(*at) == next;
        let behind = (opening + 1..lines.len()).find(stops).unwrap_or(lines.len());
        Some(LetterSpan { opening, behind, ended: false })
    })
}

/// The contents of a letter's first line.
#[derive(Default)]
struct Opening {
    to: String,
    anonymous: bool,
    sealed: Option<String>,
}

/// Reads the line that opens a letter: `PRESS [ANONYMOUS] TO names [SEALED UNTIL turn]`.
fn read_opening(line: &str) -> Option<Opening> {
    let line = line.trim();
    // Cheap test first: this runs on every line of every mail.
    if !line.starts_with(['P', 'p']) || line.len() > LONGEST_OPENING {
        return None;
    }
    let (press, rest) = word(line)?;
    if !press.eq_ignore_ascii_case("press") {
        return None;
    }
    let (anonymous, rest) = match word(rest) {
        Some((first, behind))
            if ["anonymous", "anonymously"].contains(&first.to_ascii_lowercase().as_str()) =>
        {
            (true, behind)
        }
        _ => (false, rest),
    };
    let (to, who) = word(rest).unwrap_or((rest, ""));
    let who = if to.eq_ignore_ascii_case("to") {
        who
    } else if press == "PRESS" {
        // The writer forgot TO.
        rest
    } else {
        return None;
    };
    let clean = |text: &str| text.trim().trim_end_matches(':').trim_end().to_owned();
    let upper = who.to_ascii_uppercase();
    let (to, sealed) = match upper.find(SEALED) {
        Some(at) => (&who[..at], Some(clean(&who[at + SEALED.len()..]))),
        None => (who, None),
    };
    Some(Opening { to: clean(to), anonymous, sealed })
}

/// The first word of a text, and the rest.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (!first.is_empty()).then(|| (first, rest.trim_start()))
}

/// The text without blanks at the ends of lines and without blank lines at its ends; ended by LF.
fn trimmed(body: &str) -> String {
    let lines: Vec<&str> = body.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let behind = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    lines[first..behind].iter().flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(to: &str, text: &str) -> Press {
        Press { to: to.to_owned(), anonymous: false, sealed: None, text: Ok(text.to_owned()) }
    }

    #[test]
    fn a_letter_is_taken_out_wherever_it_stands_and_the_rest_is_left() {
        let mail = "Hello.\nPRESS TO ALLIES\n\n  Hold Ulm. \nMOVE 3 TO Ulm\n\nEND PRESS\nBEGIN ORDERS\nMOVE 1 E\n\
                    press to russia, Britain:\nBEGIN ORDERS\nMOVE 9 E\nEND ORDERS\nend press\nEND ORDERS\n";
        let (letters, rest) = take_press(mail);
        assert_eq!(
            letters,
            [
                sent("ALLIES", "  Hold Ulm.\nMOVE 3 TO Ulm\n"),
                sent("russia, Britain", "BEGIN ORDERS\nMOVE 9 E\nEND ORDERS\n")
            ]
        );
        let kept: Vec<&str> = rest.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(kept, ["Hello.", "BEGIN ORDERS", "MOVE 1 E", "END ORDERS"]);
    }

    #[test]
    fn a_letter_without_end_is_nobodys_but_no_order_either() {
        let (letters, rest) =
            take_press("PRESS TO ALLIES\nMOVE 3 TO Ulm\nBEGIN ORDERS\nMOVE 1 E\nEND ORDERS");
        assert_eq!(letters, [Press { text: Err(PressFault::NoEnd), ..sent("ALLIES", "") }]);
        assert!(!rest.contains("Ulm") && rest.contains("MOVE 1 E"), "{rest}");
        let lost = |text: &str| take_letters(text).lost;
        assert_eq!(
            lost("PRESS TO ALLIES\nMOVE 3 TO Ulm\n> quoted"),
            [("ALLIES".to_owned(), "MOVE 3 TO Ulm\n".to_owned())]
        );
        assert_eq!(lost("PRESS TO ALLIES\nMOVE 3 TO Ulm\nEND PRESS\nREADY"), []);
        let (letters, rest) = take_press("PRESS TO A\nx\nPRESS TO B\ny\nEND PRESS\n-- \nNey");
        assert_eq!(letters[0].text, Err(PressFault::NoEnd));
        assert_eq!(letters[1], sent("B", "y\n"));
        assert!(rest.contains("Ney"));
        // Text that is hidden from A's reader must not reach him in A's letter.
        let (letters, _) = take_press("PRESS TO A\nx\nPRESS ANONYMOUS TO B\ny\nEND PRESS\n");
        assert_eq!(letters[0].text, Err(PressFault::NoEnd));
        assert_eq!(letters[1], Press { anonymous: true, ..sent("B", "y\n") });
        let (letters, rest) = take_press("PRESS ANONYMOUS TO A\nMOVE 3 TO Ulm\n");
        assert_eq!(letters[0].text, Err(PressFault::NoEnd));
        assert_eq!(rest.trim(), "");
    }

    #[test]
    fn a_forgotten_to_is_forgiven_where_the_end_is_not() {
        let mail = "PRESS ON, Sire!\nPRESS TO RUSSIA\nPRESS ON!\nEND PRESS\nPRESS ALLIES\nCome.\nEND PRESS\n";
        let (letters, rest) = take_press(mail);
        assert_eq!(letters, [sent("RUSSIA", "PRESS ON!\n"), sent("ALLIES", "Come.\n")]);
        assert_eq!(rest.trim(), "PRESS ON, Sire!");
    }

    #[test]
    fn a_letter_can_be_anonymous_and_sealed() {
        let mail = "PRESS ANONYMOUS TO ALL SEALED UNTIL 1806-spring:\nUlm falls.\nEND PRESS\npress anonymously to Russia\nx\n\
                    end press\nPRESS TO ALLIES sealed until 9\ny\nEND PRESS\n";
        let (letters, _) = take_press(mail);
        let told: Vec<_> =
            letters.iter().map(|l| (l.to.as_str(), l.anonymous, l.sealed.as_deref())).collect();
        assert_eq!(
            told,
            [("ALL", true, Some("1806-spring")), ("Russia", true, None), ("ALLIES", false, Some("9"))]
        );
    }

    #[test]
    fn prose_and_quotations_are_no_letters() {
        for text in [
            "press to the river\nMOVE 3 TO Ulm\n",
            "PRESS ON, Sire!\nMOVE 3 TO Ulm\n",
            "> PRESS TO ALLIES\n> old\n> END PRESS\n",
            "On 3 May 1805 Ney wrote:\n\nPRESS TO ALLIES\nold\nEND PRESS\n",
            "-- \nPRESS TO ALLIES\nmy signature\nEND PRESS\n",
            "PRESSED TO ALLIES\nx\nEND PRESS\n",
        ] {
            assert_eq!(take_press(text), (Vec::new(), text.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_letter_may_quote_and_sign_and_keeps_no_secret_of_its_writer() {
        let mail = "PRESS TO ALLIES\n> you said\n# key: alpha french 0123456789abcdef\nOn 3 May 1805 Ney wrote:\n\
                    -- \nFrancis\nEND PRESS\nPRESS TO ALL\n\n \nEND PRESS\nREADY\n";
        let (letters, rest) = take_press(mail);
        assert_eq!(letters[0].text.as_deref(), Ok("> you said\nOn 3 May 1805 Ney wrote:\n--\nFrancis\n"));
        assert_eq!(letters[1].text, Err(PressFault::Empty));
        assert_eq!(rest.trim(), "READY");
    }

    #[test]
    fn a_flood_of_letters_is_cut_short() {
        let (letters, rest) = take_press(&"PRESS TO ALLIES\nx\nEND PRESS\n".repeat(5_000));
        assert_eq!((letters.len(), letters[MOST].text.clone()), (MOST + 1, Err(PressFault::TooMany)));
        let [(_, lost)] = &take_letters(&("PRESS TO A\nx\nEND PRESS\n".repeat(12) + "MOVE 3\n")).lost[..]
        else {
            panic!()
        };
        assert!(lost.ends_with("MOVE 3\n"), "{lost}");
        assert_eq!(rest.trim(), "");
    }
}
