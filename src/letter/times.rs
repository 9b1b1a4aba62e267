//! The time when a mail was written, and the time when it reached its reader.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{DateTime, HeaderName, MessageParser};

use super::headers::{HEAD_BYTES, unfolded};

/// The times in the header of a mail, in Unix seconds; `None` if there is none that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// The `Date`, as its writer stated it.
    pub written: Option<i64>,
    /// The topmost `Received`, which the reader's own server wrote, the last on the way. Anybody can forge the lines below it. A program that fetches
    /// mail from that server may have put its own line above it; that line says when the mail was fetched and doesn't count.
    pub received: Option<i64>,
}

/// Reads the times of a mail, whatever its bytes.
#[must_use]
pub fn times(raw: &[u8]) -> Times {
    let head = &raw[..raw.len().min(HEAD_BYTES)];
    // The parser is well tested but not ours: a panic in it loses the times of one mail.
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse_headers(head)?;
        let received = mail.headers().iter().filter(|header| header.name == HeaderName::Received);
        let mut received = received.map(|header| unfolded(head, header));
        let topmost = received.find(|line| !is_of_fetcher(line));
        let received = topmost.and_then(|line| DateTime::parse_rfc822(line.rsplit_once(';')?.1.trim()));
        let seconds = |time: &DateTime| time.is_valid().then(|| time.to_timestamp());
        Some(Times { written: mail.date().and_then(seconds), received: received.as_ref().and_then(seconds) })
    }))
    .ok()
    .flatten()
    .unwrap_or_default()
}

/// Whether a `Received` line was written by a program that fetched the mail from its reader's mailbox: after its own name it names the protocol. The
/// words before its name, and the recipient, can be anybody's choice.
fn is_of_fetcher(line: &str) -> bool {
    let line = without_comments(line).to_ascii_lowercase();
    let mut words = line.split_whitespace().peekable();
    // The name that the sender gave itself may be any word.
    if words.next_if_eq(&"from").is_some() {
        words.next();
    }
    let protocol = words.skip_while(|word| *word != "by").skip(2).skip_while(|word| *word != "with").nth(1);
    protocol.is_some_and(|protocol| protocol.starts_with("pop3") || protocol.starts_with("imap"))
}

/// A header's text without comments in brackets, which may be nested.
fn without_comments(line: &str) -> String {
    let mut depth = 0_usize;
    let is_outside = |letter: &char| {
        let before = depth;
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before == 0 && depth == 0
    };
    line.chars().filter(is_outside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topmost_received_line_counts_and_no_other() {
        let below = "Received: from relay by mx; Fri, 15 Jan 2027 07:00:00 +0000\nDate: Fri, 15 Jan 2027 08:00:00 +0000\n\nHello\n";
        let written = Some(1_800_000_000);
        for (top, received) in [
            (
                "Received: from a by b\n\twith ESMTP id 7; Fri, 15 Jan 2027 10:00:00 +0100 (CET)\n",
                Some(1_800_003_600),
            ),
            (
                "Received: from pop.a by b with POP3 (fetchmail-6.4.39)\n\tfor <me@b>; Fri, 15 Jan 2027 12:00:00 +0000\nReceived: from a by b; Fri, 15 Jan 2027 09:00:00 +0000\n",
                Some(1_800_003_600),
            ),
            (
                "Received: from mx by b with IMAP4-SSL via getmail; Fri, 15 Jan 2027 12:00:00 +0000\n",
                Some(1_799_996_400),
            ),
            // The rule holds for any name of the sender and of the reader.
            (
                "Received: from getmail.a (with pop3 [192.0.2.1]) by mx.b with ESMTP id 7; Fri, 15 Jan 2027 09:00:00 +0000\n",
                Some(1_800_003_600),
            ),
            (
                "Received: from by (by with imap (fetchmail-6)) by mx.b (Postfix) with ESMTPS id 7\n\tfor <jim+getmail@b>; Fri, 15 Jan 2027 09:00:00 +0000\n",
                Some(1_800_003_600),
            ),
            (
                "Received: from a by imap.b with LMTP for <with pop3>; Fri, 15 Jan 2027 09:00:00 +0000\n",
                Some(1_800_003_600),
            ),
            ("Received: by b with POP3; Fri, 15 Jan 2027 12:00:00 +0000\n", Some(1_799_996_400)),
            // Below a server's own line no line is skipped.
            (
                "Received: from a by b; Fri, 15 Jan 2027 09:00:00 +0000\nReceived: from x by y with POP3; Fri, 15 Jan 2027 06:00:00 +0000\n",
                Some(1_800_003_600),
            ),
            ("Received: from a by b; yesterday\n", None),
            ("Received: from a by b\n", None),
            ("", Some(1_799_996_400)),
        ] {
            assert_eq!(times(format!("{top}{below}").as_bytes()), Times { written, received }, "{top}");
        }
        assert_eq!(times(b"Subject: none\n\n"), Times::default());
        assert_eq!(times(b"\xff\x00"), Times::default());
    }
}
