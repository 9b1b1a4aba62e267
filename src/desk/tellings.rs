//! What seats were told, counted: each telling has its number in the log (docs/dice.md, "What was told").

use std::collections::BTreeMap;

use musterd_dice::Seat;
use musterd_dice::told::{TellingId, TellingKind};
use musterd_engine::journal::Telling;

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

    /// Turns were taken back, or the last one ran again: all are told anew at once.
    pub(super) fn told_anew(&mut self) {
        self.0.values_mut().for_each(|count| count.first_report = 0);
    }

    /// Nobody is told any more of an adjudication before one that ran and counts.
    pub(super) fn ran(&mut self, t: u32) {
        self.0.retain(|(of, _), _| *of >= t);
    }

    pub(super) fn next(&self, t: u32, seat: &Seat) -> u32 {
        self.0.get(&(t, seat.clone())).map_or(1, |count| count.last + 1)
    }
}
