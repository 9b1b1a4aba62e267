//! Limits the nesting of a mail's parts: a mail with more levels than any program makes is not parsed.

/// The most nested mails and multiparts; no forwarding makes more. Each is a level of recursion in the parser's data, and for each multipart that
/// never begins the parser searches the rest of the mail.
pub(super) const MOST_NESTED: usize = 100;

/// How many nested mails or multiparts the bytes seem to announce, by type or by a `multipart/digest` of mails.
pub(super) fn count_nested(raw: &[u8]) -> usize {
    let announces = |at: &&[u8]| {
        // Cheap test first: this runs at every byte.
        matches!(at[0], b'e' | b'E' | b'/' | b'l' | b'L')
            && [&b"essage/"[..], b"/digest", b"ltipart"].iter().any(|word| at.eq_ignore_ascii_case(word))
    };
    raw.windows(7).filter(announces).count()
}
