//! What the texts in the log say that have a form of their own (dice.md, "What this host writes into the free fields").

use crate::entry::LogEntry;
use crate::hash::Digest;
use crate::ids::Seat;
use crate::label::Label;
use crate::natural::natural;
use crate::signature::{HostKey, STATED};
use crate::told::{TOLD, ToldNote};
use crate::words::Word;

/// How many letters a digest has.
const DIGEST: usize = 64;

/// What the text of a `note` or `gm` entry says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note<'a> {
    /// The game is over, with these results.
    Ended(&'a str),
    /// What the public beacon gave for an adjudication, by the host's word: it may be no value of a beacon.
    Beacon(u32, &'a str),
    /// Who plays a seat from here on.
    Seat(Seat, Holder),
    /// All adjudications up to this one are revealed, and this is its secret.
    Reveal(u32, Digest),
    /// The position was changed by hand: the commitment to the change.
    Amend(Digest),
    /// A line that a seat is told was changed by hand: the commitment to the change.
    Edit(Digest),
    /// A player consents to throw a roll again.
    Consent(Seat, Label),
    /// A mail of a seat's was refused while no `recv` could name an adjudication: SHA-256 of its text, and why.
    Refused(Seat, Digest, Word),
    /// What a seat was told; none where it can't be read.
    Told(Option<ToldNote>),
    /// The key that signs the log's heads; none where it can't be read.
    HostKey(Option<HostKey>),
}

/// Who plays a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// The computer.
    House,
    /// A person.
    Player,
    /// Nobody.
    Open,
}

impl LogEntry {
    /// What its text says, if it is of one of these forms.
    #[must_use]
    pub fn note(&self) -> Option<Note<'_>> {
        match self {
            Self::Gm { text, .. } => either(text.as_str()).or_else(|| by_hand(text.as_str())),
            Self::Note { text } => either(text.as_str()).or_else(|| noted(text.as_str())),
            _ => None,
        }
    }
}

/// What stands in notes and with the GM's deeds.
fn either(text: &str) -> Option<Note<'_>> {
    if let Some(rest) = text.strip_prefix("reveal ") {
        let (t, secret) = rest.split_once(' ')?;
        return Some(Note::Reveal(natural(t)?, secret.parse().ok()?));
    }
    let (seat, rest) = text.strip_prefix("seat ")?.split_once(' ')?;
    let holder = match rest.split([' ', ':']).next()? {
        "house" => Holder::House,
        "player" => Holder::Player,
        "open" => Holder::Open,
        _ => return None,
    };
    Some(Note::Seat(seat.parse().ok()?, holder))
}

/// `amend COMMIT REASON`, `edit COMMIT REASON`.
fn by_hand(text: &str) -> Option<Note<'_>> {
    let (deed, rest) = text.split_once(' ')?;
    let commit = rest.get(..DIGEST)?.parse().ok()?;
    match deed {
        "amend" => Some(Note::Amend(commit)),
        "edit" => Some(Note::Edit(commit)),
        _ => None,
    }
}

/// What stands in notes alone.
fn noted(text: &str) -> Option<Note<'_>> {
    if let Some(results) = text.strip_prefix("ended: ") {
        return Some(Note::Ended(results));
    }
    if let Some(key) = text.strip_prefix(STATED) {
        return Some(Note::HostKey(key.parse().ok()));
    }
    if text.starts_with(TOLD) {
        return Some(Note::Told(text.parse().ok()));
    }
    beacon(text).or_else(|| refused(text)).or_else(|| consent(text))
}

/// `beacon T VALUE`.
fn beacon(text: &str) -> Option<Note<'_>> {
    let (t, value) = text.strip_prefix("beacon ")?.split_once(' ')?;
    Some(Note::Beacon(natural(t)?, value))
}

/// `mail after the close: SLOT DIGEST refused REASON`, or at another such time.
fn refused(text: &str) -> Option<Note<'_>> {
    let (when, rest) = text.strip_prefix("mail ")?.split_once(": ")?;
    matches!(when, "after the close" | "after the end" | "between turns").then_some(())?;
    let (seat, rest) = rest.split_once(' ')?;
    let (digest, reason) = rest.split_once(" refused ")?;
    Some(Note::Refused(seat.parse().ok()?, digest.parse().ok()?, reason.parse().ok()?))
}

/// `SLOT consents to throw LABEL again`.
fn consent(text: &str) -> Option<Note<'_>> {
    let (seat, label) = text.strip_suffix(" again")?.split_once(" consents to throw ")?;
    Some(Note::Consent(seat.parse().ok()?, label.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::LogKind;

    fn is_note(text: &str) -> bool {
        LogEntry::read(LogKind::Note, text).unwrap().note().is_some()
    }

    #[test]
    fn an_adjudication_has_one_spelling_in_a_note() {
        let digest = "ab".repeat(32);
        for begins in ["beacon", "reveal"] {
            assert!(is_note(&format!("{begins} 2 {digest}")));
            for t in ["02", "+2", "0", "-2", "1000000000", "x"] {
                assert!(!is_note(&format!("{begins} {t} {digest}")), "{begins} {t}");
            }
        }
    }

    #[test]
    fn the_key_of_a_host_is_read_as_it_is_noted() {
        let read = |text: &str| match LogEntry::read(LogKind::Note, text).unwrap().note() {
            Some(Note::HostKey(key)) => key,
            other => panic!("{text}: {other:?}"),
        };
        let key = crate::Signer::new(&crate::Secret::new([1; 32])).key();
        assert_eq!(read(&key.as_note()), Some(key));
        assert_eq!(read(&format!("{STATED}x")), None, "it states a key, which can't be read");
    }

    #[test]
    fn what_is_nearly_a_note_is_none() {
        let digest = "ab".repeat(32);
        for text in [
            "seat blue housekeeper",
            "seat blue",
            "seat  house",
            "seat Blue house",
            "blue consents to throw 2/a/b/c/0",
            "blue consents to throw 2/a b/c/0 again",
            &format!("reveal 2 {}", &digest[1..]),
            &format!("reveal 2 {digest} "),
        ] {
            assert!(!is_note(text), "{text}");
        }
        let gm = |text: String| LogEntry::read(LogKind::Gm, &format!("2 {text}")).unwrap();
        for text in [format!("amend {}", &digest[1..]), format!("amend  {digest} the bridge stands")] {
            assert!(gm(text.clone()).note().is_none(), "{text}");
        }
    }

    #[test]
    fn a_seat_may_be_called_like_a_note() {
        for seat in ["seat", "reveal", "beacon", "mail"] {
            assert!(is_note(&format!("{seat} consents to throw 2/a/b/c/0 again")), "{seat}");
        }
    }

    #[test]
    fn what_the_gm_does_and_what_is_noted_are_told_apart() {
        let gm = |text: &str| LogEntry::read(LogKind::Gm, &format!("2 {text}")).unwrap();
        let amend = format!("amend {} the bridge stands", "ab".repeat(32));
        assert!(matches!(gm(&amend).note(), Some(Note::Amend(_))) && !is_note(&amend));
        assert!(gm("ended: red 1").note().is_none() && is_note("ended: red 1"));
        assert!(gm("seat red house: ill").note().is_some() && is_note("seat red house"));
    }
}
