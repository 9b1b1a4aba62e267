//! Normalises order lines: players spell and number them in many ways, the rules read one.
//!
//! A block is hashed, returned and read again on every replay as it stands in the journal, so leniency has to be applied before a block is made: a
//! ruleset that accepted more spellings than before would change games that have been played.

use std::borrow::Cow;

use super::latin::in_latin;
use super::line::LineKind;
use musterd_dice::ProtocolLine;

/// Characters that programs and chats use for emphasis.
const EMPHASIS: [char; 3] = ['*', '_', '`'];

/// Quotation marks of several languages.
const QUOTATION_SIGNS: [char; 14] = [
    '"', '\'', '\u{ab}', '\u{bb}', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}', '\u{201c}', '\u{201d}',
    '\u{201e}', '\u{201f}', '\u{2039}', '\u{203a}',
];

/// The most digits of a line's number.
const LONGEST_NUMBER: usize = 3;
/// The most letters of a line's Roman number: `XXXVIII`.
const LONGEST_ROMAN: usize = 7;

/// A line of orders as the rules read it, if the change makes it an order, or turns prose into a mistyped order: without a number, a letter or a
/// list's sign before it, without emphasis, and in Latin letters. Otherwise the line unchanged. Lines for the dice and comments keep the player's own
/// words.
pub(super) fn as_read<'a>(line: &'a str, kind: &dyn Fn(&str) -> LineKind) -> Cow<'a, str> {
    if ProtocolLine::of(line).is_some() {
        return Cow::Borrowed(line);
    }
    if let Some(inner) = without_quotation_signs(line)
        && kind(line) == LineKind::Prose
    {
        let read = as_read(inner, kind);
        // A quoted READY may only be mentioned.
        if matches!(kind(&read), LineKind::Order | LineKind::Beside) {
            return Cow::Owned(read.into_owned());
        }
    }
    let latin = in_latin(line);
    let bare = without_number(&latin);
    let plain = without_emphasis(&latin);
    if bare.is_none() && plain.is_none() && matches!(latin, Cow::Borrowed(_)) {
        return latin;
    }
    let told = rank(kind(&latin));
    if let Some(plain) = &plain {
        let bare = without_number(plain).filter(|bare| rank(kind(bare)) > rank(kind(plain)));
        let read = bare.unwrap_or(plain);
        if rank(kind(read)) >= told.max(1) {
            return Cow::Owned(read.to_owned());
        }
    }
    if let Some(bare) = bare.filter(|bare| rank(kind(bare)) > told) {
        return Cow::Owned(bare.to_owned());
    }
    if told > rank(LineKind::Prose) { latin } else { Cow::Borrowed(line) }
}

/// Whether `read` may stand in a block for a line of a player's, whatever the rules are.
pub fn may_read_as(line: &str, read: &str) -> bool {
    let latin = in_latin(line);
    let plain = without_emphasis(&latin);
    let alike = |one: &str| one.trim_end() == read.trim_end();
    let may_be = |one: &str| alike(one) || without_number(one).is_some_and(alike);
    without_quotation_signs(line).is_some_and(|inner| may_read_as(inner, read))
        || alike(line)
        || may_be(&latin)
        || plain.is_some_and(|plain| may_be(&plain))
}

/// The text between quotation marks around a whole line, or after one at its beginning: `"MOVE 3"`, `» MOVE 3`; `None` if there are none, or more
/// inside, as around a name.
fn without_quotation_signs(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(|c: char| is_sign(c) || c.is_whitespace());
    // Cheap test first, for nearly all lines.
    let opened = line.strip_prefix(QUOTATION_SIGNS)?.trim_start_matches(QUOTATION_SIGNS).trim_start();
    let closes = |c: char| QUOTATION_SIGNS.contains(&c) || matches!(c, '.' | ',' | ';') || c.is_whitespace();
    let inner = opened.trim_end_matches(closes);
    (!inner.is_empty() && !inner.contains(QUOTATION_SIGNS)).then_some(inner)
}

