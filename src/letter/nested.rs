//! How deep the parts of a mail are nested: a mail with more levels than any program makes is not parsed.

/// Mails within mails and multiparts: no forwarding makes more. Each is a level of recursion for the parser's data, and for
/// each multipart that never begins the parser looks through the rest of the mail.
pub(super) const MOST_NESTED: usize = 100;

/// How often the bytes seem to announce a mail within the mail, by type or by a `multipart/digest` of mails, or a multipart.
pub(super) fn count_nested(raw: &[u8]) -> usize {
    let announces = |at: &&[u8]| {
        // Cheap test first: this runs at every byte.
        matches!(at[0], b'e' | b'E' | b'/' | b'l' | b'L')
            && [&b"essage/"[..], b"/digest", b"ltipart"].iter().any(|word| at.eq_ignore_ascii_case(word))
    };
    raw.windows(7).filter(announces).count()
}
