//! Binds what seats are told, before it is mailed (docs/dice.md, "What was told").

use super::Campaign;
use musterd_dice::told::{Contents, TellingId};
use musterd_dice::{Seat, SecretChain};
use musterd_engine::journal::{Cause, Telling};
use musterd_report::WORDING;

impl Campaign {
    /// The next telling of `t` to a seat, with these contents; `None` where there is no secret of `t` to hide it by.
    pub fn binding(&self, secrets: &SecretChain, t: u32, seat: &Seat, contents: Contents) -> Option<Telling> {
        let id = TellingId { t, seat: seat.clone(), n: self.tellings.next(t, seat) };
        let commit = contents.commit(&secrets.secret(t)?, &self.charter().game, &id, WORDING);
        Some(Telling { id, wording: WORDING, contents, commit })
    }

    /// The cause that binds it.
    pub fn reporting(telling: Telling) -> Cause {
        Cause::Reported(Box::new(telling))
    }
}
