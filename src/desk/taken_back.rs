//! Which entries of a journal are cancelled by reruns, rollbacks and rerolls.

use std::collections::BTreeSet;

use serde_json::Value;

use musterd_dice::Label;
use musterd_engine::journal::{Cause, Entry};

/// The GM's corrections of turns that had run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Correction {
    /// A turn ran again.
    Rerun {
        /// The turn.
        t: u32,
        /// The GM's reason.
        reason: String,
    },
    /// A roll of a turn was thrown again, with the consent of all.
    Rerolled {
        /// The turn that made the roll.
        of: u32,
        /// Its label.
        label: Label,
    },
    /// Turns became void.
    RolledBack {
        /// The last of them.
        t: u32,
        /// The first of them.
        back: u32,
        /// The GM's reason.
        reason: String,
    },
}

/// The entries of a journal that later entries cancelled.
#[derive(Debug, Clone, Default)]
pub struct TakenBack {
    /// The adjudications that are void.
    void: BTreeSet<u32>,
    /// The entries whose events no longer count.
    superseded: BTreeSet<u64>,
    /// The number of entries that were examined.
    known: u64,
}

impl TakenBack {
    /// Whether this entry takes earlier ones back.
    pub fn takes_back(cause: &Cause) -> bool {
        matches!(cause, Cause::Rerun { .. } | Cause::Rerolled(_) | Cause::RolledBack { .. })
    }

    /// Examines a journal.
    pub fn of(entries: &[&Entry]) -> Self {
        let mut found = Self::default();
        // The entries whose events count so far, with the adjudication of each; an amendment has none.
        let mut live: Vec<(u64, Option<u32>)> = Vec::new();
        for (index, entry) in (0..).zip(entries) {
            let mut drop_from = |first: u32, live: &mut Vec<(u64, Option<u32>)>| {
                let cut = live.iter().position(|(_, t)| *t == Some(first)).unwrap_or(live.len());
                found.superseded.extend(live.drain(cut..).map(|(index, _)| index));
            };
            match &entry.cause {
                Cause::Adjudicated { t, .. } => live.push((index, Some(*t))),
                Cause::Amended(_) => live.push((index, None)),
                Cause::Rerun { t, .. } => {
                    drop_from(*t, &mut live);
                    live.push((index, Some(*t)));
                }
                Cause::Rerolled(reroll) => {
                    drop_from(reroll.of, &mut live);
                    live.push((index, Some(reroll.of)));
                }
                Cause::RolledBack { t, back, .. } => {
                    drop_from(*back, &mut live);
                    found.void.extend(*back..=*t);
                }
                _ => {}
            }
            found.known = index + 1;
        }
        found
    }

    pub(super) fn is_void(&self, t: u32) -> bool {
        self.void.contains(&t)
    }

    pub(super) fn is_superseded(&self, index: u64) -> bool {
        self.superseded.contains(&index)
    }

    /// Whether this entry was there when the journal was examined.
    pub(super) fn foresaw(&self, index: u64) -> bool {
        index < self.known
    }
}

/// The events of a journal that count, in order: its position is the fold over them.
pub fn counting_events(entries: &[Entry]) -> Vec<Value> {
    let taken_back = TakenBack::of(&entries.iter().collect::<Vec<_>>());
    let mut counting = Vec::new();
    for (_, entry) in (0..).zip(entries).filter(|(index, _)| !taken_back.is_superseded(*index)) {
        match &entry.cause {
            Cause::Adjudicated { events, .. } => counting.extend_from_slice(events),
            Cause::Amended(amendment) => counting.extend_from_slice(&amendment.events),
            Cause::Rerun { amendment, events, .. } => {
                counting.extend_from_slice(&amendment.events);
                counting.extend_from_slice(events);
            }
            Cause::Rerolled(reroll) => counting.extend_from_slice(&reroll.events),
            _ => {}
        }
    }
    counting
}
