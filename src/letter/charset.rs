//! Text in no charset that its mail names.

use mail_parser::decoders::charsets::map::charset_decoder;

/// What bytes most likely say when their mail doesn't: UTF-16 by its byte order mark, else UTF-8, else windows-1252,
/// which every Western program meant when it wrote 8-bit text and said nothing.
pub(super) fn guess(bytes: &[u8]) -> String {
    let named = |name: &[u8]| charset_decoder(name).map(|decode| decode(bytes));
    let marked = match bytes {
        [0xff, 0xfe, ..] => named(b"utf-16le"),
        [0xfe, 0xff, ..] => named(b"utf-16be"),
        _ => None,
    };
    marked.unwrap_or_else(|| match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => named(b"windows-1252").unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::guess;

    #[test]
    fn undeclared_bytes_are_read_as_their_writer_meant_them() {
        assert_eq!(guess("M\u{fc}nchen".as_bytes()), "M\u{fc}nchen");
        assert_eq!(guess(b"M\xfcnchen \x96 Ulm"), "M\u{fc}nchen \u{2013} Ulm");
        assert_eq!(guess(b"\xff\xfeU\0l\0m\0").trim_start_matches('\u{feff}'), "Ulm");
    }
}
