//! Decodes text whose charset the mail doesn't name, names wrongly, or names in a way that no program knows.

use mail_parser::decoders::charsets::map::charset_decoder;

/// Decodes bytes. `declared` is the charset that their mail names, if it names one.
///
/// UTF-16 and UTF-32 are recognised by their byte order mark, or by their zeros. Otherwise the declared charset is used if it fits the bytes; if it
/// doesn't, [`guess`] gives a better text than a row of question marks.
pub(super) fn decode(bytes: &[u8], declared: Option<&str>) -> String {
    if let Some(text) = decode_wide(bytes) {
        return text;
    }
    let declared = declared.filter(|name| !is_wide(name)).map(|name| name.trim_matches(['"', '\'', ' ']));
    let text = declared.and_then(|name| charset_decoder(name.as_bytes())).map(|decode| decode(bytes));
    text.filter(|text| !text.contains(char::REPLACEMENT_CHARACTER)).unwrap_or_else(|| guess(bytes))
}

/// Whether text that the parser decoded must be decoded again from its bytes: it has undecodable characters or the zeros of an undeclared UTF-16, or
/// claims to be UTF-16 of either kind.
pub(super) fn is_doubtful(decoded: &str, declared: Option<&str>) -> bool {
    decoded.contains([char::REPLACEMENT_CHARACTER, '\0']) || declared.is_some_and(is_wide)
}

/// The charset that an HTML page names in its head.
pub(super) fn named_in(page: &str) -> Option<&str> {
    let head = page.get(..1024).unwrap_or(page);
    let (_, rest) = head.split_once("charset=")?;
    rest.trim_start_matches(['"', '\'']).split(['"', '\'', ';', '>', ' ', '/']).next()
}

/// Whether it is the name of a charset with more than one byte for each letter.
fn is_wide(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["utf-16", "utf16", "utf-32", "utf32", "ucs-2", "ucs-4", "iso-10646", "unicode"]
        .iter()
        .any(|wide| name.contains(wide))
        && !name.contains("utf-7")
}

/// The text of UTF-16 or UTF-32; `None` if it is neither.
fn decode_wide(bytes: &[u8]) -> Option<String> {
    let named = |name: &[u8], bytes: &[u8]| charset_decoder(name).map(|decode| decode(bytes));
    match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => Some(decode_utf_32(rest, u32::from_le_bytes)),
        [0, 0, 0xfe, 0xff, rest @ ..] => Some(decode_utf_32(rest, u32::from_be_bytes)),
        [0xff, 0xfe, rest @ ..] => named(b"utf-16le", rest),
        [0xfe, 0xff, rest @ ..] => named(b"utf-16be", rest),
        _ => {
            // Orders are mostly ASCII: every other byte is zero, except in letters of other scripts.
            let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
            let (even, odd) = (zeros(0), zeros(1));
            let many = bytes.len() / 4;
            if odd > many && even * 8 < odd {
                named(b"utf-16le", bytes)
            } else if even > many && odd * 8 < even {
                named(b"utf-16be", bytes)
            } else {
                None
            }
        }
    }
}

fn decode_utf_32(bytes: &[u8], number: fn([u8; 4]) -> u32) -> String {
    let letters = bytes.as_chunks::<4>().0.iter();
    letters.map(|four| char::from_u32(number(*four)).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The most likely text if the charset is unknown: ISO-2022-JP by its escapes; otherwise UTF-8, and bytes that aren't UTF-8 as windows-1252, which
/// every Western program meant when it sent 8-bit text without a charset.
fn guess(bytes: &[u8]) -> String {
    let named = |name: &[u8], bytes: &[u8]| charset_decoder(name).map(|decode| decode(bytes));
    if bytes.is_ascii() && bytes.windows(2).any(|two| two == b"\x1b$") {
        let text = named(b"iso-2022-jp", bytes);
        if let Some(text) = text.filter(|text| !text.contains(char::REPLACEMENT_CHARACTER)) {
            return text;
        }
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let western = named(b"windows-1252", chunk.invalid());
        text.push_str(&western.unwrap_or_else(|| char::REPLACEMENT_CHARACTER.to_string()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{decode, is_doubtful};

    #[test]
    fn undeclared_bytes_are_read_as_their_writer_meant_them() {
        for (bytes, text) in [
            ("M\u{fc}nchen".as_bytes(), "M\u{fc}nchen"),
            (b"M\xfcnchen \x96 Ulm", "M\u{fc}nchen \u{2013} Ulm"),
            (b"cut \xc3\xbc and \xc3", "cut \u{fc} and \u{c3}"),
            (b"\xff\xfeU\0l\0m\0", "Ulm"),
            (b"\xfe\xff\0U\0l\0m", "Ulm"),
            (b"U\0l\0m\0", "Ulm"),
            (b"\0U\0l\0m", "Ulm"),
            (b"\xff\xfe\0\0U\0\0\0", "U"),
            (b"\x1b$B4A\x1b(B 3", "\u{6f22} 3"),
        ] {
            assert_eq!(decode(bytes, None), text);
        }
    }

    #[test]
    fn a_declared_charset_counts_where_it_fits() {
        assert_eq!(
            decode(b"\xcc\xee\xf1\xea\xe2\xe0", Some("windows-1251")),
            "\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}"
        );
        assert_eq!(decode(b"M\xfcnchen", Some("x-unknown")), "M\u{fc}nchen");
        assert_eq!(decode(b"M\xfcnchen", Some("utf-8")), "M\u{fc}nchen");
        assert_eq!(decode(b"MOVE 1", Some("iso-2022-kr")), "MOVE 1");
        // A gateway that converted the text left the old charset in the header.
        assert_eq!(decode(b"MOVE 1", Some("utf-16")), "MOVE 1");
        assert!(is_doubtful("\u{4d4f}\u{5645}", Some("UTF-16LE")) && is_doubtful("M\0", None));
        assert!(!is_doubtful("M\u{fc}nchen", Some("utf-8")));
    }
}
