//! When the loop has to look at a game, known without folding it.

use musterd_desk::campaign::Campaign;
use musterd_desk::life::{RECALL, RECALLED};
use musterd_engine::journal::{Carriage, Cause, Change, Entry};

/// What the loop has to know of a game without folding it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Docket {
    /// When something may be due in it; unix seconds.
    pub(crate) due: Option<i64>,
    /// Whether it has ended.
    pub(crate) over: bool,
    /// Whether it is in the archive.
    pub(crate) archived: bool,
    /// When its open turn runs because all are ready, unless a mail stops it; unix seconds.
    pub(crate) recall: Option<i64>,
}

impl Docket {
    /// What is known of a folded game.
    pub(crate) fn now(campaign: &Campaign, now: i64) -> Self {
        let (over, archived) = (campaign.is_over(), campaign.is_archived());
        Self { due: campaign.next_due(now), over, archived, recall: campaign.runs_at() }
    }

    /// When something may be due in a game, from its journal alone and rather too early: only a fold knows exactly.
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let (mut due, mut over) = (None, false);
        let (mut lead, mut watched, mut sealed) = (0, false, false);
        for entry in entries {
            match &entry.cause {
                Cause::Founded { charter, .. } => lead = i64::from(charter.terms.remind.unwrap_or(0)) * 60,
                Cause::Opened { deadline, .. } => {
                    due = deadline.map(|at| at - lead);
                    over = false;
                }
                Cause::Rescheduled { deadline, reason, .. } => {
                    // Whether a wait for a mail is on, only a fold knows.
                    let is_wait = [RECALL, RECALLED].contains(&reason.as_str());
                    due = Some(if is_wait { entry.at } else { deadline - lead });
                }
                cause if cause.results().is_some() => (due, over) = (None, true),
                Cause::Arranged(arrangement) => {
                    watched |= matches!(arrangement.change, Change::Observer { .. });
                    due = due.map(|_| entry.at);
                }
                // A draft goes out, and a beacon comes, some time after.
                Cause::Closed { .. } | Cause::Adjudicated { .. } => due = Some(entry.at),
                Cause::Pressed(letter) => sealed |= matches!(letter.carriage, Carriage::Sealed { .. }),
                _ => {}
            }
        }
        if watched || sealed {
            // Those who watch may not have been shown all that they may see, and a seal may fall at any time.
            due = entries.last().map(|entry| entry.at);
        }
        Self { due, over, archived: false, recall: None }
    }
}
