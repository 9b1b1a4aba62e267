//! The mark in the header of each mail that the host writes. It survives if a server on the way gives the mail another Message-ID.

use super::outbound::{Kind, OWN_HEADER};
use musterd_dice::{GameId, Seat};
use musterd_letter::head_field;

/// The contents of the mark. Anybody can write one: it explains a mail, but proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The purpose of the mail.
    pub kind: Kind,
    /// The game of the mail and the seat that it went to, if it was for one.
    pub about: Option<(GameId, Seat)>,
}

impl Mark {
    /// Reads the mark of a mail, whatever its bytes; `None` if there is none.
    pub fn of(raw: &[u8]) -> Option<Self> {
        let line = head_field(raw, OWN_HEADER)?;
        let mut words = line.split_whitespace();
        let kind = Kind::named(words.next()?)?;
        let about = words.next().zip(words.next());
        Some(Self { kind, about: about.and_then(|(game, seat)| game.parse().ok().zip(seat.parse().ok())) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_kind_game_and_seat() {
        let marked = |mark: &str| {
            Mark::of(format!("From: a@b.example\r\n{mark}\r\n\r\nX-Musterd: press\r\n").as_bytes())
        };
        let about = Some(("alpha".parse().unwrap(), "red".parse().unwrap()));
        assert_eq!(marked("X-Musterd: dispatch alpha\r\n red"), Some(Mark { kind: Kind::Dispatch, about }));
        assert_eq!(marked("X-Musterd: notice alpha"), Some(Mark { kind: Kind::Notice, about: None }));
        assert_eq!(marked("X-Musterd: gossip alpha red"), None);
        assert_eq!(marked("X-Musterd-Player: alpha red"), None);
    }
}
