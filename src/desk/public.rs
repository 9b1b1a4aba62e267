//! Which adjudications of a game are public.

use musterd_engine::journal::{Arrangement, Cause, Change, Entry};

/// The revealed adjudications, computed entry by entry from a journal. A revealed adjudication never becomes secret again, whatever happens to its
/// turn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Public {
    upto: u32,
    over: bool,
}

impl Public {
    /// Takes the next cause of the journal.
    pub(super) fn take(&mut self, cause: &Cause) {
        match cause {
            Cause::Arranged(Arrangement { change: Change::Revealed { upto, .. }, .. }) => {
                self.upto = self.upto.max(*upto);
            }
            cause if cause.results().is_some() => self.over = true,
            // The game goes on after its end: only turns that had run by then were revealed.
            Cause::RolledBack { t, .. } if self.over => *self = Self { upto: self.upto.max(*t), over: false },
            _ => {}
        }
    }

    /// The last adjudication that is revealed.
    pub(super) const fn upto(self) -> u32 {
        if self.over { u32::MAX } else { self.upto }
    }
}

/// The last revealed adjudication of the game with this journal; all before it are revealed too. 0 if none is. The end of the game reveals all of it
/// (`u32::MAX`).
pub fn revealed(entries: &[Entry]) -> u32 {
    let mut public = Public::default();
    entries.iter().for_each(|entry| public.take(&entry.cause));
    public.upto()
}
