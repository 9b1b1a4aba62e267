//! Files in the text of a mail, as before MIME, and still from a few programs: `begin 644 orders.txt`, lines of printable bytes, `end` (POSIX,
//! `uuencode`).

/// A file that stood in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Takes the files out of a text. Text that only looks like the beginning of a file stays.
pub(super) fn take_files(text: &str) -> (Vec<File>, String) {
    let mut files = Vec::new();
    if !text.contains("begin ") {
        return (files, text.to_owned());
    }
    let mut rest = String::with_capacity(text.len());
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        if let Some(name) = opening(lines[at])
            && let Some((bytes, length)) = content(&lines[at + 1..])
        {
            files.push(File { name: name.to_owned(), bytes });
            at += length + 1;
        } else {
            rest.push_str(lines[at]);
            rest.push('\n');
            at += 1;
        }
    }
    (files, rest)
}

/// The name of the file that a line begins: `begin`, the permissions as three or four octal digits, the name.
fn opening(line: &str) -> Option<&str> {
    let (rights, name) = line.strip_prefix("begin ")?.split_once(' ')?;
    let is_rights =
        (3..=4).contains(&rights.len()) && rights.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
    (is_rights && !name.trim().is_empty()).then_some(name.trim())
}

/// The contents of these lines up to an `end`, and the number of the lines with it; `None` if one of them can't belong to such a file. Each line is
/// examined for one beginning only, since no line of a file looks like one.
fn content(lines: &[&str]) -> Option<(Vec<u8>, usize)> {
    let mut bytes = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.trim_end() == "end" {
            return Some((bytes, index + 1));
        }
        decode(line, &mut bytes)?;
    }
    None
}

/// Decodes one line: a byte count, then four characters for each three bytes. Blanks at its end may have been lost on the way.
fn decode(line: &str, bytes: &mut Vec<u8>) -> Option<()> {
    let line = line.trim_end().as_bytes();
    let value = |byte: &u8| (b' '..=b'`').contains(byte).then(|| (byte - b' ') & 63);
    let Some((count, code)) = line.split_first() else { return Some(()) };
    let count = usize::from(value(count)?);
    let values: Vec<u8> = code.iter().map(value).collect::<Option<_>>()?;
    // Some programs add a check character at the end of each line.
    let whole = count.div_ceil(3) * 4;
    if values.len() > whole + 2 {
        return None;
    }
    let groups =
        (0..whole).step_by(4).map(|at| std::array::from_fn(|i| values.get(at + i).copied().unwrap_or(0)));
    let decoded = groups.flat_map(|[a, b, c, d]: [u8; 4]| [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
    bytes.extend(decoded.take(count));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_taken_out_of_the_text_around_them() {
        let text = "Hello.\nbegin 644 orders.txt\n/34]612 Q(%1/(#$R,#,*\n`\nend\nbye\n";
        let (files, rest) = take_files(text);
        assert_eq!(rest, "Hello.\nbye\n");
        assert_eq!(files, [File { name: "orders.txt".to_owned(), bytes: b"MOVE 1 TO 1203\n".to_vec() }]);
    }

    #[test]
    fn a_letter_that_begins_no_file_stays_whole() {
        for text in [
            "begin 644 orders.txt\nno code, since these are small letters\nend\n",
            "begin 644 orders.txt\n`\n",
            "begin the march\nend\n",
            "begin 1805 well\nend of it\n",
        ] {
            assert_eq!(take_files(text), (Vec::new(), text.to_owned()), "{text}");
        }
    }
}
