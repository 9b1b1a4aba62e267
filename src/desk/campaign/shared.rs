//! The end of the log that all were told at once. A player who was told a later one, with its number, could count what the others have sent since.

use musterd_dice::{Chain, Witness};
use musterd_engine::journal::{Cause, Change};

/// How far all were told of the log at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// The last entry of the log then.
    pub witness: Witness,
    /// How many entries the journal had.
    pub entries: u64,
}

impl Shared {
    /// How far all were told when this cause is in the log, as the last of so many entries of the journal; `before` it that far.
    pub(super) fn behind(cause: &Cause, chain: &Chain, entries: u64, before: Option<Self>) -> Option<Self> {
        // A deadline that is moved at once is told with the opening.
        let is_at_once = matches!(cause, Cause::Rescheduled { .. })
            && before.as_ref().is_some_and(|before| before.entries + 1 == entries);
        if !is_at_once && !is_told_to_all(cause) {
            return before;
        }
        Witness::of(chain).map(|witness| Self { witness, entries })
    }
}

/// Whether everybody is told of an entry at once.
fn is_told_to_all(cause: &Cause) -> bool {
    match cause {
        Cause::Founded { .. }
        | Cause::Opened { .. }
        | Cause::Closed { .. }
        | Cause::Beacon { .. }
        | Cause::Adjudicated { .. }
        | Cause::RolledBack { .. }
        | Cause::Rerolled(_)
        | Cause::Ended { .. } => true,
        Cause::Arranged(arrangement) => matches!(arrangement.change, Change::Revealed { .. }),
        _ => false,
    }
}
