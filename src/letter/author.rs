//! The address that a mail is from, if its `From` is unambiguous. A lax parser may find another address than the server that vouches for the mail. So
//! the line is read here from its bytes, by the standard (RFC 5322, 3.4), and a line that can be read in two ways has no author. Only odd spellings
//! that can mean one address alone are accepted: a name with a comma or an `@` in it.

use mail_parser::{HeaderName, Message};

/// The longest address that counts, in bytes.
const LONGEST: usize = 320;
/// The characters that may stand before the `@` besides letters and digits (RFC 5322, 3.2.3), and the dot.
const ATEXT: &[u8] = b"!#$%&'*+-/=?^_`{|}~.";

/// The contents of a mail's `From`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct From {
    /// The one address that the mail is from, in lower case; `None` if there is any doubt.
    pub(super) author: Option<String>,
    /// The line as it stands, for a person who looks into the mail.
    pub(super) text: String,
}

impl From {
    /// Reads all `From` lines of a mail.
    pub(super) fn of(mail: &Message<'_>, raw: &[u8]) -> Self {
        let lines: Vec<(&HeaderName<'_>, &[u8])> = mail
            .headers()
            .iter()
            .filter(|header| looks_like_from(&header.name))
            .map(|header| {
                let line = raw.get(header.offset_start as usize..header.offset_end as usize);
                (&header.name, line.unwrap_or_default())
            })
            .collect();
        let author = match lines.as_slice() {
            [(HeaderName::From, line)] => read(line),
            _ => None,
        };
        let text = lines.iter().map(|(_, line)| String::from_utf8_lossy(line)).collect::<Vec<_>>().join(", ");
        Self { author, text: text.split_whitespace().collect::<Vec<_>>().join(" ") }
    }
}

/// Whether a program may take a field of this name for `From`: some programs ignore blanks and control characters in a name.
fn looks_like_from(name: &HeaderName<'_>) -> bool {
    let mut letters = name.as_str().chars().filter(char::is_ascii_graphic).map(|c| c.to_ascii_lowercase());
    *name == HeaderName::From || "from".chars().all(|c| letters.next() == Some(c)) && letters.next().is_none()
}

/// A piece of the line; comments and blanks are left out.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    /// Characters without a meaning of their own; an encoded word is one such piece.
    Word(Vec<u8>),
    Quoted(Vec<u8>),
    /// One of the characters `<>@,`.
    Sign(u8),
}

impl Piece {
    /// The text of the piece; empty for a sign.
    fn text(&self) -> &[u8] {
        match self {
            Self::Word(text) | Self::Quoted(text) => text,
            Self::Sign(_) => b"",
        }
    }
}

/// The one address of a `From` line; `None` if there is no address, more than one, or any doubt.
fn read(line: &[u8]) -> Option<String> {
    let pieces = pieces(&unfolded(line)?)?;
    let mut found = None;
    let parts = pieces.split(|piece| *piece == Piece::Sign(b','));
    let has_several = parts.filter(|part| !part.is_empty()).nth(1).is_some();
    for one in pieces.split(|piece| *piece == Piece::Sign(b',')) {
        // A name may contain a comma that nobody quoted; an address without `<>` has no name.
        if has_several && !one.contains(&Piece::Sign(b'<')) && one.contains(&Piece::Sign(b'@')) {
            return None;
        }
        if one.iter().all(|piece| !matches!(piece, Piece::Sign(_))) {
            continue;
        }
        if found.is_some() {
            return None;
        }
        found = Some(mailbox(one)?);
    }
    found
}

/// The line unfolded; `None` if it contains a control character that is not part of a fold.
fn unfolded(line: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(line.len());
    for part in line.trim_ascii().split(|byte| *byte == b'\n') {
        text.extend_from_slice(part.strip_suffix(b"\r").unwrap_or(part));
    }
    text.iter().all(|byte| *byte == b'\t' || !byte.is_ascii_control()).then_some(text)
}

/// A line's pieces; `None` if a comment or a quotation has no end, or a sign belongs to a group or a route.
fn pieces(line: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let [byte, behind @ ..] = rest {
        rest = match byte {
            b' ' | b'\t' => behind,
            b'(' => behind_comment(behind)?,
            b'"' => {
                let (quoted, behind) = quotation(behind)?;
                pieces.push(Piece::Quoted(quoted));
                behind
            }
            b'<' | b'>' | b'@' | b',' => {
                pieces.push(Piece::Sign(*byte));
                behind
            }
            b')' | b':' | b';' | b'\\' => return None,
            _ => {
                let length = encoded_word(rest).unwrap_or_else(|| {
                    rest.iter().take_while(|byte| !b" \t()\"<>@,:;\\".contains(byte)).count()
                });
                let (word, behind) = rest.split_at(length);
                pieces.push(Piece::Word(word.to_vec()));
                behind
            }
        };
    }
    Some(pieces)
}

