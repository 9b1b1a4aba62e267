//! The end of the log that all were told at once. A player who was told a later one, with its number, could count what the others have sent since.

use super::Tellings;
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
    pub(super) fn behind(
        cause: &Cause,
        chain: &Chain,
        entries: u64,
        (before, tellings): (Option<Self>, &Tellings),
    ) -> Option<Self> {
        // A deadline that is moved at once is told with the opening, and so are the reports that all get.
        let may_be_at_once = match cause {
            Cause::Rescheduled { .. } => true,
            Cause::Reported(telling) => tellings.is_first_report(telling),
            _ => false,
        };
        let is_at_once =
            may_be_at_once && before.as_ref().is_some_and(|before| before.entries + 1 == entries);
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
        Cause::Arranged(arrangement) => {
            matches!(arrangement.change, Change::Revealed { .. } | Change::Ended { .. })
        }
        _ => false,
    }
}
