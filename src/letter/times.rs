//! When a mail was written, and when it reached its reader.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{DateTime, HeaderName, MessageParser};

use super::inbound::{HEAD_BYTES, unfolded};

/// The times that stand at the head of a mail, in Unix seconds; none where there is none that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// The `Date`: its writer's own word.
    pub written: Option<i64>,
    /// The topmost `Received`, which the last server on its way wrote, the reader's own: those below it anybody can make up.
    pub received: Option<i64>,
}

/// Reads the times of a mail, whatever its bytes.
#[must_use]
pub fn times(raw: &[u8]) -> Times {
    let head = &raw[..raw.len().min(HEAD_BYTES)];
    // The parser is well tested but not ours: a panic in it costs the times of one mail.
    catch_unwind(AssertUnwindSafe(|| {
        let mail = MessageParser::default().parse_headers(head)?;
        let topmost = mail.headers().iter().find(|header| header.name == HeaderName::Received);
        let received = topmost.and_then(|header| {
            let line = unfolded(head, header);
            DateTime::parse_rfc822(line.rsplit_once(';')?.1.trim())
        });
        let seconds = |time: &DateTime| time.is_valid().then(|| time.to_timestamp());
        Some(Times { written: mail.date().and_then(seconds), received: received.as_ref().and_then(seconds) })
    }))
    .ok()
    .flatten()
    .unwrap_or_default()
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
