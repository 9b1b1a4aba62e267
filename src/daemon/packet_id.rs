//! What the id of a mail of ours says: `game/t/seat/kind/n` where it is about a seat, `game/gm/…` where the GM gets it, and behind
//! either `/again` for a copy to a further address.

use musterd_desk::GM;
use musterd_dice::{Digest, GameId, Seat};
use musterd_engine::journal::GmRole;

/// What stands behind the id of a copy to a further address.
const AGAIN: &str = "/again";

/// The id of a packet in the store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PacketId<'a>(pub(crate) &'a str);

impl<'a> PacketId<'a> {
    fn part(self, n: usize) -> Option<&'a str> {
        self.0.split('/').nth(n)
    }

    /// The game that the mail belongs to; none of a mail of the host's own.
    pub(crate) fn game(self) -> Option<GameId> {
        self.part(0)?.parse().ok()
    }

    /// Whether the GM gets it, as such.
    pub(crate) fn is_to_gm(self) -> bool {
        self.part(1) == Some(GM)
    }

    /// The id of a mail of this name to those of the GM's addresses that have this part.
    pub(crate) fn of_gm(game: &GameId, name: &str, role: GmRole) -> String {
        match role {
            GmRole::Owner => format!("{game}/{GM}/{name}"),
            role => format!("{game}/{GM}/{name}/{}", role.word()),
        }
    }

    /// The part in leading the game that those have who get a mail to the GM.
    pub(crate) fn gms_role(self) -> GmRole {
        let last = self.first().0.rsplit('/').next();
        GmRole::ALL.into_iter().find(|role| last == Some(role.word())).unwrap_or_default()
    }

    /// The turn that the mail is about.
    pub(crate) fn t(self) -> Option<u32> {
        self.part(1)?.parse().ok()
    }

    /// The seat that gets it.
    pub(crate) fn seat(self) -> Option<Seat> {
        self.part(2)?.parse().ok()
    }

    /// The word for what it is for: a [`musterd_desk::mail::Kind`]'s.
    pub(crate) fn kind(self) -> Option<&'a str> {
        self.part(3)
    }

    /// As [`Self::kind`], of a mail to the GM.
    pub(crate) fn gms_kind(self) -> Option<&'a str> {
        self.part(2)
    }

    /// The id of the mail itself, where this is a copy's.
    pub(crate) fn first(self) -> Self {
        let copy = self.0.rsplit_once(AGAIN);
        let first = copy.filter(|(_, nth)| nth.bytes().all(|byte| byte.is_ascii_digit()));
        Self(first.map_or(self.0, |(first, _)| first))
    }

    /// The id of the nth copy of a mail, each to another address; the 0th is the mail itself.
    pub(crate) fn copy(self, n: usize) -> String {
        match n {
            0 => self.0.to_owned(),
            1 => format!("{}{AGAIN}", self.0),
            n => format!("{}{AGAIN}{n}", self.0),
        }
    }
}

/// A number for a mail that arrived then: the same whenever it is looked at, and greater than those of earlier ones. Commands that
/// only ask leave no other mark in the journal.
pub(crate) fn number_of(mail: &str, arrived: i64) -> u64 {
    let digest = Digest::of(mail.as_bytes());
    let tail = digest.as_bytes().iter().take(4).fold(0, |number, byte| number << 8 | u64::from(*byte));
    u64::try_from(arrived).unwrap_or_default() << 32 | tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_says_whose_the_mail_is_and_what_for() {
        let id = PacketId("alpha/3/allied/dispatch/0");
        assert_eq!(id.game(), "alpha".parse().ok());
        assert_eq!((id.t(), id.seat(), id.kind()), (Some(3), "allied".parse().ok(), Some("dispatch")));
        assert!(!id.is_to_gm());
        let gms = PacketId("alpha/gm/12/0");
        assert!(gms.is_to_gm() && gms.t().is_none());
        let of_referees = PacketId::of_gm(&"alpha".parse().unwrap(), "notice/12/0", GmRole::Referee);
        assert_eq!(PacketId(&PacketId(&of_referees).copy(1)).gms_role(), GmRole::Referee);
        assert_eq!((gms.gms_role(), PacketId(&of_referees).gms_kind()), (GmRole::Owner, Some("notice")));
        assert_eq!(PacketId("_host/help/0123/20089").game(), None);
    }

    #[test]
    fn copies_are_told_apart_and_lead_back_to_the_mail() {
        let id = PacketId("alpha/3/allied/dispatch/0");
        let copies = [0, 1, 2].map(|n| id.copy(n));
        assert_eq!(copies[1], "alpha/3/allied/dispatch/0/again");
        assert_eq!(copies[2], "alpha/3/allied/dispatch/0/again2");
        assert!(copies.iter().all(|copy| PacketId(copy).first().0 == id.0));
        let of_a_seat = PacketId("alpha/3/against/dispatch/0");
        assert_eq!(of_a_seat.first().0, of_a_seat.0);
    }
}
