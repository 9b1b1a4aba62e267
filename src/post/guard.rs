//! Bounds on what an IMAP server may send, checked before the protocol library sees it.
//!
//! The library buffers literals and lines without a limit, and its parser recurses on brackets: a broken or hostile server could use up all memory or
//! overflow the stack, which no `catch_unwind` contains. So the guard follows the bytes just closely enough to recognise lines, literals and
//! brackets.

use std::io;

/// The most opening brackets in one response. Closing brackets are not subtracted: they may stand in a quoted string, where the library does not see
/// them. The responses to our commands have three.
const MOST_BRACKETS: u32 = 64;
/// The most lines in answer to one command: for each line the library allocates more than the line's size.
const MOST_LINES: u32 = 100_000;
/// The most literals in one response. At each the library reads the response again from its start; the responses to our commands have one.
const MOST_LITERALS: u32 = 8;

/// Follows the framing of the server's bytes.
#[derive(Debug)]
pub(super) struct Guard {
    /// The largest literal to accept, in bytes.
    literal_limit: u64,
    /// The most bytes to accept in answer to one command.
    answer_limit: u64,
    answer: u64,
    lines: u32,
    place: Framing,
    line: Line,
}

/// The place of the next byte in the framing.
#[derive(Debug)]
enum Framing {
    Line,
    Literal { left: u64 },
}

/// The state of the current response line, which includes its literals.
#[derive(Debug, Default)]
struct Line {
    /// The first bytes. Of the responses that we ask for, only FETCH has literals.
    start: Vec<u8>,
    brackets: u32,
    literals: u32,
    quoted: bool,
    escaped: bool,
    brace: Brace,
}

/// How far the announcement of a literal has been read: `{123}` CR at the end of a line.
#[derive(Debug, Default, Clone, Copy)]
enum Brace {
    #[default]
    None,
    Open(u64),
    Closed(u64),
    Ended(u64),
}

impl Guard {
    pub(super) fn new(literal_limit: u64, answer_limit: u64) -> Self {
        Self { literal_limit, answer_limit, answer: 0, lines: 0, place: Framing::Line, line: Line::default() }
    }

    /// Must be called when a new command is sent: its answer may be as long as the last one's.
    pub(super) fn command_sent(&mut self) {
        self.answer = 0;
        self.lines = 0;
    }

    /// Checks bytes in the order received. Outside of literals, it changes bytes that the library's parser doesn't understand.
    pub(super) fn check(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.answer = self.answer.saturating_add(bytes.len() as u64);
        if self.answer > self.answer_limit {
            return Err(refuse(&format!("an answer of more than {} bytes", self.answer_limit)));
        }
        let mut rest = bytes;
        while let Some(&byte) = rest.first() {
            let passed = match &mut self.place {
                Framing::Literal { left: 0 } => {
                    self.place = Framing::Line;
                    0
                }
                Framing::Literal { left } => {
                    let skip = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    *left -= skip as u64;
                    skip
                }
                Framing::Line => {
                    rest[0] = self.line.understood(byte);
                    self.lines += u32::from(byte == b'\n');
                    if self.lines > MOST_LINES {
                        return Err(refuse(&format!("more than {MOST_LINES} lines in one answer")));
                    }
                    if let Some(left) = self.line.take(byte)? {
                        if left > self.literal_limit {
                            return Err(refuse(&format!("a literal of {left} bytes")));
                        }
                        self.place = Framing::Literal { left };
                    }
                    1
                }
            };
            rest = &mut rest[passed..];
        }
        Ok(())
    }
}

impl Line {
    /// The byte to pass to the library in place of this one. The library gives up a session over a warning in the middle of an answer, which is
    /// passed on as `* OK` or `* BYE` (`* NO` and `* BAD` came), and over text in another language (its bytes become `?`).
    fn understood(&self, byte: u8) -> u8 {
        match (self.start.as_slice(), byte) {
            (b"* ", b'N' | b'n') => b'O',
            (b"* N" | b"* n", b'O' | b'o') => b'K',
            (b"* B" | b"* b", b'A' | b'a') => b'Y',
            (b"* BA" | b"* Ba" | b"* bA" | b"* ba", b'D' | b'd') => b'E',
            (_, 0 | 128..) => b'?',
            _ => byte,
        }
    }