/// The line up to its comment without emphasis marks around its words: `*MOVE* 3`, `__MOVE 3__`; `None` if it has none. A mark without a counterpart
/// stays.
fn without_emphasis(line: &str) -> Option<String> {
    let (orders, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
    // Cheap test first, for nearly all lines.
    if !orders.contains(EMPHASIS) {
        return None;
    }
    let mut plain = String::with_capacity(line.len());
    let mut rest = orders;
    while let Some(at) = rest.find(EMPHASIS) {
        let (before, marked) = rest.split_at(at);
        let behind = marked.trim_start_matches(EMPHASIS);
        let mark = &marked[..marked.len() - behind.len()];
        plain.push_str(before);
        let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let opens = !is_inside(plain.chars().next_back()) && is_inside(behind.chars().next());
        match opens.then(|| end_of_emphasis(behind, mark)).flatten() {
            Some(end) => {
                plain.push_str(&behind[..end]);
                rest = &behind[end + mark.len()..];
            }
            None => {
                plain.push_str(mark);
                rest = behind;
            }
        }
    }
    plain.push_str(rest);
    plain.push_str(comment);
    (plain != line).then_some(plain)
}

/// The place in a text of the counterpart of an emphasis mark.
fn end_of_emphasis(text: &str, mark: &str) -> Option<usize> {
    let closing: String = mark.chars().rev().collect();
    let is_one_of = |at: usize| {
        let (before, behind) = (&text[..at], &text[at + closing.len()..]);
        !before.ends_with(|c: char| c.is_whitespace() || EMPHASIS.contains(&c))
            && !behind.starts_with(|c: char| c.is_alphanumeric() || EMPHASIS.contains(&c))
    };
    text.match_indices(&closing).map(|(at, _)| at).find(|at| is_one_of(*at))
}

/// A rank of how much a line resembles an order.
const fn rank(kind: LineKind) -> u8 {
    match kind {
        LineKind::Prose => 0,
        LineKind::Beside => 1,
        LineKind::Order | LineKind::Aside => 2,
    }
}

/// The line without the number or sign that a player put before it: `1. `, `1) `, `(1) `, `1: `, `1.1 `, `No. 1: `, `II. `, `a) `, `- `, `* `, `[x]
/// `, a number in a ring, `(c)` that a program turned into a sign; also without emphasis around it. `None` if it has none. A number alone is a
/// unit's.
fn without_number(line: &str) -> Option<&str> {
    let indented = line.trim();
    // Cheap test first, for nearly all lines: a word is neither a number nor a sign, except `No. 4`.
    if let [b'a'..=b'z' | b'A'..=b'Z', b'a'..=b'z' | b'A'..=b'Z', ..] = indented.as_bytes()
        && !indented.starts_with(['n', 'N'])
        && !indented.starts_with(is_roman)
    {
        return None;
    }
    let line = indented.trim_start_matches(|c: char| is_sign(c) || c.is_whitespace());
    let line = if indented.starts_with(EMPHASIS) { line.trim_end_matches(EMPHASIS) } else { line };
    if let Some(order) = line.strip_prefix(is_ringed) {
        return Some(order.trim_start_matches(['.', ')', ':', ' '])).filter(|order| !order.is_empty());
    }
    if let Some(order) = without_box(line).or_else(|| without_roman(line)).or_else(|| without_levels(line)) {
        return Some(order);
    }
    let opened = line.strip_prefix(['(', '[']).unwrap_or(line);
    let opened = without_word_number(opened).unwrap_or(opened);
    let digits = opened.bytes().take_while(u8::is_ascii_digit).count();
    let behind = match digits {
        0 => opened.strip_prefix(|c: char| c.is_alphabetic()),
        1..=LONGEST_NUMBER => Some(&opened[digits..]),
        _ => None,
    };
    let bare = behind.and_then(|behind| {
        let order = behind.trim_start_matches(['.', ')', ']', ':', '\u{20e3}']);
        let is_marked = match opened.chars().next() {
            Some('0'..='9') => order.len() < behind.len(),
            // Word's bullets: a ring appears as an o, and an arrow that was a letter in its own font as an à.
            Some('o') if opened.len() == line.len() => behind.starts_with([')', ' ']),
            Some(letter) if !letter.is_ascii() => behind.starts_with(' '),
            // `a. MOVE` may be an abbreviation, and so may `a: MOVE`.
            _ => behind.starts_with(')'),
        };
        is_marked.then_some(order.trim_start())
    });
    bare.or((line.len() < indented.len()).then_some(line)).filter(|order| !order.is_empty())
}

/// The text after `[ ]` or `[x]`.
fn without_box(line: &str) -> Option<&str> {
    let order =
        ["[]", "[ ]", "[x]", "[X]"].iter().find_map(|checked| line.strip_prefix(checked))?.trim_start();
    (!order.is_empty()).then_some(order)
}

/// The text after `II.`, `(iv)`, `x)`. A single letter with a point is a number only in capitals: otherwise it is an abbreviation.
fn without_roman(line: &str) -> Option<&str> {
    let opened = line.strip_prefix('(').unwrap_or(line);
    let behind = opened.trim_start_matches(is_roman);
    let number = &opened[..opened.len() - behind.len()];
    let is_one = number.bytes().all(|b| b.is_ascii_uppercase())
        || number.len() > 1 && number.bytes().all(|b| b.is_ascii_lowercase());
    let order = behind.strip_prefix(['.', ')'])?.trim_start();
    (is_one && !number.is_empty() && number.len() <= LONGEST_ROMAN && !order.is_empty()).then_some(order)
}

fn is_roman(c: char) -> bool {
    matches!(c, 'I' | 'V' | 'X' | 'i' | 'v' | 'x')
}

/// The text after `1.1 ` or `2.10.3) `.
fn without_levels(line: &str) -> Option<&str> {
    let (number, order) = line.split_once(' ')?;
    let number = number.trim_end_matches(['.', ')', ':']);
    let is_level = |level: &str| {
        (1..=LONGEST_NUMBER).contains(&level.len()) && level.bytes().all(|b| b.is_ascii_digit())
    };
    let order = order.trim_start();
    (number.contains('.') && number.split('.').all(is_level) && !order.is_empty()).then_some(order)
}

/// The text after `No. ` or `Nr ` and a number.
fn without_word_number(line: &str) -> Option<&str> {
    let behind = ["no", "nr", "\u{2116}"].iter().find_map(|word| {
        let behind = line
            .get(word.len()..)
            .filter(|_| line.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word)))?;
        Some(behind.strip_prefix('.').unwrap_or(behind).trim_start())
    })?;
    behind.starts_with(|c: char| c.is_ascii_digit()).then_some(behind)
}

