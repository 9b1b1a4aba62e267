//! What seats were told, counted: each telling has its number in the log (docs/dice.md, "What was told").

use std::collections::BTreeMap;

use super::campaign::Campaign;
use musterd_dice::told::{Contents, TellingId, TellingKind};
use musterd_dice::{Seat, SecretChain};
use musterd_engine::journal::{Cause, Telling};
use musterd_report::WORDING;

/// How often each seat was told of each adjudication that may still be told of.
#[derive(Debug, Default)]
pub(super) struct Tellings(BTreeMap<(u32, Seat), Count>);

/// What one seat was told of one adjudication.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// The number of the last telling.
    last: u32,
    /// The number of the first report; 0 before there was one.
    first_report: u32,
}

impl Tellings {
    pub(super) fn took(&mut self, telling: &Telling) {
        let TellingId { t, seat, n } = &telling.id;
        let count = self.0.entry((*t, seat.clone())).or_default();
        count.last = *n;
        if count.first_report == 0 && telling.contents.kind != TellingKind::Receipt {
            count.first_report = *n;
        }
    }

    /// Whether this is a seat's first report of an adjudication, which all get at once.
    pub(super) fn is_first_report(&self, telling: &Telling) -> bool {
        let count = self.0.get(&(telling.id.t, telling.id.seat.clone()));
        count.is_some_and(|count| count.first_report == telling.id.n)
    }

    /// Nobody is told any more of an adjudication before one that ran and counts.
    pub(super) fn ran(&mut self, t: u32) {
        self.0.retain(|(of, _), _| *of >= t);
    }

    fn next(&self, t: u32, seat: &Seat) -> u32 {
        self.0.get(&(t, seat.clone())).map_or(1, |count| count.last + 1)
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