    /// Takes one byte. Returns the length of the literal that begins after it, if one does.
    fn take(&mut self, byte: u8) -> io::Result<Option<u64>> {
        if byte == b'\n' {
            let Brace::Ended(length) = self.brace else {
                *self = Self::default();
                return Ok(None);
            };
            // The library accepts literals in other responses too. If it saw a literal where this guard sees none, or the reverse, brackets could
            // escape the count.
            if self.quoted || !self.is_fetch() {
                return Err(refuse("a literal where none was asked for"));
            }
            self.brace = Brace::None;
            self.literals += 1;
            if self.literals > MOST_LITERALS {
                return Err(refuse(&format!("more than {MOST_LITERALS} literals in one response")));
            }
            return Ok(Some(length));
        }
        if self.start.len() < 32 {
            self.start.push(byte);
        }
        if byte == b'(' {
            self.brackets += 1;
            if self.brackets > MOST_BRACKETS {
                return Err(refuse(&format!("more than {MOST_BRACKETS} brackets in one response")));
            }
        }
        self.brace = match (byte, self.brace) {
            (b'{', _) => Brace::Open(0),
            (b'0'..=b'9', Brace::Open(n)) => {
                Brace::Open(n.saturating_mul(10).saturating_add(u64::from(byte - b'0')))
            }
            (b'}', Brace::Open(n)) => Brace::Closed(n),
            (b'\r', Brace::Closed(n)) => Brace::Ended(n),
            _ => Brace::None,
        };
        match (byte, self.quoted) {
            _ if self.escaped => self.escaped = false,
            (b'\\', true) => self.escaped = true,
            (b'"', quoted) => self.quoted = !quoted,
            _ => {}
        }
        Ok(None)
    }

    /// Whether this is `* <number> FETCH`, the only response for which we ask for literals.
    fn is_fetch(&self) -> bool {
        let mut words = self.start.split(|&b| b == b' ');
        words.next() == Some(b"*")
            && words.next().is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit))
            && words.next().is_some_and(|w| w.eq_ignore_ascii_case(b"FETCH"))
    }
}