/// Whether a character is a number in a ring, in brackets or with its point: `①`, `⑴`, `⒈`, `❶`; or `(c)`, `(r)` and `(tm)` as programs replace them.
fn is_ringed(c: char) -> bool {
    matches!(c, '©' | '®' | '™' | '\u{2460}'..='\u{249b}' | '\u{24ea}'..='\u{24ff}' | '\u{2776}'..='\u{2793}')
}

/// Whether a character is a list's sign, an arrow, a box, an emphasis mark. A cross is not, because it may mean that an order is not to be done; nor
/// is `|`, with which the host's mails mark quoted text.
fn is_sign(c: char) -> bool {
    matches!(
        c,
        '*' | '-' | '+' | '>' | '_' | '`' | '§'
            | '\u{2190}'..='\u{21ff}'
            | '\u{25a0}'..='\u{25ff}'
            | '\u{2605}' | '\u{2606}' | '\u{2611}' | '\u{261b}' | '\u{261e}'
            | '\u{2705}' | '\u{2713}' | '\u{2714}'
            | '\u{2794}'..='\u{27be}'
            | '\u{2b00}'..='\u{2bff}'
            // Characters of Symbol and Wingdings.
            | '\u{f020}'..='\u{f0ff}'
            | '\u{1f446}'..='\u{1f449}'
            | '\u{1f538}'..='\u{1f53b}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> LineKind {
        match line.split_whitespace().next() {
            Some("MOVE" | "TOP") => LineKind::Order,
            Some("MVOE" | "12") => LineKind::Beside,
            _ => LineKind::Prose,
        }
    }

    fn read(line: &str) -> Cow<'_, str> {
        as_read(line, &kind)
    }

    #[test]
    fn letters_that_only_look_latin_are_read_as_what_they_look_like() {
        assert_eq!(read("МОVЕ 3 ТО Ulm"), "MOVE 3 TO Ulm");
        assert_eq!(read("ΜΟVΕ 3 TO Ulm # Оса МОVЕ"), "MOVE 3 TO Ulm # Оса МОVЕ");
        assert_eq!(read("ТОР 3, 1"), "TOP 3, 1");
        assert_eq!(read("MOVE 3 TO Königsberg"), "MOVE 3 TO Königsberg");
        assert_eq!(read("MOVE Жуков TO Ulm"), "MOVE Жуков TO Ulm", "no word is read by halves");
        assert_eq!(read("salt: МОVЕ"), "salt: МОVЕ");
        assert_eq!(read("Он сам"), "Он сам");
    }

    #[test]
    fn an_order_in_quotation_marks_is_one() {
        for line in [
            "\"MOVE 3\"",
            "'MOVE 3'",
            "\u{201e}MOVE 3\u{201c}",
            "\u{ab} MOVE 3 \u{bb}",
            "\u{bb} MOVE 3",
            "\u{203a} MOVE 3",
            "\"MOVE 3.\"",
            "- \"MOVE 3\"",
            "\"1. MOVE 3\"",
        ] {
            assert_eq!(read(line), "MOVE 3", "{line}");
            assert!(may_read_as(line, "MOVE 3"), "{line}");
        }
        for line in [
            "\"Attack is the best defence\"",
            "\"MOVE\" is what he said",
            "\"MOVE 3\" and \"MOVE 4\"",
            "\"",
            "\"\"",
        ] {
            assert_eq!(read(line), line);
        }
    }

    #[test]
    fn a_line_may_stand_in_a_block_with_its_number_or_without() {
        for read in ["1. МОVЕ 3", "1. MOVE 3", "MOVE 3"] {
            assert!(may_read_as("1. МОVЕ 3 ", read), "{read}");
        }
        assert!(!may_read_as("1. MOVE 3", "MOVE 4") && !may_read_as("MOVE 3", "1. MOVE 3"));
    }

    #[expect(clippy::too_many_lines, reason = "a table")]
    #[test]
    fn numbers_and_signs_of_lists_go_where_an_order_follows() {
        for line in [
            "1. MOVE 3",
            "12) MOVE 3",
            "(2) MOVE 3",
            "3.) MOVE 3",
            "4: MOVE 3",
            "[5] MOVE 3",
            "6.MOVE 3",
            "a) MOVE 3",
            "- MOVE 3",
            "* 1. MOVE 3",
            "  7.  MOVE 3",
            "- - MOVE 3",
            "-> MOVE 3",
            "+ MOVE 3",
            "*MOVE 3",
            "o  MOVE 3",
            "à MOVE 3",
            "✅ MOVE 3",
            "`MOVE 3`",
            "*MOVE 3*",
            "*MOVE* 3",
            "MOVE *3*",
            "__MOVE__ _3_",
            "1. *MOVE 3*",
            "- **MOVE 3**",
            "* *MOVE* 3",
            "**1. MOVE 3**",
            "1\u{20e3} MOVE 3",
            "① MOVE 3",
            "⑿MOVE 3",
            "⒈ MOVE 3",
            "❷) MOVE 3",
            "No. 4: MOVE 3",
            "No 4) MOVE 3",
            "no.4. MOVE 3",
            "Nr. 4: MOVE 3",
            "№ 4: MOVE 3",
            "4) MOVE 3",
            "- No. 4: MOVE 3",
            "© MOVE 3",
            "® MOVE 3",
            "™ MOVE 3",
            "(c) MOVE 3",
            "[ ] MOVE 3",
            "[x] MOVE 3",
            "- [X] MOVE 3",
            "I. MOVE 3",
            "II. MOVE 3",
            "(iv) MOVE 3",
            "XII) MOVE 3",
            "1.1 MOVE 3",
            "2.10.3) MOVE 3",
        ] {
            assert_eq!(read(line), "MOVE 3", "{line}");
        }
        assert_eq!(read("2. MVOE 3"), "MVOE 3");
        assert_eq!(read("1. МОVЕ 3"), "MOVE 3");
        for line in [
            "  MOVE 3",
            "12 TO Ulm",
            "12. Dear Carl,",
            "1805. MOVE 3",
            "a. MOVE 3",
            "I MOVE 3",
            "❌ MOVE 3",
            "No. 4 MOVE 3",
            "No. MOVE 3",
            "i. MOVE 3",
            "Vi MOVE 3",
            "[y] MOVE 3",
            "1805.12345 MOVE 3",
            "Nothing: MOVE 3",
            "(MOVE 3)",
            "~~MOVE 3~~",
            "| MOVE 3",
            "MOVE 3*",
            "MOVE* 3*",
            "MOVE 3 * 4 * 5",
            "MOVE x_3_4 # *a*",
            "1 MOVE 3",
            "- ",
            "(",
            "1.",
            "",
        ] {
            assert_eq!(read(line), line);
        }
    }
}