/// The text after a comment; comments nest.
fn behind_comment(mut rest: &[u8]) -> Option<&[u8]> {
    let mut depth = 1_usize;
    while depth > 0 {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        match byte {
            b'\\' => rest = rest.split_first()?.1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    Some(rest)
}

fn quotation(mut rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut text = Vec::new();
    loop {
        let (byte, behind) = rest.split_first()?;
        rest = behind;
        match byte {
            b'"' => return Some((text, rest)),
            b'\\' => {
                let (escaped, behind) = rest.split_first()?;
                text.push(*escaped);
                rest = behind;
            }
            byte => text.push(*byte),
        }
    }
}

/// The length of the encoded word (RFC 2047) that begins here. Sloppy programs leave signs in encoded words; such a sign is part of a name.
fn encoded_word(text: &[u8]) -> Option<usize> {
    let ends_part = |byte: &u8| matches!(byte, b'?' | b' ' | b'\t' | b'<' | b'>');
    let part = |from: usize| {
        let length = text.get(from..)?.iter().position(ends_part)?;
        (text.get(from + length) == Some(&b'?')).then_some(from + length + 1)
    };
    let end = text.starts_with(b"=?").then_some(2).and_then(part).and_then(part).and_then(part)?;
    (text.get(end) == Some(&b'=')).then_some(end + 1)
}

/// The address of one mailbox: `name <address>`, or the address alone.
fn mailbox(pieces: &[Piece]) -> Option<String> {
    let Some(open) = pieces.iter().position(|piece| *piece == Piece::Sign(b'<')) else {
        return address(pieces);
    };
    let (name, rest) = pieces.split_at(open);
    let [Piece::Sign(b'<'), inner @ .., Piece::Sign(b'>')] = rest else { return None };
    let address = address(inner)?;
    // A name that looks like an address has to be the same address.
    let looks_so = |at: usize| {
        let local = at.checked_sub(1).and_then(|before| name.get(before)).map_or(&b""[..], Piece::text);
        let domain = name.get(at + 1).map_or(&b""[..], Piece::text);
        let shown = [local, b"@", domain].concat();
        let shown = shown.strip_prefix(b"'").unwrap_or(&shown);
        let shown = shown.strip_suffix(b"'").unwrap_or(shown);
        domain.contains(&b'.') && !shown.eq_ignore_ascii_case(address.as_bytes())
    };
    let mut signs = (0..name.len()).filter(|at| name.get(*at) == Some(&Piece::Sign(b'@')));
    let is_name = !name.contains(&Piece::Sign(b'>')) && !signs.any(looks_so);
    is_name.then_some(address)
}

/// An address in lower case; `None` if it is not ASCII, because mail can't be sent there.
fn address(pieces: &[Piece]) -> Option<String> {
    let [local, Piece::Sign(b'@'), Piece::Word(domain)] = pieces else { return None };
    let (Piece::Word(local_bytes) | Piece::Quoted(local_bytes)) = local else { return None };
    let is_local = |byte: &u8| byte.is_ascii_alphanumeric() || ATEXT.contains(byte);
    let is_label = |label: &[u8]| {
        !label.is_empty() && label.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
    };
    let is_address = !local_bytes.is_empty()
        && local_bytes.iter().all(is_local)
        && encoded_word(local_bytes).is_none()
        && domain.split(|byte| *byte == b'.').all(is_label)
        && local_bytes.len() + domain.len() < LONGEST;
    if !is_address {
        return None;
    }
    let (local, domain) = (String::from_utf8_lossy(local_bytes), String::from_utf8_lossy(domain));
    // Quotes are kept only if the dots would be wrong without them, as in the addresses of some carriers.
    let needs_quotes = local.split('.').any(str::is_empty);
    let address = if needs_quotes { format!("\"{local}\"@{domain}") } else { format!("{local}@{domain}") };
    Some(address.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn quotes_count_only_where_dots_need_them() {
        for (line, author) in [
            ("\"john.\"@carrier.example", Some("\"john.\"@carrier.example")),
            ("john.@carrier.example", Some("\"john.\"@carrier.example")),
            ("\"a..B\"@Carrier.example", Some("\"a..b\"@carrier.example")),
            ("\"john\"@carrier.example", Some("john@carrier.example")),
            ("\"john doe\"@carrier.example", None),
            ("\"john\\\"\"@carrier.example", None),
            ("\"\"@carrier.example", None),
            ("gm@localhost", Some("gm@localhost")),
            ("@carrier.example", None),
            ("john@", None),
            ("john@[192.0.2.1]", None),
            ("john@-", Some("john@-")),
        ] {
            assert_eq!(read(line.as_bytes()).as_deref(), author, "{line}");
        }
    }

    #[test]
    fn an_address_has_an_end() {
        let long = |length: usize| format!("{}@b.example", "a".repeat(length));
        assert_eq!(read(long(310).as_bytes()), Some(long(310)));
        assert_eq!(read(long(311).as_bytes()), None);
    }
}