fn refuse(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the server sends {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &[u8]) -> Result<(), String> {
        // Once byte by byte and once as a whole, since the network may cut it anywhere.
        let whole = Guard::new(100, 10_000).check(&mut text.to_vec()).map_err(|e| e.to_string());
        let mut guard = Guard::new(100, 10_000);
        let cut = text.iter().try_for_each(|b| guard.check(&mut [*b])).map_err(|e| e.to_string());
        assert_eq!(whole, cut);
        whole
    }

    #[test]
    fn brackets_in_a_literal_are_mail_and_brackets_in_a_line_are_counted() {
        let open = "(".repeat(100);
        let close = ")".repeat(100);
        assert_eq!(
            said(format!("* 1 FETCH (UID 1 BODY[] {{100}}\r\n{open})\r\n* OK\r\n").as_bytes()),
            Ok(())
        );
        assert!(said(format!("* 1 FETCH (BODYSTRUCTURE {open}{close})\r\n").as_bytes()).is_err());
        assert!(said(format!("* 1 FETCH (UID 1 BODY[] {{0}}\r\n {open})\r\n").as_bytes()).is_err());
    }

    #[test]
    fn text_that_looks_like_a_literal_hides_nothing() {
        let open = "(".repeat(100);
        assert!(said(format!("* OK hello {{100}}\r\n* 1 FETCH {open}\r\n").as_bytes()).is_err());
        assert!(said(format!("* 1 FETCH (X \"{{100}}\r\n{open}").as_bytes()).is_err());
        assert_eq!(said(b"* 1 FETCH (X \"a\\\"\" BODY[] {3}\r\n\"\"\")\r\n* OK\r\n"), Ok(()));
        // The guard doesn't wait for literals that only the library would see, whatever follows.
        for hidden in HIDDEN_LITERALS {
            let refused = said(format!("{hidden}\r\n").as_bytes());
            assert!(
                refused.as_ref().is_err_and(|why| why.contains("where none was asked for")),
                "{hidden}: {refused:?}"
            );
        }
        // Text that the library takes for no literal hides nothing of the next line.
        for text in
            ["* 1 FETCH (X {50}", "* 1 FETCH (X {50 }\r", "* OK {50} ready\r", "* 1 FETCH (X {50}\r\r"]
        {
            assert!(said(format!("{text}\n* 1 FETCH {open}\r\n").as_bytes()).is_err(), "{text}");
        }
        assert_eq!(said(b"* OK {50} ready\r\n* BYE {}\r"), Ok(()));
    }

    /// Literals in responses for which we ask for none.
    const HIDDEN_LITERALS: [&str; 8] = [
        "* LIST () \"/\" {29}",
        "* STATUS {29}",
        "* METADATA \"INBOX\" (/shared/comment {29}",
        "* OK [BADCHARSET ({29}",
        "a6 OK [BADCHARSET ({29}",
        "* 00000000000000000000000000000001 FETCH (UID 1 BODY[] {29}",
        "*  FETCH (BODY[] {29}",
        "* LIST () \" {29}",
    ];

    #[test]
    fn brackets_that_close_in_a_quoted_string_close_nothing() {
        let deep = "(\"message\" \"rfc822\" (\")))\" \"\") ".repeat(40);
        let refused = said(format!("* 1 FETCH (BODYSTRUCTURE {deep}\r\n").as_bytes());
        assert!(refused.is_err_and(|why| why.contains("brackets")));
        let flags = "* 1 FETCH (UID 1 FLAGS (\\Seen custom))\r\n".repeat(100);
        assert_eq!(said(flags.as_bytes()), Ok(()), "each response is counted for itself");
    }

    #[test]
    fn many_literals_in_one_response_and_many_lines_are_refused() {
        let parts = |n| format!("* 1 FETCH (UID 1{})\r\n", " BODY[1] {1}\r\nx".repeat(n));
        assert_eq!(said(parts(8).as_bytes()), Ok(()));
        assert!(said(parts(9).as_bytes()).is_err());
        assert_eq!(said(parts(8).repeat(3).as_bytes()), Ok(()));
        let mut guard = Guard::new(100, u64::MAX);
        assert!(guard.check(&mut b"* 1 EXISTS\r\n".repeat(100_000)).is_ok());
        assert!(guard.check(&mut b"* 1 EXISTS\r\n".to_vec()).is_err());
        guard.command_sent();
        assert!(guard.check(&mut b"* 1 EXISTS\r\n".to_vec()).is_ok());
    }

    #[test]
    fn a_warning_is_no_end() {
        let mut said = b"* NO full\r\n* bad what?\r\na1 NO NO\r\na2 BAD\r\n* OK NO BAD\r\n".to_vec();
        Guard::new(100, 10_000).check(&mut said).unwrap();
        assert_eq!(
            str::from_utf8(&said),
            Ok("* OK full\r\n* bYE what?\r\na1 NO NO\r\na2 BAD\r\n* OK NO BAD\r\n")
        );
    }

    #[test]
    fn a_line_in_another_character_set_is_read_and_mail_is_left_as_it_is() {
        let mut said = b"* OK Gr\xfc\xdfe\0\r\n* 1 FETCH (UID 1 BODY[] {3}\r\n\xfc\0\xff)\r\n".to_vec();
        Guard::new(100, 10_000).check(&mut said).unwrap();
        assert_eq!(said, b"* OK Gr??e?\r\n* 1 FETCH (UID 1 BODY[] {3}\r\n\xfc\0\xff)\r\n");
    }

    #[test]
    fn an_absurd_literal_is_refused_when_announced_and_an_endless_answer_when_too_long() {
        assert!(said(b"* 1 FETCH (BODY[] {101}\r\n").is_err());
        assert!(said(b"* 1 FETCH (BODY[] {99999999999999999999999999}\r\n").is_err());
        let mut guard = Guard::new(100, 10_000);
        assert!(guard.check(&mut [b'x'; 10_000]).is_ok() && guard.check(&mut [b'x']).is_err());
        guard.command_sent();
        assert!(guard.check(&mut [b'x'; 10_000]).is_ok());
    }
}
