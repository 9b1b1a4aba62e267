//! Reads mails with [`musterd_letter`] and the host's own marks.

use super::own::Own;
use musterd_letter::{Letter, Limits, Proof, Unreadable, VoicedLine};

/// Reads a mail; see [`musterd_letter::open`].
pub fn open(raw: &[u8], limits: &Limits) -> Letter {
    musterd_letter::open(raw, limits, &Own)
}

/// Reads the beginning of a mail that is too large; see [`musterd_letter::open_beginning`].
pub fn open_beginning(raw: &[u8], bytes: u64, limits: &Limits) -> Letter {
    musterd_letter::open_beginning(raw, bytes, limits, &Own)
}

/// Reads the headers of a mail; see [`musterd_letter::open_head`].
pub fn open_head(raw: &[u8], why: Unreadable) -> Letter {
    musterd_letter::open_head(raw, why, &Own)
}

/// The sender's own words in a text; see [`musterd_letter::own_words`].
pub fn own_words(text: &str) -> String {
    musterd_letter::own_words(text, &Own)
}

/// The author of each line of a text; see [`musterd_letter::tell_voices`].
pub(super) fn tell_voices(text: &str) -> Vec<VoicedLine<'_>> {
    musterd_letter::tell_voices(text, &Own)
}

/// The secret of the seat in a mail of the host's own; a report that returns the mail has to show it.
pub fn proof_in(raw: &[u8]) -> Option<Proof> {
    musterd_letter::proof_in(raw, &Own)
}

/// Why a mail can't be read, for its sender.
pub fn why_unread(unreadable: &Unreadable) -> String {
    match unreadable {
        Unreadable::TooLarge { bytes, limit } => format!(
            "This mail has {bytes} bytes; at most {limit} are read. Send the orders as plain text, without pictures."
        ),
        Unreadable::Encrypted => "This mail is encrypted, or packed by S/MIME in a way that the host can't open; it has no key. Send the \
                                  orders as plain text, with encryption switched off."
            .to_owned(),
        Unreadable::Empty => "This mail holds no text, and its subject is not read. Write the orders into the mail itself, or attach \
                              them as orders.txt."
            .to_owned(),
        Unreadable::Damaged => {
            "This mail is damaged and can't be read. Send the orders again as plain text.".to_owned()
        }
    }
}
