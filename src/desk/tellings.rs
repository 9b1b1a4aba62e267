//! What seats were told, counted: each telling has its number in the log (docs/dice.md, "What was told").

use std::collections::BTreeMap;

use super::campaign::Campaign;
use musterd_dice::told::{Contents, TellingId};
use musterd_dice::{Seat, SecretChain};
use musterd_engine::journal::{Cause, Telling};
use musterd_report::WORDING;

/// How often each seat was told of each adjudication that may still be told of.
#[derive(Debug, Default)]
pub(super) struct Tellings(BTreeMap<(u32, Seat), u32>);

impl Tellings {
    pub(super) fn took(&mut self, telling: &Telling) {
        let TellingId { t, seat, n } = &telling.id;
        self.0.insert((*t, seat.clone()), *n);
    }

    /// Nobody is told any more of an adjudication before the one that ran last.
    pub(super) fn ran(&mut self, t: u32) {
        self.0.retain(|(of, _), _| *of >= t);
    }

    fn next(&self, t: u32, seat: &Seat) -> u32 {
        self.0.get(&(t, seat.clone())).map_or(1, |last| last + 1)
    }
}

impl Campaign {
    /// The next telling of `t` to a seat, with these contents; `None` where there is no secret of `t` to hide it by.
    #[must_use]
    pub fn binding(&self, secrets: &SecretChain, t: u32, seat: &Seat, contents: Contents) -> Option<Telling> {
        let id = TellingId { t, seat: seat.clone(), n: self.tellings().next(t, seat) };
        let commit = contents.commit(&secrets.secret(t)?, &self.charter().game, &id, WORDING);
        Some(Telling { id, wording: WORDING, contents, commit })
    }

    /// The cause that binds it.
    #[must_use]
    pub fn reporting(telling: Telling) -> Cause {
        Cause::Reported(Box::new(telling))
    }
}
