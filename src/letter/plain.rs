//! Makes text from mail programs plain: one kind of line end, one kind of space, dash and quote.

/// Makes decoded text plain enough for a program to read.
///
/// Every kind of line end becomes LF; no-break and other odd spaces become spaces; zero-width and direction marks, soft hyphens, the byte order mark,
/// NUL and other control characters are removed; typographic quotes, dashes, dots, bullets, arrows, signs of comparison and decorative letters become
/// ASCII. A letter and its combining accent become one character. Letters with accents stay, because names have them.
#[must_use]
pub fn make_plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // Nearly all characters are of these, so they are tested first.
            ' '..='~' => plain.push(c),
            '\r' => {
                // CRLF, a lone CR, and the CR CR LF of mail that was converted twice are one line end each.
                while chars.next_if_eq(&'\r').is_some() {}
                chars.next_if_eq(&'\n');
                plain.push('\n');
            }
            '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => plain.push('\n'),
            '\t' => plain.push('\t'),
            '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                plain.push(' ');
            }
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' => {}
            '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{b4}' => plain.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => plain.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => plain.push('-'),
            '\u{2192}' | '\u{21d2}' | '\u{27a1}' | '\u{2794}' => plain.push_str("->"),
            '\u{2264}' => plain.push_str("<="),
            '\u{2265}' => plain.push_str(">="),
            '\u{d7}' => plain.push('x'),
            // The bullets of lists, including Word's own.
            '\u{b7}' | '\u{2022}' | '\u{2023}' | '\u{2043}' | '\u{25aa}' | '\u{25cf}' | '\u{25e6}'
            | '\u{f0b7}' => {
                plain.push('*');
            }
            '\u{2026}' => plain.push_str("..."),
            '\u{300}'..='\u{36f}' => {
                let letter = plain.pop();
                match letter.and_then(|letter| with_mark(letter, c)) {
                    Some(whole) => plain.push(whole),
                    None => plain.extend(letter.into_iter().chain([c])),
                }
            }
            c if let Some(letter) = dressed_up(c) => plain.push(letter),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    plain
}

/// A letter and the combining mark after it as one character, if European names use it.
fn with_mark(letter: char, mark: char) -> Option<char> {
    let (letters, whole) = match mark {
        '\u{300}' => ("AEIOUaeiou", "ÀÈÌÒÙàèìòù"),
        '\u{301}' => ("AEIOUYaeiouyCNSZcnsz", "ÁÉÍÓÚÝáéíóúýĆŃŚŹćńśź"),
        '\u{302}' => ("AEIOUaeiou", "ÂÊÎÔÛâêîôû"),
        '\u{303}' => ("ANOano", "ÃÑÕãñõ"),
        '\u{308}' => ("AEIOUaeiouy", "ÄËÏÖÜäëïöüÿ"),
        '\u{30a}' => ("AUau", "ÅŮåů"),
        '\u{30c}' => ("CDENRSTZcenrsz", "ČĎĚŇŘŠŤŽčěňřšž"),
        '\u{327}' => ("CScs", "ÇŞçş"),
        '\u{328}' => ("AEae", "ĄĘąę"),
        _ => return None,
    };
    whole.chars().nth(letters.find(letter)?)
}

/// The ASCII form of a decorative character: full-width, bold or cursive as in mathematics, in a circle or a box.
fn dressed_up(c: char) -> Option<char> {
    let nth = |first: u8, of: u32, count: u32| u8::try_from(of % count).ok().map(|n| char::from(first + n));
    match u32::from(c) {
        full @ 0xff01..=0xff5e => nth(b'!', full - 0xff01, 94),
        letter @ 0x1d400..=0x1d6a3 => {
            let of = (letter - 0x1d400) % 52;
            nth(if of < 26 { b'A' } else { b'a' }, of, 26)
        }
        digit @ 0x1d7ce..=0x1d7ff => nth(b'0', digit - 0x1d7ce, 10),
        circled @ 0x24b6..=0x24cf => nth(b'A', circled - 0x24b6, 26),
        circled @ 0x24d0..=0x24e9 => nth(b'a', circled - 0x24d0, 26),
        boxed @ (0x1f130..=0x1f149 | 0x1f150..=0x1f169 | 0x1f170..=0x1f189) => {
            nth(b'A', (boxed - 0x1f130) % 32, 26)
        }
        _ => None,
    }
}

