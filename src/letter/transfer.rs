//! Decodes transfer encodings that the parser gives up on: a wrong byte, a footer that a gateway added below, an odd spelling of the name; and
//! repairs line ends that a program got wrong.

use std::borrow::Cow;

use mail_parser::decoders::base64::base64_decode;

use super::uuencode;

/// Decodes the body of a part with the encoding `declared` again, if the parser left the body as it came or may have lost some of it. `None` if the
/// parser's result is to be used.
pub(super) fn mend(body: &[u8], declared: &str, decoded: bool) -> Option<Vec<u8>> {
    // Spellings such as `base-64` and `quoted_printable` occur.
    let declared: String =
        declared.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if declared.contains("base64") {
        (!decoded).then(|| base64_and_rest(body)).flatten()
    } else if declared.contains("quotedprintable") {
        (!decoded || has_stray_sign(body)).then(|| quoted_printable(body))
    } else if declared.contains("uue") {
        // `x-uuencode` and `x-uue` are in no standard.
        uuencode::take_files(&String::from_utf8_lossy(body)).0.into_iter().next().map(|file| file.bytes)
    } else {
        None
    }
}

/// The lines of base64 at the beginning decoded, with the lines below them as they are; `None` if there are no such lines, or they aren't text.
fn base64_and_rest(body: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let is_code = |line: &&[u8]| !line.trim_ascii().is_empty() && line.trim_ascii().iter().all(digit);
    let length: usize =
        body.split_inclusive(|byte| *byte == b'\n').take_while(is_code).map(<[u8]>::len).sum();
    let (code, rest) = body.split_at(length);
    let mut text = base64_decode(code)?;
    // A word of plain text may pass for base64; its decoded bytes then aren't text.
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace() || *byte == 0;
    if !text.iter().all(is_text) || !text.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    text.extend_from_slice(rest);
    Some(text)
}

/// Whether some equals sign stands for itself. A correct encoder leaves no such sign.
fn has_stray_sign(body: &[u8]) -> bool {
    signs(body).any(|behind| matches!(escape(behind), Escape::None))
}

/// The bytes after each equals sign.
fn signs(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    body.iter().enumerate().filter(|(_, byte)| **byte == b'=').map(|(at, _)| &body[at + 1..])
}

/// The meaning of an equals sign, judged by the bytes after it.
enum Escape {
    Byte(u8),
    /// The line continues after this number of bytes.
    SoftBreak(usize),
    None,
}

fn escape(behind: &[u8]) -> Escape {
    let hex = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if let [high, low, ..] = behind
        && let (Some(high), Some(low)) = (hex(high), hex(low))
    {
        return Escape::Byte(high << 4 | low);
    }
    // A gateway may have put spaces after it; many spaces are text.
    let blanks = behind.iter().take(80).take_while(|byte| b" \t\r".contains(byte)).count();
    match behind.get(blanks) {
        Some(b'\n') => Escape::SoftBreak(blanks + 1),
        None if blanks == behind.len() => Escape::SoftBreak(blanks),
        _ => Escape::None,
    }
}

/// Decodes quoted-printable; equals signs that stand for themselves stay.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    let mut rest = body;
    while let [byte, behind @ ..] = rest {
        let found = if *byte == b'=' { escape(behind) } else { Escape::None };
        let (given, gone) = match found {
            Escape::Byte(byte) => (Some(byte), 2),
            Escape::SoftBreak(length) => (None, length),
            Escape::None => (Some(*byte), 0),
        };
        text.extend(given);
        rest = &behind[gone..];
    }
    text
}

/// The mail without blank lines above its header, and with line feeds if all its line ends are bare CR.
pub(super) fn with_line_feeds(raw: &[u8]) -> Cow<'_, [u8]> {
    let blank = raw.iter().take_while(|byte| b"\r\n".contains(byte)).count();
    let raw = if is_header(&raw[blank..]) { &raw[blank..] } else { raw };
    if raw.contains(&b'\n') || !raw.contains(&b'\r') {
        return Cow::Borrowed(raw);
    }
    raw.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect::<Vec<_>>().into()
}

/// Whether these bytes begin with the name of a header field.
pub(super) fn is_header(bytes: &[u8]) -> bool {
    let name = bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    name > 0 && bytes.get(name) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::mend;

    fn mended(body: &str, declared: &str, decoded: bool) -> Option<String> {
        mend(body.as_bytes(), declared, decoded).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn base64_is_read_above_a_footer_and_under_an_odd_name() {
        let footer = "TU9WRSAxCg==\n\n_____\nlist footer\n";
        for name in ["BASE64;", "base-64", "Base 64"] {
            assert_eq!(
                mended(footer, name, false).as_deref(),
                Some("MOVE 1\n\n_____\nlist footer\n"),
                "{name}"
            );
        }
        assert_eq!(mended("READY\nMOVE 1\n", "base64", false), None);
        assert_eq!(mended("MOVE 1 TO ULM\n", "base64", false), None);
        assert_eq!(mended(footer, "8bit", false), None);
    }

    #[test]
    fn an_equals_sign_that_nobody_encoded_stands_for_itself() {
        let text = "WHILE MORALE >= 2 x=3C3=\n M=FCn=3d\n=  \nend=";
        let right = b"WHILE MORALE >= 2 x<3 M\xfcn=\nend".to_vec();
        assert_eq!(mend(text.as_bytes(), "quoted-printable", true), Some(right));
        assert_eq!(mended("a=3Db=\nc", "quoted-printable", true), None, "the parser's");
    }
}
