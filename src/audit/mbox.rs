//! An mbox file taken apart into its mails, as a stream: however long the file, a line or a mail is, memory stays bounded.

use std::io::{self, BufRead};

/// The most of one mail that is kept, in bytes; the rest of a longer one is passed over.
pub(super) const LARGEST_MAIL: usize = 16 * 1024 * 1024;

/// The mails of an mbox file.
pub(super) struct Mbox<R> {
    reader: R,
    /// Whether the line that begins the next mail has been read.
    at_mail: bool,
    line: Vec<u8>,
}

impl<R: BufRead> Mbox<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, at_mail: false, line: Vec::new() }
    }

    /// The next mail, without the line that parts it from the one before; and how many bytes of the file it took.
    pub(super) fn next_mail(&mut self, mail: &mut Vec<u8>) -> io::Result<Option<u64>> {
        mail.clear();
        let mut taken = 0;
        // What stands before the first mail belongs to none.
        let mut inside = std::mem::take(&mut self.at_mail);
        let mut after_blank = true;
        loop {
            let length = self.read_line()?;
            if length == 0 {
                without_blank_end(mail);
                return Ok(inside.then_some(taken));
            }
            taken += length;
            if after_blank && is_postmark(&self.line) {
                if inside {
                    self.at_mail = true;
                    without_blank_end(mail);
                    return Ok(Some(taken));
                }
                inside = true;
                after_blank = false;
                continue;
            }
            after_blank = self.line.iter().all(|byte| b"\r\n".contains(byte));
            if inside && mail.len() < LARGEST_MAIL {
                mail.extend_from_slice(unquoted(&self.line));
                mail.truncate(LARGEST_MAIL);
            }
        }
    }

    /// Reads one line, of which no more is kept than of a mail; returns its whole length.
    fn read_line(&mut self) -> io::Result<u64> {
        self.line.clear();
        let mut length = 0;
        loop {
            let bytes = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if bytes.is_empty() {
                return Ok(length);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let part = &bytes[..end.unwrap_or(bytes.len())];
            let room = LARGEST_MAIL.saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let taken = part.len();
            length += taken as u64;
            self.reader.consume(taken);
            if end.is_some() {
                return Ok(length);
            }
        }
    }
}

/// Takes the blank line off that stands between a mail and the next postmark.
fn without_blank_end(mail: &mut Vec<u8>) {
    for blank in [&b"\n\r\n"[..], b"\n\n"] {
        if mail.ends_with(blank) {
            mail.truncate(mail.len() - blank.len() + 1);
            return;
        }
    }
}

/// Whether a line parts two mails: `From SENDER DATE`, with a time of day in it. A player's `From Ulm to Vienna` has none.
pub(super) fn is_postmark(line: &[u8]) -> bool {
    let is_time =
        |part: &[u8]| matches!(part, [a, b, b':', c, d] if [a, b, c, d].iter().all(|d| d.is_ascii_digit()));
    line.starts_with(b"From ") && line[5..line.len().min(300)].windows(5).any(is_time)
}

/// A line of a mail without the mark that keeps `From ` at its beginning from parting mails.
fn unquoted(line: &[u8]) -> &[u8] {
    let marks = line.iter().take_while(|byte| **byte == b'>').count();
    if marks > 0 && line[marks..].starts_with(b"From ") { &line[1..] } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mails(text: &str) -> Vec<String> {
        let (mut mbox, mut mail, mut all) = (Mbox::new(text.as_bytes()), Vec::new(), Vec::new());
        while mbox.next_mail(&mut mail).unwrap().is_some() {
            all.push(String::from_utf8(mail.clone()).unwrap());
        }
        all
    }

    #[test]
    fn mails_are_parted_where_a_postmark_follows_a_blank_line() {
        let text = "From a@b Sat Nov 21 12:00:00 2026\nSubject: one\n\nText\nFrom x Sat Nov 21 12:00:00 2026\n\
                    From Ulm to Vienna\n>From here\n\nFrom - Sat Nov 21 12:00:01 2026\r\nSubject: two\r\n\r\n";
        assert_eq!(
            mails(text),
            [
                "Subject: one\n\nText\nFrom x Sat Nov 21 12:00:00 2026\nFrom Ulm to Vienna\nFrom here\n",
                "Subject: two\r\n"
            ]
        );
        assert_eq!(mails(""), [""; 0]);
        assert_eq!(mails("no postmark\n"), [""; 0]);
    }

    #[test]
    fn a_mail_without_end_is_cut_and_the_next_one_found() {
        let text = format!(
            "From a Sat Nov 21 12:00:00 2026\n{}\n\nFrom b Sat Nov 21 12:00:00 2026\nSubject: two\n",
            "x".repeat(LARGEST_MAIL + 10)
        );
        let found = mails(&text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], "x".repeat(LARGEST_MAIL));
        assert_eq!(found[1], "Subject: two\n");
    }
}