/// The line without its quote marks (`>`, any number, spaces between) and the one space after them.
#[must_use]
pub fn strip_quote_marks(line: &str) -> &str {
    let mut rest = line;
    loop {
        match rest.trim_start_matches([' ', '\t']).strip_prefix('>') {
            Some(after) => rest = after,
            None if rest.len() == line.len() => return line,
            None => return rest.strip_prefix(' ').unwrap_or(rest),
        }
    }
}

/// Whether the line begins with a quote mark.
pub(super) fn is_quoted(line: &str) -> bool {
    line.trim_start_matches([' ', '\t']).starts_with('>')
}

/// Removes the PGP armour of mail that is signed in the text itself (RFC 4880, 7): the text between the header and the signature, with escaped dashes
/// restored. Other text is returned unchanged.
pub(super) fn without_pgp_armour(text: &str) -> String {
    const START: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
    const END: &str = "-----BEGIN PGP SIGNATURE-----";
    let mut lines = text.lines();
    if !text.contains(START) || !text.contains(END) {
        return text.to_owned();
    }
    let mut bare = String::with_capacity(text.len());
    let mut keep = |line: &str| {
        bare.push_str(line);
        bare.push('\n');
    };
    lines.by_ref().take_while(|line| line.trim_end() != START).for_each(&mut keep);
    lines.by_ref().take_while(|line| !line.trim().is_empty()).for_each(drop);
    lines
        .by_ref()
        .take_while(|line| line.trim_end() != END)
        .for_each(|line| keep(line.strip_prefix("- ").unwrap_or(line)));
    lines.by_ref().take_while(|line| line.trim_end() != "-----END PGP SIGNATURE-----").for_each(drop);
    lines.for_each(keep);
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_becomes_one_lf() {
        assert_eq!(make_plain("a\r\nb\rc\nd\r\r\ne\u{2028}f"), "a\nb\nc\nd\ne\nf");
        assert_eq!(make_plain("a\n\nb\r\n\r\nc"), "a\n\nb\n\nc");
    }

    #[test]
    fn typography_becomes_ascii_and_invisible_characters_go() {
        assert_eq!(
            make_plain("\u{feff}MOVE\u{a0}1\u{2013}3 TO \u{201c}Ulm\u{201d}\u{200b}\0"),
            "MOVE 1-3 TO \"Ulm\""
        );
        assert_eq!(
            make_plain("3 \u{2192} Ulm WHILE MORALE \u{2265} 2 \u{d7}3"),
            "3 -> Ulm WHILE MORALE >= 2 x3"
        );
        assert_eq!(make_plain("ＭＯＶＥ１～"), "MOVE1~");
        assert_eq!(make_plain("𝐌𝐎𝐕𝐄 𝗺𝒐𝓿𝕖 𝟏𝟗 ⓂⓄⓋⓔ 🄼🅞🆅🅴"), "MOVE move 19 MOVe MOVE");
        assert_eq!(make_plain("München"), "München");
        assert_eq!(
            make_plain("\u{301}Mu\u{308}nchen x\u{308} Ple\u{300}s\u{30c}"),
            "\u{301}München x\u{308} Plèš"
        );
        assert_eq!(make_plain("\u{2022}\u{a0}MOVE 1"), "* MOVE 1");
    }

    #[test]
    fn quote_marks_go_at_any_depth() {
        assert_eq!(strip_quote_marks("> > MOVE 1"), "MOVE 1");
        assert_eq!(strip_quote_marks(">>>MOVE 1"), "MOVE 1");
        assert_eq!(strip_quote_marks(" >  indented"), " indented");
        assert_eq!(strip_quote_marks("  MOVE 1 > 2"), "  MOVE 1 > 2");
    }

    #[test]
    fn a_signature_in_the_text_is_taken_off() {
        let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nMOVE 1\n- -- \nme\n\
                      -----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\nfooter";
        assert_eq!(without_pgp_armour(signed), "MOVE 1\n-- \nme\nfooter\n");
    }
}
